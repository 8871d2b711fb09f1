"""A look at the screenshot itself, where it is not known what all is on it."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil
from pathlib import Path

from affordance.core.box import Box
from affordance.core.errors import MediaError
from affordance.grounding.alike import descriptor, likeness
from affordance.media import decode_image

UNIFORM = 5.0  # deviation of colours, of 255, below which there is nothing at a place
ALIKE, UNLIKE = 0.85, 0.6  # how like things of a line are to each other, and what is certainly none of them to any

OneMore = Callable[[Sequence[Box], Box], bool]


def nothing_seen(line: Sequence[Box], place: Box) -> bool:
    """Where nobody has looked, there may be one more anywhere."""
    return True


def seen_on(path: Path) -> OneMore:
    """Whether one more of some things in line may be at a place of a screenshot: it is on the screen, not of one
    colour, and not quite unlike them. Where they are not much like each other (the icons of a dock), anything may be
    one more."""
    try:
        image = decode_image(path.read_bytes())
    except (OSError, MediaError):
        return nothing_seen
    height, width = image.shape[:2]

    def one_more(line: Sequence[Box], place: Box) -> bool:
        inside = place.clipped(width, height)
        if inside is None or inside.area < place.area / 2:
            return False
        seen = image[int(inside.y1) : ceil(inside.y2), int(inside.x1) : ceil(inside.x2)]
        if float(seen.std(axis=(0, 1)).max()) < UNIFORM:
            return False
        looks, here = [descriptor(image, box) for box in line], descriptor(image, inside)
        one_kind = all(likeness(one, other) >= ALIKE for one, other in pairwise(looks))
        return not one_kind or max(likeness(here, look) for look in looks) > UNLIKE

    return one_more
