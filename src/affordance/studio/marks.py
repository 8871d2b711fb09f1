"""What is remembered of the documents of a screen: enough to say how far it is and where its regions are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from affordance.author.project import is_person, parents_first, read_record
from affordance.author.records import (
    ROOT,
    Kind,
    QuestionRecord,
    Region,
    Retelling,
    Reviewed,
    Selection,
    Shot,
    Validation,
    told_of,
)
from affordance.core.errors import UserError
from affordance.core.geometry import Box
from affordance.ledger import DocumentRevision
from affordance.studio.entries import name_of


class RegionMark(NamedTuple):
    box: Box
    parent: str | None
    corrected: bool  # a person wrote it last, with another box than the proposed one
    gone: bool = False
    theirs: bool = False  # a person wrote it last


class ToldMark(NamedTuple):
    """Of a retelling or a validation that was not taken back."""

    box: Box | None
    rejected: bool = False
    failed: bool = False  # by a criterion at least, or rejected


class ShotMark(NamedTuple):
    digest: str = ""
    width: int = 0
    height: int = 0
    platform: str | None = None


@dataclass(slots=True)
class Marks:
    """Of one screen; what is gone is not among them, but for regions. `unreadable` has a line for each document that
    cannot be read, by kind and name."""

    shot: ShotMark | None = None
    aside: str = ""
    done: bool = False
    regions: dict[str, RegionMark] = field(default_factory=dict)
    retellings: dict[str, ToldMark] = field(default_factory=dict)
    validations: dict[str, ToldMark] = field(default_factory=dict)
    questions: dict[str, str] = field(default_factory=dict)  # `kept`, `dropped` or `abandoned`
    unreadable: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, revision: DocumentRevision) -> None:
        """Remember a document. Later versions come after earlier ones."""
        name = name_of(revision)
        self.unreadable.pop((revision.kind, name), None)
        try:
            _TAKE[Kind(revision.kind)](self, revision, name)
        except UserError as error:
            self.unreadable[revision.kind, name] = str(error)

    def copy(self) -> "Marks":
        """One that stays as it is; what is in it never changes."""
        return replace(
            self,
            regions=dict(self.regions),
            retellings=dict(self.retellings),
            validations=dict(self.validations),
            questions=dict(self.questions),
            unreadable=dict(self.unreadable),
        )

    def standing(self) -> dict[str, RegionMark]:
        """The regions that are there, parents before children, and the screen itself."""
        found = {name: mark for name, mark in self.regions.items() if not mark.gone}
        return {name: found[name] for name in parents_first({name: mark.parent for name, mark in found.items()})}

    def row(self, screen: str) -> dict[str, Any]:
        """How far it is. `untold` are the regions that `author reannotate` would tell anew."""
        shot = self.shot or ShotMark()
        regions = self.standing()
        regions.pop(ROOT, None)
        told = _of_now(self.retellings, regions)
        said = _of_now(self.validations, regions)
        rejected = {name for name, mark in said.items() if mark.rejected}
        return {
            "id": screen,
            "digest": shot.digest,
            "width": shot.width,
            "height": shot.height,
            "platform": shot.platform,
            "regions": len(regions),
            "corrected": sum(mark.corrected for mark in regions.values()),
            "done": self.done,
            "untold": sum(
                mark.corrected
                and name not in told
                and name not in rejected
                and mark.box.clip(shot.width, shot.height) is not None
                for name, mark in regions.items()
            ),
            "unvalidated": len(told.keys() - said.keys()),
            "validated": sum(not mark.failed for mark in said.values()),
            "failed": sum(mark.failed and not mark.rejected for mark in said.values()),
            "rejected": len(rejected),
            "questions": self.questions_that_are("kept"),
            "dropped": self.questions_that_are("dropped"),
            "abandoned": self.questions_that_are("abandoned"),
            "aside": self.aside,
            "unreadable": next(iter(self.unreadable.values()), ""),
        }

    def questions_that_are(self, what: str) -> int:
        return sum(one == what for one in self.questions.values())


def _of_now(told: Mapping[str, ToldMark], regions: Mapping[str, RegionMark]) -> dict[str, ToldMark]:
    """Without what was told of another box."""
    return {
        name: mark
        for name, mark in told.items()
        if (region := regions.get(name)) is not None and told_of(mark.box, region.box)
    }


def _take_shot(marks: Marks, revision: DocumentRevision, _: str) -> None:
    marks.shot = ShotMark()  # a screen is there, whether it can be read or not
    shot = read_record(revision, Shot)
    marks.shot = ShotMark(shot.digest, shot.width, shot.height, shot.platform)


def _take_selection(marks: Marks, revision: DocumentRevision, _: str) -> None:
    selection = read_record(revision, Selection)
    marks.aside = "" if selection.on else selection.why or "put aside"


def _take_region(marks: Marks, revision: DocumentRevision, name: str) -> None:
    marks.regions.pop(name, None)
    region = read_record(revision, Region)
    theirs = is_person(revision.author)
    marks.regions[name] = RegionMark(region.box, region.parent, theirs and region.redrawn, region.gone, theirs)


def _take_retelling(marks: Marks, revision: DocumentRevision, name: str) -> None:
    marks.retellings.pop(name, None)
    told = read_record(revision, Retelling)
    if not told.gone:
        marks.retellings[name] = ToldMark(told.box)


def _take_validation(marks: Marks, revision: DocumentRevision, name: str) -> None:
    marks.validations.pop(name, None)
    said = read_record(revision, Validation)
    if not said.gone:
        marks.validations[name] = ToldMark(said.box, said.rejected, not said.passed)


def _take_question(marks: Marks, revision: DocumentRevision, name: str) -> None:
    marks.questions.pop(name, None)
    question = read_record(revision, QuestionRecord)
    marks.questions[name] = "abandoned" if question.abandoned else "dropped" if question.dropped else "kept"


def _take_reviewed(marks: Marks, revision: DocumentRevision, _: str) -> None:
    marks.done = False
    marks.done = read_record(revision, Reviewed).done


_TAKE: Mapping[Kind, Callable[[Marks, DocumentRevision, str], None]] = {
    Kind.SCREEN: _take_shot,
    Kind.SELECTION: _take_selection,
    Kind.REGION: _take_region,
    Kind.RETELLING: _take_retelling,
    Kind.VALIDATION: _take_validation,
    Kind.QUESTION: _take_question,
    Kind.REVIEWED: _take_reviewed,
}
KINDS = tuple(_TAKE)
