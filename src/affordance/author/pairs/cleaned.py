"""Pictures of pairs without what people have painted over, for an export."""

from collections.abc import Mapping
from pathlib import Path

from affordance import media
from affordance.author.marker_removal import inpaint_pair
from affordance.author.pair_records import Mask
from affordance.author.pairs.masks import mask_of
from affordance.datasets.pairs import DesignPair
from affordance.media import load_pixels


def cleaned(taken: DesignPair, masks: Mapping[int, Mask], name: str, folder: Path) -> DesignPair:
    """A pair that was carried into a folder (`datasets.carry`), with the accepted of its masks, which are by the place
    of the image, painted over; the originals are kept beside. Both images of a pair that is one picture have the mask
    of the first, so that they stay one picture."""
    if masks.get(0) is not None and media.same_pixels(*(folder / image for image in taken.images)):
        masks = {0: masks[0], 1: masks[0]}
    wanted = {place: mask for place, mask in masks.items() if mask.accepted}
    found = {place: mask_of(load_pixels(folder / taken.images[place]), mask) for place, mask in wanted.items()}
    return inpaint_pair(taken, found, name, folder)
