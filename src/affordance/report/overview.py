"""All tasks of a report at a glance: one row per task, one column per model."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance.core.formatting import count_noun, format_interval, format_percent
from affordance.core.model_name import STUDY_PREFIX, without_base_url
from affordance.report.human_rows import human_label
from affordance.report.pairwise import RowComparison, RowRef, is_significant
from affordance.report.result_row import DEFAULT_STRATEGY, ResultRow

MIN_GROUPS = 3  # fewer are described in sentences
MAX_PAIRS = 3  # of models that are compared in sentences


@dataclass(frozen=True, slots=True)
class OverviewCell:
    value: str = ""
    interval: str = ""
    level: bool = False  # not better than the trivial baselines


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
    """Of groups of rows, each with its id on the page and its question; empty for fewer than three groups."""
    if len(groups) < MIN_GROUPS:
        return Overview()
    models = tuple(dict.fromkeys(_column(row) for _, _, rows in groups for row in rows))
    several = len({rows[0].run for _, _, rows in groups}) > 1
    lines = tuple(_line(id_, question, rows, models, several) for id_, question, rows in groups)
    said = [_finding(groups, models), *_leaders(groups, contests)]
    return Overview(" ".join(one for one in said if one), models, lines)


def _column(row: ResultRow) -> str:
    """All studies share a column, as each is about one task."""
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
        said.append(f"{model} is better than the trivial baselines in {above} of {count_noun(len(rows), 'row')}")
    return f"{'; '.join(said)}." if said else ""


def _leaders(groups: Sequence[tuple[str, str, Sequence[ResultRow]]], contests: Sequence[RowComparison]) -> list[str]:
    """In how many rows one model is significantly better than another. Studies are left out: their people differ."""
    asked = {(row.run, row.task, row.form) for _, _, rows in groups for row in rows}
    held: dict[tuple[str, str], list[int]] = {}
    labels = _row_labels(contests)
    for one in contests:
        if any(who.model.startswith(STUDY_PREFIX) for who in (one.first, one.second)):
            continue
        if one.first.run == one.second.run and (one.first.run, one.task, one.form) in asked:
            better = held.setdefault((labels[one.first], labels[one.second]), [0, 0, 0])
            better[2] += 1
            if is_significant(one.paired, one.holm):
                better[one.paired.difference < 0] += 1
    if len(held) > MAX_PAIRS:
        return []
    clauses = [
        f"{first} is better than {second} in {a} of {count_noun(n, 'row')} and worse in {b}"
        for (first, second), (a, b, n) in held.items()
    ]
    return [f"Significant in paired tests (Holm): {'; '.join(clauses)}."] if clauses else []


def _row_labels(contests: Sequence[RowComparison]) -> dict[RowRef, str]:
    """Models without their base URL, unless that would make two models one."""
    refs = {ref for one in contests for ref in (one.first, one.second)}
    short = {model: without_base_url(model) for model in {ref.model for ref in refs}}
    if len(set(short.values())) < len(short):
        short = {model: model for model in short}
    return {ref: short[ref.model] + ("" if ref.strategy == DEFAULT_STRATEGY else f" ({ref.strategy})") for ref in refs}
