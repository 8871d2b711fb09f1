"""`affordance import-log`: what was evaluated with Inspect, into the ledger."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_note
from affordance.core.errors import DataError, UserError

if TYPE_CHECKING:
    from affordance.integrations.inspect.log_import import LogImport


def import_log(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Logs of Inspect, or folders of them.")],
    ledger: Ledger = LEDGER,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="A name for the run; made from its settings otherwise.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Where the dataset lies now, to compare verdicts with; where it was otherwise."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring logs of Inspect into a ledger: logs of our tasks, from `inspect eval affordance/...`.

    Replies, judgements and verdicts are as if `affordance run` had asked: reports have the same numbers, and a run that
    goes on asks only what is missing. A log that is brought in again changes nothing. One whose keys or verdicts are
    not what its asks and replies make them is refused.

    \b
    Examples:
      affordance import-log logs/2026-01-05T12-00-00+00-00_motion-effect_abc.eval
      affordance import-log logs --ledger results.db
    """
    from affordance.integrations.inspect.log_files import ForeignLog, find_logs, read_log
    from affordance.integrations.inspect.log_import import import_inspect_log
    from affordance.ledger import open_ledger

    found: list[LogImport] = []
    unread: list[DataError] = []
    others = 0
    with ExitStack() as stack:
        opened = None
        for path, named in find_logs(files):
            try:
                log = read_log(path)
                opened = opened or stack.enter_context(open_ledger(ledger))
                found.append(import_inspect_log(log, opened, name, data))
            except DataError as error:
                if isinstance(error, ForeignLog) and not named:
                    others += 1
                else:
                    unread.append(error)
    if not found and len(unread) < 2:
        raise unread[0] if unread else UserError(f"expected logs of Affordance's tasks, found {others} other files")
    if found:
        _show(found, as_json)
    if others:
        print_note(f"{others} files that are no logs of our tasks were left aside")
    for damage in unread:
        print(f"affordance: {damage}", file=sys.stderr)
    code = _describe_import(found)
    raise typer.Exit(EXIT_USER_ERROR if unread else code)


def _show(found: "list[LogImport]", as_json: bool) -> None:
    from affordance.console.output import print_json
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    if as_json:
        print_json(found)
        return
    counts = [Column(name, unit=Unit.COUNT) for name in ("attempts", "missing", "new", "new responses")]
    rows = [(one.run, one.model, one.planned, one.missing, one.attempts, one.replies) for one in found]
    print_table(Table.of("logs", "", ["run", "model", *counts], rows))


def _describe_import(found: "list[LogImport]") -> int:
    """Say what is odd and how to go on; the exit code."""
    for one in found:
        if one.remark:
            print_note(f"{one.file}: {one.remark}")
    missing = {(one.run, one.model): one for one in found}  # the last log of each says how far it is
    incomplete = [one for one in missing.values() if one.missing]
    for one in incomplete:
        print(
            f"affordance: incomplete: {one.missing} of {one.planned} attempts of {one.model} in run {one.run!r} are "
            "missing; `inspect eval-retry` or `affordance run` with the same settings makes them",
            file=sys.stderr,
        )
    return EXIT_INCOMPLETE if incomplete else EXIT_OK
