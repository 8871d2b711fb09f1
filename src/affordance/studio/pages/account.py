"""One's own account."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from affordance.studio.context import Studio
from affordance.studio.pages.shell import page
from affordance.studio.pages.sign_in import InAccess, InStudio
from affordance.studio.refused import Refused
from affordance.studio.security.cookies import drop_cookie, set_cookie
from affordance.studio.security.forms import Sent, text
from affordance.studio.security.passwords import LONGEST, SHORTEST
from affordance.studio.security.rights import Role
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

Anybody = Annotated[Visitor, needs()]


@router.get("/account")
def account(studio: InStudio, visitor: Anybody, done: str = "") -> Response:
    return _account(studio, visitor, "The password is changed. You are signed out everywhere else." if done else "")


@router.post("/account/password")
def change_password(request: Request, visitor: Anybody, form: Sent, studio: InStudio, access: InAccess) -> Response:
    try:
        _check_own(studio, visitor)
        if text(form, "password") != text(form, "again"):
            raise Refused("the two new passwords differ; type the same one twice")
        address = request.client.host if request.client else ""
        if access.attempts.begin(visitor.key, address):
            raise Refused("too many attempts that were not right; wait a few minutes, then try again")
        right: bool | None = None
        try:
            right = access.people.knows(visitor.key, text(form, "old"))
        finally:
            access.attempts.end(visitor.key, address, right=right)
        if not right:
            raise Refused("the current password is not right; nothing was changed")
        access.people.change_password(visitor.key, text(form, "password"), visitor.author)
    except Refused as refused:
        return _account(studio, visitor, line=str(refused), status=422)
    known = access.people.find(visitor.key)
    answer = RedirectResponse("/account?done=password", 303)
    if known is not None:
        set_cookie(
            request, studio, answer, "session", access.sessions.begin(known.key, known.person.role, known.person.epoch)
        )
    return answer


@router.post("/account/sign-out-everywhere")
def sign_out_everywhere(request: Request, studio: InStudio, access: InAccess, visitor: Anybody) -> Response:
    try:
        _check_own(studio, visitor)
    except Refused as refused:
        return _account(studio, visitor, line=str(refused), status=422)
    access.people.end_sessions(visitor.key, visitor.author)
    answer = RedirectResponse("/sign-in", 303)
    drop_cookie(request, studio, answer, "session")
    return answer


@router.get("/api/visitor")
def who(studio: InStudio, visitor: Anybody) -> dict[str, str]:
    """Who the page is used by, and the token for what it sends: a page that was open for long asks again, and whether
    it is still the same project that is served here."""
    found = {"name": visitor.name, "author": visitor.author, "role": visitor.role, "csrf": visitor.csrf}
    return found | {"project": studio.project.about.id}


def _check_own(studio: Studio, visitor: Visitor) -> None:
    if studio.settings.open or visitor.role is Role.PARTICIPANT:
        raise Refused("there is no password here, and nobody has signed in with one")


def _account(studio: Studio, visitor: Visitor, done: str = "", line: str = "", status: int = 200) -> Response:
    own = not studio.settings.open and visitor.role is not Role.PARTICIPANT
    values = {"here": "/account", "own": own, "done": done, "line": line, "shortest": SHORTEST, "longest": LONGEST}
    return page("account", studio, visitor, status, **values)
