"""The two sides of a comparison: rows found by name, and the settings in which they differ."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum

from affordance.core.errors import UnknownName, UserError
from affordance.core.json_text import Json, canonical_json
from affordance.core.model_name import without_base_url
from affordance.ledger import RunEntry
from affordance.report.notes import list_versions
from affordance.report.result_row import ResultRow
from affordance.report.row_warnings import BUILT_IN_PROVIDERS, OPTION


class DifferenceKind(StrEnum):
    """A kind of setting in which two sides may differ."""

    DATA = "data"
    QUESTIONS = "questions"
    PROMPTS = "prompts"
    DIALECT = "dialect"
    SAMPLING = "sampling"
    INPUT = "input"
    PROTOCOL = "protocol"
    JUDGE = "judge"
    PARSERS = "parsers"


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting that differs. It is `grave` if it was chosen and does not come with the model: then it may explain a
    difference in scores."""

    kind: DifferenceKind
    words: str
    grave: bool = True


@dataclass(frozen=True, slots=True)
class ComparisonSide:
    """The entries of the ledger that a name stands for."""

    name: str
    lines: tuple[RunEntry, ...]
    is_run: bool


_SETTINGS = {
    DifferenceKind.PROMPTS: ("prompts",),
    DifferenceKind.INPUT: ("fps", "most_frames", "input"),
    DifferenceKind.PROTOCOL: ("order", "reasks"),
    DifferenceKind.JUDGE: ("judge", "reference", "summarizer", "judge_orders", "judge_max_tokens", "judged against"),
}


def resolve_side(called: str, lines: Sequence[RunEntry]) -> ComparisonSide:
    """The run of that name, else the model, else RUN/MODEL. A model may be named without its base URL, and with its
    strategy: `MODEL (debate-1)`."""
    if of_run := [line for line in lines if line.run == called]:
        return ComparisonSide(called, tuple(of_run), is_run=True)
    if of_model := _of_model(called, lines):
        return ComparisonSide(called, tuple(of_model), is_run=False)
    for run in dict.fromkeys(line.run for line in lines):
        if called.startswith(f"{run}/"):
            model = called.removeprefix(f"{run}/")
            if found := _of_model(model, [line for line in lines if line.run == run]):
                return ComparisonSide(called, tuple(found), is_run=False)
    known = [*(line.run for line in lines), *(line.model for line in lines)]
    raise UnknownName("run or model", called, dict.fromkeys(known))


def match_rows(
    first: ComparisonSide, second: ComparisonSide, only: Sequence[str] = ()
) -> list[tuple[RunEntry, RunEntry]]:
    """Pairs of entries to compare: two runs on their common models or on their only ones; two models in their common
    run, or each in its only one. Raises `UserError` if the names are ambiguous."""
    found: list[tuple[RunEntry, RunEntry]] = []
    for task in sorted({line.task for line in first.lines} & {line.task for line in second.lines}):
        if not only or task in only:
            found += _matches_of(task, first, second)
    if not found:
        tasks = (
            ", ".join(sorted({line.task for line in first.lines})),
            ", ".join(sorted({line.task for line in second.lines})),
        )
        raise UserError(
            f"{first.name} and {second.name} have no task in common{' in ' + ', '.join(only) if only else ''}: "
            f"{tasks[0]} and {tasks[1]}; name two runs or models of one task"
        )
    return found


def _matches_of(task: str, first: ComparisonSide, second: ComparisonSide) -> list[tuple[RunEntry, RunEntry]]:
    ones = [line for line in first.lines if line.task == task]
    others = [line for line in second.lines if line.task == task]
    every = [(one, other) for one in ones for other in others if one != other]
    if first.is_run and second.is_run:
        meant = [(one, other) for one, other in every if (one.model, one.strategy) == (other.model, other.strategy)]
    else:
        alike = [(one, other) for one, other in every if one.strategy == other.strategy] or every
        meant = [(one, other) for one, other in alike if one.run == other.run] or alike
    if not meant and len(every) == 1:
        meant = every
    if every and not meant:
        raise UserError(f"{task}: runs {first.name} and {second.name} have no model in common; name both as RUN/MODEL")
    if not (first.is_run and second.is_run):
        _check_unambiguous(task, meant)
    return meant


