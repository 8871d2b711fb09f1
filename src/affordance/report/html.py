"""The HTML report: a page that opens offline, loads nothing but samples that stand beside it, runs nothing but the
script that browses them, and says the same for the same ledger."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from affordance.core.attempt import Outcome
from affordance.core.evenly import spread
from affordance.datasets import Dataset
from affordance.models.prices import Price
from affordance.report import (
    asides,
    breakdowns,
    browser,
    confusions,
    figures,
    mistakes,
    numbers,
    positions,
    significance,
    words,
)
from affordance.report.beside import Beside, write_whole
from affordance.report.composition import left_out
from affordance.report.contests import Contest, contests
from affordance.report.corrections import corrected_table
from affordance.report.cues import cue_table, in_full
from affordance.report.divergence import divergences
from affordance.report.document import shown_metrics
from affordance.report.endings import Endings, endings, reasons
from affordance.report.error_review import tables
from affordance.report.filmstrips import Projector
from affordance.report.leaderboard import boards
from affordance.report.orders import order_table
from affordance.report.overview import overview
from affordance.report.provenance import NO_PRICES, USAGE_COLUMNS, provenance, versions
from affordance.report.results import Results
from affordance.report.robustness import robustness
from affordance.report.rows import Row
from affordance.report.samples import Sample, Wanted, samples
from affordance.report.sources import Sources
from affordance.report.votes import shown_or_not, unrelated, votes
from affordance.suites.registry import TASKS

MOST_SAMPLES = 36  # items on the page
MOST_PICTURED = 300  # items beside the page that have pictures, unless told otherwise: a tenth of a second each
_FEWEST_SAMPLES = 3  # items of each task and run, however many there are
_MOST_MODELS = 24  # for each question on the page


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one task in one run, with all that is shown of them."""

    id: str
    task: str
    run: str
    form: str
    question: str
    measure: str
    rows: tuple[Row, ...]
    told: tuple[Row, ...]  # the same with short names, for sentences
    breakdowns: tuple[breakdowns.Table, ...]
    positions: positions.Positions | None
    left_out: str
    asides: tuple[asides.Table, ...]
    significance: significance.Matrix | None
    matrices: tuple[confusions.Matrix, ...]
    endings: Endings
    samples: Mapping[int, Sample]  # those on the page, by their place among all
    part: browser.Part  # all


def html_report(
    results: Results, rows: Sequence[Row], datasets: Sequence[Dataset] = (), *, prices: Mapping[str, Price] = NO_PRICES
) -> str:
    """The page for the rows of results. `datasets` are where to look for pictures whose files are no longer where the
    ledger says. Of many items some are on the page; `write_report` keeps all."""
    return _page(results, rows, Sources(datasets), None, prices)


