"""Saving what a person did in one go: once, all or nothing, and never over what somebody else did meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from affordance.author.project import PERSON, Project, is_person, plain
from affordance.author.records import ROOT, Kind, Region
from affordance.author.regions.tree import WHOLE
from affordance.core.digest import digest
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import Json
from affordance.ledger import BatchKey, DocumentDraft, DocumentRevision, DocumentSelection, SavedBatch
from affordance.studio.edits import Edit, check_values, edited
from affordance.studio.entries import ScreenId, subject_of
from affordance.studio.grounds import Ground, ground_of, read_ground
from affordance.studio.refused import Refused

MOST_EDITS = 2000
_OF_REGIONS = frozenset({Kind.TYPE, Kind.RETELLING, Kind.VALIDATION})
_SHAPE = frozenset({"parent", "gone"})  # what says where a region is in the tree

Current = Mapping[tuple[str, str], DocumentRevision]


class Sent(BaseModel):
    """A stroke as a page sends it."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    screen: ScreenId
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    edits: Annotated[list[Edit], Field(min_length=1, max_length=MOST_EDITS)]


class Overtaken(Exception):
    """Somebody has changed what a stroke changes or stands on; `there` is how that is now. Nothing was written."""

    def __init__(self, why: str, there: Sequence[DocumentRevision]) -> None:
        super().__init__(why)
        self.there = tuple(there)


class Outdated(Exception):
    """What was taken for granted by who saves does not hold any more. Nothing was written."""


def save(project: Project, author: str, sent: Sent, granted: Mapping[tuple[str, str], int] | None = None) -> SavedBatch:
    """Write a stroke. Raises `Overtaken`, or `Refused` for what makes no sense; and `Outdated` where a document of
    those that are `granted`, by kind and subject, has another version than is said there."""
    for edit in sent.edits:
        check_values(edit)
    done: list[Json] = [[str(edit.kind), edit.name, edit.set] for edit in sent.edits]
    stroke = BatchKey(sent.key, author, digest("stroke", sent.screen, done))
    granted = granted or {}

    def make(there: Current) -> list[DocumentDraft]:
        if any(key not in there or there[key].version != version for key, version in granted.items()):
            raise Outdated
        return _drafts(author, sent, there)

    wanted = _wanted(sent)
    saved = project.ledger.documents.save_edit_batch(stroke, replace(wanted, keys=[*wanted.keys, *granted]), make)
    if saved.batch != stroke:
        raise Refused("the key of this stroke was used for another one; expected a new key for each")
    return saved


def _wanted(sent: Sent) -> DocumentSelection:
    """All that a stroke changes or relies on."""
    keys = {(str(edit.kind), subject_of(sent.screen, edit.kind, edit.name)) for edit in sent.edits}
    keys |= {(Kind.REGION, f"{sent.screen}/{edit.name}") for edit in sent.edits if edit.kind in _OF_REGIONS}
    moved = [edit.name for edit in sent.edits if edit.kind is Kind.REGION and "box" in edit.set and edit.after]
    keys |= {(kind, f"{sent.screen}/{name}") for name in moved for kind in (Kind.TYPE, Kind.RETELLING)}
    told = [edit.name for edit in sent.edits if edit.kind is Kind.RETELLING]
    keys |= {(Kind.VALIDATION, f"{sent.screen}/{name}") for name in told}
    judged = [edit.name for edit in sent.edits if edit.kind is Kind.VALIDATION]
    keys |= {(Kind.RETELLING, f"{sent.screen}/{name}") for name in judged}
    named = sorted({(_ground(sent), sent.screen), *keys})
    shapes = any(_shapes(edit) for edit in sent.edits)
    return DocumentSelection(named, sent.screen, Kind.REGION) if shapes else DocumentSelection(named)


def _ground(sent: Sent) -> Kind:
    return ground_of([edit.kind for edit in sent.edits])


def _shapes(edit: Edit) -> bool:
    return edit.kind is Kind.REGION and (edit.after == 0 or not _SHAPE.isdisjoint(edit.set))


def _drafts(author: str, sent: Sent, there: Current) -> list[DocumentDraft]:
    """What is to be written."""
    ground = read_ground(_ground(sent), sent.screen, there.get((_ground(sent), sent.screen)))
    drafts: dict[tuple[str, str], DocumentDraft] = {}
    new = {(Kind.REGION, f"{sent.screen}/{edit.name}") for edit in sent.edits if edit.kind is Kind.REGION}
    for edit in sent.edits:
        key = (edit.kind, subject_of(sent.screen, edit.kind, edit.name))
        if key in drafts:
            raise Refused(f"expected one edit for each document, found two of the {edit.kind} {edit.name}")
        if edit.kind in _OF_REGIONS and (Kind.REGION, key[1]) not in new:
            _check_region(edit, there.get((Kind.REGION, key[1])))
        before = _before(edit, there.get(key))
        if before is not None and before.scope != sent.screen:
            raise Refused(f"the {edit.kind} {edit.name[:80]!r} is of another {ground.kind}, {before.scope[:80]!r}")
        document = edited(edit, None if before is None else before.document, ground, author)
        drafts[key] = DocumentDraft(*key, {**plain(document), **_proposed(edit, before)}, author, sent.screen)
    _check_places(sent, drafts, there)
    _check_judged(sent, drafts, there)
    root = _root(sent.screen, ground, there) if any(_shapes(edit) for edit in sent.edits) else None
    along = [*_carried(author, drafts, there), *_unsaid(author, drafts, there)]
    return [*drafts.values(), *([root] if root is not None else []), *along]


