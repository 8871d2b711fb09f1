"""`affordance studio`: a project in the browser, for people to correct, validate and edit."""

import os
import socket
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.author_project import Db
from affordance.cli.places import cache_folder

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.core.names import ModelName
    from affordance.run.execute import Means
    from affordance.studio.settings import Settings


def studio(
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="The project's folder.")],
    host: Annotated[
        str, typer.Option(metavar="H", help="Where it listens; people sign in on any but this computer.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="P", help="0 takes any that is free.")] = 8470,
    db: Db = None,
    local: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="Who you are where nobody signs in.", show_default="your user name"),
    ] = None,
    sign_in: Annotated[bool, typer.Option("--sign-in", help="People sign in on this computer too.")] = False,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="A name it is reached by, as behind a proxy; repeatable."),
    ] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="For https, as PEM, with --key.")
    ] = None,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Of the certificate, as PEM.")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="M", help="A model that tells corrected regions anew.", show_default="none"),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(min=0, metavar="USD", help="For the model: stop before this is spent.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open it in the browser.")] = False,
) -> None:
    """Open a project in the browser: correct boxes, validate texts, edit questions. Ctrl+C ends it.

    Without --host it is for this computer only. With it people sign in; the first one comes by a link told here.

    \b
    Examples:
      affordance studio shop
      affordance studio shop --model openai:gpt-5 --budget 5
      affordance studio shop --host 0.0.0.0 --certificate cert.pem --key key.pem
      affordance studio shop --db postgresql://me@db/shop
    """
    from affordance.author.project import open_project
    from affordance.core.errors import UserError
    from affordance.core.names import ModelName
    from affordance.studio.security.records import tidy_name
    from affordance.studio.serving import serve
    from affordance.studio.settings import Settings

    if (certificate is None) != (key is None):
        raise UserError("https needs a certificate and its key: give both --certificate FILE and --key FILE")
    if budget is not None and model is None:
        raise UserError("--budget is for a model; give --model too, or leave it out")
    if model is not None:
        _check_model(ModelName.parse(model))
    _check_folder(project)
    settings = Settings(
        host=host,
        port=port,
        names=tuple(names or ()),
        local=tidy_name(local if local is not None else _user()),
        sign_in=sign_in,
        https=certificate is not None,
        model=model,
        budget=budget,
        means=_means() if model is not None else None,
        db=db,
        cache=cache_folder(),
    )
    with open_project(Path(project), db) as opened:
        files = None if certificate is None or key is None else (certificate, key)
        serve(opened, settings, files, lambda address: _say(opened, settings, address, not no_browser))
    print("affordance: the studio has ended", file=sys.stderr)


def _check_model(name: "ModelName") -> None:
    """Before anybody presses the button that needs it."""
    from affordance.models.providers import endpoint
    from affordance.models.registry import BASELINES

    if name.provider != "baseline" or name.model not in BASELINES:
        endpoint(name)


def _means() -> "Means":
    from affordance.cli.run import means

    return means(32, 300.0, None)


def _check_folder(spec: str) -> None:
    """What is a dataset, and no project yet, can become one."""
    from affordance.author.project import FILE
    from affordance.core.errors import UserError
    from affordance.datasets.folder import HEADER

    folder = Path(spec)
    if (folder / FILE).is_file():
        return
    if (folder / HEADER).is_file() or (":" in spec and not folder.exists()):
        raise UserError(
            f"expected a project, found a dataset: {spec}; make a project of its screens with "
            f"`affordance author init NEW {spec}`, then `affordance studio NEW`"
        )


def _user() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # as in a container whose user has no name
        return "local"


def _say(project: "Project", settings: "Settings", address: str, browser: bool) -> None:
    """The address on standard output, all else beside it."""
    from affordance.studio.security.links import first_link
    from affordance.studio.settings import EVERYWHERE, LOOPBACK

    if settings.host not in LOOPBACK and not settings.https:
        print(
            "affordance: without https, passwords and work can be read on the way; "
            "give --certificate and --key, or put it behind a proxy that has them",
            file=sys.stderr,
        )
    if settings.host in EVERYWHERE:
        print(f"affordance: others find it at {address.replace('localhost', socket.gethostname())}", file=sys.stderr)
    if not settings.open and (link := first_link(project)) is not None:
        print(f"affordance: for the first administrator, good for an hour: {address}{link}", file=sys.stderr)
    print(address, flush=True)  # last: whoever waits for it has been told the rest
    if browser and sys.stdout.isatty() and _has_windows():
        import webbrowser
        from threading import Thread

        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _has_windows() -> bool:
    """A browser that runs in the terminal would take it over."""
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
