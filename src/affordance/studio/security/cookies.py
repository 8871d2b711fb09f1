"""Cookies and the tokens in them.

The token against forged requests is made of the one in the cookie, which no page and no other site can read: it needs
no room on the server, and holds after a restart."""

import hmac
import re
import secrets
from hashlib import sha256
from typing import Literal

from starlette.requests import HTTPConnection
from starlette.responses import Response

from affordance.studio.context import Studio

# form: for those who have not signed in; back: of a participant's own link; external: `api/waiting_id.py`
Use = Literal["session", "form", "back", "external"]

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_DAYS = 86400
_BEGUN = "cookies_begun"


def new_token() -> str:
    return secrets.token_urlsafe(32)


def csrf_of(token: str) -> str:
    return hmac.new(token.encode(), b"csrf", sha256).hexdigest()


def same(found: str, expected: str) -> bool:
    return hmac.compare_digest(found.encode("utf-8", "replace"), expected.encode())


def is_https(connection: HTTPConnection, studio: Studio) -> bool:
    return studio.settings.https or connection.scope.get("scheme") == "https"


def cookie_name(connection: HTTPConnection, studio: Studio, use: Use) -> str:
    """Each project has its own: browsers do not tell ports of a host apart."""
    own = sha256(studio.project.about.id.encode()).hexdigest()[:8]
    return f"{'__Host-' if is_https(connection, studio) else ''}studio-{use}-{own}"


def token_of(connection: HTTPConnection, studio: Studio, use: Use) -> str | None:
    found = connection.cookies.get(cookie_name(connection, studio, use), "")
    return found if _TOKEN.fullmatch(found) else None


def token_or_new(connection: HTTPConnection, studio: Studio, use: Use) -> str:
    """The token of the cookie; where there is none, one that goes out with the answer, if that is a page."""
    begun: dict[Use, str] = connection.scope.setdefault(_BEGUN, {})
    return token_of(connection, studio, use) or begun.setdefault(use, new_token())


def set_begun(connection: HTTPConnection, studio: Studio, response: Response) -> None:
    begun: dict[Use, str] = connection.scope.get(_BEGUN, {})
    for use, token in begun.items():
        set_cookie(connection, studio, response, use, token)


def set_cookie(connection: HTTPConnection, studio: Studio, response: Response, use: Use, token: str) -> None:
    response.set_cookie(
        cookie_name(connection, studio, use),
        token,
        max_age=7 * _DAYS,
        path="/",
        secure=is_https(connection, studio),
        httponly=True,
        samesite="strict",
    )


def drop_cookie(connection: HTTPConnection, studio: Studio, response: Response, use: Use) -> None:
    response.delete_cookie(
        cookie_name(connection, studio, use),
        path="/",
        secure=is_https(connection, studio),
        httponly=True,
        samesite="strict",
    )
