"""The HTML report: one file that opens offline, loads nothing, runs nothing and says the same for the same ledger."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from affordance.core.attempt import Outcome
from affordance.datasets import Dataset
from affordance.ledger import Ledger, Run
from affordance.report import asides, breakdowns, confusions, figures, mistakes, numbers, positions, words
from affordance.report.composition import left_out
from affordance.report.cues import cue_table, in_full
from affordance.report.endings import Endings, endings, reasons
from affordance.report.filmstrips import Projector
from affordance.report.orders import order_table
from affordance.report.overview import overview
from affordance.report.provenance import USAGE_COLUMNS, provenance, versions
from affordance.report.rows import Row, form_of
from affordance.report.samples import Samples, choices, samples
from affordance.report.sources import Sources
from affordance.report.tables import shown_metrics
from affordance.report.votes import shown_or_not, unrelated, votes
from affordance.suites.registry import TASKS

MOST_SAMPLES = 36  # items on the page
_FEWEST_SAMPLES = 3  # items of each task and run, however many there are

# Characters that have no place in HTML, or no UTF-8. Models say them all.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


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
    matrices: tuple[confusions.Matrix, ...]
    endings: Endings
    samples: Samples


def html_report(ledger: Ledger, runs: Sequence[Run], rows: Sequence[Row], datasets: Sequence[Dataset] = ()) -> str:
    """The page for rows of these runs. `datasets` are where to look for pictures whose files are no longer where the
    ledger says."""
    style = (files("affordance.report") / "templates" / "report.css").read_text(encoding="utf-8")
    groups = _groups(ledger, runs, rows, datasets)
    template = _environment().get_template("report.html")
    page = template.render(
        title=words.title(rows),
        style=Markup(style),
        style_hash=b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii"),
        groups=groups,
        overview=overview([(group.id, group.question, group.told) for group in groups]),
        filters=choices(group.samples for group in groups),
        provenance=provenance(ledger, runs),
        usage_columns=USAGE_COLUMNS,
        versions=versions(),
        ledger=ledger.where,
    )
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", page)


def _groups(ledger: Ledger, runs: Sequence[Run], rows: Sequence[Row], datasets: Sequence[Dataset]) -> list[Group]:
    by_run: dict[str, dict[tuple[str, str], list[Row]]] = {}
    for row in in_full(rows):
        by_run.setdefault(row.run, {}).setdefault((row.task, row.form), []).append(row)
    most = max(_FEWEST_SAMPLES, MOST_SAMPLES // max(1, sum(map(len, by_run.values()))))
    projector = Projector(ledger, Sources(datasets))
    found: list[Group] = []
    for run in runs:
        of_run = by_run.get(run.name, {})
        outcomes: dict[tuple[str, str], list[Outcome]] = {key: [] for key in of_run}
        for outcome in ledger.outcomes(run.id):
            key = (outcome.task, form_of(outcome))
            if key in outcomes:
                outcomes[key].append(outcome)
        for key, group in of_run.items():
            shown = samples(ledger, projector, outcomes[key], most)
            order = order_table(ledger, runs, group, outcomes[key])
            found.append(_group(f"part-{len(found) + 1}", group, rows, outcomes[key], shown, order))
    return found


def _group(
    id_: str,
    group: Sequence[Row],
    rows: Sequence[Row],
    outcomes: Sequence[Outcome],
    shown: Samples,
    order: asides.Table | None,
) -> Group:
    task = TASKS.get(group[0].task)
    told = words.with_short_names(group)
    return Group(
        id=id_,
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
                    votes(group, outcomes),
                    unrelated(told, outcomes),
                    shown_or_not(group, outcomes),
                    cue_table(group, rows),
                    order,
                )
                if table is not None
            ),
        ),
        matrices=tuple(confusions.matrices(told, task.labels if task else ())),
        endings=endings(group, reasons(outcomes)),
        samples=shown,
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
        numbers.percent, numbers.interval, numbers.count, numbers.counted, numbers.measured, numbers.unit, words.name,
    ):  # fmt: skip
        environment.filters[shown.__name__] = shown
    environment.filters["breakable"] = _breakable
    return environment
