"""What a project keeps: one document for each thing, of which every change is a new revision.

The kind of a document says what it is, its subject which one: a screen, or `SCREEN/NODE` for what belongs to a region.
Boxes are pixels of the screen. Fields that a newer version added survive a round trip."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from affordance.author.clip_records import Recording
from affordance.author.pair_records import Designs, Halves, Mask, Reason, Review
from affordance.author.study_records import Assigned, LeftOut, Seat, Settled, Study
from affordance.core.validation import StrictModel
from affordance.datasets import Screen
from affordance.datasets.items import BoxField, NonEmptyStr, RelativePath
from affordance.models.study_answers import StudyAnswer
from affordance.models.study_documents import ANSWER_DOCUMENT

ROOT = "0-0"  # the node that is the whole screen
REGION_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,63}")


class Kind(StrEnum):
    """What there is a document of, and what its subject is."""

    SCREEN = "screen"  # a screen
    CAPTURED = "captured"  # what the browser knows of a captured screen: a screen
    SELECTION = "selection"  # whether a screen goes on: a screen
    REGION = "region"  # a node of the tree: SCREEN/NODE
    DIVISION = "division"  # how the children of a node came about: SCREEN/NODE
    TYPE = "type"  # what a region is in the taxonomy: SCREEN/NODE
    RETELLING = "retelling"  # a region told anew after a correction: SCREEN/NODE
    VALIDATION = "validation"  # what people say of a retelling: SCREEN/NODE
    ELEMENTS = "elements"  # all interactive elements: a screen
    CANDIDATES = "candidates"  # elements that look alike, before anybody has verified it: a screen
    ELEMENT_GROUPS = "element groups"  # look-alike elements: a screen
    REGION_GROUPS = "region groups"  # look-alike regions: a screen
    QUESTION = "question"  # one question: SCREEN/NAME
    REVIEWED = "reviewed"  # whether a person has finished a screen: a screen
    WORK = "work"  # how a stage ended on a screen: STAGE/SCREEN
    CLIP = "clip"  # a clip
    PAIR = "pair"  # a pair of designs
    RATIONALE = "rationale"  # why a design won: PAIR/NAME
    REVIEW = "review"  # what a person finds in a round of review: PAIR/ROUND-PERSON
    MASK = "mask"  # what is painted over in a picture of a pair: PAIR/0 or PAIR/1
    HALVES = "halves"  # where a picture of two designs is cut: a pair
    STUDY = "study"  # how a study is done: its name
    SEAT = "seat"  # somebody who takes part in a study: STUDY/CODE
    ANSWER = ANSWER_DOCUMENT  # what somebody answered: STUDY/SEAT/SLOT
    LEFT_OUT = "left out"  # an answer that does not count: STUDY/SEAT/SLOT
    SETTLED = "settled"  # what counts where people differ: STUDY/ITEM
    ASSIGNED = "assigned"  # who is to work on something: a screen, a clip or a pair


class Shot(StrictModel):
    """A screen. `source` says where it is from, `repairs` what was done to the picture so that it can be used."""

    image: RelativePath
    digest: NonEmptyStr  # of the image's content
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    platform: str | None = None
    source: str = ""
    fingerprint: str = "0"  # hexadecimal; nearly equal for pictures that are nearly equal
    copy_of: str | None = None  # the screen that this one nearly equals
    repairs: list[str] = []


class Selection(StrictModel):
    on: bool
    why: str = ""


class Texts(StrictModel):
    """A text with what is around in view (written for the parent's division), and without (written for the node's
    own)."""

    with_context: str | None = None
    wo_context: str | None = None

    @property
    def best(self) -> str:
        """The text that says the most of the node itself."""
        return self.wo_context or self.with_context or ""


class Scores(StrictModel):
    """What the checker says of a child: how complete it is, 0 to 3, and whether its border holds nothing else."""

    completeness: Annotated[int, Field(ge=0, le=3)]
    bounded: bool
    reason: str = ""


class Region(StrictModel):
    """A node of the tree. The root has no parent. One that people deleted stays, `gone`. `proposed` is the box that it
    had before a person changed it; None where nobody wrote that down, or where a person drew it."""

    box: BoxField
    parent: str | None = None
    type: str = ""  # in the words of who proposed it
    dividable: bool = False
    description: Texts = Texts()
    functionality: Texts = Texts()
    scores: Scores | None = None
    gone: bool = False
    proposed: BoxField | None = None

    @property
    def redrawn(self) -> bool:
        """Whether it has another box than the one that was proposed; for regions that a person wrote last."""
        return self.proposed is None or self.proposed != self.box


class Proposed(StrictModel):
    """A child as it was proposed, in pixels of the screen."""

    box: BoxField
    type: str = ""
    dividable: bool = False
    description: str = ""
    functionality: str = ""
    scores: Scores | None = None


class Proposal(StrictModel):
    """One answer to a division: `whole` is what it says of the input itself. `repairs` were certain; `problems` are
    what is wrong with it and was told to the model that refined it."""

    attempt: str = ""  # in the ledger
    whole: Proposed | None = None
    children: list[Proposed] = []
    repairs: list[str] = []
    problems: list[str] = []
    completeness: float | None = None  # mean over the children
    bounded: float | None = None  # share of the children
    accepted: bool = False


class Division(StrictModel):
    """All proposals for a node, and which of them was taken; none where no answer could be used."""

    proposals: list[Proposal] = []
    selected: int | None = None
    by: str = ""
    reason: str = ""  # why there are no children


class RegionType(StrictModel):
    """`type` is of the taxonomy, or `Other` with a subtype. `inherited` names the node that it was taken from. `box` is
    what was looked at: where it differs from the region's, the type is out of date. `gone`: a person took it back."""

    type: NonEmptyStr
    subtype: str = ""
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    inherited: str | None = None
    by: str = ""
    box: BoxField | None = None
    gone: bool = False


