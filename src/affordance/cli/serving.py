"""Serving pages to browsers: TLS files, the local user, and the links that are printed."""

from pathlib import Path
from typing import TYPE_CHECKING

from affordance.cli.options import ServerOptions
from affordance.console.output import print_warning
from affordance.core.paths import cache_dir

if TYPE_CHECKING:
    from affordance.author.project import Project
    from affordance.studio.settings import Settings


def tls_files(certificate: Path | None, key: Path | None) -> tuple[Path, Path] | None:
    """Both files, or neither."""
    from affordance.core.errors import UserError

    if certificate is not None and key is not None:
        return certificate, key
    if certificate is None and key is None:
        return None
    raise UserError("HTTPS needs a certificate and its key: give both --certificate FILE and --key FILE")


def server_settings(server: ServerOptions, db: str | None, user: str | None = None) -> "Settings":
    """Settings of the web application, with the name of the local user."""
    from affordance.studio.security.records import tidy_name
    from affordance.studio.settings import Settings

    return Settings(
        host=server.host,
        port=server.port,
        names=tuple(server.allowed_hosts or ()),
        local=tidy_name(user if user is not None else _user_name()),
        sign_in=server.sign_in,
        https=server.certificate is not None,
        db=db,
        cache=cache_dir(),
    )


def _user_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):  # as in a container whose user has no name
        return "local"


def print_access_links(project: "Project", settings: "Settings", address: str) -> None:
    """Print what the user needs to know before others open the pages."""
    from affordance.studio.security.links import first_link
    from affordance.studio.serving import outside
    from affordance.studio.settings import EVERYWHERE, LOOPBACK

    if settings.host not in LOOPBACK and not settings.https:
        print_warning(
            "Without HTTPS, passwords and answers can be read on the network. "
            "Give --certificate and --key, or use a proxy that has them."
        )
    if settings.host in EVERYWHERE:
        print_warning(f"address for others: {outside(settings, address)} (--allowed-host NAME for another name)")
    if not settings.open and (link := first_link(project)) is not None:
        print_warning(f"for the first administrator, valid for one hour: {address}{link}")
