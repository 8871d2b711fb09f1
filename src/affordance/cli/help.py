"""Help pages: usage, summary, arguments and options by heading, examples.

At most 100 columns wide and readable without colour; nothing in them is taken for markup."""

import inspect
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Any

from rich.console import Console
from rich.text import Text

from affordance.cli.options import ARGUMENTS, COMMANDS, COMMON, HEADING_ORDER, OPTIONS

WIDTH = 100
NAMES = 26  # columns for names, at most; the text of a longer one begins in the next line
TIE = "\x00"  # a space at which no line ends
NAME, HEADING, ASIDE = "cyan", "bold", "dim"


@dataclass(frozen=True, slots=True)
class HelpEntry:
    """An argument, an option or a command: its name, its help text, and facts such as the default."""

    name: str
    text: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HelpPage:
    usage: str
    summary: str
    blocks: tuple[str, ...]  # paragraphs; one whose lines stay as they are begins with \b
    headings: dict[str, list[HelpEntry]]
    examples: tuple[str, ...]
    note: str


def write_help(context: Any, formatter: Any) -> None:
    """The page of a command, in colour where standard output shows any."""
    out = Console(highlight=False)
    context.color = out.color_system is not None  # or what follows would cut it from a pipe that asks for colour
    text = StringIO()
    console = Console(
        file=text,
        width=min(WIDTH, out.width),
        highlight=False,
        color_system="standard" if context.color else None,
        no_color=out.no_color,
        force_terminal=context.color,
    )
    for line in _lines(help_page(context), console.width):
        console.print(line, soft_wrap=True)
    formatter.write(text.getvalue().rstrip("\n"))


def help_page(context: Any) -> HelpPage:
    command = context.command
    summary, blocks, examples = split_docstring(command.help or "")
    topics: dict[str, list[HelpEntry]] = {}
    for name, one in getattr(command, "commands", {}).items():
        if not one.hidden:
            topics.setdefault(one.rich_help_panel or COMMANDS, []).append(HelpEntry(name, short(one)))
    is_group = bool(topics)
    for parameter in command.get_params(context):
        if not getattr(parameter, "hidden", False):
            topic = COMMON if is_group or "--help" in parameter.opts else _topic(parameter)
            topics.setdefault(topic, []).append(_entry(parameter, context))
    topics = dict(sorted(topics.items(), key=lambda one: _place(one[0])))
    return HelpPage(_usage(context), summary, blocks, topics, examples, _note(context))


def _place(heading: str) -> int:
    """Headings without a place stay in the order of the command."""
    return HEADING_ORDER.index(heading) if heading in HEADING_ORDER else len(HEADING_ORDER) + (heading == COMMON)


