"""What people did last, in words."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from affordance.author.project import PERSON
from affordance.author.records import Kind
from affordance.core.formatting import count_noun
from affordance.ledger import DocumentRevision, Ledger, SavedBatch
from affordance.studio.entries import SHOWN, name_of
from affordance.studio.grounds import GROUNDS
from affordance.studio.security.records import PARTICIPANT

LAST = 20  # lines
_LOOKED_AT = 100  # strokes
_MOST_VERBS = 3  # in one line
_NAMED = {"/clips": "clip", "/pairs": "pair"}  # what pages call it in their address; others say screen
_PAGES = {  # of regions and the like: boxes
    Kind.QUESTION: "/questions",
    Kind.VALIDATION: "/validation",
    Kind.CLIP: "/clips",
    Kind.PAIR: "/pairs",
    Kind.RATIONALE: "/pairs",
    Kind.REVIEW: "/pairs",
    Kind.MASK: "/cleaning",
    Kind.HALVES: "/splitting",
}
_CRITERIA = ("contextual", "purposeful", "truthful")


@dataclass(frozen=True, slots=True)
class Deed:
    """`ada` `corrected 2 regions of` `checkout`, with where to look at it."""

    who: str
    what: str
    screen: str
    href: str
    when: str  # UTC, ISO 8601


@dataclass(frozen=True, slots=True)
class Worker:
    name: str
    strokes: int
    last: str  # UTC, ISO 8601


def last_deeds(ledger: Ledger, count: int = LAST) -> list[Deed]:
    """The newest first. What one person did on one screen in a row is one of them."""
    found: list[list[SavedBatch]] = []
    for saved in ledger.documents.recent_edit_batches(_LOOKED_AT):
        if not _theirs(saved):
            continue
        if found and _place(found[-1][0]) == _place(saved):
            found[-1].append(saved)
        else:
            found.append([saved])
    return [_deed(run) for run in found[:count]]


def workers(ledger: Ledger) -> list[Worker]:
    """Everybody who has saved something, whoever did the most first; without participants of studies."""
    saved = [one for one in ledger.documents.edit_counts().items() if one[0].startswith(PERSON)]
    named = [(name.removeprefix(PERSON), *counts) for name, counts in saved]
    found = [Worker(*one) for one in named if not one[0].startswith(PARTICIPANT)]
    return sorted(found, key=lambda one: (-one.strokes, one.name))


def _theirs(saved: SavedBatch) -> list[DocumentRevision]:
    """What a stroke has changed, without what was changed with it."""
    return [one for one in saved.revisions if one.kind in SHOWN and one.author == saved.batch.author]


def _place(saved: SavedBatch) -> tuple[str, str, bool]:
    """Whose it is and where. That a screen is finished is told by itself."""
    first = _theirs(saved)[0]
    return saved.batch.author, first.scope, first.kind == Kind.REVIEWED


def _deed(run: Sequence[SavedBatch]) -> Deed:
    """`run` has the newest first."""
    first = _theirs(run[0])[0]
    finished = first.kind == Kind.REVIEWED  # as it is now, however often that was changed
    what = _verb(first) if finished else _what([one for saved in reversed(run) for one in _theirs(saved)])
    return Deed(run[0].batch.author.removeprefix(PERSON), what, first.scope, _href(first), run[0].created)


def _what(theirs: Sequence[DocumentRevision]) -> str:
    """A region that was corrected twice is one."""
    done: dict[tuple[str, str], set[str]] = {}
    for one in theirs:
        done.setdefault((_verb(one), _NOUNS[Kind(one.kind)]), set()).add(one.subject)
    if len(done) > _MOST_VERBS or not all(noun for _, noun in done):
        return f"made {count_noun(len(theirs), 'change')} in"
    *others, last = (f"{verb} {_several(noun, len(subjects))}" for (verb, noun), subjects in done.items())
    return f"{', '.join(others)} and {last} of" if others else f"{last} of"


def _several(noun: str, number: int) -> str:
    return noun if number == 1 else count_noun(number, noun.partition(" ")[2])


def _verb(revision: DocumentRevision) -> str:
    return _VERBS[Kind(revision.kind)](revision.document, revision.version)


def _href(revision: DocumentRevision) -> str:
    kind = Kind(revision.kind)
    page = _PAGES.get(kind, "/boxes")
    if GROUNDS[kind] is not Kind.SCREEN:
        place = {Kind.MASK: {"place": name_of(revision)}}.get(kind, {})
        return f"{page}?{urlencode({_NAMED.get(page, 'screen'): revision.scope, **place})}"
    named = {"question" if kind is Kind.QUESTION else "region": name_of(revision)} if name_of(revision) else {}
    shown = {"show": "all"} if kind is Kind.VALIDATION else {}
    return f"{page}?{urlencode({**shown, 'screen': revision.scope, **named})}"


def _verdict(document: Mapping[str, Any], _: int) -> str:
    if document.get("gone"):
        return "took back the verdict on"
    if document.get("rejected"):
        return "rejected"
    return "passed" if all(document.get(name) for name in _CRITERIA) else "failed"


_NOUNS: Mapping[Kind, str] = {
    Kind.REGION: "a region",
    Kind.TYPE: "a region",
    Kind.RETELLING: "a text",
    Kind.VALIDATION: "a text",
    Kind.QUESTION: "a question",
    Kind.REVIEWED: "",
    Kind.CLIP: "",
    Kind.PAIR: "",
    Kind.RATIONALE: "a rationale",
    Kind.REVIEW: "a review",
    Kind.MASK: "a mask",
    Kind.HALVES: "the halves",
}
_VERBS: Mapping[Kind, Callable[[Mapping[str, Any], int], str]] = {
    Kind.REGION: lambda document, version: (
        "deleted" if document.get("gone") else "drew" if version == 1 else "corrected"
    ),
    Kind.TYPE: lambda document, _: "took back the type of" if document.get("gone") else "gave a type to",
    Kind.RETELLING: lambda document, _: "took back" if document.get("gone") else "wrote",
    Kind.VALIDATION: _verdict,
    Kind.QUESTION: lambda document, _: "abandoned" if document.get("abandoned") else "edited",
    Kind.REVIEWED: lambda document, _: "finished" if document.get("done") else "went back to",
    Kind.CLIP: lambda document, _: "put aside" if document.get("aside") else "changed",
    Kind.PAIR: lambda document, _: "put aside" if document.get("aside") else "changed",
    Kind.RATIONALE: lambda document, version: (
        "took back" if document.get("gone") else "wrote" if version == 1 else "changed"
    ),
    Kind.REVIEW: lambda document, _: "finished" if document.get("done") else "wrote",
    Kind.MASK: lambda document, _: (
        "accepted" if document.get("accepted") else "emptied" if document.get("clean") else "painted"
    ),
    Kind.HALVES: lambda document, _: "confirmed" if document.get("confirmed") else "changed",
}