class Retelling(StrictModel):
    """A region told anew. `box` is what it was told of: a box that differs from the region's is out of date. `gone`: a
    person took it back."""

    box: BoxField
    description: str
    functionality: str
    rationale: str = ""
    by: str = ""
    gone: bool = False


class Validation(StrictModel):
    """What a person says of a text: the three criteria of the paper. A rejected region goes no further. `box` is what
    the text was of, and `told` what it is for by that text; None where nobody wrote that down. `gone`: it was taken
    back."""

    box: BoxField | None = None
    contextual: bool
    purposeful: bool
    truthful: bool  # nothing hallucinated
    rejected: bool = False
    note: str = ""
    told: str | None = None
    gone: bool = False

    @property
    def passed(self) -> bool:
        return self.contextual and self.purposeful and self.truthful and not self.rejected


def told_of(told: object, box: object) -> bool:
    """Whether what was said of a region holds for the box that it has now: what names no box holds for any."""
    return told is None or told == box


class Detected(StrictModel):
    """An interactive element. `text` is what is written on it."""

    id: NonEmptyStr
    box: BoxField
    role: str = ""
    text: str = ""
    interactive: bool = True


class Elements(StrictModel):
    source: Literal["dom", "omniparser", "vision"]
    elements: list[Detected] = []
    notes: list[str] = []


class Member(StrictModel):
    """A member of a group, with what is known of it by itself. `outcomes` are by action."""

    id: NonEmptyStr
    box: BoxField
    description: str = ""
    functionality: str = ""
    outcomes: dict[str, str] = {}


class Group(StrictModel):
    """Look-alikes. `verified` names who said that they are alike; empty where only numbers did."""

    id: NonEmptyStr
    members: Annotated[list[Member], Field(min_length=2)]
    similarity: str = ""  # what makes them alike, in words
    verified: str = ""
    history: list[str] = []  # what was done to it on the way: added, merged, cut to size


class Rejected(StrictModel):
    """A group that is none, at which stage and why."""

    members: list[str]
    stage: NonEmptyStr
    reason: NonEmptyStr


class Groups(StrictModel):
    groups: list[Group] = []
    rejected: list[Rejected] = []
    by: str = ""
    of: str = ""  # a digest of the elements that are members, as they were found; empty where nobody wrote that down


class Choice(StrictModel):
    text: NonEmptyStr
    origin: Literal["target", "hard", "easy"]
    of: str = ""  # the element or region it speaks of


class QuestionRecord(StrictModel):
    """A question about a target. Grounding has `expressions` by kind (functionality, description, intent); an outcome
    question has `question` and `options` in the order in which they are shown. `checks` say what was found by each
    check; `dropped` why it is not exported. People may abandon it or correct the box."""

    form: Literal["ground", "outcome"]
    level: Literal["element", "region"]
    target: NonEmptyStr
    box: BoxField
    action: str | None = None
    group: str | None = None
    alike: list[str] = []
    expressions: dict[str, str] = {}
    question: str = ""
    options: list[Choice] = []
    checks: dict[str, str] = {}
    attributes: dict[str, str] = {}
    dropped: str = ""
    abandoned: bool = False
    by: str = ""


class Reviewed(StrictModel):
    """Whether a person has gone through a screen to the end."""

    done: bool
    note: str = ""


class Work(StrictModel):
    """How a stage ended on a screen. `inputs` is a digest of all that it was made of: where that is the same, there is
    nothing to do."""

    state: Literal["done", "failed", "pending"]  # pending: a provider failed
    inputs: NonEmptyStr
    reason: str = ""
    notes: list[str] = []
    settings: dict[str, str] = {}


DOCUMENTS: Mapping[Kind, type[StrictModel]] = {
    Kind.SCREEN: Shot,
    Kind.CAPTURED: Screen,
    Kind.SELECTION: Selection,
    Kind.REGION: Region,
    Kind.DIVISION: Division,
    Kind.TYPE: RegionType,
    Kind.RETELLING: Retelling,
    Kind.VALIDATION: Validation,
    Kind.ELEMENTS: Elements,
    Kind.CANDIDATES: Groups,
    Kind.ELEMENT_GROUPS: Groups,
    Kind.REGION_GROUPS: Groups,
    Kind.QUESTION: QuestionRecord,
    Kind.REVIEWED: Reviewed,
    Kind.WORK: Work,
    Kind.CLIP: Recording,
    Kind.PAIR: Designs,
    Kind.RATIONALE: Reason,
    Kind.REVIEW: Review,
    Kind.MASK: Mask,
    Kind.HALVES: Halves,
    Kind.STUDY: Study,
    Kind.SEAT: Seat,
    Kind.ANSWER: StudyAnswer,
    Kind.LEFT_OUT: LeftOut,
    Kind.SETTLED: Settled,
    Kind.ASSIGNED: Assigned,
}
