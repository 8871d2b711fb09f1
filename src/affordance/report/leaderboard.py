"""One board for each task over all runs of a report, with baselines, people and what papers state.

A column is a condition: dataset and version, protocol, prompts, judge, trials, n... Two rows share a column only where
all of it is equal. What papers state has columns of its own, and none beside data that was made up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.json_text import Json, canonical_json
from affordance.report.human_rows import human_label
from affordance.report.numbers import MISSING, count_noun, format_count, format_interval, format_percent, join_names
from affordance.report.published_results import (
    DAGGER,
    PublishedFact,
    PublishedTable,
    contradiction_notes,
    format_published,
    headline_cells,
    published_facts_for,
    published_name,
    published_table,
    published_tables_for,
)
from affordance.report.row_warnings import BUILT_IN_PROVIDERS
from affordance.report.rows import ResultRow
from affordance.report.sheet import Column, ReportTable
from affordance.report.views.conditions import main_condition_rows
from affordance.report.words import cluster_noun, missing_count, parsers, setting, with_short_labels
from affordance.tasks.registry import TASKS

STAR = "*"
# What is one condition's, but not a setting that keeps rows apart: it is in the rows themselves.
_IN_THE_ROW = frozenset({"tasks", "strategies", "expressions", "cues"})
_KINDS = {
    "model": "of models",
    "baseline": "of baselines",
    "people": "of people",
    "people (synthetic)": "of people (synthetic)",
    "published": "that papers state",
}
_PEOPLE, _OURS = ("baseline:people", "study:"), ("baseline:", "oracle:")

Key = tuple[str, ...]
Place = tuple[str, str, str, str]  # of a line: kind, model, form, run where that tells apart


@dataclass(frozen=True, slots=True)
class LeaderboardCell:
    value: str
    interval: str = ""
    mark: str = ""

    @property
    def text(self) -> str:
        return f"{self.value}{self.mark}" + (f" ({self.interval})" if self.interval else "")


@dataclass(frozen=True, slots=True)
class LeaderboardColumn:
    """Of a column: what was measured on, and how much."""

    lines: tuple[str, ...]
    measure: str  # what the numbers in it are, with the unit: a paper may count otherwise than we do
    legend: str


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    model: str
    kind: str  # model, baseline, people, people (synthetic) or published
    form: str
    cells: tuple[LeaderboardCell | None, ...]  # by column


@dataclass(frozen=True, slots=True)
class Leaderboard:
    task: str
    question: str
    finding: str
    headings: tuple[LeaderboardColumn, ...]
    lines: tuple[LeaderboardRow, ...]
    notes: tuple[str, ...]
    published: tuple[ReportTable, ...]  # all that the papers state, parts too
    facts: tuple[PublishedFact, ...]

    @property
    def several_forms(self) -> bool:
        return len({line.form for line in self.lines if line.form}) > 1

    @property
    def subject(self) -> str:
        """The task, with its form where all lines have the same."""
        forms = {line.form for line in self.lines if line.form}
        return f"{self.task} ({forms.pop()})" if len(forms) == 1 else self.task


def leaderboards(rows: Sequence[ResultRow]) -> list[Leaderboard]:
    """One for each task of which there are several runs or published rows; else the rows of the run say it all. Data
    that was made up is on boards of its own."""
    shown = [row for row in main_condition_rows(rows) if row.n and not _control(row)]
    found = []
    for task, made_up in dict.fromkeys((row.task, _is_synthetic(row)) for row in shown):
        group = with_short_labels([row for row in shown if (row.task, _is_synthetic(row)) == (task, made_up)])
        papers = [] if made_up else _papers(group)
        if len({row.run for row in group}) > 1 or papers:
            found.append(_board(group, papers))
    return found


def leaderboard_table(board: Leaderboard) -> ReportTable:
    """The board for terminal, Markdown and LaTeX."""
    forms = board.several_forms
    columns = (
        Column("model", left=True), Column("kind", left=True), *([Column("form", left=True)] if forms else []),
        *(Column("\n".join((*one.lines, one.measure))) for one in board.headings),
    )  # fmt: skip
    lines = tuple(
        (
            line.model,
            line.kind,
            *([line.form] if forms else []),
            *("" if cell is None else cell.text for cell in line.cells),
        )
        for line in board.lines
    )
    notes = (*(one.legend for one in board.headings), *board.notes)
    return ReportTable(f"Leaderboard of {board.subject}, with 95% intervals", columns, lines, notes)


def model_kind(row: ResultRow) -> str:
    if row.asked is not None:
        return human_label(row.asked)
    model = row.model
    return "people" if model.startswith(_PEOPLE) else "baseline" if model.startswith(_OURS) else "model"


def comparable_settings(row: ResultRow) -> dict[str, str]:
    """Everything that must be equal for two rows to be compared as they are, in words."""
    settings = {key: setting(row, key) for key in row.settings if key not in _IN_THE_ROW}
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
    asked = setting(row, "parameters")
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


def _control(row: ResultRow) -> bool:
    return bool(TASKS[row.task].views.split.control) and row.form == TASKS[row.task].views.split.control


def _is_synthetic(row: ResultRow) -> bool:
    return bool(row.dataset.get("synthetic"))


def _papers(group: Sequence[ResultRow]) -> list[PublishedTable]:
    """What is stated on datasets of the group."""
    names = dict.fromkeys(str(row.dataset.get("name")) for row in group)
    return [table for name in names for table in published_tables_for(name, group[0].task)]


def _board(group: Sequence[ResultRow], papers: Sequence[PublishedTable]) -> Leaderboard:
    task = TASKS[group[0].task]
    conditions = {tuple(comparable_settings(row).items()): comparable_settings(row) for row in group}
    keys = list(conditions)
    cells: dict[Place, dict[int, tuple[float, LeaderboardCell]]] = {}
    for row in group:
        place = _place(row, group)
        cells.setdefault(place, {})[keys.index(tuple(comparable_settings(row).items()))] = _own(row)
    forms = {row.form for row in group}
    stated = [(table, found) for table in papers if (found := _published_cell(table, forms))]
    for number, (_, found) in enumerate(stated, len(keys)):
        for place, value, cell in found:
            cells.setdefault(place, {})[number] = (value, cell)
    headings = (
        *_own_headings(group, list(conditions.values())),
        *(_paper_heading(table, forms) for table, _ in stated),
    )
    ranked = sorted(cells.items(), key=lambda entry: _rank(*entry))
    lines = tuple(
        LeaderboardRow(
            model + (f", run {run}" if run else ""), kind, form, tuple(_at(of_line, n) for n in range(len(headings)))
        )
        for (kind, model, form, run), of_line in ranked
    )
    return Leaderboard(
        task=task.name,
        question=task.summary,
        finding=_finding(lines, headings),
        headings=headings,
        lines=lines,
        notes=(*_notes(group, papers), *contradiction_notes([table for table, _ in stated], forms)),
        published=tuple(map(published_table, papers)),
        facts=tuple(
            fact
            for name in dict.fromkeys(table.dataset for table in papers)
            for fact in published_facts_for(name, task.name)
        ),
    )


def _place(row: ResultRow, group: Sequence[ResultRow]) -> Place:
    """The line of a row. Two runs under one condition have lines of their own."""
    same = [one for one in group if (one.model, one.strategy, one.form) == (row.model, row.strategy, row.form)]
    twice = sum(comparable_settings(one) == comparable_settings(row) for one in same) > 1
    name = row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"
    return model_kind(row), name, row.form, row.run if twice else ""


def _own(row: ResultRow) -> tuple[float, LeaderboardCell]:
    share = row.metrics["accuracy"]
    found = row.intervals.get("accuracy")
    cell = LeaderboardCell(
        format_percent(share), "" if found is None else format_interval(found), "" if row.complete else STAR
    )
    return (-1.0 if share is None else share), cell


def _published_cell(table: PublishedTable, forms: set[str]) -> list[tuple[Place, float, LeaderboardCell]]:
    found = []
    for row, one in headline_cells(table, forms):
        form = one.column.form if one.column.form in forms else ""
        cell = LeaderboardCell(format_published(one, among_percents=True), "", DAGGER if one.suspect else "")
        found.append((("published", published_name(row), form, ""), one.value or 0.0, cell))
    return found


def _at(of_line: Mapping[int, tuple[float, LeaderboardCell]], number: int) -> LeaderboardCell | None:
    return of_line[number][1] if number in of_line else None


def _rank(place: Place, of_line: Mapping[int, tuple[float, LeaderboardCell]]) -> tuple[bool, int, float, Place]:
    """Ours before what is published, column by column, best first."""
    first = min(of_line)
    return place[0] == "published", first, -of_line[first][0], place


def _own_headings(group: Sequence[ResultRow], conditions: Sequence[Mapping[str, str]]) -> list[LeaderboardColumn]:
    names = dict.fromkeys(key for one in conditions for key in one)
    differing = [key for key in names if len({one.get(key) for one in conditions}) > 1 and key not in ("n", "items")]
    found = []
    for number, one in enumerate(conditions):
        of_column = [row for row in group if comparable_settings(row) == one]
        letter = _letter(number) if len(conditions) > 1 else ""
        row = of_column[0]
        made_up = ", synthetic" if _is_synthetic(row) else ""
        shown = [f"{key} {_short(key, one.get(key, 'not set'))}" for key in differing if key != "dataset"]
        runs = join_names(list(dict.fromkeys(row.run for row in of_column)))
        items = count_noun(row.items, TASKS[row.task].views.item_noun)
        said = [
            f"{one.get('dataset', 'an unnamed dataset')} ({items}{made_up}, {format_count(row.n)} attempts)",
            f"run {runs}",
            *shown,
        ]
        lines = (*([letter] if letter else []), one.get("dataset", MISSING), items, f"{format_count(row.n)} attempts")
        measure = f"{TASKS[row.task].headline_label}, %"
        found.append(
            LeaderboardColumn(lines, measure, f"{letter}: {'; '.join(said)}." if letter else f"{'; '.join(said)}.")
        )
    return found


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"A{number - 25}"


def _short(key: str, value: str) -> str:
    return value[:8] if key in ("version", "prompts") else value


def _paper_heading(table: PublishedTable, forms: set[str]) -> LeaderboardColumn:
    n = "n not stated" if table.n is None else f"n {format_count(table.n)}"
    column = next(cell.column for _, cell in headline_cells(table, forms))
    measure = f"{column.metric.replace('_', ' ')}{', %' if column.unit == 'percent' else ''}"
    return LeaderboardColumn((*table.source.split(", "), n), measure, f"{table.source} (published): {table.protocol}.")


def _finding(lines: Sequence[LeaderboardRow], headings: Sequence[LeaderboardColumn]) -> str:
    """How many of what, and what may be compared."""
    kinds = Counter(line.kind for line in lines)
    said = [f"{count_noun(kinds[kind], 'row')} {of}" for kind, of in _KINDS.items() if kinds[kind]]
    several = " What is in one column was measured alike; columns are not to be compared." if len(headings) > 1 else ""
    return f"{join_names(said)}.{several}"


def _notes(group: Sequence[ResultRow], papers: Sequence[PublishedTable]) -> list[str]:
    said = [
        f"Intervals are clustered by {cluster_noun(group[0])}." + (" What papers state has none." if papers else "")
    ]
    gaps = [
        f"{row.model} in run {row.run} lacks {format_count(missing_count(row))} of {format_count(row.n)}"
        for row in group
        if missing_count(row)
    ]
    if gaps:
        said.append(f"{STAR} Incomplete, only what is there is scored: {join_names(gaps)}.")
    if versions := parsers(group):
        said.append(versions)
    return said
