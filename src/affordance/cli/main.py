"""The entry point: puts the commands together, reads the defaults, and turns errors into lines and exit codes."""

import io
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

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
    judge,
    models,
    report,
    run,
    runs,
    studio,
    study,
    tasks,
)
from affordance.cli.defaults import default_map, set_variables
from affordance.cli.exits import FINISHED, INCOMPLETE, OUR_BUG, USERS_MISTAKE
from affordance.core.config import find_config
from affordance.core.errors import UserError

_CTRL_C = 130  # what typer makes of it

app = typer.Typer(
    name="affordance",
    help="Does a model understand user interfaces? Ask it, keep every reply, report an honest number.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def affordance(version: bool = typer.Option(False, "--version", help="Print the version and exit.")) -> None:
    if version:
        print(__version__)
        raise typer.Exit


app.command("demo")(demo.demo)
app.command("run")(run.run)
app.command("report")(report.report)
app.command("compare")(compare.compare)
app.command("choose")(choose.choose)
app.command("calibrate")(calibrate.calibrate)
app.command("runs")(runs.runs)
app.command("tasks")(tasks.tasks)
app.command("models")(models.models)
app.add_typer(data.app, name="data")
app.add_typer(capture.app, name="capture")
app.add_typer(author.app, name="author")
app.add_typer(judge.app, name="judge")
app.command("studio")(studio.studio)
app.command("study")(study.study)


def main(arguments: Sequence[str] | None = None) -> None:
    sys.exit(run_command(sys.argv[1:] if arguments is None else arguments))


def run_command(arguments: Sequence[str]) -> int:
    """Run a command line; the exit code says whose turn it is."""
    command = get_command(app)
    try:
        _write_anything()
        set_variables(command)
        defaults = default_map(command, find_config(Path.cwd()))
        code = command.main(list(arguments), "affordance", standalone_mode=False, default_map=defaults)
        sys.stdout.flush()
        if code == _CTRL_C:
            raise KeyboardInterrupt
    except UserError as error:
        return _tell(str(error))
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "affordance"
        return _tell(f"{error.format_message()} (see `{path} --help`)")
    except (KeyboardInterrupt, typer.Abort):
        print("affordance: interrupted", file=sys.stderr)
        return INCOMPLETE
    except (BrokenPipeError, SystemExit):
        # The reader has gone, as in `affordance report | head`; typer exits then. What is left has no reader either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINISHED
    except OSError as error:
        return _tell(f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception:  # noqa: BLE001  # the outermost place: a bug of ours is told in full, with its own exit code
        traceback.print_exc()
        print("affordance: this is a bug in affordance; please report it with the lines above", file=sys.stderr)
        return OUR_BUG
    return code if isinstance(code, int) else FINISHED


def _write_anything() -> None:
    """A terminal or pipe that is not UTF-8 gets what it can show."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _tell(message: str) -> int:
    print("affordance: " + " ".join(message.split()), file=sys.stderr)
    return USERS_MISTAKE
