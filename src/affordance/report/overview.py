"""Many tasks at a glance: one line each, the models across."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import count_noun, format_interval, format_percent
from affordance.core.model_name import STUDY_PREFIX, without_base_url
from affordance.report.human_rows import human_label
from affordance.report.pairwise import RowComparison, RowRef, is_significant
from affordance.report.result_row import ResultRow

FEWEST_GROUPS = 3  # below that, sentences say it all
MOST_PAIRS = 3  # of models that are compared in words


@dataclass(frozen=True, slots=True)
class OverviewCell:
    value: str = ""
    interval: str = ""
    level: bool = False  # with answering blindly, or below


@dataclass(frozen=True, slots=True)
class OverviewRow:
    id: str
    question: str
    where: str
    chance: str
    cells: tuple[OverviewCell, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    finding: str = ""
    models: tuple[str, ...] = ()
    lines: tuple[OverviewRow, ...] = ()


def overview(
    groups: Sequence[tuple[str, str, Sequence[ResultRow]]], contests: Sequence[RowComparison] = ()
) -> Overview:
    """Of groups of rows, each with its id on the page and its question; nothing where there are only a few."""
    if len(groups) < FEWEST_GROUPS:
        return Overview()
    models = tuple(dict.fromkeys(_column(row) for _, _, rows in groups for row in rows))
    several = len({rows[0].run for _, _, rows in groups}) > 1
    lines = tuple(_line(id_, question, rows, models, several) for id_, question, rows in groups)
    said = [_finding(groups, models), *_leaders(groups, contests)]
    return Overview(" ".join(one for one in said if one), models, lines)


def _column(row: ResultRow) -> str:
    """Each study is asked one task, so people have one column for all of them."""
    return row.label if row.asked is None else human_label(row.asked)


def _line(id_: str, question: str, rows: Sequence[ResultRow], models: Sequence[str], several_runs: bool) -> OverviewRow:
    found = {_column(row): _cell(row) for row in rows}
    run = f", run {rows[0].run}" if several_runs else ""
    where = f"{rows[0].task_label}, n {max(row.n for row in rows):,}{run}"
    cells = tuple(found.get(model, OverviewCell()) for model in models)
    return OverviewRow(id_, question, where, format_percent(rows[0].chance), cells)


def _cell(row: ResultRow) -> OverviewCell:
    share = row.metrics["accuracy"]
    if share is None:
        return OverviewCell()
    star = "" if row.complete else "*"
    return OverviewCell(
        format_percent(share) + star, format_interval(row.intervals.get("accuracy")), row.baseline_relation != "above"
    )


def _finding(groups: Sequence[tuple[str, str, Sequence[ResultRow]]], models: Sequence[str]) -> str:
    said = []
    for model in models[:3]:
        rows = [row for _, _, group in groups for row in group if _column(row) == model and row.chance > 0]
        above = sum(row.baseline_relation == "above" for row in rows)
        said.append(f"{model} is better than answering blindly in {above} of {count_noun(len(rows), 'line')}")
    return f"{'; '.join(said)}." if said else ""


def _leaders(groups: Sequence[tuple[str, str, Sequence[ResultRow]]], contests: Sequence[RowComparison]) -> list[str]:
    """Of few models, in how many lines one is better than another for sure. People are other people in each line."""
    asked = {(row.run, row.task, row.form) for _, _, rows in groups for row in rows}
    held: dict[tuple[str, str], list[int]] = {}
    for one in contests:
        if any(who.model.startswith(STUDY_PREFIX) for who in (one.first, one.second)):
            continue
        if one.first.run == one.second.run and (one.first.run, one.task, one.form) in asked:
            better = held.setdefault((_model_label(one.first), _model_label(one.second)), [0, 0, 0])
            better[2] += 1
            if is_significant(one.paired, one.holm):
                better[one.paired.difference < 0] += 1
    if len(held) > MOST_PAIRS:
        return []
    return [
        f"Question by question, {first} is better than {second} in {a} of {count_noun(n, 'line')} and worse in "
        f"{b}, after "
        "correction for all comparisons."
        for (first, second), (a, b, n) in held.items()
    ]


def _model_label(who: RowRef) -> str:
    model = without_base_url(who.model)
    return model if who.strategy == "zero-shot" else f"{model} ({who.strategy})"
