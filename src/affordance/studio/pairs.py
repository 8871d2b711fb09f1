"""Pairs of designs for pages: the list of them, and one with all that belongs to it."""

import threading
from dataclasses import dataclass, field
from typing import Any

from affordance.author.pair_records import Designs, Reason, Review
from affordance.author.project import Project, read_record
from affordance.author.records import DOCUMENTS, Kind
from affordance.core.errors import UserError
from affordance.datasets.pairs import named_sides, neutral_wording
from affordance.ledger import DocumentRevision
from affordance.studio.entries import entry, name_of
from affordance.studio.following import Following
from affordance.studio.grounds import HELD, NoGround
from affordance.studio.index import by_number
from affordance.studio.pair_reviews import Reviewed, newest_round, open_points

KINDS = (Kind.PAIR, Kind.RATIONALE, Kind.REVIEW)
_LONGEST = 120  # characters of a text that the list has


class NoPair(NoGround):
    def __init__(self, pair: str) -> None:
        super().__init__(f"there is no pair {pair[:80]!r} in the project; the list of pairs has those that are")


@dataclass(slots=True)
class _Known:
    """What is remembered of a pair; `unreadable` has a line for each document that cannot be read, by its subject."""

    pair: Designs | None = None
    reasons: dict[str, Reason] = field(default_factory=dict)
    reviews: dict[str, Reviewed] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)


class Pairs:
    """Kept up to date from what is written, also by others. Safe to share between threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.Lock()
        self._following = Following(project.ledger, KINDS)
        self._known: dict[str, _Known] = {}
        self._rows: dict[str, dict[str, Any]] = {}
        self._order: list[str] = []

    def rows(self) -> tuple[int, list[dict[str, Any]]]:
        """The newest revision that is in them, and a row for each pair, in the order in which people count."""
        with self._lock:
            changed = set()
            for one in self._following.each():
                _take(self._known.setdefault(one.scope, _Known()), one)
                changed.add(one.scope)
            for name in changed:
                known = self._known[name]
                if known.pair is not None or known.unreadable:
                    self._rows[name] = _row(name, known)
            if len(self._order) < len(self._rows):
                self._order = sorted(self._rows, key=by_number)
            return self._following.last, [self._rows[name] for name in self._order]

    def view(self, pair: str) -> dict[str, Any]:
        """Raises `NoPair`, or a `UserError` that names the document that cannot be read."""
        ledger = self._project.ledger
        last = ledger.documents.last_revision_id()  # first: what is written meanwhile is news
        found = [one for kind in HELD[Kind.PAIR] for one in ledger.documents.latest(scope=pair, kind=kind)]
        if not any(one.kind == Kind.PAIR for one in found):
            raise NoPair(pair)
        for one in found:
            read_record(one, DOCUMENTS[Kind(one.kind)])
        reasons = {name_of(one): str(one.document["reason"]) for one in found if one.kind == Kind.RATIONALE}
        wording = {name: worded(reason) for name, reason in reasons.items() if named_sides(reason)}
        return {"id": pair, "last": last, "documents": [entry(one) for one in found], "wording": wording}


def worded(reason: str) -> dict[str, Any]:
    """The sides that a reason names, and how it is said without them."""
    sides = named_sides(reason)
    return {"sides": sides, "neutral": neutral_wording(reason) if sides else None}


def _take(known: _Known, revision: DocumentRevision) -> None:
    name = name_of(revision)
    try:
        if revision.kind == Kind.PAIR:
            known.pair = read_record(revision, Designs)
        elif revision.kind == Kind.RATIONALE:
            known.reasons[name] = read_record(revision, Reason)
        else:
            review = read_record(revision, Review)
            known.reviews[name] = Reviewed(name.removeprefix(f"{review.round}-"), review)
        known.unreadable.pop(revision.subject, None)
    except UserError as error:
        known.unreadable[revision.subject] = str(error)


def _row(name: str, known: _Known) -> dict[str, Any]:
    """What the list shows and looks in."""
    wrong = next(iter(known.unreadable.values()), "")
    if (pair := known.pair) is None:
        return {"id": name, "wrong": wrong}
    standing = [one for one in known.reasons.values() if not one.gone]
    reviews = known.reviews.values()
    newest = newest_round(reviews)
    return {
        "id": name,
        "wrong": wrong,
        "digests": pair.digests,
        "winner": pair.winner,
        "tied": pair.tied,
        "page_type": pair.page_type,
        "industry": pair.industry,
        "device": pair.device,
        "changes": pair.changes,
        "company": pair.company,
        "goal": (pair.goal or "")[:_LONGEST],
        "context": (pair.context or "")[:_LONGEST],
        "aside": pair.aside,
        "rationales": len(standing),
        "lawless": sum(one.law is None for one in standing),
        "sided": sum(one.neutral is None and bool(named_sides(one.reason)) for one in standing),
        "round": newest,
        "reviewed": sorted(one.person for one in reviews if one.review.done and one.review.round == newest),
        "open": open_points(known.reasons, reviews),
    }
