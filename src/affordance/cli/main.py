"""The entry point: the table of commands, defaults, and errors as lines and exit codes."""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.main import get_command

from affordance.cli import (
    author,
    calibrate,
    capture,
    choose,
    compare,
    config,
    data,
    demo,
    doctor,
    import_log,
    judge,
    ledger,
    models,
    report,
    run,
    runs,
    studio,
    study,
    tasks,
)
from affordance.cli.command_group import (
    EXIT_BUG,
    EXIT_INCOMPLETE,
    EXIT_OK,
    EXIT_USER_ERROR,
    CommandGroup,
    QuietEverywhere,
    VerboseEverywhere,
)
from affordance.cli.completion import VARIABLE, check_shell, complete
from affordance.cli.defaults import load_defaults, name_variables, validate_defaults
from affordance.cli.options import BUILD, EVALUATE, GET_STARTED, MAINTAIN, PEOPLE
from affordance.console.output import is_verbose, output_scope, print_warning, set_quiet, set_verbose
from affordance.core.errors import IncompleteError, UserError
from affordance.core.paths import find_config

_CTRL_C = 130  # what Typer makes of it
_NEED_NO_DEFAULTS = frozenset({"doctor", "-h", "--help", "-V", "--version"})  # work with an invalid affordance.toml

app = CommandGroup(
    name="affordance", pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback(invoke_without_command=True)
def affordance(
    version: Annotated[
        bool, typer.Option("-V", "--version", help="Print version, commit and installed extras.")
    ] = False,
    quiet: QuietEverywhere = False,
    verbose: VerboseEverywhere = False,
) -> None:
    """Evaluate how well vision-language models understand user interfaces.

    \b
    Examples:
      affordance demo
      affordance doctor --model vllm:my-model@http://localhost:8000/v1
      affordance run motion/effect --model baseline:pixels --model baseline:random
      affordance report --format html -o report.html
    """
    if version:
        from affordance.cli.version import describe_version

        print(describe_version())
        raise typer.Exit
    set_quiet(quiet)
    set_verbose(verbose)


def _add(heading: str, name: str, command: Any, summary: str) -> None:
    app.command(name, rich_help_panel=heading, short_help=summary)(command)


def _add_group(heading: str, name: str, group: CommandGroup, summary: str) -> None:
    app.add_typer(group, name=name, rich_help_panel=heading, short_help=summary)


_add(GET_STARTED, "demo", demo.demo, "Evaluate built-in models on the demo data and write a report")
_add(GET_STARTED, "doctor", doctor.doctor, "Check the installation, keys, models and data")
_add(GET_STARTED, "tasks", tasks.tasks, "List tasks")
_add(GET_STARTED, "models", models.models, "List providers, built-in models and coordinate dialects")
_add(EVALUATE, "run", run.run, "Evaluate models on one or more tasks and print the scores")
_add(EVALUATE, "rescore", run.rescore, "Recompute verdicts from stored responses")
_add(EVALUATE, "report", report.report, "Print or export results")
_add(EVALUATE, "compare", compare.compare, "Compare two runs or models")
_add_group(EVALUATE, "runs", runs.app, "List runs, or show the settings and usage of one")
_add(EVALUATE, "calibrate", calibrate.calibrate, "Determine in which coordinates a model answers")
_add(EVALUATE, "choose", choose.choose, "Ask a model which of two designs is more effective")
_add_group(EVALUATE, "judge", judge.app, "Measure a judge model against human labels")
_add(EVALUATE, "import-log", import_log.import_log, "Import Inspect logs of Affordance tasks")
_add_group(BUILD, "data", data.app, "Download, make, check, convert and publish datasets")
_add_group(BUILD, "capture", capture.app, "Capture screens, outcomes and animations in a browser")
_add_group(BUILD, "author", author.app, "Build a benchmark from your own screens, clips or pairs")
_add(PEOPLE, "studio", studio.studio, "Correct, review and edit a project in the browser")
_add_group(PEOPLE, "study", study.app, "Ask people the questions of a task")
_add_group(MAINTAIN, "ledger", ledger.app, "Check a ledger")
_add_group(MAINTAIN, "config", config.app, "Show effective defaults")


def main(arguments: Sequence[str] | None = None) -> None:
    sys.exit(run_command(sys.argv[1:] if arguments is None else arguments))


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line; the exit code."""
    with output_scope():
        return _run_in_scope(arguments)


def _run_in_scope(arguments: Sequence[str]) -> int:
    try:
        _replace_unencodable()
        words = list(arguments)
        code = _run([*words[1:], "--help"] if words[:1] == ["help"] else words)
        sys.stdout.flush()
    except IncompleteError as error:
        return _print_error(f"incomplete: {_describe(error)}", EXIT_INCOMPLETE)
    except UserError as error:
        if is_verbose():
            traceback.print_exc()
        return _print_error(_describe(error))
    except typer.TyperException as error:
        return _print_usage_error(error)
    except (KeyboardInterrupt, typer.Abort):
        return _print_error("interrupted", EXIT_INCOMPLETE)
    except (BrokenPipeError, SystemExit) as end:
        if isinstance(end, SystemExit) and not isinstance(end.__context__, BrokenPipeError):
            return _code_of_exit(end)
        # The reader is gone, as in `affordance report | head`; Typer exits then. The rest has no reader either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as error:
        return _print_error(f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception:  # noqa: BLE001  # the outermost place: a bug is printed in full, with its own exit code
        traceback.print_exc()
        return _print_error("this is a bug in affordance; please report it with the lines above", EXIT_BUG)
    return code


def _code_of_exit(end: SystemExit) -> int:
    """As Python defines it: None is 0, and a text is printed and is 1."""
    if end.code is None or isinstance(end.code, int):
        return end.code or EXIT_OK
    return _print_error(str(end.code), EXIT_BUG)


def _build_command() -> Any:
    """All commands, with the variables of their options."""
    command = get_command(app)
    name_variables(command)
    return command


_cached_command = cache(_build_command)  # takes longer than many commands do


def _run(arguments: list[str]) -> int:
    if VARIABLE in os.environ:
        return complete(_build_command())  # its own: options that were completed convert nothing any more
    command = _cached_command()
    check_shell(arguments)
    path = find_config(Path.cwd())
    needs_defaults = _NEED_NO_DEFAULTS.isdisjoint(arguments)
    try:
        if not needs_defaults:
            validate_defaults(command, path)
        defaults = load_defaults(command, path)
    except UserError:
        if needs_defaults:
            raise
        defaults = {}
    code = command.main(arguments, "affordance", standalone_mode=False, default_map=defaults)
    if code == _CTRL_C:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else EXIT_OK


def _replace_unencodable() -> None:
    """A terminal or pipe that is not UTF-8 gets what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _print_usage_error(error: typer.TyperException) -> int:
    from affordance.cli.usage_errors import describe_usage_error

    if type(error).__name__ == "NoArgsIsHelpError":
        print(error)
        return EXIT_OK
    return _print_error(describe_usage_error(error))


def _describe(error: UserError) -> str:
    from affordance.core.options import option_flag

    return error.describe(option_flag)


def _print_error(message: str, code: int = EXIT_USER_ERROR) -> int:
    print_warning(" ".join(message.split()))
    return code
