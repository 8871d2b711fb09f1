"""The declared options of a run as options of commands.

`RunConfig` and the parameter classes of tasks declare them. `scripts/make-command-data.py` writes what the command line
needs of the declarations to a file, so that help and completion import nothing heavy; a test compares."""

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from affordance.cli import completion
from affordance.cli.options import JUDGING, QUESTIONS, Parameters, parse_parameter

if TYPE_CHECKING:
    from affordance.core.options import OptionInfo

FILE = Path(__file__).with_suffix(".json")

_JUDGING = ("judge", "reference", "summarizer", "judge_orders")
_GENERAL = ("protocol", "seed", "limit", "trials")
_COMPLETED: Mapping[str, Callable[..., list[str]]] = {
    "strategy": completion.strategy_names,
    "dialect": completion.dialect_names,
    "judge": completion.model_names,
    "summarizer": completion.model_names,
    "cues": completion.choices(completion.CUES),
    "expression": completion.choices(completion.EXPRESSIONS),
}


@dataclass(frozen=True, slots=True)
class RunOptionValues:
    """The options of a run that a user gave, by the names of `RunConfig`.

    Attributes:
        values: as they were typed, in a variable, or in affordance.toml.
        from_file: names of those that come from affordance.toml: they need not apply to one of the tasks.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    from_file: frozenset[str] = frozenset()


def describe_options(options: Iterable["OptionInfo"]) -> list[dict[str, Any]]:
    """What the command line needs of declared options, as JSON."""
    return [
        {
            "name": info.name,
            "help": info.help,
            "metavar": info.metavar or "|".join(info.choices),
            "type": _value_type(info.annotation),
            "short": [name for name in info.aliases if not name.startswith("--")],
            "choices": list(info.choices),
        }
        for info in options
    ]


def with_run_options(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A command whose parameter `run_options` is the declared options of a run.

    Args:
        names: of the options that the command has; all of them if none are named.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        declared = [one for one in _declared() if not names or one["name"] in names]
        hints = get_type_hints(function, include_extras=True)
        own = [
            one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name])
            for one in inspect.signature(function).parameters.values()
            if one.name not in ("run_options", "context")
        ]
        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        takes_context = "context" in hints
        shared = [_parameter(one) for one in declared]

        @wraps(function)
        def command(context: typer.Context, **given: Any) -> Any:
            options = {one["name"]: given.pop(_python_name(one["name"])) for one in declared}
            sources = {name: context.get_parameter_source(_python_name(name)) for name in options}
            chosen = {name for name, source in sources.items() if source is not None and source.name != "DEFAULT"}
            if "parameters" in options:
                options["parameters"] = dict(map(parse_parameter, options["parameters"]))
            from_file = {name for name in chosen if getattr(sources[name], "name", "") == "DEFAULT_MAP"}
            given["run_options"] = RunOptionValues({name: options[name] for name in chosen}, frozenset(from_file))
            return function(**given, **({"context": context} if takes_context else {}))

        needed = [one for one in own if one.default is inspect.Parameter.empty]
        others = [one for one in own if one.default is not inspect.Parameter.empty]
        parameters = [context, *needed, *shared, *others]
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what inspect uses
        command.__annotations__ = {one.name: one.annotation for one in parameters}
        return command

    return decorate


@cache
def _declared() -> Sequence[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def _parameter(option: Mapping[str, Any]) -> inspect.Parameter:
    name, flag = option["name"], f"--{option['name'].replace('_', '-')}"
    if name == "parameters":
        return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=[], annotation=Parameters)
    heading: dict[str, Any] = (
        {"rich_help_panel": JUDGING if name in _JUDGING else QUESTIONS} if name not in _GENERAL else {}
    )
    completed = _COMPLETED.get(name) or (completion.choices(option["choices"]) if option["choices"] else None)
    info = typer.Option(
        *option["short"],
        flag,
        metavar=option["metavar"] or "VALUE",
        help=option["help"],
        autocompletion=completed,
        show_default=False,
        **({} if name in _GENERAL else heading),
    )
    is_list = option["type"] == "list"
    kind: Any = {"integer": int | None, "path": Path | None, "list": list[str]}.get(option["type"], str | None)
    return inspect.Parameter(
        _python_name(name),
        inspect.Parameter.KEYWORD_ONLY,
        default=[] if is_list else None,
        annotation=Annotated[kind, info],
    )


def _python_name(name: str) -> str:
    return "input_" if name == "input" else name


def _value_type(annotation: Any) -> str:
    """How a value is typed: integer, path, list (repeatable) or text."""
    if annotation in (int, int | None):
        return "integer"
    if annotation == Path | None:
        return "path"
    return "list" if annotation == tuple[str, ...] else "text"
