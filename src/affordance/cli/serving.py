"""What commands share that serve something to browsers: where, under which names, and with which certificate."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from affordance.cli.options import REACHED

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.studio.settings import Settings

Port = Annotated[
    int, typer.Option(min=0, max=65535, metavar="P", help="0 takes any that is free.", rich_help_panel=REACHED)
]
Names = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        metavar="HOST",
        help="A name it is reached by, as behind a proxy; repeatable.",
        rich_help_panel=REACHED,
    ),
]
Certificate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", exists=True, dir_okay=False, help="For https, as PEM, with --key.", rich_help_panel=REACHED
    ),
]
Key = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", exists=True, dir_okay=False, help="Of the certificate, as PEM.", rich_help_panel=REACHED
    ),
]

HOST, PORT = "127.0.0.1", 8470


def tls_files(certificate: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """Both, or neither."""
    from affordance.core.errors import UserError

    if certificate is not None and key is not None:
        return certificate, key
    if certificate is None and key is None:
        return None
    raise UserError("https needs a certificate and its key: give both --certificate FILE and --key FILE")


def user_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # as in a container whose user has no name
        return "local"


def print_access_links(project: "Project", settings: "Settings", address: str) -> None:
    """What whoever starts it has to know before anybody comes."""
    from affordance.studio.security.links import first_link
    from affordance.studio.serving import outside
    from affordance.studio.settings import EVERYWHERE, LOOPBACK

    if settings.host not in LOOPBACK and not settings.https:
        print(
            "affordance: without https, passwords and work can be read on the way; "
            "give --certificate and --key, or put it behind a proxy that has them",
            file=sys.stderr,
        )
    if settings.host in EVERYWHERE:
        print(f"affordance: others find it at {outside(settings, address)}; --name gives another", file=sys.stderr)
    if not settings.open and (link := first_link(project)) is not None:
        print(f"affordance: for the first administrator, good for an hour: {address}{link}", file=sys.stderr)
