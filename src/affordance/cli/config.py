"""`affordance config`: effective defaults."""

from pathlib import Path
from typing import Annotated, Any

import typer

from affordance.cli.command_group import CommandGroup
from affordance.cli.options import Json
from affordance.core.http import public_url

app = CommandGroup()


@app.callback()
def config() -> None:
    """Show the defaults of options and where they come from.

    \b
    Example:
      affordance config show
    """


@app.command("show")
def show(
    context: typer.Context,
    everything: Annotated[bool, typer.Option("--all", help="Include built-in defaults.")] = False,
    as_json: Json = False,
) -> None:
    """Print the defaults that variables and affordance.toml set, and where each comes from.

    What is typed wins over variables, variables over the file, and the file over built-in defaults.

    \b
    Examples:
      affordance config show
      affordance config show --all --json
    """
    from affordance.cli.defaults import effective_defaults
    from affordance.console.output import print_json
    from affordance.core.paths import find_config
    from affordance.core.table import Table
    from affordance.report.formats.terminal import print_table

    found = list(effective_defaults(context.find_root().command, find_config(Path.cwd())))
    shown = [one for one in found if everything or one.source != "built in"]
    if as_json:
        print_json(
            [
                {"command": one.command, "option": one.option, "value": _plain(one.value), "source": one.source}
                for one in shown
            ]
        )
        return
    hidden = len(found) - len(shown)
    note = f"{hidden} other options have their built-in default (--all)." if hidden else ""
    if not shown:
        print(note)
        return
    rows = [(one.command, one.option, str(_plain(one.value)), one.source) for one in shown]
    print_table(Table.of("defaults", "", ["command", "option", "value", "source"], rows, [note]))


def _plain(value: Any) -> Any:
    """A default as JSON can hold it."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int, float)) else public_url(str(value))
