"""The entry point: puts the commands together, reads the defaults, and turns errors into lines and exit codes."""

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

from affordance import __version__
from affordance.cli import (
    author,
    calibrate,
    capture,
    choose,
    compare,
    data,
    demo,
    doctor,
    import_log,
    judge,
    ledger,
    models,
    report,
    rescore,
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
from affordance.cli.defaults import check_values, default_map, set_variables
from affordance.cli.options import FIRST, MAKE, MEASURE, PEOPLE
from affordance.console.output import output_scope, set_quiet, set_verbose
from affordance.core.errors import IncompleteError, UserError
from affordance.core.paths import find_config

_CTRL_C = 130  # what typer makes of it
ALWAYS = frozenset({"doctor", "-h", "--help", "--version"})  # work where affordance.toml is wrong, too

app = CommandGroup(
    name="affordance", pretty_exceptions_enable=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@app.callback(invoke_without_command=True)
def affordance(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
    quiet: QuietEverywhere = False,
    verbose: VerboseEverywhere = False,
) -> None:
    """Does a model understand user interfaces? Ask it, keep every reply, report an honest number.

    \b
    Examples:
      affordance demo
      affordance doctor --model vllm:my-model@http://localhost:8000/v1
      affordance run motion/effect --model baseline:pixels --model baseline:random
      affordance report --format html -o report.html
    """
    if version:
        print(__version__)
        raise typer.Exit
    set_quiet(quiet)
    set_verbose(verbose)


def _add(topic: str, name: str, command: Any, about: str) -> None:
    app.command(name, rich_help_panel=topic, short_help=about)(command)


def _add_group(topic: str, name: str, group: CommandGroup, about: str) -> None:
    app.add_typer(group, name=name, rich_help_panel=topic, short_help=about)


_add(FIRST, "demo", demo.demo, "Two baselines on our own data, and a report: no key, no network")
_add(FIRST, "doctor", doctor.doctor, "What is missing on this computer, and how to get it")
_add(FIRST, "tasks", tasks.tasks, "What can be asked")
_add(FIRST, "models", models.models, "Who can be asked, and whether their keys are set")
_add(MEASURE, "run", run.run, "Ask models, keep every reply, print an honest number")
_add(MEASURE, "report", report.report, "The leaderboard: as a table, an HTML page, LaTeX or data")
_add(MEASURE, "compare", compare.compare, "Is one run or model better than another, and how sure is that")
_add(MEASURE, "runs", runs.runs, "What is in a ledger")
_add(MEASURE, "rescore", rescore.rescore, "Read stored responses again, without sending anything")
_add(MEASURE, "import-log", import_log.import_log, "What was evaluated with Inspect, into a ledger")
_add(MEASURE, "choose", choose.choose, "Which of two designs a model prefers, and why")
_add(MEASURE, "calibrate", calibrate.calibrate, "In which coordinates a model answers")
_add_group(MEASURE, "ledger", ledger.app, "Check that a ledger is consistent")
_add_group(MEASURE, "judge", judge.app, "What the model is worth that judges free answers")
_add_group(MAKE, "data", data.app, "Get, make, check and count datasets")
_add_group(MAKE, "capture", capture.app, "Screens, outcomes and animations from a real browser")
_add_group(MAKE, "author", author.app, "A benchmark of your own screens, clips or pairs, step by step")
_add(PEOPLE, "studio", studio.studio, "Correct, validate and edit in the browser")
_add(PEOPLE, "study", study.study, "Put the questions of a task to people")


def main(arguments: Sequence[str] | None = None) -> None:
    sys.exit(run_command(sys.argv[1:] if arguments is None else arguments))


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line; the exit code says whose turn it is."""
    try:
        with output_scope():
            _write_anything()
            code = _carry_out([*arguments[1:], "--help"] if list(arguments[:1]) == ["help"] else list(arguments))
        sys.stdout.flush()
    except IncompleteError as error:
        print(f"affordance: incomplete: {' '.join(str(error).split())}", file=sys.stderr)
        return EXIT_INCOMPLETE
    except UserError as error:
        return _print_error(str(error))
    except typer.TyperException as error:
        return _print_usage_error(error)
    except (KeyboardInterrupt, typer.Abort):
        print("affordance: interrupted", file=sys.stderr)
        return EXIT_INCOMPLETE
    except (BrokenPipeError, SystemExit) as end:
        if isinstance(end, SystemExit) and not isinstance(end.__context__, BrokenPipeError):
            return _code_of(end)
        # The reader has gone, as in `affordance report | head`; typer exits then. What is left has no reader either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except OSError as error:
        return _print_error(f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception:  # noqa: BLE001  # the outermost place: a bug of ours is told in full, with its own exit code
        traceback.print_exc()
        print("affordance: this is a bug in affordance; please report it with the lines above", file=sys.stderr)
        return EXIT_BUG
    return code


def _code_of(end: SystemExit) -> int:
    """As Python has it: none is 0, and a text is printed and is 1."""
    if end.code is None or isinstance(end.code, int):
        return end.code or EXIT_OK
    print(f"affordance: {end.code}", file=sys.stderr)
    return EXIT_BUG


def _put_together() -> Any:
    """All commands, with the variables of their options."""
    command = get_command(app)
    set_variables(command)
    return command


_commands = cache(_put_together)  # takes longer than many a command does


def _carry_out(arguments: list[str]) -> int:
    if VARIABLE in os.environ:
        return complete(_put_together())  # its own: options that were completed convert nothing any more
    command = _commands()
    check_shell(arguments)
    path = find_config(Path.cwd())
    try:
        if not ALWAYS.isdisjoint(arguments):
            check_values(command, path)
        defaults = default_map(command, path)
    except UserError:
        if ALWAYS.isdisjoint(arguments):
            raise
        defaults = {}
    code = command.main(arguments, "affordance", standalone_mode=False, default_map=defaults)
    if code == _CTRL_C:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else EXIT_OK


def _write_anything() -> None:
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


def _print_error(message: str) -> int:
    print("affordance: " + " ".join(message.split()), file=sys.stderr)
    return EXIT_USER_ERROR
