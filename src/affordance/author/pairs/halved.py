"""Pairs that are one picture of two designs, cut where people have confirmed it, for an export."""

from pathlib import Path

from affordance import media
from affordance.author.pair_records import Halves
from affordance.author.pair_splitting import split_pair
from affordance.datasets.pairs import DesignPair


def halved(taken: DesignPair, halves: Halves | None, name: str, folder: Path) -> DesignPair:
    """A pair that was carried into a folder (`datasets.carry`), and cleaned before it is cut; as it is where nothing is
    confirmed, or it is two pictures. Where nobody knows which side won, nobody knows whose the votes are either."""
    if halves is None or not halves.confirmed or not halves.single:
        return taken
    if not media.same_pixels(*(folder / image for image in taken.images)):
        return taken
    if halves.winner is None and taken.winner is not None:
        taken = taken.model_copy(update={"votes": None, "evidence": None})
    return split_pair(taken, halves.boxes, halves.winner, name, folder)
