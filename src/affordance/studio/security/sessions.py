"""Sessions: who has signed in, until when."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from affordance.core.errors import EditConflict
from affordance.ledger import Ledger
from affordance.studio.security.cookies import new_token
from affordance.studio.security.current import Current, Versions
from affordance.studio.security.records import (
    STUDIO,
    Kept,
    Moment,
    Person,
    Session,
    changed,
    digest_of,
    draft,
    moment,
    read,
    utc_now,
)
from affordance.studio.security.rights import Role

IDLE = timedelta(hours=12)
LONGEST = timedelta(days=7)
_RENEWED = timedelta(minutes=15)  # how much of `IDLE` is used up before that is written down


@dataclass(frozen=True, slots=True)
class Signed:
    """Somebody who has signed in. `key` is that of a person, or a participant's name."""

    key: str
    name: str
    role: Role


class Sessions:
    def __init__(self, ledger: Ledger, clock: Callable[[], datetime] = utc_now) -> None:
        self._ledger = ledger
        self._clock = clock
        self._current = Current(ledger)
        self._seen: dict[str, Moment] = {}

    def begin(self, key: str, role: Role, epoch: int = 0) -> str:
        """A new session: its token."""
        token = new_token()
        now = self._clock()
        session = Session(person=key, role=role, expires=moment(now + IDLE), until=moment(now + LONGEST), epoch=epoch)
        self._ledger.documents.write([draft(Kept.SESSION, digest_of(token), session, STUDIO, 0)])
        return token

    def find(self, token: str) -> Signed | None:
        """Whose it is, if it still holds."""
        subject = digest_of(token)
        found = self._current.find(subject)
        if found is None:
            return None
        version, session, person = found
        now = self._clock()
        if session.ended or min(session.expires, session.until) <= moment(now):
            return None
        signed = _holder(session, person)
        if signed is not None:
            self._renew(subject, session, version, now)
            self._seen[signed.key] = moment(now)
        return signed

    def recall(self, token: str) -> tuple[Signed, Versions] | None:
        """Whose it was a moment ago, for who looks in the transaction that matters whether that still holds. None where
        it takes a look right now."""
        found = self._current.recall(digest_of(token))
        if found is None:
            return None
        session, person, versions = found
        now = self._clock()
        if session.ended or session.until <= moment(now) or _is_due(session, now):
            return None
        signed = _holder(session, person)
        if signed is None:
            return None
        self._seen[signed.key] = moment(now)
        return signed, versions

    def end(self, token: str) -> None:
        subject = digest_of(token)
        for _ in range(3):
            found = self._ledger.documents.get_many([(Kept.SESSION, subject)])
            if not found:
                return
            ended = changed(read(found[0], Session), ended=True)
            try:
                self._ledger.documents.write([draft(Kept.SESSION, subject, ended, STUDIO, found[0].version)])
            except EditConflict:  # used elsewhere at the same moment
                continue
            return

    def last_seen(self) -> dict[str, Moment]:
        """When each person and participant was last here, by key: exact for those who came since the server runs, to a
        quarter of an hour for the others."""
        seen = dict(self._seen)
        for one in self._ledger.documents.latest(kind=Kept.SESSION):
            key = read(one, Session).person
            seen[key] = max(seen.get(key, ""), f"{one.created[:19]}+00:00")
        return seen

    def _renew(self, subject: str, session: Session, version: int, now: datetime) -> None:
        if not _is_due(session, now):
            return
        later = changed(session, expires=moment(now + IDLE))
        try:
            self._ledger.documents.write([draft(Kept.SESSION, subject, later, STUDIO, version)])
        except EditConflict:
            return  # another request of the same session was first


def _is_due(session: Session, now: datetime) -> bool:
    """Whether it is time to write down that it is in use."""
    return session.expires < moment(now + IDLE - _RENEWED)


def _holder(session: Session, person: Person | None) -> Signed | None:
    if session.role is Role.PARTICIPANT:
        return Signed(session.person, session.person, session.role)
    if person is None or person.disabled or person.epoch != session.epoch:
        return None
    return Signed(session.person, person.name, person.role)
