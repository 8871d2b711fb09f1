"""Who is to work on which screens, clips and pairs: shared out evenly or by shares, some of it to two people."""

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence

from affordance.author.project import Project, plain, read_record
from affordance.author.records import Kind
from affordance.author.study_records import Assigned
from affordance.core.digest import digest
from affordance.ledger import DocumentDraft
from affordance.studio.following import Following


class Assignments:
    """Kept up to date from what is written, also by others. Safe to share between threads."""

    def __init__(self, project: Project) -> None:
        self._ledger = project.ledger
        self._lock = threading.Lock()
        self._following = Following(project.ledger, (Kind.ASSIGNED,))
        self._people: dict[str, tuple[str, ...]] = {}  # by screen, clip or pair

    def all(self) -> dict[str, tuple[str, ...]]:
        """The keys of people, by what they are to work on."""
        with self._lock:
            for one in self._following.each():
                self._people[one.subject] = tuple(read_record(one, Assigned).people)
            return {name: people for name, people in self._people.items() if people}

    def of(self, person: str) -> list[str]:
        """What somebody is to work on."""
        return sorted(name for name, people in self.all().items() if person in people)

    def write(self, shared: Mapping[str, Sequence[str]], author: str) -> int:
        """Write what was changed; how much that is."""
        there = self.all()
        changed = {name: list(people) for name, people in shared.items() if list(there.get(name, ())) != list(people)}
        drafts = [
            DocumentDraft(Kind.ASSIGNED, name, plain(Assigned(people=people)), author, name)
            for name, people in changed.items()
        ]
        if drafts:
            self._ledger.documents.write(drafts)
        return len(drafts)


def share_out(
    things: Collection[str],
    shares: Mapping[str, float],
    overlap: float,
    seed: int,
    held: Mapping[str, int] | None = None,
) -> dict[str, list[str]]:
    """The people of each thing: one, and two of a part of them (`overlap`, from 0 to 1). Numbers of things are to each
    other as the `shares` of people are, to within one while nobody `held` something before; then those who hold less
    get more. The same input gives the same."""
    people = sorted(name for name, share in shares.items() if share > 0)
    counts = dict.fromkeys(people, 0) | {name: (held or {}).get(name, 0) for name in people}
    found: dict[str, list[str]] = {}
    ordered = sorted(things, key=lambda name: digest("assigned", seed, name))
    for name in ordered:
        found[name] = [_next(people, counts, shares)]
    for name in ordered[: round(len(ordered) * overlap)] if len(people) > 1 else ():
        found[name].append(_next([one for one in people if one not in found[name]], counts, shares))
    return found


def loads(assigned: Iterable[Sequence[str]]) -> dict[str, int]:
    """How much each has."""
    found: dict[str, int] = {}
    for people in assigned:
        for one in people:
            found[one] = found.get(one, 0) + 1
    return found


def _next(people: Sequence[str], counts: dict[str, int], shares: Mapping[str, float]) -> str:
    """Who has the least for their share, after one more."""
    chosen = min(people, key=lambda name: ((counts[name] + 1) / shares[name], name))
    counts[chosen] += 1
    return chosen
