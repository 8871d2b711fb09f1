"""Documents as pages know them: of one screen, clip or pair, by kind and name."""

from typing import Annotated, Any

from pydantic import StringConstraints

from affordance.author.records import Kind
from affordance.ledger import DocumentRevision
from affordance.studio.grounds import ALONE, GROUNDS

ScreenId = Annotated[str, StringConstraints(min_length=1, max_length=400)]  # as it comes from outside

SHOWN = tuple(GROUNDS)  # what pages work on


def subject_of(screen: str, kind: Kind, name: str) -> str:
    return screen if kind in ALONE else f"{screen}/{name}"


def name_of(revision: DocumentRevision) -> str:
    return "" if revision.kind in ALONE else revision.subject.removeprefix(f"{revision.scope}/")


def entry(revision: DocumentRevision) -> dict[str, Any]:
    return {
        "kind": revision.kind,
        "name": name_of(revision),
        "version": revision.version,
        "author": revision.author,
        "created": revision.created,
        "document": revision.document,
    }
