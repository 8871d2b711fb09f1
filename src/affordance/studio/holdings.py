"""What a project holds: screens, clips, pairs, studies. Pages of what it does not hold are not offered."""

from collections.abc import Collection
from threading import Lock

from affordance.author.project import Project
from affordance.author.records import Kind

KINDS = (Kind.SCREEN, Kind.CLIP, Kind.PAIR, Kind.STUDY)


class Holdings:
    """Safe to share between threads. What is there stays, so that it is looked for only until it is found, and then
    only where something was written since."""

    def __init__(self, project: Project) -> None:
        self._ledger = project.ledger
        self._lock = Lock()
        self._there: set[Kind] = set()
        self._looked: dict[Kind, int] = {}  # the newest revision when it was not there

    def has(self, kind: Kind) -> bool:
        if kind in self._there:
            return True
        last = self._ledger.documents.last_revision_id()
        with self._lock:
            if self._looked.get(kind) == last:
                return False
        found = bool(self._ledger.documents.subjects(kind))
        with self._lock:
            if found:
                self._there.add(kind)
            self._looked[kind] = last
        return found

    def offers(self, kinds: Collection[Kind]) -> bool:
        """Whether there is something for a page of these kinds, or of any. In an empty project there is room for
        screens."""
        if not kinds or any(self.has(kind) for kind in kinds):
            return True
        return Kind.SCREEN in kinds and not any(self.has(kind) for kind in KINDS)