def split_docstring(text: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Of a docstring: the first paragraph, the others, and the examples, each in a line of its own."""
    first, *others = inspect.cleandoc(text).split("\n\n")
    blocks, examples = [], []
    for block in others:
        heading, *lines = block.removeprefix("\b").strip("\n").splitlines() or [""]
        if heading in ("Example:", "Examples:"):
            examples += [line.strip() for line in lines]
        else:
            blocks.append(block)
    return " ".join(first.split()), tuple(blocks), tuple(examples)


def short(command: Any) -> str:
    """A line about a command for the page of its group."""
    return command.short_help or split_docstring(command.help or "")[0].partition(". ")[0].removesuffix(".")


def _lines(page: HelpPage, width: int) -> Iterator[Text]:
    yield Text.assemble(("Usage: ", HEADING), page.usage)
    yield Text()
    yield from map(Text, _wrap(page.summary, width))
    for block in page.blocks:
        yield Text()
        kept = block.startswith("\b")
        yield from map(Text, block.removeprefix("\b\n").splitlines() if kept else _wrap(block, width))
    for heading, entries in page.headings.items():
        yield Text()
        yield Text(f"{heading}:", HEADING)
        yield from _table(entries, width)
    if page.examples:
        yield Text()
        yield Text("Examples:", HEADING)
        for example in page.examples:
            yield Text(f"  {example}", NAME)
    if page.note:
        yield Text()
        yield from (Text(line, ASIDE) for line in _wrap(page.note, width))


def _table(entries: Sequence[HelpEntry], width: int) -> Iterator[Text]:
    names = min(NAMES, max(len(entry.name) for entry in entries))
    for entry in entries:
        facts = "".join(f" [{fact}]".replace(" ", TIE).replace(TIE, " ", 1) for fact in entry.facts)
        lines = [line.replace(TIE, " ") for line in _wrap(f"{entry.text}{facts}", max(20, width - names - 4))]
        if len(entry.name) > names:
            yield Text(f"  {entry.name}", NAME)
        else:
            yield Text.assemble("  ", (entry.name.ljust(names), NAME), "  ", lines.pop(0) if lines else "")
        yield from (Text(" " * (names + 4) + line) for line in lines)


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False, break_long_words=False)


def _usage(context: Any) -> str:
    pieces = [context.command_path]
    if hasattr(context.command, "commands"):
        return " ".join([*pieces, "COMMAND ..."])
    arguments = [one for one in context.command.params if one.param_type_name == "argument"]
    needed = [_option_name(one) for one in context.command.params if one.required and one not in arguments]
    pieces += [_command_name(one) if one.required else f"[{_command_name(one)}]" for one in arguments]
    return " ".join([*pieces, *needed, "[OPTIONS]"])


def _command_name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _option_name(option: Any) -> str:
    long = next((name for name in option.opts if name.startswith("--")), option.opts[0])
    return long if option.is_flag else f"{long} {_command_name(option)}"


def _topic(parameter: Any) -> str:
    usual = ARGUMENTS if parameter.param_type_name == "argument" else OPTIONS
    return str(parameter.rich_help_panel or usual)


def _entry(parameter: Any, context: Any) -> HelpEntry:
    facts = list(_facts(parameter, context))
    if parameter.param_type_name == "argument":
        return HelpEntry(_command_name(parameter), parameter.help or "", tuple(facts))
    brief = [name for name in parameter.opts if not name.startswith("--")]
    return HelpEntry(", ".join([*brief, _option_name(parameter)]), parameter.help or "", tuple(facts))


def _facts(parameter: Any, context: Any) -> Iterator[str]:
    if parameter.required:
        yield "required"
    if (least := getattr(parameter, "min", None)) is not None and (most := getattr(parameter, "max", None)) is not None:
        yield f"{least:g} to {most:g}"
    elif least is not None:
        yield f"at least {least:g}"
    if variable := _own_variable(parameter, context):
        yield variable
    default = parameter.get_default(context, call=False)
    if isinstance(parameter.show_default, str):
        yield f"default: {parameter.show_default}"
    elif parameter.show_default and not (default is None or default is False or default in ("", [], ())):
        yield f"default: {', '.join(map(str, default)) if isinstance(default, list) else default}"


def _own_variable(parameter: Any, context: Any) -> str:
    """The variable of an option whose name does not follow from the option's."""
    name = parameter.envvar[0] if isinstance(parameter.envvar, list) else parameter.envvar
    follows = context.parent is not None and str(name).startswith(_prefix(context))
    return name if isinstance(name, str) and not follows else ""


def _prefix(context: Any) -> str:
    return str(context.command_path).upper().replace(" ", "_").replace("-", "_") + "_"


def _note(context: Any) -> str:
    """The rule by which options have variables, with one as the example."""
    for parameter in context.command.params:
        if isinstance(parameter.envvar, str) and parameter.envvar.startswith(_prefix(context)) and context.parent:
            return f"Every option can be set by a variable: {parameter.envvar} is {parameter.opts[-1]}."
    return (
        "Defaults are read from affordance.toml in this folder or one above, and from variables."
        if context.parent is None
        else ""
    )
