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
    from affordance.ledger import open_ledger
    from affordance.report.formats.terminal import print_table
    from affordance.report.sheet import Column

    with open_ledger(ledger, read_only=True) as opened:
        found = opened.run_summaries()
    if as_json:
        print_json([_record(one) for one in found])
        return
    if not found:
        print("No runs yet; start one with `affordance run`.")
        return
    columns = (Column("run", left=True), Column("started", left=True), Column("dataset", left=True))
    counts = (Column("attempts"), Column("pending"), Column("failed"))
    body = [
        (
            one.run.name,
            one.run.created[:16].replace("T", " "),
            str(one.run.dataset.get("name", "")),
            f"{one.attempts.planned:,}",
            f"{one.attempts.pending:,}",
            f"{one.attempts.by_status.get(AttemptStatus.FAILED, 0):,}",
        )
        for one in found
    ]
    print_table((*columns, *counts), body)


@app.command("show")
def show(name: RunName, ledger: Ledger = LEDGER, as_json: Json = False) -> None:
    """Print the settings of a run, its attempts and its token usage.

    \b
    Example:
      affordance runs show monday
    """
    from affordance.ledger import open_ledger
    from affordance.report.formats.terminal import print_table
    from affordance.report.sheet import Column

    with open_ledger(ledger, read_only=True) as opened:
        run = opened.find_run(name)
        (summary,) = [one for one in opened.run_summaries() if one.run.id == run.id]
        usage = opened.token_usage(run.id)
    if as_json:
        print_json({**_record(summary), "id": run.id, "usage": usage})
        return
    attempts = summary.attempts
    statuses = ", ".join(f"{count:,} {status}" for status, count in attempts.by_status.items() if count)
    rows = [
        ("started", run.created[:16].replace("T", " ")),
        ("dataset", str(run.dataset.get("name", ""))),
        ("attempts", f"{attempts.planned:,} ({statuses or 'none ended'}; {attempts.pending:,} pending)"),
        *((key, str(value)) for key, value in run.settings.items() if value not in (None, {}, [])),
    ]
    print_table((Column(run.name, left=True), Column("", left=True)), rows)
    print()
    columns = (Column("model", left=True), Column("responses"), Column("tokens in"), Column("tokens out"))
    print_table(
        columns,
        [(one.model, f"{one.responses:,}", _count(one.input_tokens), _count(one.output_tokens)) for one in usage],
    )


def _count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


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