def _check_region(edit: Edit, there: DocumentRevision | None) -> None:
    """Raises where the region that something is said of is not there."""
    if there is None:
        raise Refused(f"the {edit.kind} {edit.name[:80]}: there is no such region")
    if there.document.get("gone") and not edit.set.get("gone"):
        raise Overtaken(f"{there.author.removeprefix(PERSON)} has deleted the region {edit.name}", (there,))


def _check_judged(sent: Sent, drafts: Mapping[tuple[str, str], DocumentDraft], there: Current) -> None:
    """Raises where a text is judged that is another one by now."""
    for edit in sent.edits:
        subject = f"{sent.screen}/{edit.name}"
        judged = edit.set.get("told") if edit.kind is Kind.VALIDATION else None
        now = drafts.get((Kind.RETELLING, subject)) or there.get((Kind.RETELLING, subject))
        if judged is None or edit.set.get("gone") or now is None or now.document.get("gone"):
            continue
        if now.document.get("functionality") != judged:
            why = f"{now.author.removeprefix(PERSON)} has changed the text of {edit.name}; judge it as it is now"
            raise Overtaken(why, (now,) if isinstance(now, DocumentRevision) else ())


def _before(edit: Edit, there: DocumentRevision | None) -> DocumentRevision | None:
    """The version that an edit was made from."""
    version = 0 if there is None else there.version
    if there is None and edit.after:
        raise Refused(f"there is no {edit.kind} {edit.name[:80]!r}; expected version {edit.after} of it")
    if there is not None and version != edit.after:
        who = there.author.removeprefix(PERSON)
        why = f"{who} has changed the {edit.kind} {edit.name}".rstrip()
        raise Overtaken(f"{why}: it has version {version}, yours was made from version {edit.after}", (there,))
    return there


def _root(screen: str, ground: Ground, there: Current) -> DocumentDraft | None:
    """The screen as a region, where nobody has divided it yet."""
    if (Kind.REGION, f"{screen}/{ROOT}") in there:
        return None
    whole = Region(box=Box(CoordinateSpace.PIXEL, 0, 0, *ground.size), type=WHOLE, dividable=True)
    return DocumentDraft(Kind.REGION, f"{screen}/{ROOT}", plain(whole), "studio", screen)


def _proposed(edit: Edit, before: DocumentRevision | None) -> dict[str, Json]:
    """What a region was before the first person changed it; it stays with the region."""
    if edit.kind is not Kind.REGION or before is None or is_person(before.author):
        return {}
    return {"proposed": before.document.get("box")}


def _carried(author: str, drafts: Mapping[tuple[str, str], DocumentDraft], there: Current) -> list[DocumentDraft]:
    """What people have said of regions goes along with their boxes; what models have said is to be said again."""
    found = []
    for (kind, subject), draft in drafts.items():
        was = there.get((kind, subject))
        if kind != Kind.REGION or was is None or was.document.get("box") == draft.document.get("box"):
            continue
        for said in (Kind.TYPE, Kind.RETELLING):
            one = there.get((said, subject))
            if one is None or (said, subject) in drafts or one.document.get("gone"):
                continue
            if is_person(str(one.document.get("by"))) and one.document.get("box") == was.document.get("box"):
                document = {**one.document, "box": draft.document.get("box")}
                found.append(DocumentDraft(said, subject, document, author, draft.scope))
    return found


def _unsaid(author: str, drafts: Mapping[tuple[str, str], DocumentDraft], there: Current) -> list[DocumentDraft]:
    """What was said of texts that are others now is taken back with them."""
    return [
        DocumentDraft(*key, {**said.document, "gone": True}, author, said.scope)
        for kind, subject in drafts
        if kind == Kind.RETELLING
        and (key := (Kind.VALIDATION, subject)) not in drafts
        and (said := there.get(key)) is not None
        and not said.document.get("gone")
    ]


def _check_places(sent: Sent, drafts: Mapping[tuple[str, str], DocumentDraft], there: Current) -> None:
    """Raises where a region is put into one that is gone, or into itself."""
    standing = {ROOT}  # those that are known to be in the tree; each is looked at once, however deep they lie
    for edit in sent.edits:
        draft = drafts[edit.kind, subject_of(sent.screen, edit.kind, edit.name)]
        if not _shapes(edit) or draft.document.get("gone"):
            continue
        passed, above = [edit.name], draft.document.get("parent")
        while isinstance(above, str) and above not in standing:
            if above in passed[:1] or len(passed) > MOST_EDITS:
                raise Refused(f"the region {edit.name} would be inside of itself; expected a region that is not in it")
            passed.append(above)
            place = (Kind.REGION, f"{sent.screen}/{above}")
            above = _standing(edit, above, drafts.get(place) or there.get(place)).get("parent")
        standing.update(passed)


def _standing(edit: Edit, above: str, there: DocumentDraft | DocumentRevision | None) -> Mapping[str, Json]:
    """A region that another is put into."""
    if there is None:
        raise Refused(f"the region {edit.name}: expected a region to be in, found no region {above[:80]!r}")
    if there.document.get("gone"):
        who = there.author.removeprefix(PERSON)
        found = (there,) if isinstance(there, DocumentRevision) else ()
        raise Overtaken(f"{who} has deleted the region {above}, which {edit.name} is to be in", found)
    return there.document
