"""Coming in and going out: with name and password, or by a link."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from affordance.studio.context import Studio, studio_of
from affordance.studio.moments import span
from affordance.studio.pages.shell import page
from affordance.studio.refused import Refused
from affordance.studio.security.access import Access, access_of
from affordance.studio.security.cookies import drop_cookie, set_cookie, token_of
from affordance.studio.security.forms import Sent, text
from affordance.studio.security.links import BadLink, Link
from affordance.studio.security.passwords import LONGEST, SHORTEST
from affordance.studio.security.records import LONGEST_NAME, key_of
from affordance.studio.security.rights import Role
from affordance.studio.security.visitors import FromOurForm, Visitor, find_visitor, guest_csrf, needs

router = APIRouter()

InStudio = Annotated[Studio, Depends(studio_of)]
InAccess = Annotated[Access, Depends(access_of)]
OurForm = Annotated[None, Depends(FromOurForm())]

_HOMES = {Role.PARTICIPANT: "/study"}


@router.get("/sign-in")
def sign_in_page(request: Request, studio: InStudio, next: str = "/") -> Response:  # noqa: A002  # as in the address
    if (visitor := find_visitor(request)) is not None:
        return RedirectResponse(_inside(next, visitor.role), 303)
    return _sign_in_again(request, studio, wanted=next)


@router.post("/sign-in")
def sign_in(request: Request, _: OurForm, form: Sent, studio: InStudio, access: InAccess) -> Response:
    name, password, wanted = text(form, "name"), text(form, "password"), form.get("next", "/")
    key = key_of(name)[:LONGEST_NAME]
    address = request.client.host if request.client else ""
    wait = access.attempts.begin(key, address)
    if wait:
        line = f"Too many attempts that were not right. Wait {span(wait)}, then try again."
        answer = _sign_in_again(request, studio, wanted, name, line, 429)
        answer.headers["Retry-After"] = str(int(wait) + 1)
        return answer
    right: bool | None = None
    try:
        known = access.people.sign_in(name, password)
        right = known is not None
    finally:
        access.attempts.end(key, address, right=right)
    if known is None:
        line = "That name and password do not belong together. Both are as you chose them when you joined."
        return _sign_in_again(request, studio, wanted, name, line, 401)
    token = access.sessions.begin(known.key, known.person.role, known.person.epoch)
    return _come_in(request, studio, token, _inside(wanted, known.person.role))


@router.get("/join/{token}")
def join_page(request: Request, token: str, studio: InStudio, access: InAccess) -> Response:
    try:
        link = access.links.find(token)
    except BadLink as bad:
        return _bad_link(studio, bad)
    return _join_again(request, studio, access, link)


@router.post("/join/{token}")
def join(request: Request, token: str, _: OurForm, form: Sent, studio: InStudio, access: InAccess) -> Response:
    try:
        link = access.links.find(token)
        role = link.invitation.role
        if role is Role.PARTICIPANT:
            session = access.sessions.begin(access.links.enter(token), role)
        else:
            if text(form, "password") != text(form, "again"):
                raise Refused("the two passwords differ; type the same one twice")
            key = access.links.join(token, form.get("name", ""), text(form, "password"))
            known = access.people.find(key)
            session = access.sessions.begin(key, role, known.person.epoch if known else 0)
    except BadLink as bad:
        return _bad_link(studio, bad)
    except Refused as refused:
        return _join_again(request, studio, access, link, form.get("name", ""), str(refused), 422)
    return _come_in(request, studio, session, _HOMES.get(role, "/"))


@router.post("/sign-out")
def sign_out(request: Request, studio: InStudio, access: InAccess, _: Annotated[Visitor, needs()]) -> Response:
    token = token_of(request, studio, "session")
    if token is not None and not studio.settings.open:
        access.sessions.end(token)
    answer = RedirectResponse("/sign-in", 303)
    drop_cookie(request, studio, answer, "session")
    return answer


def _come_in(request: Request, studio: Studio, token: str, where: str) -> Response:
    answer = RedirectResponse(where, 303)
    set_cookie(request, studio, answer, "session", token)
    drop_cookie(request, studio, answer, "form")
    return answer


def _sign_in_again(
    request: Request, studio: Studio, wanted: str, name: str = "", line: str = "", status: int = 200
) -> Response:
    values = {"typed": name[:LONGEST_NAME], "line": line, "next": _inside(wanted, None), "csrf": guest_csrf(request)}
    return page("sign_in", studio, None, status, **values)


def _join_again(
    request: Request, studio: Studio, access: Access, link: Link, name: str = "", line: str = "", status: int = 200
) -> Response:
    known = access.people.find(link.invitation.person) if link.invitation.person else None
    return page(
        "join",
        studio,
        None,
        status,
        role=link.invitation.role,
        person=known.person.name if known else "",
        typed=name[:LONGEST_NAME],
        line=line,
        csrf=guest_csrf(request),
        shortest=SHORTEST,
        longest=LONGEST,
        longest_name=LONGEST_NAME,
    )


def _bad_link(studio: Studio, bad: BadLink) -> Response:
    status = 410 if bad.gone else 404
    return page("error", studio, None, status, title="This link does not work", line=str(bad), reason=bad.reason)


def _inside(wanted: str, role: Role | None) -> str:
    """An address of ours to go on to; never one of another site."""
    home = _HOMES.get(role, "/") if role else "/"
    plain = wanted.startswith("/") and not wanted.startswith("//") and wanted.isprintable() and "\\" not in wanted
    if not plain or len(wanted) > 500 or role is Role.PARTICIPANT:
        return home
    try:
        parts = urlsplit(wanted)
    except ValueError:
        return home
    return home if parts.scheme or parts.netloc or parts.path.startswith("/sign-in") else wanted
