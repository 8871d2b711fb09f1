"""The id at a recruiting service of somebody who has not agreed to take part yet: it waits in a cookie of theirs, and
nothing is kept of it here."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode

from fastapi import Request
from starlette.responses import Response

from affordance.studio.context import Studio
from affordance.studio.security.cookies import cookie_name, drop_cookie, set_cookie

LONGEST = 200  # characters of an id


def hold_id(request: Request, studio: Studio, response: Response, study: str, code: str, external: str) -> None:
    text = urlsafe_b64encode(json.dumps([study, code, external]).encode()).decode().rstrip("=")
    set_cookie(request, studio, response, "external", text)


def held_id(request: Request, studio: Studio, study: str, code: str) -> str:
    """That of this seat; empty where there is none."""
    text = request.cookies.get(cookie_name(request, studio, "external"), "")
    try:
        found = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):  # it is not one of ours
        return ""
    if not isinstance(found, list) or len(found) != 3 or found[:2] != [study, code] or not isinstance(found[2], str):
        return ""
    return found[2].strip()[:LONGEST]


def drop_id(request: Request, studio: Studio, response: Response) -> None:
    drop_cookie(request, studio, response, "external")
