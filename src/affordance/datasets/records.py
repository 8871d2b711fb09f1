"""One record per kind of dataset. Strict at the border; fields we do not know survive a round trip."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.datasets.clips import Clip
from affordance.datasets.parts import BoxField, NonEmptyStr, Record, RelativePath, StrictModel
from affordance.datasets.screens import ActionOutcome, Screen


class Rationale(StrictModel):
    """`neutral` is the reason in words that name no side, where it names one ("the right version")."""

    reason: str
    law: str | None = None
    dimension: str | None = None
    neutral: str | None = None


class MarkerRemoval(StrictModel):
    """An image of a pair that markers were removed from. `masked` is the share of its pixels, and `difference` the mean
    change of a channel over all of them, from 0 to 1."""

    place: Annotated[int, Field(ge=0, le=1)]
    original: RelativePath
    mask: RelativePath
    before_after: RelativePath
    masked: float
    difference: float


class ImageSplit(StrictModel):
    """The one picture that both images of a pair were cut from, and where, in the order of the images."""

    original: RelativePath
    boxes: Annotated[list[BoxField], Field(min_length=2, max_length=2)]


def majority_vote(votes: Sequence[int] | None) -> int | None:
    """Which of two has more votes; None for a tie, and where nobody voted."""
    return None if votes is None or votes[0] == votes[1] else int(votes[1] > votes[0])


class Pair(Record):
    """Two designs of one page; `winner` is 0 or 1, or None where nobody knows. Where only the `votes` are given, the
    majority is the winner, and a tie has none. `votes`, `urls` and `images` are in the same order. Pairs of one
    `cluster` share an image, so that they are not independent; by itself a pair is its own."""

    images: Annotated[list[RelativePath], Field(min_length=2, max_length=2)]  # the two designs
    winner: Annotated[int, Field(ge=0, le=1)] | None = None  # 0 or 1; None where nobody knows
    goal: str | None = None  # what the page is to achieve
    context: str | None = None  # what else is known of the page and its visitors
    votes: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)] | None = None  # for either
    rationales: list[Rationale] = []  # why the winner won
    page_type: str | None = None
    industry: str | None = None
    device: str | None = None
    changes: dict[str, list[str]] = {}  # what differs, by kind
    evidence: Literal["tested", "voted", "constructed"] | None = None  # why the winner is the winner
    source: str | None = None  # the page that tells of the test
    company: str | None = None
    urls: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None  # of the images
    cluster: NonEmptyStr | None = None  # pairs that share an image have the same
    cleaned: list[MarkerRemoval] = []  # images that marks were removed from
    cut: ImageSplit | None = None  # where both images are from one picture

    @model_validator(mode="after")
    def _set_winner_from_votes(self) -> "Pair":
        if self.winner is None and (most := majority_vote(self.votes)) is not None:
            # Not as fields that were given: what is written again is what was read.
            self.__dict__["winner"] = most
            self.__dict__["evidence"] = self.evidence or "voted"
        return self

    @property
    def tied(self) -> bool:
        """Whether people voted, and there is no winner for that."""
        return self.winner is None and self.votes is not None and sum(self.votes) > 0

    def vote_conflict(self) -> str | None:
        """What is wrong where the winner that is given has fewer votes than the other."""
        most = majority_vote(self.votes)
        if self.winner is None or most is None or most == self.winner:
            return None
        said = ("first", "second")[self.winner]
        return f"expected most votes for its winner, the {said}, found {self.votes}; correct one of them"

    def media(self) -> list[str]:
        return list(self.images)

    def extra_files(self) -> list[str]:
        """Files that are kept to look at, and not needed."""
        kept = [path for one in self.cleaned for path in (one.original, one.mask, one.before_after)]
        return kept if self.cut is None else [*kept, self.cut.original]


class ChoiceOption(StrictModel):
    text: NonEmptyStr
    origin: str | None = None  # where a distractor comes from: hard, easy...


class ChoiceQuestion(Record):
    """A multiple-choice question about a picture; `answers` are positions in `options`, and `multiple` says that all
    which apply are asked for. `target` is drawn onto the picture; where it is None and the question speaks of a
    rectangle, that is in the picture already."""

    image: RelativePath  # what it is about
    target: BoxField | None = None  # drawn onto the picture
    level: Literal["element", "region"] | None = None  # of the target
    action: str | None = None  # that is carried out on it
    multiple: bool = False  # whether all that apply are asked for
    tags: dict[str, str] = {}  # what the publisher says of it (region type, density...)
    question: NonEmptyStr  # in words
    options: Annotated[list[ChoiceOption], Field(min_length=2)]  # as published, in this order
    answers: Annotated[list[int], Field(min_length=1)]  # positions in the options, from 0

    @model_validator(mode="after")
    def _check_answers(self) -> "ChoiceQuestion":
        if wrong := [answer for answer in self.answers if not 0 <= answer < len(self.options)]:
            raise ValueError(f"expected answers from 0 to {len(self.options) - 1}, found {wrong}")
        return self

    def media(self) -> list[str]:
        return [self.image]


ITEM_TYPES: dict[str, type[Record]] = {
    "clip": Clip,
    "pair": Pair,
    "screen": Screen,
    "outcome": ActionOutcome,
    "choice": ChoiceQuestion,
}


class Header(StrictModel):
    """`dataset.json`."""

    format: Literal[1]  # of the folder: 1
    kind: Literal["clip", "pair", "screen", "outcome", "choice"]  # of its items
    name: NonEmptyStr  # as reports call it
    licence: str  # of the data
    provenance: str  # where it comes from
    synthetic: bool  # whether it was made by a program
