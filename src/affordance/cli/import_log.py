"""`affordance import-log`: import Inspect logs of Affordance tasks."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import EXIT_INCOMPLETE, EXIT_OK, EXIT_USER_ERROR
from affordance.cli.options import LEDGER, Json, Ledger, MovedData, RunName
from affordance.console.output import print_json, print_note, print_warning
from affordance.core.errors import DataError, UserError

if TYPE_CHECKING:
    from affordance.integrations.inspect.log_import import LogImport


def import_log(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Inspect logs, or folders of them.")],
    ledger: Ledger = LEDGER,
    name: RunName = None,
    data: MovedData = None,
    as_json: Json = False,
) -> int:
    """Import Inspect logs of Affordance tasks into a ledger: logs of `inspect eval affordance/...`.

    Responses, judgements and verdicts are stored as by `affordance run`: reports have the same numbers, and a resumed
    run sends only missing requests. Importing a log again changes nothing. A log whose keys or verdicts do not follow
    from its requests and responses is rejected.

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
        raise unread[0] if unread else UserError(f"expected logs of Affordance tasks, found {others} other files")
    if found:
        _print_imports(found, as_json)
    if others:
        print_note(f"skipped {others} files that are not logs of Affordance tasks")
    for damage in unread:
        print_warning(str(damage))
    code = _report_missing(found)
    return EXIT_USER_ERROR if unread else code


def _print_imports(found: "list[LogImport]", as_json: bool) -> None:
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.report.formats.terminal import print_table

    if as_json:
        print_json(found)
        return
    counts = [Column(name, unit=Unit.COUNT) for name in ("attempts", "missing", "new", "new responses")]
    rows = [(one.run, one.model, one.planned, one.missing, one.attempts, one.replies) for one in found]
    print_table(Table.of("logs", "", ["run", "model", *counts], rows))


def _report_missing(found: "list[LogImport]") -> int:
    """Print notes and what is missing; the exit code."""
    for one in found:
        if one.remark:
            print_note(f"{one.file}: {one.remark}")
    missing = {(one.run, one.model): one for one in found}  # the last log of each says how far it is
    incomplete = [one for one in missing.values() if one.missing]
    for one in incomplete:
        print_warning(
            f"incomplete: {one.missing} of {one.planned} attempts of {one.model} in run {one.run!r} are missing; "
            "complete it with `inspect eval-retry` or `affordance run` with the same settings"
        )
    return EXIT_INCOMPLETE if incomplete else EXIT_OK
