"""Pairs of designs: their record, votes, winners, and pairs that share an image."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.core.errors import MediaError
from affordance.core.validation import StrictModel
from affordance.datasets.dataset import Dataset, ReadResult
from affordance.datasets.items import BoxField, Item, NonEmptyStr, RelativePath


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


class DesignPair(Item):
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
    def _set_winner_from_votes(self) -> "DesignPair":
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


@dataclass(frozen=True, slots=True)
class UndecidedPairs:
    """How many pairs there are, and how many of them have no winner: `tied` in their votes, or simply `unknown`."""

    pairs: int
    tied: int
    unknown: int

    @property
    def count(self) -> int:
        return self.tied + self.unknown

    def __str__(self) -> str:
        """`3 of 20 pairs have no winner (1 tied, 2 unknown)`."""
        why = [f"{count} {name}" for name, count in (("tied", self.tied), ("unknown", self.unknown)) if count]
        of = f"{self.count} of {self.pairs} {'pair' if self.pairs == 1 else 'pairs'}"
        return f"{of} {'has' if self.count == 1 else 'have'} no winner" + (f" ({', '.join(why)})" if why else "")


def count_undecided(data: Dataset | ReadResult) -> UndecidedPairs:
    items = data.items if isinstance(data, Dataset) else [record for _, record in data.records()]
    pairs = [item for item in items if isinstance(item, DesignPair)]
    without = [pair for pair in pairs if pair.winner is None]
    tied = sum(pair.tied for pair in without)
    return UndecidedPairs(len(pairs), tied, len(without) - tied)


def shared_image_clusters(keys: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """The name of each item's cluster, which is the least of the ids in it. Items with one key are of one cluster."""
    parents: dict[str, str] = {}
    owners: dict[str, str] = {}

    def root(item: str) -> str:
        while parents[item] != item:
            item = parents[item]
        return item

    for item, found in keys:
        parents[item] = item
        for key in found:
            first, second = sorted((root(item), root(owners.setdefault(key, item))))
            parents[second] = first
    return {item: root(item) for item in parents}


@contextmanager
def media_errors_of(pair: DesignPair) -> Iterator[None]:
    """A picture that cannot be read is told with the item that it belongs to."""
    try:
        yield
    except MediaError as error:
        raise MediaError(f"item {pair.id!r}: {error}") from None
