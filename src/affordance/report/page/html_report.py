"""The HTML report: one page that opens offline, and a folder of samples next to it."""

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

from affordance.core.attempts import AttemptResult
from affordance.core.formatting import count_noun, format_count, format_interval, format_percent, join_names
from affordance.core.sequences import evenly_spaced
from affordance.core.table import Column, Table
from affordance.datasets import Dataset
from affordance.models.family import Price
from affordance.report import findings, notes, positions, significance
from affordance.report.divergence import grounding_outcome_gaps
from affordance.report.error_review import error_tables
from affordance.report.leaderboard import leaderboards
from affordance.report.metric_columns import main_columns, metric_cell, text_columns
from affordance.report.notes import control_note
from affordance.report.overview import overview
from affordance.report.page import inline_figures, sample_index
from affordance.report.page.image_strips import ThumbnailRenderer
from affordance.report.page.sample_files import SampleShards, write_atomic
from affordance.report.page.samples import SampleDetail, SampleSelection, samples
from affordance.report.pairwise import RowComparison, pairwise_comparisons
from affordance.report.provenance import NO_PRICES, run_provenance, versions
from affordance.report.report_tables import detail_tables
from affordance.report.result_row import ResultRow, with_short_labels
from affordance.report.results import RunResults
from affordance.report.source_files import SourceFiles
from affordance.report.views import breakdowns, errors
from affordance.report.views.conditions import condition_tables, main_condition_rows, rendering_table
from affordance.report.views.judges import corrected_scores_table
from affordance.report.views.status import StatusTable, failure_reasons, status_table
from affordance.report.views.task_tables import task_tables
from affordance.tasks.registry import TASKS

MOST_SAMPLES = 36  # items on the page
DEFAULT_IMAGE_ITEMS = 300  # items next to the page with images: each takes a tenth of a second
_FEWEST_SAMPLES = 3  # items of each task and run, however many there are
_MOST_MODELS = 24  # for each question on the page


@dataclass(frozen=True, slots=True)
class ReportSection:
    """The rows of one task in one run, with all that is shown of them."""

    id: str
    task: str
    run: str
    form: str
    question: str
    measure: str
    rows: tuple[ResultRow, ...]
    labelled: tuple[ResultRow, ...]  # the same with short names, for sentences
    breakdowns: tuple[breakdowns.Breakdown, ...]
    positions: positions.PositionTable | None
    left_out: str
    asides: tuple[Table, ...]
    significance: significance.SignificanceMatrix | None
    matrices: tuple[errors.ConfusionMatrix, ...]
    endings: StatusTable
    samples: Mapping[int, SampleDetail]  # those on the page, by their place among all
    part: sample_index.SampleColumns  # all


def html_report(
    results: RunResults,
    rows: Sequence[ResultRow],
    datasets: Sequence[Dataset] = (),
    *,
    prices: Mapping[str, Price] = NO_PRICES,
) -> str:
    """The page for the rows of results. `datasets` are where to look for pictures whose files are no longer where the
    ledger says. Of many items some are on the page; `write_report` keeps all."""
    return _page(results, rows, SourceFiles(datasets), None, prices)


