"""`affordance studio`: a project in the browser, for people to correct, validate and edit."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli import known
from affordance.cli.author_project import Db
from affordance.cli.options import REACHED, KeyEnv
from affordance.cli.places import absolute_spec, cache_dir
from affordance.cli.serving import HOST, PORT, Certificate, Key, Names, Port, print_access_links, tls_files, user_name
from affordance.console.output import is_quiet, print_note
from affordance.console.progress import StepProgress

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.core.model_name import ModelName
    from affordance.evaluation.execution_config import ExecutionConfig
    from affordance.studio.settings import Settings


def studio(
    project: Annotated[
        str,
        typer.Argument(
            metavar="PROJECT|SPEC",
            help="The project's folder, or a dataset to make one of.",
            autocompletion=known.specs,
        ),
    ],
    host: Annotated[
        str,
        typer.Option(
            metavar="H",
            help="Where it listens; people sign in on any but this computer.",
            rich_help_panel=REACHED,
        ),
    ] = HOST,
    port: Port = PORT,
    db: Db = None,
    local: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Who you are where nobody signs in.", show_default="your user name"),
    ] = None,
    sign_in: Annotated[
        bool, typer.Option("--sign-in", help="People sign in on this computer too.", rich_help_panel=REACHED)
    ] = False,
    names: Names = None,
    certificate: Certificate = None,
    key: Key = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="M",
            help="A model that tells corrected regions anew.",
            show_default="none",
            autocompletion=known.models,
        ),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="For the model: stop before this is spent.")
    ] = None,
    key_env: KeyEnv = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open it in the browser.")] = False,
) -> None:
    """Open a project in the browser: correct boxes, validate texts, edit questions. Ctrl+C ends it.

    Without --host it is for this computer only. With it people sign in; the first one comes by a link told here. Of a
    dataset, a project is made in ./NAME-project, once.

    \b
    Examples:
      affordance studio shop
      affordance studio animint:AniMINT
      affordance studio shop --model openai:gpt-5 --budget 5
      affordance studio shop --host 0.0.0.0 --certificate cert.pem --key key.pem
      affordance studio shop --db postgresql://me@db/shop
    """
    from affordance.author.project import open_project
    from affordance.core.errors import UserError
    from affordance.core.model_name import ModelName
    from affordance.studio.security.records import tidy_name
    from affordance.studio.serving import place, serve
    from affordance.studio.settings import Settings

    files = tls_files(certificate, key)
    if budget is not None and model is None:
        raise UserError("--budget is for a model; give --model too, or leave it out")
    means = None if model is None else _means_for(ModelName.parse(model), key_env)
    settings = Settings(
        host=host,
        port=port,
        names=tuple(names or ()),
        local=tidy_name(local if local is not None else user_name()),
        sign_in=sign_in,
        https=files is not None,
        model=model,
        budget=budget,
        means=means,
        db=db,
        cache=cache_dir(),
    )
    with place(settings, files) as bound, open_project(_folder_of(project, db), db) as opened:
        serve(opened, settings, files, lambda address: _say(opened, settings, address, not no_browser), bound)
    print_note("the studio has ended")


def _means_for(name: "ModelName", key_env: list[str] | None) -> "ExecutionConfig":
    """With what the model is asked. That it can be is checked before anybody presses the button that needs it."""
    from affordance.cli.run import execution_config
    from affordance.models.providers import find_endpoint
    from affordance.models.registry import BASELINES

    found = execution_config(32, 300.0, None, key_env, [str(name)])
    if name.provider != "baseline" or name.model not in BASELINES:
        find_endpoint(name, found.providers, found.key_env)
    return found


def _folder_of(spec: str, db: str | None) -> Path:
    """The project's folder; of a dataset that is none, one is made beside, where it is not there yet."""
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
        changed = "" if there.digest == origin.digest else ", made of it before it was changed"
        print_note(f"{spec} is a dataset; its project is {made}{changed}")
        return made
    given = sort_out([spec], cache=cache_dir())  # before a project is made of nothing
    headers = [part.header for part in collection.datasets]
    licences = ", ".join(dict.fromkeys(header.licence for header in headers))
    create_project(made, db, collection.name, licences, any(header.synthetic for header in headers), origin)
    usual = project_folder(collection.name)
    why = "" if made == usual else f"; {usual} is of another dataset"
    print_note(f"{spec} is a dataset; making a project of it in {made}{why}")
    with open_project(made, db) as opened, StepProgress("files and datasets") as advance:
        taken = take_in(opened, given, advance=advance)
    if not is_quiet():
        print_import_result(made, taken, sys.stderr)
    return made


def _say(project: "Project", settings: "Settings", address: str, browser: bool) -> None:
    """The address on standard output, all else beside it."""
    print_access_links(project, settings, address)
    print(address, flush=True)  # last: whoever waits for it has been told the rest
    if browser and sys.stdout.isatty() and _has_windows():
        import webbrowser
        from threading import Thread

        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _has_windows() -> bool:
    """A browser that runs in the terminal would take it over."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
