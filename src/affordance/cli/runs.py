"""`affordance runs`: the runs of a ledger."""

from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.command_group import CommandGroup, GroupWithDefault
from affordance.cli.options import LEDGER, Json, Ledger
from affordance.console.output import print_json

if TYPE_CHECKING:
    from affordance.ledger import RunSummary


class _RunsGroup(GroupWithDefault):
    """`affordance runs` lists the runs."""

    default = "list"

    def stands_for_default(self, args: list[str]) -> bool:
        return not args or args[0].startswith("-")


app = CommandGroup(_RunsGroup, no_args_is_help=False)
RunName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the run.")]


@app.callback()
def runs() -> None:
    """List the runs of a ledger, or show one. Without a command: list.

    \b
    Examples:
      affordance runs --ledger results.db
      affordance runs show monday
    """


@app.command("list")
def list_runs(ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """List runs and their progress.

    \b
    Example:
      affordance runs list --ledger results.db
    """
    from affordance.core.attempts import AttemptStatus
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.ledger import open_ledger
    from affordance.report.formats.terminal import print_table

    with open_ledger(ledger, read_only=True) as opened:
        found = opened.run_summaries()
    if as_json:
        print_json([_record(one) for one in found])
        return
    if not found:
        print("No runs yet; start one with `affordance run`.")
        return
    counts = [Column(name, unit=Unit.COUNT) for name in ("attempts", "pending", "failed")]
    body = [
        (
            one.run.name,
            one.run.created[:16].replace("T", " "),
            str(one.run.dataset.get("name", "")),
            one.attempts.planned,
            one.attempts.pending,
            one.attempts.by_status.get(AttemptStatus.FAILED, 0),
        )
        for one in found
    ]
    print_table(Table.of("runs", "", ["run", "started", "dataset", *counts], body))


@app.command("show")
def show(name: RunName, ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """Print the settings of a run, its attempts and its token usage.

    \b
    Example:
      affordance runs show monday
    """
    from affordance.core.formatting import Unit
    from affordance.core.table import Column, Table
    from affordance.ledger import open_ledger
    from affordance.report.formats.terminal import print_table

    with open_ledger(ledger, read_only=True) as opened:
        run = opened.find_run(name)
        (summary,) = [one for one in opened.run_summaries() if one.run.id == run.id]
        usage = opened.token_usage(run.id)
    if as_json:
        print_json({**_record(summary), "id": run.id, "usage": usage})
        return
    attempts = summary.attempts
    statuses = ", ".join(f"{count:,} {status}" for status, count in attempts.by_status.items() if count)
    settings = [
        ("started", run.created[:16].replace("T", " ")),
        ("dataset", str(run.dataset.get("name", ""))),
        ("attempts", f"{attempts.planned:,} ({statuses or 'none ended'}; {attempts.pending:,} pending)"),
        *((key, str(value)) for key, value in run.settings.items() if value not in (None, {}, [])),
    ]
    print_table(Table.of("run", "", [Column("setting", run.name), Column("value", " ")], settings))
    print()
    counts = [Column(name, unit=Unit.COUNT) for name in ("responses", "input tokens", "output tokens")]
    rows = [(one.model, one.responses, _or_unknown(one.input_tokens), _or_unknown(one.output_tokens)) for one in usage]
    print_table(Table.of("usage", "", ["model", *counts], rows))


def _or_unknown(number: int | None) -> int | str:
    return "?" if number is None else number


def _record(summary: "RunSummary") -> dict[str, object]:
    return {
        "name": summary.run.name,
        "created": summary.run.created,
        "fresh": summary.run.fresh,
        "settings": summary.run.settings,
        "dataset": summary.run.dataset,
        "attempts": summary.attempts.planned,
        "pending": summary.attempts.pending,
        "ended": summary.attempts.by_status,
    }
