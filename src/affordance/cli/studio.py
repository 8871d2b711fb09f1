"""`affordance studio`: a project in the browser, for people to correct, validate and edit."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import completion
from affordance.cli.author_project import Db
from affordance.cli.options import Budget, KeyEnv, NoBrowser, ServerOptions, with_options
from affordance.cli.serving import print_access_links, server_settings, tls_files
from affordance.cli.study_design import absolute_spec
from affordance.console.output import is_quiet, print_note
from affordance.console.progress import StepProgress
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.core.model_name import ModelName
    from affordance.evaluation.execution_config import ExecutionConfig
    from affordance.studio.settings import Settings


@with_options
def studio(
    project: Annotated[
        str,
        typer.Argument(
            metavar="PROJECT|SPEC",
            help="The project's folder, or a dataset to make a project of.",
            autocompletion=completion.specs,
        ),
    ],
    server: ServerOptions,
    db: Db = None,
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            metavar="NAME",
            help="Your name where no sign-in is required.",
            show_default="your user name",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="M",
            help="Model that describes corrected regions again.",
            show_default="none",
            autocompletion=completion.model_names,
        ),
    ] = None,
    budget: Budget = None,
    key_env: KeyEnv = None,
    no_browser: NoBrowser = False,
) -> None:
    """Correct, review and edit a project in the browser. Ctrl+C ends it.

    Without --host only this computer can open it. With it people sign in; the first one uses a link that is printed
    here. For a dataset, a project is made in ./NAME-project, once.

    \b
    Examples:
      affordance studio shop
      affordance studio animint:AniMINT
      affordance studio shop --model openai:gpt-5 --budget 5
      affordance studio shop --host 0.0.0.0 --certificate cert.pem --key key.pem
      affordance studio shop --db postgresql://me@db/shop
    """
    from dataclasses import replace

    from affordance.author.project import open_project
    from affordance.core.errors import UserError
    from affordance.core.model_name import ModelName
    from affordance.studio.serving import place, serve

    files = tls_files(server.certificate, server.key)
    if budget is not None and model is None:
        raise UserError("needs a model: give --model too, or leave it out", option="budget")
    execution = None if model is None else _execution_config(ModelName.parse(model), key_env)
    settings = replace(server_settings(server, db, user), model=model, budget=budget, means=execution)
    with place(settings, files) as bound, open_project(_folder_of(project, db), db) as opened:
        serve(opened, settings, files, lambda address: _print_address(opened, settings, address, not no_browser), bound)
    print_note("the studio has stopped")


def _execution_config(name: "ModelName", key_env: list[str] | None) -> "ExecutionConfig":
    """How the model is called. Its key and endpoint are checked before they are needed."""
    from affordance.cli.run import execution_config
    from affordance.models.providers import find_endpoint
    from affordance.models.registry import BASELINES

    found = execution_config(32, 300.0, None, key_env, [str(name)])
    if name.provider != "baseline" or name.model not in BASELINES:
        find_endpoint(name, found.providers, found.key_env)
    return found


def _folder_of(spec: str, db: str | None) -> Path:
    """The project's folder; for a dataset a project is made next to it, once."""
    from affordance.author.project import FILE, Origin, create_project, open_project
    from affordance.author.screens.intake import is_dataset
    from affordance.author.taking_in import project_folder, project_of, sort_out, take_in
    from affordance.cli.author_project import print_import_result
    from affordance.datasets import load_collection

    folder = Path(spec)
    if (folder / FILE).is_file() or not (is_dataset(folder) or (":" in spec and not folder.exists())):
        return folder
    collection = load_collection(spec, cache_dir())
    origin = Origin(spec=absolute_spec(spec), digest=str(collection.to_record()["digest"]))
    made, there = project_of(collection.name, origin)
    if there is not None:
        changed = "" if there.digest == origin.digest else ", made before the dataset changed"
        print_note(f"{spec} is a dataset; its project is {made}{changed}")
        return made
    given = sort_out([spec], cache=cache_dir())  # before a project is made of nothing
    headers = [part.header for part in collection.datasets]
    licences = ", ".join(dict.fromkeys(header.licence for header in headers))
    create_project(made, db, collection.name, licences, any(header.synthetic for header in headers), origin)
    usual = project_folder(collection.name)
    why = "" if made == usual else f"; {usual} is of another dataset"
    print_note(f"{spec} is a dataset; making a project for it in {made}{why}")
    with open_project(made, db) as opened, StepProgress("files and datasets") as advance:
        taken = take_in(opened, given, advance=advance)
    if not is_quiet():
        print_import_result(made, taken, sys.stderr)
    return made


def _print_address(project: "Project", settings: "Settings", address: str, browser: bool) -> None:
    """The address on standard output, everything else on standard error."""
    print_access_links(project, settings, address)
    print(address, flush=True)  # last, for programs that wait for it
    if browser and sys.stdout.isatty() and _has_windows():
        import webbrowser
        from threading import Thread

        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _has_windows() -> bool:
    """A browser that runs in the terminal would take it over."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
