"""The newest sessions and people, as the database has them at this moment.

Every request asks for a session and its person. Both are kept here, and what was written since is read first: that is
one cheap query, and nobody who was just shut out, here or by another process, is let in once more."""

from collections.abc import Mapping
from threading import Lock

from affordance.ledger import DocumentRevision, Ledger
from affordance.studio.feed import Feed
from affordance.studio.security.records import Kept, Person, Session, read

Versions = Mapping[tuple[str, str], int]  # by kind and subject

_KINDS = (Kept.SESSION, Kept.PERSON)
_MOST = 20_000


class Current:
    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._lock = Lock()
        self._feed = Feed(ledger, _KINDS, ledger.documents.last_revision_id())
        self._sessions: dict[str, tuple[int, Session]] = {}
        self._people: dict[str, tuple[int, Person]] = {}

    def find(self, session: str) -> tuple[int, Session, Person | None] | None:
        """A session with its version, and the person whose it is, if there is one."""
        with self._lock:
            self._catch_up()
            if session not in self._sessions:
                self._read((Kept.SESSION, session))
            if session not in self._sessions:
                return None
            version, found = self._sessions[session]
            if found.person not in self._people:
                self._read((Kept.PERSON, found.person))
            person = self._people.get(found.person)
            return version, found, None if person is None else person[1]

    def recall(self, session: str) -> tuple[Session, Person, Versions] | None:
        """A session and the person whose it is as they were last, without a look at the database, if both are known;
        and the versions that must still be the newest for that to hold."""
        with self._lock:
            if session not in self._sessions or self._sessions[session][1].person not in self._people:
                return None
            version, found = self._sessions[session]
            of_person, person = self._people[found.person]
            return found, person, {(Kept.SESSION, session): version, (Kept.PERSON, found.person): of_person}

    def _catch_up(self) -> None:
        for one in self._feed.news():
            self._keep(one)

    def _read(self, key: tuple[str, str]) -> None:
        # Behind the lock: what is read here cannot be older than what was caught up with.
        for one in self._ledger.documents.get_many([key]):
            self._keep(one)

    def _keep(self, one: DocumentRevision) -> None:
        if len(self._sessions) + len(self._people) > _MOST:  # they are read again when they come
            self._sessions.clear()
            self._people.clear()
        if one.kind == Kept.SESSION:
            self._sessions[one.subject] = (one.version, read(one, Session))
        else:
            self._people[one.subject] = (one.version, read(one, Person))
