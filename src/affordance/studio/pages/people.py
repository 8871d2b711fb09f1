"""Who works on the project: roles, links, and how much each has done. For administrators."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse
from starlette.responses import Response

from affordance.author.project import PERSON
from affordance.core.errors import EditConflict
from affordance.studio.context import Studio
from affordance.studio.moments import day_and_time
from affordance.studio.pages.shell import page
from affordance.studio.pages.sign_in import InAccess, InStudio
from affordance.studio.refused import Refused
from affordance.studio.security.access import Access
from affordance.studio.security.forms import Form, Sent, text
from affordance.studio.security.links import LONGEST_DAYS, LONGEST_NOTE
from affordance.studio.security.rights import Right, Role
from affordance.studio.security.visitors import Visitor, needs

router = APIRouter()

Manager = Annotated[Visitor, needs(Right.MANAGE)]  # before the form in each handler: who may not is not read

ROLES = {
    Role.ANNOTATOR: "corrects boxes, texts and questions",
    Role.REVIEWER: "also says whether texts are right",
    Role.ADMINISTRATOR: "also adds screens and people",
    Role.PARTICIPANT: "sees nothing but a study",
}
_RESET_DAYS = 3


@dataclass(frozen=True, slots=True)
class Row:
    key: str
    name: str
    role: Role
    disabled: bool
    seen: str
    strokes: int
    saved: str


@dataclass(frozen=True, slots=True)
class LinkRow:
    id: str
    what: str
    note: str
    by: str
    created: str
    expires: str


@dataclass(frozen=True, slots=True)
class NewLink:
    """A link that was just made: it is shown this once."""

    address: str
    what: str
    days: int


@router.get("/people")
def people(studio: InStudio, access: InAccess, visitor: Manager) -> Response:
    return _people(studio, access, visitor)


@router.post("/people/links")
def invite(request: Request, visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    role, days = _role(form), days_of(form)
    return _with_link(request, studio, access, visitor, role, days, note=" ".join(form.get("note", "").split()))


@router.post("/people/reset")
def reset(request: Request, visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    key = text(form, "person")
    return _with_link(request, studio, access, visitor, Role.ANNOTATOR, _RESET_DAYS, person=key)


@router.post("/people/links/revoke")
def revoke(visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    link = text(form, "link")
    return _done(studio, access, visitor, lambda: access.links.revoke(link, visitor.author))


@router.post("/people/role")
def change_role(visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    key, role = text(form, "person"), _role(form)
    return _done(studio, access, visitor, lambda: access.people.change_role(key, role, visitor.author))


@router.post("/people/disable")
def disable(visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    key = text(form, "person")
    return _done(studio, access, visitor, lambda: access.people.disable(key, True, visitor.author))


@router.post("/people/enable")
def enable(visitor: Manager, form: Sent, studio: InStudio, access: InAccess) -> Response:
    key = text(form, "person")
    return _done(studio, access, visitor, lambda: access.people.disable(key, False, visitor.author))


def _done(studio: Studio, access: Access, visitor: Visitor, change: Callable[[], None]) -> Response:
    try:
        change()
    except (Refused, EditConflict) as refused:
        return _people(studio, access, visitor, line=str(refused), status=422)
    return RedirectResponse("/people", 303)


def _with_link(
    request: Request,
    studio: Studio,
    access: Access,
    visitor: Visitor,
    role: Role,
    days: int,
    *,
    person: str = "",
    note: str = "",
) -> Response:
    """Not a redirect: the link is nowhere but in this answer."""
    try:
        token = access.links.invite(role, timedelta(days=days), visitor.author, person=person, note=note)
    except Refused as refused:
        return _people(studio, access, visitor, line=str(refused), status=422)
    known = access.people.find(person) if person else None
    what = f"a new password for {known.person.name}" if known else f"one {role}"
    address = f"{request.url.scheme}://{request.headers['host']}/join/{token}"
    return _people(studio, access, visitor, new=NewLink(address, what, days))


def _people(
    studio: Studio, access: Access, visitor: Visitor, new: NewLink | None = None, line: str = "", status: int = 200
) -> Response:
    rows = _rows(studio, access)
    return page(
        "people",
        studio,
        visitor,
        status,
        here="/people",
        script="people/people.js",
        people=rows,
        links=_links(access, {one.key: one.name for one in rows}),
        roles=ROLES,
        role_names=[one for one in ROLES if one is not Role.PARTICIPANT],
        new=new,
        line=line,
        longest_days=LONGEST_DAYS,
        longest_note=LONGEST_NOTE,
    )


def _rows(studio: Studio, access: Access) -> list[Row]:
    seen = access.sessions.last_seen()
    saved = studio.project.ledger.documents.edit_counts()
    rows = []
    for one in access.people.all():
        count, last = saved.get(f"{PERSON}{one.person.name}", (0, ""))
        person = one.person
        rows.append(
            Row(
                one.key,
                person.name,
                person.role,
                person.disabled,
                day_and_time(seen.get(one.key, "")),
                count,
                day_and_time(last),
            )
        )
    return rows


def _links(access: Access, names: dict[str, str]) -> list[LinkRow]:
    return [
        LinkRow(
            one.id,
            f"New password for {names.get(who, who)}" if (who := one.invitation.person) else str(one.invitation.role),
            one.invitation.note if not one.invitation.person else "",
            one.author.removeprefix(PERSON),
            day_and_time(one.created),
            day_and_time(one.invitation.expires),
        )
        for one in access.links.open()
    ]


def _role(form: Form) -> Role:
    found = text(form, "role")
    try:
        return Role(found)
    except ValueError:
        expected = ", ".join(Role)
        raise HTTPException(422, f"expected one of {expected} as the role, found {found[:40]!r}") from None


def days_of(form: Form) -> int:
    found = text(form, "days").strip()
    if not (found.isascii() and found.isdigit() and len(found) < 6):
        raise HTTPException(422, f"expected a number of days, found {found[:40]!r}")
    return int(found)
