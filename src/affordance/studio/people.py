"""Who works on a project: names, roles and passwords."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from affordance.core.errors import EditConflict
from affordance.ledger import DocumentDraft, Ledger
from affordance.studio.refused import Refused
from affordance.studio.security import passwords
from affordance.studio.security.records import (
    STUDIO,
    Administrators,
    Kept,
    Person,
    changed,
    draft,
    key_of,
    read,
    tidy_name,
    utc_now,
)
from affordance.studio.security.rights import Role

_TRIES = 5  # when somebody else changes the same person


@dataclass(frozen=True, slots=True)
class Known:
    key: str
    version: int
    person: Person


class People:
    def __init__(self, ledger: Ledger, clock: Callable[[], datetime] = utc_now) -> None:
        self.ledger = ledger
        self.clock = clock

    def all(self) -> list[Known]:
        """Everybody, by name."""
        found = self.ledger.documents.latest(kind=Kept.PERSON)
        return [Known(one.subject, one.version, read(one, Person)) for one in found]

    def find(self, key: str) -> Known | None:
        found = self.ledger.documents.get_many([(Kept.PERSON, key)])
        return Known(key, found[0].version, read(found[0], Person)) if found else None

    def sign_in(self, name: str, password: str) -> Known | None:
        """The person, if name and password are right. It takes as long where there is no such person."""
        known = self.find(key_of(name))
        if not passwords.matches(password, known.person.password if known else passwords.NOBODY) or known is None:
            return None
        if known.person.disabled:
            return None
        if passwords.outdated(known.person.password):
            self._upgrade(known, password)
        return known

    def joining(self, name: str, role: Role, password: str, author: str) -> tuple[str, list[DocumentDraft]]:
        """A new person: the key, and what has to be written. Raises `Refused` for a name or password that is none."""
        shown = tidy_name(name)
        key = key_of(shown)
        passwords.check(password, shown)
        if self.find(key) is not None:
            raise Refused(f"the name {shown!r} is taken; choose another")
        person = Person(name=shown, role=role, password=passwords.hashed(password))
        return key, [draft(Kept.PERSON, key, person, author, 0), *self._administrators(key, person, author)]

    def renewing(self, key: str, password: str, author: str) -> list[DocumentDraft]:
        """A new password for somebody, as it has to be written."""
        known = self._there(key)
        passwords.check(password, known.person.name)
        return self._changing(known, author, password=passwords.hashed(password), epoch=known.person.epoch + 1)

    def knows(self, key: str, password: str) -> bool:
        """Whether it is the password of the person."""
        return passwords.matches(password, self._there(key).person.password)

    def change_password(self, key: str, password: str, author: str) -> None:
        """Ends all sessions of the person."""
        self._again(lambda: self.renewing(key, password, author))

    def change_role(self, key: str, role: Role, author: str) -> None:
        """Ends all sessions of the person."""
        if role is Role.PARTICIPANT:
            raise Refused("a participant comes by a link of their own, expected another role")

        def drafts() -> list[DocumentDraft]:
            known = self._there(key)
            if known.person.role is role:
                return []
            return self._changing(known, author, role=role, epoch=known.person.epoch + 1)

        self._again(drafts)

    def disable(self, key: str, disabled: bool, author: str) -> None:
        """Ends all sessions of the person, who may come in again once they are enabled."""

        def drafts() -> list[DocumentDraft]:
            known = self._there(key)
            if known.person.disabled is disabled:
                return []
            return self._changing(known, author, disabled=disabled, epoch=known.person.epoch + 1)

        self._again(drafts)

    def end_sessions(self, key: str, author: str) -> None:
        """Everywhere."""

        def drafts() -> list[DocumentDraft]:
            known = self._there(key)
            return self._changing(known, author, epoch=known.person.epoch + 1)

        self._again(drafts)

    def administrators(self) -> list[str]:
        """The keys of those who may come in."""
        return [one.key for one in self.all() if one.person.role is Role.ADMINISTRATOR and not one.person.disabled]

    def _there(self, key: str) -> Known:
        if (known := self.find(key)) is None:
            raise Refused(f"there is nobody with the name {key[:80]!r}; look at the list of people")
        return known

    def _changing(self, known: Known, author: str, **values: object) -> list[DocumentDraft]:
        person = changed(known.person, **values)
        first = draft(Kept.PERSON, known.key, person, author, known.version)
        return [first, *self._administrators(known.key, person, author)]

    def _administrators(self, key: str, person: Person, author: str) -> list[DocumentDraft]:
        """What has to be written where the person becomes or stops being an administrator. Two who unmake each other at
        once write the same document, so that only one of them can."""
        # Its version is read before who they are now: a change in between is a conflict then.
        kept = self.ledger.documents.get_many([(Kept.ADMINISTRATORS, "")])
        version = kept[0].version if kept else 0
        before = self.administrators()
        is_one = person.role is Role.ADMINISTRATOR and not person.disabled
        if is_one == (key in before):
            return []
        after = sorted({*before, key}) if is_one else [one for one in before if one != key]
        if not after:
            raise Refused(f"{person.name} is the last administrator; make somebody else one first")
        return [draft(Kept.ADMINISTRATORS, "", Administrators(keys=after), author, version)]

    def _upgrade(self, known: Known, password: str) -> None:
        person = changed(known.person, password=passwords.hashed(password))
        try:
            self.ledger.documents.write([draft(Kept.PERSON, known.key, person, STUDIO, known.version)])
        except EditConflict:
            return  # changed by somebody else just now; the next sign-in does it

    def _again(self, drafts: Callable[[], Sequence[DocumentDraft]]) -> None:
        for left in reversed(range(_TRIES)):
            try:
                self.ledger.documents.write(drafts())
            except EditConflict:
                if not left:
                    raise
            else:
                return
