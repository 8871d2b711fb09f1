"""Who a request comes from, and whether they may do what they ask for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request

from affordance.author.project import PERSON
from affordance.studio.context import studio_of
from affordance.studio.security.access import access_of
from affordance.studio.security.cookies import csrf_of, same, token_of, token_or_new
from affordance.studio.security.current import Versions
from affordance.studio.security.forms import form_of, is_form
from affordance.studio.security.records import key_of
from affordance.studio.security.rights import RIGHTS, Right, Role
from affordance.studio.studies.codes import name_in

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
CSRF_HEADER = "X-CSRF-Token"
CSRF_FIELD = "csrf"
_WHO = "/api/visitor"
_OF_STUDIES = ("/study", "/api/study", "/api/answers")
_OLD_PAGE = "this page is out of date; load it again, and repeat what you did"


@dataclass(frozen=True, slots=True)
class Visitor:
    name: str
    role: Role
    csrf: str = ""
    key: str = ""  # by which people know them; a participant's is the name

    @property
    def author(self) -> str:
        """As revisions name them."""
        return f"{PERSON}{self.name}"

    def may(self, right: Right) -> bool:
        return right in RIGHTS[self.role]


def find_visitor(request: Request) -> Visitor | None:
    """None where somebody has to sign in first."""
    studio = studio_of(request)
    if studio.settings.open and not _takes_part(request):
        # Of the person too: a page of who sat here before must not save in this one's name.
        csrf = csrf_of(f"{token_or_new(request, studio, 'session')} {studio.settings.local}")
        return Visitor(studio.settings.local, Role.ADMINISTRATOR, csrf, key_of(studio.settings.local))
    return _signed(request)


def _signed(request: Request) -> Visitor | None:
    token = token_of(request, studio_of(request), "session")
    signed = None if token is None else access_of(request).sessions.find(token)
    if token is None or signed is None:
        return None
    study = _study_of(request) if signed.role is Role.PARTICIPANT else ""
    return Visitor(name_in(study, signed.name) if study else signed.name, signed.role, csrf_of(token), signed.key)


def _takes_part(request: Request) -> bool:
    """Whether it is somebody who came by the link of a study, where nobody signs in: on pages of studies they are not
    the one whose computer it is."""
    if not _path_of(request).startswith(_OF_STUDIES):
        return False
    visitor = _signed(request)
    return visitor is not None and visitor.role is Role.PARTICIPANT


def _study_of(request: Request) -> str:
    """The study that a page or what it asks for is about; empty where the path does not say."""
    parts = _path_of(request).removeprefix("/api").split("/")
    return parts[2] if parts[:2] == ["", "study"] and len(parts) > 2 else ""


def _path_of(request: Request) -> str:
    """What is asked for; of who asks who they are, the path of their page."""
    path: str = request.scope["path"]
    if path != _WHO:
        return path
    try:
        return urlsplit(request.headers.get("referer", "")).path
    except ValueError:
        return ""


async def sent_csrf(request: Request) -> str:
    """The token that proves that the request is from a page of ours."""
    found = request.headers.get(CSRF_HEADER)
    if found is None and request.method not in SAFE and is_form(request):
        found = (await form_of(request)).get(CSRF_FIELD)
    return found or ""


class Needs:
    """A dependency: the visitor, if they have the right, and if what changes something comes from a page of ours."""

    def __init__(self, right: Right | None) -> None:
        self.right = right

    def __call__(self, request: Request, csrf: Annotated[str, Depends(sent_csrf)]) -> Any:
        return self.check(request, csrf)

    def check(self, request: Request, csrf: str) -> Visitor:
        return self._allowed(request, csrf, find_visitor(request))

    def _allowed(self, request: Request, csrf: str, visitor: Visitor | None) -> Visitor:
        if visitor is None:
            raise HTTPException(401, "sign in first")
        if self.right is not None and not visitor.may(self.right):
            raise HTTPException(403, f"this needs the right to {self.right}, which a {visitor.role} does not have")
        if request.method not in SAFE and not same(csrf, visitor.csrf):
            raise HTTPException(403, _OLD_PAGE)
        return visitor


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks, for a handler that asks that itself, as the first thing it does."""

    now: Callable[[], Visitor]
    # Who it was a moment ago, and the versions by which the transaction that saves sees whether that still holds.
    recalled: Callable[[], tuple[Visitor, Versions]]


class NeedsFirst(Needs):
    """The same, for a handler that gets the question. On the way to another thread or to the database and back a
    request waits, and a save is to wait no longer than it must."""

    async def __call__(self, request: Request) -> Any:  # type: ignore[override]  # one step less
        csrf = await sent_csrf(request)
        return Asker(partial(self.check, request, csrf), partial(self._recalled, request, csrf))

    def _recalled(self, request: Request, csrf: str) -> tuple[Visitor, Versions]:
        studio = studio_of(request)
        token = None if studio.settings.open else token_of(request, studio, "session")
        found = None if token is None else access_of(request).sessions.recall(token)
        if token is None or found is None or found[0].role is Role.PARTICIPANT:
            return self.check(request, csrf), {}
        signed, versions = found
        return self._allowed(request, csrf, Visitor(signed.name, signed.role, csrf_of(token), signed.key)), versions


def needs_first(right: Right) -> Any:
    return Depends(NeedsFirst(right))


def needs(right: Right | None = None) -> Any:
    """Whoever has signed in, where no right is given."""
    return Depends(Needs(right))


class FromOurForm:
    """A dependency for what people send before they have signed in."""

    def __call__(self, request: Request, csrf: Annotated[str, Depends(sent_csrf)]) -> None:
        token = token_of(request, studio_of(request), "form")
        if token is None or not same(csrf, csrf_of(token)):
            raise HTTPException(403, _OLD_PAGE)


def guest_csrf(request: Request) -> str:
    """For a form that people fill in before they have signed in."""
    return csrf_of(token_or_new(request, studio_of(request), "form"))