def write_report(
    path: Path,
    results: RunResults,
    rows: Sequence[ResultRow],
    datasets: Sequence[Dataset] = (),
    *,
    prices: Mapping[str, Price] = NO_PRICES,
    pictured: int | None = DEFAULT_IMAGE_ITEMS,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Write the page, and items that it does not hold to a folder next to it: `report-samples` for
    `report.html`. `pictured` is of how many items there are pictures in that folder, None for all; the texts of all
    are there. `watch` receives the numbers of items done and of all. Raises `UserError` if it cannot be written."""
    sources = SourceFiles(datasets)
    if path.exists() and not path.is_file():  # a pipe or a terminal: no folder next to it
        write_atomic(path, _page(results, rows, sources, None, prices).encode())
        return
    template = _environment().get_template("sample.html")
    total = sum(max(row.items for row in group) for group in _rows_by_part(rows).values())
    shards = SampleShards(
        path,
        results.ledger,
        sources,
        lambda sample: template.render(sample=sample),
        total=total,
        pictures=pictured,
        watch=watch,
    )
    write_atomic(path, _page(results, rows, sources, shards, prices).encode())
    shards.finish()


def _page(
    results: RunResults,
    rows: Sequence[ResultRow],
    sources: SourceFiles,
    shards: SampleShards | None,
    prices: Mapping[str, Price],
) -> str:
    style, script = _asset("look.css") + _asset("report.css"), _asset("report.js")
    played = pairwise_comparisons(results)
    groups = _groups(results, rows, sources, shards, played)
    folder = shards.address if shards is not None and shards.is_used else ""
    template = _environment().get_template("report.html")
    page = template.render(
        title=findings.report_title(rows),
        style=Markup(style),
        style_hash=_hash(style),
        script=Markup(script),
        script_hash=_hash(script),
        folder=folder,
        index=sample_index.index_json([group.part for group in groups], folder),
        groups=groups,
        overview=overview([(group.id, group.question, group.labelled) for group in groups], played),
        boards=leaderboards(rows),
        divergences=grounding_outcome_gaps(rows),
        reviews=error_tables({row.run: row.reviews for row in rows}),
        provenance=run_provenance(results, prices),
        versions=versions(),
        ledger=results.ledger.location,
    )
    return sample_index.strip_unprintable(page)


def _asset(name: str) -> str:
    return (files("affordance.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _rows_by_part(rows: Sequence[ResultRow]) -> dict[tuple[str, str, str], list[ResultRow]]:
    """By run, task and form."""
    found: dict[tuple[str, str, str], list[ResultRow]] = {}
    for row in main_condition_rows(rows):
        found.setdefault((row.run, row.task, row.form), []).append(row)
    return found


def _groups(
    results: RunResults,
    rows: Sequence[ResultRow],
    sources: SourceFiles,
    shards: SampleShards | None,
    played: Sequence[RowComparison],
) -> list[ReportSection]:
    parts = _rows_by_part(rows)
    most = max(_FEWEST_SAMPLES, MOST_SAMPLES // max(1, len(parts)))
    projector = ThumbnailRenderer(results.ledger, sources)
    found: list[ReportSection] = []
    for (run, task, form), group in sorted(parts.items(), key=lambda part: _place(results, part[0][0])):
        outcomes = results.outcomes_of(run, task, form)
        items = sample_index.group_by_item(outcomes)
        ids = list(items)
        places = evenly_spaced(len(ids), most)
        wanted = [SampleSelection(ids[place], items[ids[place]]) for place in places]
        shown = dict(zip(places, samples(results.ledger, projector, wanted, _MOST_MODELS), strict=True))
        name = f"{group[0].task_label}, run {run}"
        part = sample_index.sample_columns(len(found) + 1, name, [row.label for row in group], items)
        found.append(_group(group, rows, results, outcomes, played, shown, part))
        if shards is not None:
            shards.add(part, items, [one.item for one in wanted])
    return found


def _place(results: RunResults, run: str) -> int:
    return [one.name for one in results.runs].index(run)


def _group(
    group: Sequence[ResultRow],
    rows: Sequence[ResultRow],
    results: RunResults,
    outcomes: Sequence[AttemptResult],
    played: Sequence[RowComparison],
    shown: Mapping[int, SampleDetail],
    part: sample_index.SampleColumns,
) -> ReportSection:
    task = TASKS.get(group[0].task)
    labelled = with_short_labels(group)
    return ReportSection(
        id=f"part-{part.number}",
        task=group[0].task,
        run=group[0].run,
        form=group[0].form,
        question=task.summary if task else group[0].task,
        measure=task.headline_label if task else "accuracy",
        rows=tuple(group),
        labelled=tuple(labelled),
        breakdowns=tuple(breakdowns.breakdowns_of(labelled)),
        positions=positions.position_table(labelled),
        left_out=control_note(group, rows),
        asides=(
            *(one for one in detail_tables(labelled) if not (group[0].positions and one.id in positions.SECTIONS)),
            *(
                table
                for table in (
                    corrected_scores_table(labelled),
                    rendering_table(group, outcomes),
                )
                if table is not None
            ),
            *task_tables(group, outcomes),
            *condition_tables(group, rows),
        ),
        significance=significance.significance_matrix(group, labelled, played),
        matrices=tuple(errors.confusion_matrices(labelled, task.views.classes if task else ())),
        endings=status_table(group, failure_reasons(outcomes)),
        samples=shown,
        part=part,
    )


def _metric_text(row: ResultRow, column: Column) -> str:
    cell = metric_cell(row, column.key)
    n = "" if cell.n is None else f" (n {format_count(cell.n)})"
    return column.unit.format_value(cell.value, column.decimals) + n


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
        mistakes=errors,
        findings=findings,
        notes=notes,
        figures=inline_figures,
        metric_columns=lambda rows: [*main_columns(rows), *text_columns(rows)],
        metric_text=_metric_text,
        order_columns=positions.COLUMNS,
    )
    for shown in (format_percent, format_interval, format_count, count_noun, join_names):
        environment.filters[shown.__name__] = shown
    environment.filters["breakable"] = _breakable
    return environment
