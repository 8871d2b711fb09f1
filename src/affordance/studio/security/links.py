"""Links by which people come in: each is used once, by whoever has it, before it expires."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from affordance.author.project import Project
from affordance.core.errors import EditConflict
from affordance.studio.moments import day_and_time
from affordance.studio.people import People
from affordance.studio.refused import Refused
from affordance.studio.security.records import (
    PARTICIPANT,
    STUDIO,
    Invitation,
    Kept,
    Moment,
    changed,
    digest_of,
    draft,
    moment,
    read,
)
from affordance.studio.security.rights import Role

LONGEST_DAYS = 90
LONGEST_NOTE = 200
_FIRST = timedelta(hours=1)
_TRIES = 5


class BadLink(Refused):
    """A link by which nobody can come in, and the reason why."""

    def __init__(self, message: str, reason: Literal["unknown", "used", "revoked", "expired", "closed"]) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def gone(self) -> bool:
        """It worked before."""
        return self.reason != "unknown"


@dataclass(frozen=True, slots=True)
class Link:
    id: str  # the digest of the token
    version: int
    invitation: Invitation
    author: str
    created: Moment


class Links:
    def __init__(self, people: People) -> None:
        self._people = people
        self._ledger = people.ledger

    def invite(
        self, role: Role, lasts: timedelta, author: str, *, person: str = "", study: str = "", note: str = ""
    ) -> str:
        """A new link: its token, which nobody can find out later."""
        if not timedelta() < lasts <= timedelta(days=LONGEST_DAYS):
            raise Refused(f"expected a link that is good for 1 to {LONGEST_DAYS} days, found {lasts.days}")
        if len(note) > LONGEST_NOTE:
            raise Refused(f"expected a note of at most {LONGEST_NOTE} characters, found {len(note)}")
        if person:
            known = self._people.find(person)
            if known is None:
                raise Refused(f"there is nobody with the name {person[:80]!r}; look at the list of people")
            role = known.person.role
        token = secrets.token_urlsafe(32)
        expires = moment(self._people.clock() + lasts)
        invitation = Invitation(role=role, person=person, study=study, note=note, expires=expires)
        self._ledger.documents.write([draft(Kept.LINK, digest_of(token), invitation, author, 0)])
        return token

    def find(self, token: str, *, study: bool = False) -> Link:
        """A link for one person, or one of a study. Raises `BadLink` for one that is unknown, used, revoked or
        expired."""
        found = self._ledger.documents.get_many([(Kept.LINK, digest_of(token))])
        invitation = read(found[0], Invitation) if found else None
        if invitation is None or bool(invitation.study) is not study:
            raise BadLink("There is no such link. Copy the whole address, or ask for a new one.", "unknown")
        link = Link(found[0].subject, found[0].version, invitation, found[0].author, found[0].created)
        if invitation.used:
            raise BadLink("This link was used before, and each is good for once. Ask for a new one.", "used")
        if invitation.revoked:
            raise BadLink("This link was taken back. Ask for a new one.", "revoked")
        if invitation.expires <= moment(self._people.clock()):
            raise BadLink(f"This link was good until {day_and_time(invitation.expires)}. Ask for a new one.", "expired")
        return link

    def join(self, token: str, name: str, password: str) -> str:
        """The key of the person who came by the link: somebody new, or somebody with a new password."""
        for left in reversed(range(_TRIES)):
            link = self.find(token)
            if key := link.invitation.person:
                drafts = self._people.renewing(key, password, STUDIO)
            else:
                key, drafts = self._people.joining(name, link.invitation.role, password, STUDIO)
            used = draft(Kept.LINK, link.id, changed(link.invitation, used=key), STUDIO, link.version)
            try:
                self._ledger.documents.write([used, *drafts])
            except EditConflict:  # the next look says who was first: at the link, at the name, or only beside them
                if not left:
                    raise
            else:
                return key
        raise AssertionError("the last try returns or raises")

    def enter(self, token: str) -> str:
        """The name that a participant has from now on."""
        link = self.find(token)
        if link.invitation.role is not Role.PARTICIPANT:
            raise Refused("expected a link for a participant, found one that asks for a name and a password")
        name = PARTICIPANT + secrets.token_hex(5)
        try:
            self._ledger.documents.write(
                [draft(Kept.LINK, link.id, changed(link.invitation, used=name), STUDIO, link.version)]
            )
        except EditConflict:
            self.find(token)
            raise
        return name

    def open(self) -> list[Link]:
        """Those by which somebody can still come in, the newest first."""
        now = moment(self._people.clock())
        found = [
            Link(one.subject, one.version, read(one, Invitation), one.author, one.created)
            for one in self._ledger.documents.latest(kind=Kept.LINK)
        ]
        is_open = [
            one
            for one in found
            if not one.invitation.used and not one.invitation.revoked and one.invitation.expires > now
        ]
        return sorted(is_open, key=lambda one: one.created, reverse=True)

    def revoke(self, link_id: str, author: str) -> None:
        link = next((one for one in self.open() if one.id == link_id), None)
        if link is None:
            raise Refused("that link is not open any more; look at the list again")
        self._ledger.documents.write(
            [draft(Kept.LINK, link.id, changed(link.invitation, revoked=True), author, link.version)]
        )


def first_link(project: Project) -> str | None:
    """The path of a link for the first administrator, good for an hour and once; None where there is one. Earlier ones
    are taken back."""
    people = People(project.ledger)
    if people.administrators():
        return None
    links = Links(people)
    for one in links.open():
        if one.author == STUDIO:
            links.revoke(one.id, STUDIO)
    return f"/join/{links.invite(Role.ADMINISTRATOR, _FIRST, STUDIO, note='first administrator')}"
