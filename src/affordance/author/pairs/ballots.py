"""Ballots of a preference study: each is one pair, with its designs in one of both orders, for one person.

Both orders are used equally often for each pair, and by each person who is shown many pairs: the turns of a pair take
them in turn, and so do the pairs of a turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from affordance import media
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.datasets import Dataset, DesignPair

SIDES = ("first", "second")  # as they are shown
_LENGTH = 16  # of an id: enough for all of a study to differ


@dataclass(frozen=True, slots=True)
class Ballot:
    """`order` are the places of the pair's images, as they are shown. The id tells nothing of the pair."""

    id: str
    pair: str
    turn: int
    order: tuple[int, int]

    def preferred(self, side: object) -> int:
        """The place of the image that somebody chose by its side."""
        if side not in SIDES:
            raise UserError(f"expected 'first' or 'second' as the design that somebody prefers, found {side!r}")
        return self.order[SIDES.index(str(side))]


def ballots_of(study: Study, pairs: Sequence[str]) -> list[Ballot]:
    """All of them, those of a pair together."""
    return [
        Ballot(
            id=digest("ballot", study.name, pair, turn)[:_LENGTH],
            pair=pair,
            turn=turn,
            order=(0, 1) if (study.seed + number + turn) % 2 == 0 else (1, 0),
        )
        for number, pair in enumerate(sorted(pairs))
        for turn in range(study.per_item)
    ]


def why_not_compared(dataset: Dataset, pair: DesignPair) -> str:
    """Why nobody can be asked which design of a pair is better; empty where they can."""
    if dataset.missing_media.intersection(pair.images):
        return "a picture is missing"
    same = media.same_pixels(*(dataset.media_path(image) for image in pair.images))
    return "both pictures are the same" if same else ""


def pairs_to_compare(dataset: Dataset) -> list[DesignPair]:
    """Those of a dataset that a study of preferences is about."""
    return [item for item in dataset.items if isinstance(item, DesignPair) and not why_not_compared(dataset, item)]
