"""`affordance report`: what the ledger says."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import known
from affordance.cli.options import LEDGER, Json, Ledger, OnlyTasks
from affordance.cli.places import cache_dir
from affordance.console.output import print_note
from affordance.console.progress import StepProgress
from affordance.core.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from affordance.datasets import Dataset
    from affordance.report.results import RunResults
    from affordance.report.rows import ResultRow


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
    run: Annotated[
        list[str],
        typer.Option("--run", metavar="NAME", help="Only these runs; repeatable.", autocompletion=known.runs),
    ] = [],  # noqa: B006
    task: OnlyTasks = [],  # noqa: B006
    data: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Where the dataset is now, for pictures, if it was moved.",
            autocompletion=known.specs,
        ),
    ] = None,
    format_: Annotated[
        ReportFormat, typer.Option("--format", metavar="F", help="table, json, html, md, csv or latex.")
    ] = ReportFormat.table,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
    samples: Annotated[
        str | None,
        typer.Option(
            metavar="N|all", help="Of how many items beside an HTML page there are pictures; 300 if not said."
        ),
    ] = None,
    figures: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write figures for print to a folder too, as SVG files.")
    ] = None,
    wording: Annotated[
        bool, typer.Option("--wording", help="Compare the words of explanations too: BLEU-2, BLEU-4 and ROUGE-L.")
    ] = False,
    meteor: Annotated[bool, typer.Option("--meteor", help="... and METEOR (extra meteor, and WordNet).")] = False,
    bertscore: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="... and BERTScore, with the weights in this folder (extra bertscore)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the leaderboard, or write it as one HTML page that opens offline, as Markdown or LaTeX tables, or as data.

    \b
    Examples:
      affordance report
      affordance report --format html -o report.html
      affordance report --format latex -o tables.tex --figures figures
      affordance report --format csv | python -c "import pandas, sys; print(pandas.read_csv(sys.stdin))"
      affordance report --format json --run motion-effect-3f2a1c
    """
    if as_json:
        format_ = _json_alone(context, format_)
    from affordance.datasets import load_collection
    from affordance.ledger import open_ledger
    from affordance.report.rows import load_rows
    from affordance.report.text_metrics import add_text_metrics, missing_text_metrics
    from affordance.tasks.registry import resolve_tasks

    _check_samples(samples, format_, output)
    only = [one.name for one in resolve_tasks(task)]
    where = load_collection(data, cache_dir()).datasets if data is not None else ()
    with open_ledger(ledger, read_only=True) as opened:
        results, found = load_rows(opened, run, only)
        if wording or meteor or bertscore is not None:
            found = add_text_metrics(results, found, meteor=meteor, weights=bertscore)
            if odd := missing_text_metrics(found):
                print_note(odd)
        if format_ is ReportFormat.html:
            _page(results, found, where, output, samples)
        else:
            _deliver(found, format_, output)
    if figures is not None:
        from affordance.report.paper_figures import write_figures

        for path in write_figures(figures, found):
            print(path, file=sys.stderr)


def _json_alone(context: typer.Context, given: ReportFormat) -> ReportFormat:
    """What --json stands for, if no other format was asked for beside it; one from affordance.toml gives way."""
    source = context.get_parameter_source("format_")
    if given is not ReportFormat.json and source is not None and source.name == "COMMANDLINE":
        raise UserError(f"--json is --format json, found --format {given} beside it; give one of them")
    return ReportFormat.json


def _check_samples(samples: str | None, format_: ReportFormat, output: Path | None) -> None:
    if samples is None:
        return
    if format_ is not ReportFormat.html or output is None:
        raise UserError("--samples is about the folder beside an HTML page; give --format html -o FILE too")
    if samples != "all" and not (samples.isascii() and samples.isdecimal()):
        raise UserError(f"--samples: expected a number or all, found {samples}")


def _page(
    results: "RunResults",
    found: "Sequence[ResultRow]",
    where: "Sequence[Dataset]",
    output: Path | None,
    samples: str | None,
) -> None:
    from affordance.core.config import find_config, read_config
    from affordance.models.profile import config_prices
    from affordance.report.page.html_report import DEFAULT_IMAGE_ITEMS, html_report, write_report

    prices = config_prices(read_config(find_config(Path.cwd())))
    if output is None:
        sys.stdout.write(html_report(results, found, where, prices=prices))
        return
    pictured = DEFAULT_IMAGE_ITEMS if samples is None else None if samples == "all" else int(samples)
    with StepProgress("samples") as watch:
        write_report(output, results, found, where, prices=prices, pictured=pictured, watch=watch)
    print(output)


def _deliver(found: "Sequence[ResultRow]", format_: ReportFormat, output: Path | None) -> None:
    """To the file, whole or not at all; else to standard output, where a table fits the terminal."""
    from affordance.report.formats.row_formats import ROW_FORMATS
    from affordance.report.page.sample_files import write_atomic
    from affordance.report.report_tables import print_rows

    if output is not None:
        write_atomic(output, ROW_FORMATS[format_](found).encode("utf-8", "replace"))
        print(output)
    elif format_ is ReportFormat.table:
        print_rows(found)
    else:
        sys.stdout.write(ROW_FORMATS[format_](found).encode("utf-8", "replace").decode("utf-8"))
