"""How far each screen is, kept up to date from what is written, here or by other processes."""

import re
from collections.abc import Iterable
from contextlib import closing
from threading import Lock
from typing import Any

from affordance.author.project import Project
from affordance.ledger import DocumentRevision
from affordance.studio.feed import Feed
from affordance.studio.marks import KINDS, Marks

_PARTS = re.compile(r"\d{1,18}|\D+")


class Index:
    """Safe to be used from several threads. What is asked of it is as the database is then."""

    def __init__(self, project: Project) -> None:
        self._ledger = project.ledger
        self._lock = Lock()
        self._marks: dict[str, Marks] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._order: list[str] = []
        self._changed: set[str] = set()  # screens whose row is out of date
        self._feed = Feed(project.ledger, KINDS)
        self._begun = False  # whether anything was read yet

    def refresh(self) -> None:
        """Read what is new. The first time, that is everything."""
        with self._lock:
            self._refresh()

    def rows(self) -> tuple[int, list[dict[str, Any]]]:
        """The newest revision that is in them, and a row for each screen, in the order in which people count."""
        with self._lock:
            last = self._refresh()
            for screen in self._changed:
                if (marks := self._marks[screen]).shot is not None:
                    self._rows[screen] = marks.row(screen)
            self._changed.clear()
            if len(self._order) < len(self._rows):
                self._order = sorted(self._rows, key=by_number)
            return last, [self._rows[screen] for screen in self._order]

    def marks(self, screen: str) -> Marks:
        """What is known of a screen, as it is now; nothing of one that is not there."""
        with self._lock:
            self._refresh()
            return self._marks[screen].copy() if screen in self._marks else Marks()

    def _refresh(self) -> int:
        if not self._begun:
            self._feed.skip()
            with closing(self._ledger.documents.iter_latest(KINDS)) as documents:
                self._take(documents)
            self._begun = True
        self._take(self._feed.news())
        return self._feed.last

    def _take(self, revisions: Iterable[DocumentRevision]) -> None:
        for one in revisions:
            self._marks.setdefault(one.scope, Marks()).take(one)
            self._changed.add(one.scope)


def by_number(screen: str) -> tuple[tuple[bool, int, str], ...]:
    """Numbers in a name by their value: screen-2 comes before screen-10."""
    return tuple((not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in _PARTS.findall(screen))
