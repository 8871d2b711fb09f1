"""Options and arguments that several commands share, and the headings under which help pages list them."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from affordance.cli import completion
from affordance.core.paths import DEFAULT_LEDGER

# Headings of help pages.
GET_STARTED, EVALUATE, BUILD, PEOPLE, MAINTAIN = (
    *("Get started", "Evaluate", "Build benchmarks", "People", "Maintain"),
)
QUESTIONS, JUDGING, SERVER = "Questions", "Judging", "Server"
ARGUMENTS, OPTIONS, COMMANDS = "Arguments", "Options", "Commands"  # where no other heading is given
COMMON = "Common options"  # always last
HEADING_ORDER = (GET_STARTED, EVALUATE, BUILD, PEOPLE, MAINTAIN, ARGUMENTS, OPTIONS)

LEDGER = DEFAULT_LEDGER
HOST, PORT = "127.0.0.1", 8470
MODEL_FORM = "PROVIDER:MODEL[@BASE_URL]"


def resolve_ledger_option(context: typer.Context, parameter: typer.CallbackParam, value: str) -> str:
    """The value of an option for a ledger: what was given, or what `resolve_ledger` finds."""
    source = context.get_parameter_source(str(parameter.name))
    if context.resilient_parsing or source is None or source.name != "DEFAULT":
        return value
    from affordance.core.config import resolve_ledger
    from affordance.core.errors import UserError

    try:
        return resolve_ledger()
    except UserError:
        if context.info_name == "doctor":  # which reports what is wrong with the file, next to all else
            return value
        raise


Ledger = Annotated[
    str,
    typer.Option(
        "--ledger",
        metavar="L",
        envvar="AFFORDANCE_LEDGER",
        help="Database of all responses: a SQLite file or Postgres URL.",
        callback=resolve_ledger_option,
        show_default=LEDGER,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel=COMMON)]
OutputFile = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the result to FILE.", show_default=False)
]
NewFolder = Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="A new or empty folder.")]
Spec = Annotated[
    str,
    typer.Argument(
        metavar="SPEC",
        help="A dataset folder, or FORMAT:PATH of a published dataset.",
        autocompletion=completion.specs,
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="SPEC",
        help="Dataset: a folder, or FORMAT:PATH of a published one.",
        show_default="the demo data",
        autocompletion=completion.specs,
    ),
]
MovedData = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="SPEC",
        help="Where the dataset is now.",
        show_default="where it was",
        autocompletion=completion.specs,
    ),
]
Model = Annotated[
    str,
    typer.Option("--model", metavar="M", help=f"Model as {MODEL_FORM}.", autocompletion=completion.model_names),
]
Models = Annotated[
    list[str],
    typer.Option(
        "--model", metavar="M", help=f"Model as {MODEL_FORM} (repeatable).", autocompletion=completion.model_names
    ),
]
Judge = Annotated[
    str,
    typer.Option("--judge", metavar="M", help=f"Judge model as {MODEL_FORM}.", autocompletion=completion.model_names),
]
OnlyTasks = Annotated[
    list[str],
    typer.Option(
        "--task",
        metavar="T",
        help="Include only this task or suite (repeatable).",
        autocompletion=completion.task_names,
    ),
]
OnlyRuns = Annotated[list[str], typer.Option("--run", metavar="NAME", help="Include only this run (repeatable).")]
RunName = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Name of the run.", show_default="derived from its settings"),
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of everything random.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Ask again; reuse no stored response.")]
Estimate = Annotated[
    bool, typer.Option("--estimate", help="Print the number of requests and their cost; send nothing.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done; change nothing.")]
Yes = Annotated[bool, typer.Option("-y", "--yes", help="Confirm without asking.")]
Concurrency = Annotated[
    int, typer.Option("--concurrency", min=1, metavar="N", help="Maximum simultaneous requests per model.")
]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, metavar="S", help="Seconds to wait for a response.")]
Budget = Annotated[
    float | None,
    typer.Option(
        "--budget",
        metavar="USD",
        min=0,
        help="Stop before the worst-case cost exceeds this amount.",
        show_default="no limit",
    ),
]
KeyEnv = Annotated[
    list[str] | None,
    typer.Option(
        "--key-env",
        metavar="[MODEL=]NAME",
        help="Environment variable with the API key of MODEL, or of the only one used (repeatable).",
        show_default="the provider's, for its own host",
    ),
]
Parameters = Annotated[
    list[str],
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Set a request parameter such as temperature (repeatable).",
        rich_help_panel=QUESTIONS,
    ),
]
Prompts = Annotated[
    Path | None,
    typer.Option("--prompts", metavar="DIR", help="Use the prompt templates in DIR.", rich_help_panel=QUESTIONS),
]
DialectOption = Annotated[
    str | None,
    typer.Option(
        "--dialect",
        metavar="D",
        help="Coordinate dialect of the prompts, or `calibrated`.",
        show_default="by model name",
        autocompletion=completion.dialect_names,
        rich_help_panel=QUESTIONS,
    ),
]
Cues = Annotated[
    str | None,
    typer.Option(
        "--cues",
        metavar="C",
        help="Cues shown with a clip: none, all, or motion, context, caption joined by commas.",
        show_default="context",
        autocompletion=completion.choices(completion.CUES),
        rich_help_panel=QUESTIONS,
    ),
]
Workers = Annotated[
    int, typer.Option("--workers", min=1, max=32, metavar="N", help="Number of pages or processes at once.")
]
DatasetName = Annotated[
    str, typer.Option("--name", metavar="TEXT", help="Name of the dataset.", show_default="name of the folder")
]
Licence = Annotated[
    str, typer.Option("--licence", metavar="TEXT", help="Licence of the content.", show_default="unknown")
]
Synthetic = Annotated[bool, typer.Option("--synthetic", help="Mark the content as synthetic.")]
Browser = Annotated[
    str | None,
    typer.Option(
        "--browser",
        metavar="PATH",
        envvar="AFFORDANCE_BROWSER",
        help="Chromium executable.",
        show_default="the first one found",
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="ORIGIN",
        help="Allow requests to this origin (repeatable).",
        show_default="none but the page's own",
    ),
]
RayAddress = Annotated[
    str | None,
    typer.Option("--ray-address", metavar="ADDRESS", help="Address of the Ray cluster.", show_default="RAY_ADDRESS"),
]
Host = Annotated[
    str,
    typer.Option("--host", metavar="H", help="Address to listen on.", rich_help_panel=SERVER),
]
Port = Annotated[
    int,
    typer.Option(
        "--port", min=0, max=65535, metavar="P", help="Port to listen on, 0 for any free one.", rich_help_panel=SERVER
    ),
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.", rich_help_panel=SERVER)]
AllowedHosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allowed-host",
        metavar="NAME",
        help="Accept requests for this host name, for example behind a proxy (repeatable).",
        rich_help_panel=SERVER,
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="TLS certificate as PEM, with --key.",
        rich_help_panel=SERVER,
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Private key of the certificate, as PEM.",
        rich_help_panel=SERVER,
    ),
]
SignIn = Annotated[
    bool, typer.Option("--sign-in", help="Require sign-in on this computer too.", rich_help_panel=SERVER)
]


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of commands that serve pages to browsers."""

    host: Host = HOST
    port: Port = PORT
    sign_in: SignIn = False
    allowed_hosts: AllowedHosts = None
    certificate: Certificate = None
    key: Key = None


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """A command whose dataclass parameters are options that it shares takes each of their fields as an option."""
    hints = get_type_hints(function, include_extras=True)
    parameters: list[inspect.Parameter] = []
    shared: dict[str, type[Any]] = {}
    for one in inspect.signature(function).parameters.values():
        annotation = hints[one.name]
        if is_dataclass(annotation) and one.name != "run_options":  # which `with_run_options` expands
            shared[one.name] = annotation  # type: ignore[assignment]  # a class, as annotations are
            parameters += _field_parameters(annotation)
        else:
            parameters.append(one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=annotation))

    @wraps(function)
    def command(**given: Any) -> Any:
        for name, options in shared.items():
            given[name] = options(**{one.name: given.pop(one.name) for one in fields(options)})
        return function(**given)

    required = [one for one in parameters if one.default is inspect.Parameter.empty]
    others = [one for one in parameters if one.default is not inspect.Parameter.empty]
    command.__signature__ = inspect.Signature([*required, *others])  # type: ignore[attr-defined]  # what inspect uses
    command.__annotations__ = {one.name: one.annotation for one in (*required, *others)}
    return command


def _field_parameters(options: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(options, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_field_default(one),
            annotation=hints[one.name],
        )
        for one in fields(options)
    ]


def _field_default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default


def parse_parameter(text: str) -> tuple[str, Any]:
    """`KEY=VALUE` of --set; the value is JSON where it can be, else a text."""
    import json

    from affordance.core.errors import UserError

    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UserError(f"--set: expected KEY=VALUE, found {text!r}")
    try:
        return key, json.loads(value, parse_constant=str)
    except (ValueError, RecursionError):
        return key, value
