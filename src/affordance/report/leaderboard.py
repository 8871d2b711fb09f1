"""The leaderboard of a task over all runs of a report, with baselines, people and published numbers.

A column holds results under equal conditions: dataset and version, protocol, prompts, judge, trials, n. Published
numbers have columns of their own, and none next to synthetic data.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.formatting import MISSING, Unit, count_noun, format_count, join_names
from affordance.core.json_text import Json, canonical_json
from affordance.core.table import Cell, Column, Mark, Table
from affordance.report.human_rows import human_label
from affordance.report.notes import cluster_noun, parser_note
from affordance.report.published_results import (
    PublishedFact,
    PublishedTable,
    contradiction_notes,
    headline_cells,
    published_cell,
    published_facts_for,
    published_name,
    published_table,
    published_tables_for,
    published_unit,
)
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.report.row_warnings import BUILT_IN_PROVIDERS
from affordance.report.views.conditions import main_condition_rows
from affordance.tasks.registry import TASKS

# Settings that do not make two rows incomparable: they are part of the row itself.
_IN_THE_ROW = frozenset({"tasks", "strategies", "expressions", "cues"})
_KINDS = {
    "model": "of models",
    "baseline": "of baselines",
    "people": "of people",
    "people (synthetic)": "of people (synthetic)",
    "published": "from papers",
}
_PEOPLE, _OURS = ("baseline:people", "study:"), ("baseline:", "oracle:")

LineKey = tuple[str, str, str, str]  # kind, model, condition, and the run if lines are otherwise equal


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The table of a task, all that papers print on its data, and what they say about it."""

    question: str
    subject: str  # the task, with its condition where all lines have the same
    table: Table
    published: tuple[Table, ...]
    facts: tuple[PublishedFact, ...]


def leaderboards(rows: Sequence[ResultRow]) -> list[Leaderboard]:
    """One for each task with several runs or published numbers. Synthetic data has leaderboards of its own."""
    shown = [row for row in main_condition_rows(rows) if row.n and not _is_control(row)]
    found = []
    for task, synthetic in dict.fromkeys((row.task, _is_synthetic(row)) for row in shown):
        group = with_short_labels([row for row in shown if (row.task, _is_synthetic(row)) == (task, synthetic)])
        papers = [] if synthetic else _papers(group)
        if len({row.run for row in group}) > 1 or papers:
            found.append(_leaderboard(group, papers))
    return found


def model_kind(row: ResultRow) -> str:
    if row.asked is not None:
        return human_label(row.asked)
    model = row.model
    return "people" if model.startswith(_PEOPLE) else "baseline" if model.startswith(_OURS) else "model"


def comparable_settings(row: ResultRow) -> dict[str, str]:
    """Everything that must be equal for two rows to be compared as they are, in words."""
    settings = {key: row.setting(key) for key in row.settings if key not in _IN_THE_ROW}
    if sampling := _own_sampling(row):
        settings["sampling of its own"] = sampling
    data = {"dataset": row.dataset.get("name"), "version": row.dataset.get("digest"), "n": row.n, "items": row.items}
    return {
        key: _describe_rank(value)
        for key, value in {**data, **dict(sorted(settings.items()))}.items()
        if value is not None
    }


def _own_sampling(row: ResultRow) -> Json:
    """What a model was sent beyond the settings, or against them: its own table in affordance.toml says so. Models of
    ours have no sampling to speak of."""
    asked = row.setting("parameters")
    common = asked if isinstance(asked, Mapping) else {}
    if row.model.startswith(BUILT_IN_PROVIDERS):
        return {}
    found: dict[str, Json] = {}
    for sent in row.sent:
        parameters = sent.get("parameters")
        if isinstance(parameters, Mapping):
            found |= {key: value for key, value in parameters.items() if common.get(key) != value}
    return found


def _describe_rank(value: Json) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_describe_rank(entry)}" for key, entry in sorted(value.items())) or "none"
    return value if isinstance(value, str) else canonical_json(value)


def _is_control(row: ResultRow) -> bool:
    return bool(TASKS[row.task].views.split.control) and row.form == TASKS[row.task].views.split.control


def _is_synthetic(row: ResultRow) -> bool:
    return bool(row.dataset.get("synthetic"))


def _papers(group: Sequence[ResultRow]) -> list[PublishedTable]:
    """What is stated on datasets of the group."""
    names = dict.fromkeys(str(row.dataset.get("name")) for row in group)
    return [table for name in names for table in published_tables_for(name, group[0].task)]