def write_report(
    path: Path,
    results: Results,
    rows: Sequence[Row],
    datasets: Sequence[Dataset] = (),
    *,
    prices: Mapping[str, Price] = NO_PRICES,
    pictured: int | None = MOST_PICTURED,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write the page, and where it does not hold all items the others into a folder beside it: `report-samples` for
    `report.html`. `pictured` is of how many items there are pictures in that folder, None for all; the texts of all
    are there. `watch` is told how many of how many items are done. Raises `UserError` where it cannot be written."""
    sources = Sources(datasets)
    if path.exists() and not path.is_file():  # a pipe or a terminal: nothing stands beside it
        write_whole(path, _page(results, rows, sources, None, prices).encode())
        return
    template = _environment().get_template("sample.html")
    total = sum(max(row.items for row in group) for group in _rows_by_part(rows).values())
    beside = Beside(
        path,
        results.ledger,
        sources,
        lambda sample: template.render(sample=sample),
        total=total,
        pictures=pictured,
        watch=watch,
    )
    write_whole(path, _page(results, rows, sources, beside, prices).encode())
    beside.finish()


def _page(
    results: Results, rows: Sequence[Row], sources: Sources, beside: Beside | None, prices: Mapping[str, Price]
) -> str:
    style, script = _asset("look.css") + _asset("report.css"), _asset("report.js")
    played = contests(results)
    groups = _groups(results, rows, sources, beside, played)
    folder = beside.address if beside is not None and beside.is_used else ""
    template = _environment().get_template("report.html")
    page = template.render(
        title=words.title(rows),
        style=Markup(style),
        style_hash=_hash(style),
        script=Markup(script),
        script_hash=_hash(script),
        folder=folder,
        index=browser.index_json([group.part for group in groups], folder),
        groups=groups,
        overview=overview([(group.id, group.question, group.told) for group in groups], played),
        boards=boards(rows),
        divergences=divergences(rows),
        reviews=tables({row.run: row.reviews for row in rows}),
        provenance=provenance(results, prices),
        usage_columns=USAGE_COLUMNS,
        versions=versions(),
        ledger=results.ledger.where,
    )
    return browser.printable(page)


def _asset(name: str) -> str:
    return (files("affordance.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _rows_by_part(rows: Sequence[Row]) -> dict[tuple[str, str, str], list[Row]]:
    """By run, task and form."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in in_full(rows):
        found.setdefault((row.run, row.task, row.form), []).append(row)
    return found


def _groups(
    results: Results, rows: Sequence[Row], sources: Sources, beside: Beside | None, played: Sequence[Contest]
) -> list[Group]:
    parts = _rows_by_part(rows)
    most = max(_FEWEST_SAMPLES, MOST_SAMPLES // max(1, len(parts)))
    projector = Projector(results.ledger, sources)
    found: list[Group] = []
    for (run, task, form), group in sorted(parts.items(), key=lambda part: _place(results, part[0][0])):
        outcomes = results.of_form(run, task, form)
        items = browser.by_item(outcomes)
        ids = list(items)
        places = spread(len(ids), most)
        wanted = [Wanted(ids[place], items[ids[place]]) for place in places]
        shown = dict(zip(places, samples(results.ledger, projector, wanted, _MOST_MODELS), strict=True))
        name = f"{words.subject(group[0])}, run {run}"
        part = browser.part(len(found) + 1, name, map(words.name, group), items)
        found.append(_group(group, rows, results, outcomes, played, shown, part))
        if beside is not None:
            beside.add(part, items, [one.item for one in wanted])
    return found


def _place(results: Results, run: str) -> int:
    return [one.name for one in results.runs].index(run)


def _group(
    group: Sequence[Row],
    rows: Sequence[Row],
    results: Results,
    outcomes: Sequence[Outcome],
    played: Sequence[Contest],
    shown: Mapping[int, Sample],
    part: browser.Part,
) -> Group:
    task = TASKS.get(group[0].task)
    told = words.with_short_names(group)
    return Group(
        id=f"part-{part.number}",
        task=group[0].task,
        run=group[0].run,
        form=group[0].form,
        question=task.summary if task else group[0].task,
        measure=task.measure if task else "accuracy",
        rows=tuple(group),
        told=tuple(told),
        breakdowns=tuple(breakdowns.tables(told)),
        positions=positions.positions(told),
        left_out=left_out(group, rows),
        asides=(
            *asides.asides(told),
            *(
                table
                for table in (
                    corrected_table(told),
                    votes(group, outcomes),
                    unrelated(told, outcomes),
                    shown_or_not(group, outcomes),
                    cue_table(group, rows),
                    order_table(results, group, outcomes),
                    robustness(group, outcomes),
                )
                if table is not None
            ),
        ),
        significance=significance.matrix(group, told, played),
        matrices=tuple(confusions.matrices(told, task.labels if task else ())),
        endings=endings(group, reasons(outcomes)),
        samples=shown,
        part=part,
    )


def _breakable(text: str) -> Markup:
    """A name that may be broken after its separators rather than anywhere."""
    return Markup("<wbr>").join(re.split(r"(?<=[:/@_])", text))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("affordance.report", "templates"),
        autoescape=True,  # names, replies and reasons are other people's text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        mistakes=mistakes, words=words, figures=figures, shown_metrics=shown_metrics, order_columns=positions.COLUMNS
    )
    for shown in (
        numbers.percent, numbers.interval, numbers.count, numbers.counted, numbers.unit, words.name,
    ):  # fmt: skip
        environment.filters[shown.__name__] = shown
    environment.filters["breakable"] = _breakable
    return environment
