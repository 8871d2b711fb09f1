"""Documents as pages know them: of one screen, by kind and name."""

from typing import Annotated, Any

from pydantic import StringConstraints

from affordance.author.records import Kind
from affordance.ledger import Revision

ScreenId = Annotated[str, StringConstraints(min_length=1, max_length=400)]  # as it comes from outside

SHOWN = (Kind.REGION, Kind.TYPE, Kind.RETELLING, Kind.VALIDATION, Kind.QUESTION, Kind.REVIEWED)  # what pages work on
_OF_SCREEN = Kind.REVIEWED  # of which a screen has one, so that it needs no name


def subject_of(screen: str, kind: Kind, name: str) -> str:
    return screen if kind is _OF_SCREEN else f"{screen}/{name}"


def name_of(revision: Revision) -> str:
    return "" if revision.kind == _OF_SCREEN else revision.subject.removeprefix(f"{revision.screen}/")


def entry(revision: Revision) -> dict[str, Any]:
    return {
        "kind": revision.kind,
        "name": name_of(revision),
        "version": revision.version,
        "author": revision.author,
        "created": revision.created,
        "document": revision.document,
    }
