"""Pairs of designs: votes, winners, rationales that name a side, and pairs that share an image."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.core.errors import MediaError
from affordance.core.validation import StrictModel, stored_as
from affordance.datasets.items import BoxField, Item, NonEmptyStr, RelativePath


class Rationale(StrictModel):
    """Why a design won."""

    reason: str
    law: str | None = None  # the UX law that explains it
    dimension: str | None = None  # of that law
    neutral: str | None = None  # the reason in words that name no side, where it names one ("the right version")


class MarkerRemoval(StrictModel):
    """An image of a pair from which markers were removed."""

    image_index: Annotated[int, Field(ge=0, le=1)] = stored_as("place")
    original: RelativePath
    mask: RelativePath
    before_after: RelativePath
    masked: float  # share of the pixels
    difference: float  # mean change of a channel over all pixels, from 0 to 1


class ImageSplit(StrictModel):
    """The image that both images of a pair were cut from, and the boxes in the order of the images."""

    original: RelativePath
    boxes: Annotated[list[BoxField], Field(min_length=2, max_length=2)]


def majority_vote(votes: Sequence[int] | None) -> int | None:
    """Which of two has more votes; None for a tie or without votes."""
    return None if votes is None or votes[0] == votes[1] else int(votes[1] > votes[0])


class DesignPair(Item):
    """Two designs of one page. Where only `votes` are given, the majority decides the winner, and a tie has none.
    `images`, `votes` and `urls` are in the same order."""

    images: Annotated[list[RelativePath], Field(min_length=2, max_length=2)]  # the two designs
    winner: Annotated[int, Field(ge=0, le=1)] | None = None  # index of the image; None where unknown
    goal: str | None = None  # what the page should achieve
    context: str | None = None  # about the page and its visitors
    votes: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)] | None = (
        None  # for each design
    )
    rationales: list[Rationale] = []  # why the winner won
    page_type: str | None = None
    industry: str | None = None
    device: str | None = None
    changes: dict[str, list[str]] = {}  # what differs, by kind
    evidence: Literal["tested", "voted", "constructed"] | None = None  # what decided the winner
    source: str | None = None  # the page that describes the test
    company: str | None = None
    urls: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None  # of the images
    cluster: NonEmptyStr | None = None  # pairs that share an image, and so are not independent, have the same
    marker_removals: list[MarkerRemoval] = stored_as("cleaned", [])  # of its images
    split: ImageSplit | None = stored_as("cut", None)  # where both images were cut from one

    @model_validator(mode="after")
    def _set_winner_from_votes(self) -> "DesignPair":
        if self.winner is None and (most := majority_vote(self.votes)) is not None:
            # Not as fields that were set: a dataset is written as it was read.
            self.__dict__["winner"] = most
            self.__dict__["evidence"] = self.evidence or "voted"
        return self

    @property
    def tied(self) -> bool:
        """Whether there are votes, but no winner."""
        return self.winner is None and self.votes is not None and sum(self.votes) > 0

    def vote_conflict(self) -> str | None:
        """The problem where the stated winner has fewer votes than the other; None where there is none."""
        most = majority_vote(self.votes)
        if self.winner is None or most is None or most == self.winner:
            return None
        winner = ("first", "second")[self.winner]
        return f"expected most votes for its winner, the {winner}, found {self.votes}; correct one of them"

    def media_files(self) -> list[str]:
        return list(self.images)

    def extra_files(self) -> list[str]:
        kept = [path for one in self.marker_removals for path in (one.original, one.mask, one.before_after)]
        return kept if self.split is None else [*kept, self.split.original]


@dataclass(frozen=True, slots=True)
class UndecidedPairs:
    """The number of pairs, and of those without a winner: with `tied` votes, or `unknown`."""

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


def count_undecided(items: Iterable[Item]) -> UndecidedPairs:
    """Count the pairs without a winner. They cannot be asked about, since no answer could be scored."""
    pairs = [item for item in items if isinstance(item, DesignPair)]
    undecided = [pair for pair in pairs if pair.winner is None]
    tied = sum(pair.tied for pair in undecided)
    return UndecidedPairs(len(pairs), tied, len(undecided) - tied)


def shared_image_clusters(keys: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """The cluster of each item, named by the smallest id in it. Items that share a key are in one cluster."""
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
    """Add the id of the pair to errors about its images."""
    try:
        yield
    except MediaError as error:
        raise MediaError(f"item {pair.id!r}: {error}") from None


# In the only set with such rationales, winners are on the right.
_NEUTRAL_WORD = {"right": "better", "left": "weaker"}
_SIDE = re.compile(r"\b(left|right)(?= version\b)", re.IGNORECASE)


def named_sides(text: str) -> list[str]:
    """The sides by which a text names a version: `right` in "the right version". A model sees a first and a second
    image, and no sides."""
    return [found.lower() for found in _SIDE.findall(text)]


def neutral_wording(text: str) -> str:
    """The text without sides: the right version is the better one, the left the weaker."""
    return _SIDE.sub(lambda found: _NEUTRAL_WORD[found[0].lower()], text)
