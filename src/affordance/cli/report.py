"""`affordance report`: print or export results."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.options import LEDGER, Json, Ledger, MovedData, OnlyRuns, OnlyTasks, OutputFile
from affordance.console.output import print_note
from affordance.console.progress import StepProgress
from affordance.core.errors import UserError
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affordance.datasets import Dataset
    from affordance.report.result_row import ResultRow
    from affordance.report.results import RunResults


class ReportFormat(StrEnum):
    table = "table"
    json = "json"
    html = "html"
    md = "md"
    csv = "csv"
    latex = "latex"


def report(
    context: typer.Context,
    ledger: Ledger = LEDGER,
    run: OnlyRuns = [],  # noqa: B006
    task: OnlyTasks = [],  # noqa: B006
    data: MovedData = None,
    format_: Annotated[
        ReportFormat,
        typer.Option("--format", metavar="F", help="Output format: table, json, html, md, csv or latex."),
    ] = ReportFormat.table,
    output: OutputFile = None,
    full: Annotated[bool, typer.Option("--full", help="Print all tables.")] = False,
    samples: Annotated[
        str | None,
        typer.Option("--samples", metavar="N|all", help="Number of items saved with images.", show_default="300"),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="DIR", help="Also write SVG figures to DIR.")
    ] = None,
    wording: Annotated[bool, typer.Option("--wording", help="Add BLEU and ROUGE-L of explanations.")] = False,
    meteor: Annotated[bool, typer.Option("--meteor", help="Add METEOR (extra meteor, and WordNet).")] = False,
    bertscore: Annotated[
        Path | None,
        typer.Option("--bertscore", metavar="DIR", help="Add BERTScore with the weights in DIR (extra bertscore)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the leaderboard, or write it as a page that opens offline, as Markdown or LaTeX tables, or as data.

    \b
    Examples:
      affordance report
      affordance report --format html -o report.html
      affordance report --format latex -o tables.tex --figures figures
      affordance report --format csv | python -c "import pandas, sys; print(pandas.read_csv(sys.stdin))"
      affordance report --format json --run motion-effect-3f2a1c
    """
    if as_json:
        format_ = _json_format(context, format_)
    from affordance.datasets import load_collection
    from affordance.ledger import open_ledger
    from affordance.report.rows import load_rows
    from affordance.report.text_metrics import add_text_metrics, missing_text_metrics
    from affordance.tasks.registry import resolve_tasks

    _check_samples(samples, format_, output)
    only = [one.name for one in resolve_tasks(task)]
    parts = load_collection(data, cache_dir()).datasets if data is not None else ()
    with open_ledger(ledger, read_only=True) as opened:
        results, rows = load_rows(opened, run, only)
        if wording or meteor or bertscore is not None:
            rows = add_text_metrics(results, rows, meteor=meteor, weights=bertscore)
            if missing := missing_text_metrics(rows):
                print_note(missing)
        if format_ is ReportFormat.html:
            _write_page(results, rows, parts, output, samples)
        else:
            _write_rows(rows, format_, output, full=full)
    if figures is not None:
        from affordance.report.paper_figures import write_figures

        for path in write_figures(figures, rows):
            print(path, file=sys.stderr)


def _json_format(context: typer.Context, given: ReportFormat) -> ReportFormat:
    """--json stands for --format json unless another format was typed; one from affordance.toml gives way."""
    source = context.get_parameter_source("format_")
    if given is not ReportFormat.json and source is not None and source.name == "COMMANDLINE":
        raise UserError(f"--json means --format json, found --format {given} as well; give one of them")
    return ReportFormat.json


def _check_samples(samples: str | None, format_: ReportFormat, output: Path | None) -> None:
    if format_ is ReportFormat.html and output is None:
        raise UserError("--format html needs -o FILE")
    if samples is None:
        return
    if format_ is not ReportFormat.html:
        raise UserError("applies to an HTML page only; give --format html -o FILE too", option="samples")
    if samples != "all" and not (samples.isascii() and samples.isdecimal()):
        raise UserError(f"expected a number or all, found {samples}", option="samples")


def _write_page(
    results: "RunResults",
    rows: "Sequence[ResultRow]",
    parts: "Sequence[Dataset]",
    output: Path | None,
    samples: str | None,
) -> None:
    from affordance.core.config import ConfigFile
    from affordance.models.profile import config_prices
    from affordance.report.page.html_report import DEFAULT_IMAGE_ITEMS, write_report

    assert output is not None, "checked before"
    prices = config_prices(ConfigFile.load())
    pictured = DEFAULT_IMAGE_ITEMS if samples is None else None if samples == "all" else int(samples)
    with StepProgress("samples") as watch:
        write_report(output, results, rows, parts, prices=prices, pictured=pictured, watch=watch)
    print(output)


def _write_rows(rows: "Sequence[ResultRow]", format_: ReportFormat, output: Path | None, *, full: bool) -> None:
    """To the file, as a whole or not at all; else to standard output, where a table fits the terminal."""
    from affordance.core.files import atomic_write
    from affordance.report.formats.row_formats import ROW_FORMATS
    from affordance.report.formats.terminal import print_tables
    from affordance.report.report_tables import print_rows, report_tables

    if output is not None:
        atomic_write(output, ROW_FORMATS[format_](rows).encode("utf-8", "replace"))
        print(output)
    elif format_ is ReportFormat.table and full:
        print_tables(report_tables(rows, detail=True))
    elif format_ is ReportFormat.table:
        print_rows(rows)
    else:
        sys.stdout.write(ROW_FORMATS[format_](rows).encode("utf-8", "replace").decode("utf-8"))
