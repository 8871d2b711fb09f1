"""`affordance report`: what the ledger says."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from affordance.cli.options import LEDGER, Json, Ledger
from affordance.cli.places import cache_folder
from affordance.core.errors import UserError


class Format(StrEnum):
    table = "table"
    json = "json"
    html = "html"


def report(
    ledger: Ledger = LEDGER,
    run: Annotated[list[str], typer.Option("--run", metavar="NAME", help="Only these runs; repeatable.")] = [],  # noqa: B006
    task: Annotated[list[str], typer.Option("--task", metavar="T", help="Only these tasks; repeatable.")] = [],  # noqa: B006
    data: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Where the dataset is now, for pictures, if it was moved.")
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.table,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file.")] = None,
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
    """Print the leaderboard, or write it as JSON or as one HTML page that opens offline.

    \b
    Examples:
      affordance report
      affordance report --format html -o report.html
      affordance report --format json --run motion-effect-3f2a1c
    """
    import json

    if as_json:
        format_ = Format.json
    from affordance.datasets import read_collection
    from affordance.ledger import open_ledger
    from affordance.report.html import html_report
    from affordance.report.rows import rows
    from affordance.report.tables import print_rows
    from affordance.report.wording import with_wording
    from affordance.suites.registry import tasks_named

    only = [one.name for one in tasks_named(task)]
    where = read_collection(data, cache_folder()).parts if data is not None else ()
    with open_ledger(ledger, read_only=True) as opened:
        runs = [opened.find_run(name) for name in run] or [summary.run for summary in opened.runs()]
        found = rows(opened, runs, only)
        if not found:
            raise UserError(f"the ledger {opened.where} has nothing to report yet; start with `affordance run`")
        if wording or meteor or bertscore is not None:
            found = with_wording(opened, runs, found, meteor=meteor, weights=bertscore)
        if format_ is Format.table:
            if output is not None:
                raise UserError("a table goes to standard output; give --format json or html with -o")
            print_rows(found)
            return
        if format_ is Format.json:
            text = json.dumps([row.to_json() for row in found], ensure_ascii=False, indent=2) + "\n"
        else:
            text = html_report(opened, runs, found, where)
    if output is None:
        sys.stdout.write(text)
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write {output}: {error.strerror}") from None
    print(output)