def _leaderboard(group: Sequence[ResultRow], papers: Sequence[PublishedTable]) -> Leaderboard:
    task = TASKS[group[0].task]
    conditions = {tuple(comparable_settings(row).items()): comparable_settings(row) for row in group}
    keys = list(conditions)
    lines: dict[LineKey, dict[int, Cell]] = {}
    for row in group:
        cells = lines.setdefault(_line_key(row, group), {})
        cells[keys.index(tuple(comparable_settings(row).items()))] = Cell(
            row.metrics["accuracy"], row.intervals.get("accuracy"), marks=() if row.complete else (Mark.INCOMPLETE,)
        )
    forms = {row.form for row in group}
    printed = [(table, found) for table in papers if (found := _published_cells(table, forms))]
    for place, (_, found) in enumerate(printed, len(keys)):
        for key, cell in found:
            lines.setdefault(key, {})[place] = cell
    columns = _own_columns(group, list(conditions.values()))
    columns += [_published_column(table, forms) for table, _ in printed]
    ranked = sorted(lines.items(), key=lambda entry: _rank(*entry))
    named = {form for (_, _, form, _), _ in ranked if form}
    subject = f"{task.name} ({next(iter(named))})" if len(named) == 1 else task.name
    several = len(named) > 1
    table = Table.of(
        id=f"{task.name}/leaderboard",
        title=f"Leaderboard of {subject}, with 95% intervals",
        columns=["model", "kind", *(["condition"] if several else []), *(column for column, _ in columns)],
        rows=[
            (
                f"{model}, run {run}" if run else model,
                kind,
                *([form] if several else []),
                *(of_line.get(place, Cell("")) for place in range(len(columns))),
            )
            for (kind, model, form, run), of_line in ranked
        ],
        notes=[
            *(legend for _, legend in columns),
            *_notes(group, papers),
            *contradiction_notes([table for table, _ in printed], forms),
        ],
        finding=_finding([key for key, _ in ranked], len(columns)),
        intervals="cell",
    )
    facts = [
        fact for name in dict.fromkeys(one.dataset for one in papers) for fact in published_facts_for(name, task.name)
    ]
    return Leaderboard(task.summary, subject, table, tuple(map(published_table, papers)), tuple(facts))


def _line_key(row: ResultRow, group: Sequence[ResultRow]) -> LineKey:
    """Two runs under one condition have lines of their own."""
    same = [one for one in group if (one.model, one.strategy, one.form) == (row.model, row.strategy, row.form)]
    twice = sum(comparable_settings(one) == comparable_settings(row) for one in same) > 1
    name = row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"
    return model_kind(row), name, row.form, row.run if twice else ""


def _published_cells(table: PublishedTable, forms: set[str]) -> list[tuple[LineKey, Cell]]:
    return [
        (
            ("published", published_name(row), one.column.form if one.column.form in forms else "", ""),
            published_cell(one),
        )
        for row, one in headline_cells(table, forms)
    ]


def _rank(key: LineKey, cells: Mapping[int, Cell]) -> tuple[bool, int, float, LineKey]:
    """Our results before published ones, column by column, best first."""
    first = min(cells)
    value = cells[first].value
    return key[0] == "published", first, -value if isinstance(value, int | float) else 1.0, key


def _own_columns(group: Sequence[ResultRow], conditions: Sequence[Mapping[str, str]]) -> list[tuple[Column, str]]:
    """The columns of our results, each with its legend."""
    names = dict.fromkeys(key for one in conditions for key in one)
    differing = [key for key in names if len({one.get(key) for one in conditions}) > 1 and key not in ("n", "items")]
    found = []
    for number, one in enumerate(conditions):
        of_column = [row for row in group if comparable_settings(row) == one]
        letter = _letter(number) if len(conditions) > 1 else ""
        row = of_column[0]
        synthetic = ", synthetic" if _is_synthetic(row) else ""
        items, attempts = count_noun(row.items, TASKS[row.task].views.item_noun), count_noun(row.n, "attempt")
        legend = [
            f"{one.get('dataset', 'an unnamed dataset')} ({items}{synthetic}, {attempts})",
            f"run {join_names(list(dict.fromkeys(row.run for row in of_column)))}",
            *(f"{key} {_short(key, one.get(key, 'not set'))}" for key in differing if key != "dataset"),
        ]
        lines = (*([letter] if letter else []), one.get("dataset", MISSING), items, attempts)
        label = "\n".join((*lines, TASKS[row.task].headline_label))
        text = "; ".join(legend)
        found.append((Column(letter or "value", label, Unit.PERCENT), f"{letter}: {text}." if letter else f"{text}."))
    return found


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"A{number - 25}"


def _short(key: str, value: str) -> str:
    return value[:8] if key in ("version", "prompts") else value


def _published_column(table: PublishedTable, forms: set[str]) -> tuple[Column, str]:
    n = "n not stated" if table.n is None else f"n {format_count(table.n)}"
    column = next(cell.column for _, cell in headline_cells(table, forms))
    label = "\n".join((*table.source.split(", "), n, column.metric.replace("_", " ")))
    return Column(table.source, label, *published_unit(column)), f"{table.source} (published): {table.protocol}."


def _finding(keys: Sequence[LineKey], columns: int) -> str:
    """How many rows of each kind, and which of them may be compared."""
    kinds = Counter(kind for kind, *_ in keys)
    counts = join_names([f"{count_noun(kinds[kind], 'row')} {of}" for kind, of in _KINDS.items() if kinds[kind]])
    return f"{counts}." + (
        " Compare numbers within a column only: columns differ in conditions." if columns > 1 else ""
    )


def _notes(group: Sequence[ResultRow], papers: Sequence[PublishedTable]) -> list[str]:
    notes = [
        f"Intervals are clustered by {cluster_noun(group[0])}."
        + (" Published numbers have no interval." if papers else "")
    ]
    gaps = [
        f"{row.model} in run {row.run} lacks {format_count(row.missing)} of {format_count(row.n)}"
        for row in group
        if row.missing
    ]
    if gaps:
        notes.append(f"{Mark.INCOMPLETE} Incomplete, only finished attempts are scored: {join_names(gaps)}.")
    return [*notes, parser_note(group)]
