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

    path = find_config(Path.cwd())
    found = list(effective_defaults(context.find_root().command, path))
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
    notes = [f"{hidden} other options have their built-in default (--all)."] if hidden else []
    if path is not None:
        notes.append(f"affordance.toml: {path}")
    groups: dict[tuple[str, str, str], list[str]] = {}
    for one in shown:
        source = "affordance.toml" if one.source == str(path) else one.source
        groups.setdefault((one.option, str(_plain(one.value)), source), []).append(one.command)
    if not groups:
        print("\n".join(notes))
        return
    rows = [(*key, ", ".join(names) if len(names) <= 3 else f"{len(names)} commands") for key, names in groups.items()]
    print_table(Table.of("defaults", "", ["option", "value", "source", "command"], rows, notes))


def _plain(value: Any) -> Any:
    """A default as JSON can hold it."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int, float)) else public_url(str(value))
