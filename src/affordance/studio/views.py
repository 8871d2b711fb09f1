"""A screen as pages are given it: its documents, what boxes can snap to, what was proposed, what is wrong."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from affordance.author.project import PERSON, Project, read_record
from affordance.author.records import DOCUMENTS, Elements, Kind, Region, Shot
from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Screen
from affordance.ledger import DocumentRevision
from affordance.studio.entries import entry, name_of
from affordance.studio.grounds import HELD, NoGround
from affordance.studio.index import Index
from affordance.studio.marks import KINDS, Marks
from affordance.studio.warnings import warnings_of

_LONGEST_LABEL = 80


class NoScreen(NoGround):
    """A screen that is not in the project."""

    def __init__(self, screen: str) -> None:
        super().__init__(f"there is no screen {screen[:80]!r} in the project; the list of images has those that are")


def check_screen(project: Project, screen: str) -> DocumentRevision:
    """The screen's own document. Raises `NoScreen`."""
    found = project.ledger.documents.get_many([(Kind.SCREEN, screen)])
    if not found:
        raise NoScreen(screen)
    return found[0]


def screen_view(project: Project, index: Index, screen: str) -> dict[str, Any]:
    """Raises `NoScreen`, or a `UserError` that names the document that cannot be read."""
    last = project.ledger.documents.last_revision_id()  # first: what is written meanwhile is news
    shot = read_record(check_screen(project, screen), Shot)
    documents = [one for kind in HELD[Kind.SCREEN] for one in project.ledger.documents.latest(scope=screen, kind=kind)]
    marks = index.marks(screen)
    proposed = _proposed(project, screen, marks)
    for line in marks.unreadable.values():
        raise UserError(line)
    for one in documents:
        if one.kind not in KINDS:  # others were read for the index
            read_record(one, DOCUMENTS[Kind(one.kind)])
    return {
        "id": screen,
        "shot": shot.model_dump(mode="json"),
        "last": last,
        "documents": [entry(one) for one in documents],
        "snaps": _snaps(project, screen, shot),
        "originals": _originals(proposed),
        "drawn": _drawn(project, screen, [name for name in marks.regions if name not in proposed]),
        "problems": warnings_of(marks.standing()),
    }


def _proposed(project: Project, screen: str, marks: Marks) -> dict[str, tuple[Box, str | None, bool]]:
    """Box and parent of each region in the newest version that no person wrote, mostly the current one; whether it was
    gone in it."""
    found = {name: (one.box, one.parent, one.gone) for name, one in marks.regions.items() if not one.theirs}
    if len(found) < len(marks.regions):
        for one in project.ledger.documents.latest(scope=screen, kind=Kind.REGION, exclude_author_prefix=PERSON):
            if (name := name_of(one)) not in found:
                region = read_record(one, Region)
                found[name] = (region.box, region.parent, region.gone)
    return found


def _originals(proposed: Mapping[str, tuple[Box, str | None, bool]]) -> dict[str, Any]:
    there = {name: (box, parent) for name, (box, parent, gone) in proposed.items() if not gone}
    return {name: {"box": list(box.xyxy), "parent": parent} for name, (box, parent) in there.items()}


def _drawn(project: Project, screen: str, names: Sequence[str]) -> list[str]:
    """Regions that people drew, in the order in which they did: pages number them, as their names say nothing."""
    if len(names) < 2:
        return list(names)
    written = project.ledger.documents.changes_since(0, scope=screen, kinds=(Kind.REGION,))
    return [name for name in dict.fromkeys(map(name_of, written)) if name in set(names)]


def _snaps(project: Project, screen: str, shot: Shot) -> list[dict[str, Any]]:
    """Boxes that the browser or a detector knew, each once."""
    found: dict[tuple[float, float, float, float], str] = {}
    for box, label in _known(project, screen):
        pixels = box.to_space(CoordinateSpace.PIXEL, shot.width, shot.height).clip(shot.width, shot.height)
        if pixels is not None:
            found[pixels.xyxy] = found.get(pixels.xyxy) or " ".join(label.split())[:_LONGEST_LABEL]
    return [{"box": list(xyxy), "label": label} for xyxy, label in found.items()]


def _known(project: Project, screen: str) -> Iterator[tuple[Box, str]]:
    for one in project.ledger.documents.get_many([(Kind.CAPTURED, screen), (Kind.ELEMENTS, screen)]):
        if one.kind == Kind.ELEMENTS:
            for detected in read_record(one, Elements).elements:
                yield detected.box, detected.text or detected.role
        else:
            captured = read_record(one, Screen)
            for element in captured.elements:
                yield element.box, element.name or element.role or ""
            for region in captured.regions:
                yield region.box, region.type or ""
