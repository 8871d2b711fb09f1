"""By which names a studio goes. A site that lets its own name point here (DNS rebinding) is turned away."""

import socket
from functools import cache, lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from affordance.studio.settings import EVERYWHERE, LOOPBACK, Settings

_PORTS = {"http": 80, "https": 443}


def is_ours(host: str, settings: Settings, server: tuple[str, int | None] | None) -> bool:
    """Whether a `Host` header names this studio. `server` is where the request came in."""
    found = _split(host)
    if found is None:
        return False
    name, port = found
    if any(_names(one, name, port) for one in settings.names):
        return True
    own = server[1] if server is not None else settings.port
    if (port or _PORTS["https" if settings.https else "http"]) != own:
        return False
    if name in LOOPBACK or name == settings.host.lower():
        return True
    # An address cannot be rebound, and this machine's own name is nobody else's.
    return settings.host in EVERYWHERE and (_is_address(name) or name in _machine())


def is_our_origin(origin: str, host: str, https: bool) -> bool:
    """Whether an `Origin` header is that of the host the request was sent to."""
    scheme, _, rest = origin.partition("://")
    if scheme not in _PORTS or (https and scheme != "https"):
        return False
    found, expected = _split(rest), _split(host)
    if found is None or expected is None:
        return False
    return (found[0], found[1] or _PORTS[scheme]) == (expected[0], expected[1] or _PORTS[scheme])


def _names(known: str, name: str, port: int | None) -> bool:
    """A name that was given without a port goes for all of them: a proxy listens where it likes."""
    wanted = _split(known)
    return wanted is not None and wanted[0] == name and wanted[1] in (None, port)


@lru_cache(maxsize=256)
def _split(host: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if name is None or parts.path or parts.query or parts.fragment or "@" in host or any(c.isspace() for c in host):
        return None
    return name.removesuffix("."), port


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


@cache
def _machine() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({name, f"{name.partition('.')[0]}.local"})
