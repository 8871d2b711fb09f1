"""Accuracy by slice, all models side by side, for the tags that rows were broken down by."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.attempts import SCORED_STATUSES
from affordance.report.numbers import MISSING, format_percent, join_names
from affordance.report.page.inline_figures import mark
from affordance.report.rows import ResultRow, SliceResult
from affordance.report.words import row_label

MOST_VALUES = 40
_DESCRIBED = 3  # models whose best and worst value are put into words
_MODELS_ACROSS = 4  # more models than this become lines, if there are not more values than the next
_VALUES_ACROSS = 8
_NONE = "(none)"

_TITLES = {
    "slot": "Does the place of the right option matter?",
    "action": "Does it matter what is done to the element?",
    "names itself": "Is it enough to read?",
    "density": "Do neighbours distract?",
    "density, Gaussian": "Do neighbours distract, as the released code counts them?",
    "density, as shipped": "Do neighbours distract, as the publisher classed them?",
    "area, as shipped": "Does the size of the target matter, as the publisher classed it?",
    "group size": "Do look-alikes distract?",
    "area": "Does the size of the target matter?",
    "target": "Are polygons and absent targets harder?",
    "region type": "Which kinds of region are harder?",
    "platform": "Does the platform matter?",
    "rendering": "Does it matter how the screen is drawn?",
    "steps": "Are outcomes of several steps harder?",
    "ui_type": "Are icons harder than text?",
    "application_group": "Which applications are harder?",
    "source": "Are written questions harder than those from captured outcomes?",
}
_NOTES = {
    "names itself": "Where the description holds the element's own name, finding the name is enough.",
    "density": "Neighbours are counted in a box of three times the target's size; cut points are those of the dataset.",
    "density, Gaussian": "Neighbours in a box of four times the target's size count for less the farther away.",
    "group size": "How many elements of the screen look alike, the target included.",
    "rendering": "Not every target is there in every rendering; the gap is measured on the same ones, further down.",
    "source": "Some were written by hand or published, others are made of outcomes that were captured and verified.",
    "slot": "A model that reads the options is as often right wherever the right one stands; "
    "one that prefers a letter is not.",
}


@dataclass(frozen=True, slots=True)
class SliceCell:
    share: str
    n: int  # scored attempts
    figure: Markup


@dataclass(frozen=True, slots=True)
class BreakdownTable:
    by: str  # the tag
    title: str
    note: str
    findings: tuple[str, ...]
    corner: str  # what the lines are
    columns: tuple[str, ...]
    lines: tuple[tuple[str, tuple[SliceCell, ...]], ...]
    dense: bool  # whether the lines are models: many of them, beside few values
    hidden: int  # values that are left out


def breakdown_tables(group: Sequence[ResultRow]) -> list[BreakdownTable]:
    """One table for each tag, of the rows that have anything scored. Of too many values those with the most attempts
    are shown."""
    scored = [row for row in group if row.metrics["accuracy"] is not None]
    tags = dict.fromkeys(part.by for row in scored for part in row.breakdowns)
    return [_table(by, scored) for by in tags if _varies(by, scored)]


def _varies(by: str, group: Sequence[ResultRow]) -> bool:
    """Whether there is more than one value: one alone says what the leaderboard says."""
    return len({part.value for row in group for part in row.breakdowns if part.by == by}) > 1


def _table(by: str, group: Sequence[ResultRow]) -> BreakdownTable:
    parts = [{part.value: part for part in row.breakdowns if part.by == by} for row in group]
    values = list(dict.fromkeys(value for of_row in parts for value in of_row))
    attempts = {value: sum(of_row[value].n for of_row in parts if value in of_row) for value in values}
    most = set(sorted(values, key=lambda value: -attempts[value])[:MOST_VALUES])
    shown = [value for value in values if value in most]
    names = [row_label(row) for row in group]
    cells = [
        [_cell(row, value, of_row.get(value)) for value in shown] for row, of_row in zip(group, parts, strict=True)
    ]
    dense = len(group) > _MODELS_ACROSS and len(shown) <= _VALUES_ACROSS
    labels = [value or _NONE for value in shown]
    sides = (names, labels, cells) if dense else (labels, names, list(zip(*cells, strict=True)))
    return BreakdownTable(
        by=by,
        title=_TITLES.get(by, f"How right are the models for each {by.replace('_', ' ')}?"),
        note=_NOTES.get(by, ""),
        findings=tuple(
            finding for row, of_row in zip(group, parts, strict=True) if (finding := _finding(row, of_row.values()))
        )[:_DESCRIBED],
        corner="model" if dense else by,
        columns=tuple(sides[1]),
        lines=tuple((label, tuple(line)) for label, line in zip(sides[0], sides[2], strict=True)),
        dense=dense,
        hidden=len(values) - len(shown),
    )


def _cell(row: ResultRow, value: str, part: SliceResult | None) -> SliceCell:
    share = None if part is None else part.metrics["accuracy"]
    said = f"{row_label(row)}, {value or _NONE}: " + (
        "nothing scored" if share is None else f"{format_percent(share)}%"
    )
    return SliceCell(format_percent(share), 0 if part is None else _scored_slices(part), mark(share, row.chance, said))


def _finding(row: ResultRow, parts: Iterable[SliceResult]) -> str:
    """Empty where nothing that has the tag is scored, as in a run that was interrupted."""
    shares = {part.value or _NONE: format_percent(part.metrics["accuracy"]) for part in parts}
    ranked = sorted((share for share in shares.values() if share != MISSING), key=float)
    if not ranked:
        return ""
    low, high = ranked[0], ranked[-1]
    if low == high:
        return f"{row_label(row)} is right in {low}% throughout."
    best = join_names([value for value, share in shares.items() if share == high])
    worst = join_names([value for value, share in shares.items() if share == low])
    return f"{row_label(row)} is most often right for {best} ({high}%), least often for {worst} ({low}%)."


def _scored_slices(part: SliceResult) -> int:
    return sum(part.ended[ended] for ended in SCORED_STATUSES)