def _check_unambiguous(task: str, meant: Sequence[tuple[RunEntry, RunEntry]]) -> None:
    """Raises if a model has several entries of one strategy."""
    strategies = [(one.strategy, other.strategy) for one, other in meant]
    if len(set(strategies)) < len(strategies):
        rivals = " or ".join(f"{one.run}/{one.model} and {other.run}/{other.model}" for one, other in meant[:4])
        raise UserError(f"{task}: ambiguous, could be {rivals}; name both as RUN/MODEL")


def _of_model(called: str, lines: Sequence[RunEntry]) -> list[RunEntry]:
    whole = [line for line in lines if called in (line.model, f"{line.model} ({line.strategy})")]
    if whole:
        return whole
    short = [line for line in lines if called == without_base_url(line.model)]
    if len({line.model for line in short}) > 1:
        models = ", ".join(sorted({line.model for line in short}))
        raise UserError(f"{called} is ambiguous: {models}; use the full name")
    return short


def setting_differences(
    first: ResultRow, second: ResultRow, ones: Set[str], others: Set[str]
) -> list[SettingDifference]:
    """The settings in which two rows of a task differ, grave ones first. The sets are the questions of each."""
    found = [
        SettingDifference(kind, f"{kind}: {_describe_values(first, keys)} and {_describe_values(second, keys)}")
        for kind, keys in _SETTINGS.items()
        if _values(first, keys) != _values(second, keys)
    ]
    digests = [str(row.dataset.get("digest", ""))[:12] for row in (first, second)]
    if digests[0] != digests[1]:
        names = [f"{row.dataset.get('name')} {digest}" for row, digest in zip((first, second), digests, strict=True)]
        found.append(SettingDifference(DifferenceKind.DATA, f"data: {names[0]} and {names[1]}"))
    if ones != others:
        only = f"{len(ones - others):,} only in the first, {len(others - ones):,} only in the second"
        found.append(
            SettingDifference(DifferenceKind.QUESTIONS, f"questions: {len(ones & others):,} are shared, {only}")
        )
    found += _dialects(first, second)
    found += _parsers(first, second)
    found += _samplings(first, second)
    return sorted(found, key=lambda one: not one.grave)


def _dialects(first: ResultRow, second: ResultRow) -> list[SettingDifference]:
    if first.dialect == second.dialect:
        return []
    grave = first.model == second.model or OPTION in (first.decided, second.decided)
    return [SettingDifference(DifferenceKind.DIALECT, f"dialect: {first.dialect} and {second.dialect}", grave)]


def _parsers(first: ResultRow, second: ResultRow) -> list[SettingDifference]:
    """Also if both sides have the same mixture: then it is unknown which version parsed what."""
    if first.parser_versions == second.parser_versions and len(first.parser_versions) < 2:
        return []
    versions = [list_versions(row.parser_versions) or "none" for row in (first, second)]
    return [SettingDifference(DifferenceKind.PARSERS, f"parser version: {versions[0]} and {versions[1]}", grave=False)]


def _samplings(first: ResultRow, second: ResultRow) -> list[SettingDifference]:
    if any(row.model.startswith(BUILT_IN_PROVIDERS) for row in (first, second)):
        return []  # built-in models have no sampling
    ones, others = (sorted({canonical_json(one["parameters"]) for one in row.sent}) for row in (first, second))
    asked = first.setting("parameters"), second.setting("parameters")
    if ones == others and asked[0] == asked[1]:
        return []
    words = f"sampling: {' or '.join(ones) or 'unknown'} and {' or '.join(others) or 'unknown'}"
    return [
        SettingDifference(DifferenceKind.SAMPLING, words, grave=asked[0] != asked[1] or first.model == second.model)
    ]


def _values(row: ResultRow, keys: Sequence[str]) -> Mapping[str, Json]:
    return {key: value for key in keys if (value := row.setting(key)) is not None}


def _describe_values(row: ResultRow, keys: Sequence[str]) -> str:
    said = [f"{key} {value}" if len(keys) > 1 else str(value)[:12] for key, value in _values(row, keys).items()]
    return ", ".join(said) or "none"


def distinct_names(first: ResultRow, second: ResultRow) -> tuple[str, str]:
    """Distinct short names of two rows: by model, else by run."""
    if first.label != second.label:
        return first.label, second.label
    return first.run, second.run
