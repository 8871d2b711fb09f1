"""The command line: a page for every command, from what the parser itself knows."""

import re
from typing import Any

from typer.main import get_command

from affordance.cli.help import help_page, split_docstring
from affordance.cli.main import app
from reference.markdown import code, plain, table

FOLDER = "reference/commands"
_IN_WORDS = (
    (r"env var: (\w+)", r"variable \1"),
    (r"default: \((.*?)\)(?=; |$)", r"default: \1"),
    (r"\b([\d.]+)<=x<=([\d.]+)", r"from \1 to \2"),
    (r"\bx>=([\d.]+)", r"at least \1"),
    (r"\bx>([\d.]+)", r"more than \1"),
)


def pages() -> dict[str, str]:
    command: Any = get_command(app)
    found = {f"{FOLDER}/index.md": _index(command)}
    for name, one in command.commands.items():
        if not one.hidden:
            found[f"{FOLDER}/{name}.md"] = "\n\n".join([f"# affordance {name}", *_told(one, f"affordance {name}", 2)])
    return found


def _index(command: Any) -> str:
    rows = [
        (f"[{name}]({name}.md)", _first_sentence(one.help or ""))
        for name, one in command.commands.items()
        if not one.hidden
    ]
    return "\n\n".join(
        [
            "# Commands",
            "What `affordance --help` says, for every command. Results go to standard output and everything else to "
            "standard error. Every option of a command can be given by an environment variable, `--limit` of "
            "`affordance run` by `AFFORDANCE_RUN_LIMIT`, and in [affordance.toml](../settings.md). What a command "
            "ends with: [exit codes](../codes.md).",
            table(("command", "what it does"), rows),
            "For all of them:",
            _options(command, "affordance"),
        ]
    )


def _told(command: Any, path: str, level: int) -> list[str]:
    """What is there to say of a command and of those within it."""
    summary, blocks, examples = split_docstring(command.help or "")
    said = ["\n\n".join(plain(one.removeprefix("\b\n")) for one in (summary, *blocks))]
    if examples:
        said.append('```text title="Examples"\n' + "\n".join(examples) + "\n```")
    if hasattr(command, "commands"):
        rows = [
            (f"[{name}](#{path.replace(' ', '-')}-{name})", _first_sentence(one.help or ""))
            for name, one in command.commands.items()
            if not one.hidden
        ]
        said.append(table(("command", "what it does"), rows))
        for name, one in command.commands.items():
            if not one.hidden:
                said += [f"{'#' * level} {path} {name}", *_told(one, f"{path} {name}", level + 1)]
        return said
    context = command.context_class(command, info_name=path)
    return [*said[:1], f"```text\n{help_page(context).usage}\n```", _options(command, path), *said[1:]]


def _options(command: Any, path: str) -> str:
    context = command.context_class(command, info_name=path)
    rows = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is None or getattr(parameter, "hidden", False):
            continue
        name, told = record
        words, _, more = told.partition("  [")
        shown = name if parameter.param_type_name == "option" else name.partition(" <")[0]
        rows.append((code(shown), plain(words), plain(_more(more.removesuffix("]")))))
    return table(("option", "what it says", "limits, default"), rows)


def _more(text: str) -> str:
    """What the parser says in brackets, in words."""
    for pattern, words in _IN_WORDS:
        text = re.sub(pattern, words, text)
    return text.replace("; ", ", ")


def _first_sentence(text: str) -> str:
    return plain(re.split(r"(?<=[.?!]) (?=[A-Z])", split_docstring(text)[0])[0])
