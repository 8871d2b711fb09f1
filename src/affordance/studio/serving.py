"""Serving a studio: one process, until it is told to end; requests that run are finished first."""

import gc
import signal
import socket
import ssl
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn

from affordance.author.project import Project
from affordance.core.errors import InvalidOption, UserError
from affordance.studio.app import make_app
from affordance.studio.settings import EVERYWHERE, LOOPBACK, Settings
from affordance.studio.studies.withdrawing import finish_withdrawals

_BACKLOG = 512
_MOST_CONNECTIONS = 1000  # at once; a browser has six at most
_KEEP_ALIVE = 30  # seconds: pages ask for news every other second
_ENDING = 1.5  # seconds for requests that run when it is told to end
_PORTS_TRIED = 100
_COLLECT_AFTER = 20_000  # new objects; Python's 700 are those of half a request
_TURN = 0.001  # seconds that a thread has before another may go on: who saves does not wait for a long list to be made


def serve(
    project: Project,
    settings: Settings,
    certificate: tuple[Path, Path] | None = None,
    listening: Callable[[str], None] = lambda _: None,
    bound: socket.socket | None = None,
) -> None:
    """Serve a project until SIGINT or SIGTERM. `certificate` is the file of that name and the one of its key.
    `listening` is told the address once somebody can come; `bound` is the socket of a `place`. Raises a `UserError`
    where it cannot be served."""
    with place(settings, certificate) if bound is None else nullcontext(bound) as listener:
        settings = replace(settings, port=listener.getsockname()[1], https=certificate is not None)
        finish_withdrawals(project)
        app = make_app(project, settings)
        app.state.studio.index.rows()
        gc.collect()
        gc.freeze()  # what stays: looking through it again and again would hold up requests
        gc.set_threshold(_COLLECT_AFTER)
        config = uvicorn.Config(
            app,
            http="httptools",
            ws="none",
            loop="auto",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=bool(settings.names),
            limit_concurrency=_MOST_CONNECTIONS,
            backlog=_BACKLOG,
            timeout_keep_alive=_KEEP_ALIVE,
            timeout_graceful_shutdown=_ENDING,  # type: ignore[arg-type]  # whole seconds, it says; it takes any
            ssl_certfile=None if certificate is None else certificate[0],
            ssl_keyfile=None if certificate is None else certificate[1],
        )
        sys.setswitchinterval(_TURN)
        with _ending_quietly():
            _Server(config, lambda: listening(address(settings))).run(sockets=[listener])


@contextmanager
def place(settings: Settings, certificate: tuple[Path, Path] | None = None) -> Iterator[socket.socket]:
    """Where it will listen, taken before anything is written. Raises a `UserError` where that cannot be had."""
    if certificate is not None:
        _check_certificate(*certificate)
    with _listener(settings.host, settings.port) as listener:
        yield listener


def address(settings: Settings) -> str:
    """Where a browser of this computer finds it."""
    host = "localhost" if settings.host in EVERYWHERE else settings.host
    shown = f"[{host}]" if ":" in host else host
    return f"{'https' if settings.https else 'http'}://{shown}:{settings.port}"


def outside(settings: Settings, own: str) -> str:
    """Where others find it, given where this computer does. A name that was given goes first; where only a proxy can
    come here, it is the proxy's, with https and its usual port."""
    port = urlsplit(own).port
    if settings.names:
        name = settings.names[0]
        if settings.host in LOOPBACK:
            return f"https://{name}"
        host = name if urlsplit(f"//{name}").port is not None else f"{name}:{port}"
    elif settings.host in EVERYWHERE:
        host = f"{socket.gethostname()}:{port}"
    else:
        return own
    return f"{'https' if settings.https else 'http'}://{host}"


class _Server(uvicorn.Server):
    """Says so once it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._listening()


@contextmanager
def _listener(host: str, port: int) -> Iterator[socket.socket]:
    """A socket of that address; bound here, so that a port that is taken is told before anything is read."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise InvalidOption("host", f"expected a name or an address of this computer, found {host!r}") from None
    # With the protocol named: only then asyncio sends small answers at once instead of waiting for more to send.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(place)
        except PermissionError:
            raise UserError(f"this user may not listen on port {port}; try --port 8470") from None
        except OSError as error:
            free = _free_port(family, place)
            if free is None:
                why = f"cannot listen on {host}: {error.strerror}"
                raise UserError(f"{why}; give an address of this computer with --host") from None
            raise UserError(f"port {port} is taken by another program; try --port {free}") from None
        yield listener


def _free_port(family: socket.AddressFamily, taken: tuple[object, ...]) -> int | None:
    """The next port that is free; None where the port is not what is wrong."""
    host, port, *rest = taken
    assert isinstance(port, int)
    for near in range(port + 1, min(port + _PORTS_TRIED, 1 << 16)):
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            try:
                tried.bind((host, near, *rest))
            except OSError:
                continue
            return near
    return None


def _check_certificate(certificate: Path, key: Path) -> None:
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key, password=lambda: "")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(
            f"--certificate {certificate} --key {key}: expected a certificate and its key without a password, "
            f"as PEM: {why}"
        ) from None


@contextmanager
def _ending_quietly() -> Iterator[None]:
    """Uvicorn ends on these signals, and raises them once more when it has: by then they have done their work."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
