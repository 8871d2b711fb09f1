"""Which elements may be members of a look-alike group. The others stay elements: they are seen and counted, and never
asked about as one of a group."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.records import Detected, Rejected
from affordance.core.geometry import Box

LEAST_SIDE = 0.005  # of the screen's
MOST_AREA = 0.25  # of the screen's
STATUS_BAR = 0.055  # of the height of an upright screen: clock and battery, at its top
EVEN = 5.0  # levels of any colour: what spreads less is a blank surface
NO_CONTENT = "M0,0L9,0"  # what detectors read into an icon that is drawn as a path
STAGE = "validity"

_LOOKED_AT = 256  # pixels of a side; of more every second, third... is looked at


def invalid(elements: Sequence[Detected], image: NDArray[np.uint8]) -> dict[int, str]:
    """By index, why elements of this screen cannot be in a group."""
    size = image.shape[1], image.shape[0]
    found: dict[int, str] = {}
    for index, element in enumerate(elements):
        reason = next(_reasons(element, size), None) or (_blank(image, element.box) or None)
        if reason is not None:
            found[index] = reason
    return found


def rejections(elements: Sequence[Detected], reasons: dict[int, str]) -> list[Rejected]:
    """One for each reason, in the order in which they are first met."""
    members: dict[str, list[str]] = {}
    for index, reason in reasons.items():
        members.setdefault(reason, []).append(elements[index].id)
    return [Rejected(members=ids, stage=STAGE, reason=reason) for reason, ids in members.items()]


def _reasons(element: Detected, size: tuple[int, int]) -> Iterator[str]:
    width, height = size
    box = element.box
    if not element.interactive:
        yield "not interactive"
    if NO_CONTENT in element.text:
        yield f"its text is a path ({NO_CONTENT})"
    if box.x2 - box.x1 <= LEAST_SIDE * width or box.y2 - box.y1 <= LEAST_SIDE * height:
        yield f"a side of at most {LEAST_SIDE:.1%} of the screen's"
    if box.area >= MOST_AREA * width * height:
        yield f"an area of at least {MOST_AREA:.0%} of the screen's"
    if height > width and box.y2 < STATUS_BAR * height:
        yield "in the status bar of an upright screen"


def _blank(image: NDArray[np.uint8], box: Box) -> str:
    x1, y1, x2, y2 = int(box.x1), int(box.y1), max(round(box.x2), int(box.x1) + 1), max(round(box.y2), int(box.y1) + 1)
    crop = image[y1 : y2 : 1 + (y2 - y1) // _LOOKED_AT, x1 : x2 : 1 + (x2 - x1) // _LOOKED_AT]
    if crop.size == 0:
        return "outside the picture"
    # Colour by colour: a plain red surface has a large deviation over all three.
    spread = cv2.meanStdDev(np.ascontiguousarray(crop))[1]
    return f"of one colour (deviation under {EVEN:g})" if float(spread.max()) < EVEN else ""
