"""One board for each task over all runs of a report, with baselines, people and what papers state.

A column is a condition: dataset and version, protocol, prompts, judge, trials, n... Two rows share a column only where
all of it is equal. What papers state has columns of its own, and none beside data that was made up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.core.digest import Json, canonical
from affordance.report.cues import in_full
from affordance.report.doubts import OURS
from affordance.report.numbers import DASH, count, counted, interval, listed, percent
from affordance.report.people import called
from affordance.report.published import Fact, PublishedTable, facts_on, published_on
from affordance.report.rows import Row
from affordance.report.sheet import Column, Sheet
from affordance.report.stated import DAGGER, headlines, published_sheet, stated_name, stated_text, suspects
from affordance.report.words import missing, parsers, sampled, setting, with_short_names
from affordance.suites.registry import TASKS

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
class Cell:
    value: str
    interval: str = ""
    mark: str = ""

    @property
    def text(self) -> str:
        return f"{self.value}{self.mark}" + (f" ({self.interval})" if self.interval else "")


@dataclass(frozen=True, slots=True)
class Heading:
    """Of a column: what was measured on, and how much."""

    lines: tuple[str, ...]
    measure: str  # what the numbers in it are, with the unit: a paper may count otherwise than we do
    legend: str


@dataclass(frozen=True, slots=True)
class Line:
    model: str
    kind: str  # model, baseline, people, people (synthetic) or published
    form: str
    cells: tuple[Cell | None, ...]  # by column


@dataclass(frozen=True, slots=True)
class Board:
    task: str
    question: str
    finding: str
    headings: tuple[Heading, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    published: tuple[Sheet, ...]  # all that the papers state, parts too
    facts: tuple[Fact, ...]

    @property
    def several_forms(self) -> bool:
        return len({line.form for line in self.lines if line.form}) > 1

    @property
    def subject(self) -> str:
        """The task, with its form where all lines have the same."""
        forms = {line.form for line in self.lines if line.form}
        return f"{self.task} ({forms.pop()})" if len(forms) == 1 else self.task


def boards(rows: Sequence[Row]) -> list[Board]:
    """One for each task of which there are several runs or published rows; else the rows of the run say it all. Data
    that was made up is on boards of its own."""
    shown = [row for row in in_full(rows) if row.n and not _control(row)]
    found = []
    for task, made_up in dict.fromkeys((row.task, _made_up(row)) for row in shown):
        group = with_short_names([row for row in shown if (row.task, _made_up(row)) == (task, made_up)])
        papers = [] if made_up else _papers(group)
        if len({row.run for row in group}) > 1 or papers:
            found.append(_board(group, papers))
    return found


def board_sheet(board: Board) -> Sheet:
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
    return Sheet(f"Leaderboard of {board.subject}, with 95% intervals", columns, lines, notes)


def kind_of(row: Row) -> str:
    if row.asked is not None:
        return called(row.asked)
    model = row.model
    return "people" if model.startswith(_PEOPLE) else "baseline" if model.startswith(_OURS) else "model"


def condition(row: Row) -> dict[str, str]:
    """Everything that must be equal for two rows to be compared as they are, in words."""
    settings = {key: setting(row, key) for key in row.settings if key not in _IN_THE_ROW}
    if sampling := _own_sampling(row):
        settings["sampling of its own"] = sampling
    data = {"dataset": row.dataset.get("name"), "version": row.dataset.get("digest"), "n": row.n, "items": row.items}
    return {key: _said(value) for key, value in {**data, **dict(sorted(settings.items()))}.items() if value is not None}


def _own_sampling(row: Row) -> Json:
    """What a model was sent beyond the settings, or against them: its own table in affordance.toml says so. Models of
    ours have no sampling to speak of."""
    asked = setting(row, "parameters")
    common = asked if isinstance(asked, Mapping) else {}
    if row.model.startswith(OURS):
        return {}
    found: dict[str, Json] = {}
    for sent in row.sent:
        parameters = sent.get("parameters")
        if isinstance(parameters, Mapping):
            found |= {key: value for key, value in parameters.items() if common.get(key) != value}
    return found


def _said(value: Json) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(entry)}" for key, entry in sorted(value.items())) or "none"
    return value if isinstance(value, str) else canonical(value)


def _control(row: Row) -> bool:
    return bool(TASKS[row.task].control) and row.form == TASKS[row.task].control


def _made_up(row: Row) -> bool:
    return bool(row.dataset.get("synthetic"))


def _papers(group: Sequence[Row]) -> list[PublishedTable]:
    """What is stated on datasets of the group."""
    names = dict.fromkeys(str(row.dataset.get("name")) for row in group)
    return [table for name in names for table in published_on(name, group[0].task)]


def _board(group: Sequence[Row], papers: Sequence[PublishedTable]) -> Board:
    task = TASKS[group[0].task]
    conditions = {tuple(condition(row).items()): condition(row) for row in group}
    keys = list(conditions)
    cells: dict[Place, dict[int, tuple[float, Cell]]] = {}
    for row in group:
        place = _place(row, group)
        cells.setdefault(place, {})[keys.index(tuple(condition(row).items()))] = _own(row)
    forms = {row.form for row in group}
    stated = [(table, found) for table in papers if (found := _stated(table, forms))]
    for number, (_, found) in enumerate(stated, len(keys)):
        for place, value, cell in found:
            cells.setdefault(place, {})[number] = (value, cell)
    headings = (
        *_own_headings(group, list(conditions.values())),
        *(_paper_heading(table, forms) for table, _ in stated),
    )
    ranked = sorted(cells.items(), key=lambda entry: _rank(*entry))
    lines = tuple(
        Line(model + (f", run {run}" if run else ""), kind, form, tuple(_at(of_line, n) for n in range(len(headings))))
        for (kind, model, form, run), of_line in ranked
    )
    return Board(
        task=task.name,
        question=task.summary,
        finding=_finding(lines, headings),
        headings=headings,
        lines=lines,
        notes=(*_notes(group, papers), *suspects([table for table, _ in stated], forms)),
        published=tuple(map(published_sheet, papers)),
        facts=tuple(
            fact for name in dict.fromkeys(table.dataset for table in papers) for fact in facts_on(name, task.name)
        ),
    )


def _place(row: Row, group: Sequence[Row]) -> Place:
    """The line of a row. Two runs under one condition have lines of their own."""
    same = [one for one in group if (one.model, one.strategy, one.form) == (row.model, row.strategy, row.form)]
    twice = sum(condition(one) == condition(row) for one in same) > 1
    name = row.model if row.strategy == "zero-shot" else f"{row.model} ({row.strategy})"
    return kind_of(row), name, row.form, row.run if twice else ""


def _own(row: Row) -> tuple[float, Cell]:
    share = row.metrics["accuracy"]
    found = row.intervals.get("accuracy")
    cell = Cell(percent(share), "" if found is None else interval(found), "" if row.complete else STAR)
    return (-1.0 if share is None else share), cell


def _stated(table: PublishedTable, forms: set[str]) -> list[tuple[Place, float, Cell]]:
    found = []
    for row, one in headlines(table, forms):
        form = one.column.form if one.column.form in forms else ""
        cell = Cell(stated_text(one, among_percents=True), "", DAGGER if one.suspect else "")
        found.append((("published", stated_name(row), form, ""), one.value or 0.0, cell))
    return found


def _at(of_line: Mapping[int, tuple[float, Cell]], number: int) -> Cell | None:
    return of_line[number][1] if number in of_line else None


def _rank(place: Place, of_line: Mapping[int, tuple[float, Cell]]) -> tuple[bool, int, float, Place]:
    """Ours before what is published, column by column, best first."""
    first = min(of_line)
    return place[0] == "published", first, -of_line[first][0], place


def _own_headings(group: Sequence[Row], conditions: Sequence[Mapping[str, str]]) -> list[Heading]:
    names = dict.fromkeys(key for one in conditions for key in one)
    differing = [key for key in names if len({one.get(key) for one in conditions}) > 1 and key not in ("n", "items")]
    found = []
    for number, one in enumerate(conditions):
        of_column = [row for row in group if condition(row) == one]
        letter = _letter(number) if len(conditions) > 1 else ""
        row = of_column[0]
        made_up = ", synthetic" if _made_up(row) else ""
        shown = [f"{key} {_short(key, one.get(key, 'not set'))}" for key in differing if key != "dataset"]
        runs = listed(list(dict.fromkeys(row.run for row in of_column)))
        items = counted(row.items, TASKS[row.task].noun)
        said = [
            f"{one.get('dataset', 'an unnamed dataset')} ({items}{made_up}, {count(row.n)} attempts)",
            f"run {runs}",
            *shown,
        ]
        lines = (*([letter] if letter else []), one.get("dataset", DASH), items, f"{count(row.n)} attempts")
        measure = f"{TASKS[row.task].measure}, %"
        found.append(Heading(lines, measure, f"{letter}: {'; '.join(said)}." if letter else f"{'; '.join(said)}."))
    return found


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"A{number - 25}"


def _short(key: str, value: str) -> str:
    return value[:8] if key in ("version", "prompts") else value


def _paper_heading(table: PublishedTable, forms: set[str]) -> Heading:
    n = "n not stated" if table.n is None else f"n {count(table.n)}"
    column = next(cell.column for _, cell in headlines(table, forms))
    measure = f"{column.metric.replace('_', ' ')}{', %' if column.unit == 'percent' else ''}"
    return Heading((*table.source.split(", "), n), measure, f"{table.source} (published): {table.protocol}.")


def _finding(lines: Sequence[Line], headings: Sequence[Heading]) -> str:
    """How many of what, and what may be compared."""
    kinds = Counter(line.kind for line in lines)
    said = [f"{counted(kinds[kind], 'row')} {of}" for kind, of in _KINDS.items() if kinds[kind]]
    several = " What is in one column was measured alike; columns are not to be compared." if len(headings) > 1 else ""
    return f"{listed(said)}.{several}"


def _notes(group: Sequence[Row], papers: Sequence[PublishedTable]) -> list[str]:
    said = [f"Intervals are clustered by {sampled(group[0])}." + (" What papers state has none." if papers else "")]
    gaps = [
        f"{row.model} in run {row.run} lacks {count(missing(row))} of {count(row.n)}" for row in group if missing(row)
    ]
    if gaps:
        said.append(f"{STAR} Incomplete, only what is there is scored: {listed(gaps)}.")
    if versions := parsers(group):
        said.append(versions)
    return said
