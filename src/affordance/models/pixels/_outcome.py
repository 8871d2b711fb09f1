"""Which of several sentences says what happens when the part in the red box is acted on."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.media.screen_layout import PartKind, ScreenLayout, ScreenPart, find_pixel_ratio, part_kind
from affordance.models.pixels._cues import read_cues
from affordance.models.pixels._fit import fit_part, text_of_part
from affordance.models.pixels._ground import analyse_screen

_RED: Final = ((180, 0, 0), (255, 90, 90))  # of an outline drawn in (255, 0, 0), after compression
_LEAST_SIDE: Final = 6
_DRAWN: Final = 0.85  # share of the outline that must be red
_AROUND: Final = (260, 60)  # pixels of a plain screen beside and above the box, in which its words may stand
_THICK: Final = 5
_HALF_LINE: Final = 2
_SAME: Final = 0.5
_TELLING: Final = frozenset({PartKind.SWITCH, PartKind.TICK, PartKind.TRACK, PartKind.FIELD})
_EMPTY: Final = 0.4  # a field holds no more text than this share of its width
_LONG: Final = 6.0  # a field is this many times as wide as high


def choose_outcome(
    image: NDArray[np.uint8],
    box: tuple[float, float, float, float] | None,
    options: Sequence[str],
    with_text: bool = True,
) -> int | None:
    """The index of the option that fits best; the first of equals, and None without options or a box.

    Where `box`, in pixels of the RGB picture, is not given, it is the red outline drawn into the picture.
    """
    around = Box(CoordinateSpace.PIXEL, *box) if box is not None else find_red_box(image)
    if around is None or not options:
        return None
    height, width = image.shape[:2]
    sharpness = find_pixel_ratio(width, height)
    plain, target = _cut_out(image, around, sharpness)
    screen = analyse_screen(plain, with_text, sharpness)
    seen = text_of_part(_part_in_box(screen.layout, target), screen.lines, sharpness)
    # What is said of places is about the whole screen.
    seen = replace(seen, part=replace(seen.part, box=around))
    layout = replace(screen.layout, width=width, height=height)
    scores = [fit_part(seen, read_cues(option), layout) for option in options]
    return max(range(len(options)), key=lambda index: scores[index])


def find_red_box(image: NDArray[np.uint8]) -> Box | None:
    """The largest box whose outline is drawn in red, to the middle of the line; None where there is none."""
    red = np.asarray(cv2.inRange(image, *_RED), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(red, connectivity=8)
    found = [
        Box(CoordinateSpace.PIXEL, x + _HALF_LINE, y + _HALF_LINE, x + w - _HALF_LINE, y + h - _HALF_LINE)
        for x, y, w, h, _ in stats[1:].tolist()
        if min(w, h) >= _LEAST_SIDE and _outline_share(red[y : y + h, x : x + w]) >= _DRAWN
    ]
    return max(found, key=lambda box: box.area, default=None)


def _outline_share(red: NDArray[np.uint8]) -> float:
    """The share of the four sides that is red, each allowed to be a pixel off; 0 for what is filled."""
    if min(red.shape) > 4 * _THICK and (red[_THICK:-_THICK, _THICK:-_THICK] > 0).mean() > 0.5:
        return 0.0
    sides = (red[:2].max(axis=0), red[-2:].max(axis=0), red[:, :2].max(axis=1), red[:, -2:].max(axis=1))
    return min(float((side > 0).mean()) for side in sides)


def _cut_out(image: NDArray[np.uint8], box: Box, sharpness: int) -> tuple[NDArray[np.uint8], Box]:
    """The picture around the box without the red outline, and the box in it. Reading a whole screen for each of its
    boxes would take most of the time."""
    height, width = image.shape[:2]
    beside, above = (sharpness * pixels for pixels in _AROUND)
    x1, y1 = max(0, int(box.x1) - beside), max(0, int(box.y1) - above)
    x2, y2 = min(width, int(box.x2) + beside), min(height, int(box.y2) + above)
    part = image[y1:y2, x1:x2].copy()
    target = Box(CoordinateSpace.PIXEL, box.x1 - x1, box.y1 - y1, box.x2 - x1, box.y2 - y1)
    red = np.asarray(cv2.inRange(part, *_RED), np.uint8)
    left, top, right, bottom = (round(value) for value in target.xyxy)
    ring = np.zeros_like(red)
    cv2.rectangle(ring, (left, top), (right, bottom), 255, 2 * _THICK)
    outline = cv2.dilate(red & ring, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.inpaint(part, outline, 3, cv2.INPAINT_TELEA), np.uint8), target


def _part_in_box(layout: ScreenLayout, target: Box) -> ScreenPart:
    """The part that the box is drawn around. The red line may have hidden its frame: then its shape has to do."""
    best = max(layout.parts, key=lambda part: part.box.iou(target), default=None)
    if best is not None and best.box.iou(target) > _SAME:
        return ScreenPart(target, best.kind, best.ink)
    inside = [part for part in layout.parts if target.contains(part.box.centre.x, part.box.centre.y)]
    special = [part for part in inside if part.kind in _TELLING]
    if special:
        return ScreenPart(target, special[0].kind, special[0].ink)
    written = [part.box for part in inside if part.kind is PartKind.TEXT]
    if not written:
        ink = inside[0].box if inside else None
        return ScreenPart(target, PartKind.ICON if ink else part_kind(_plain(target, layout.pixel_ratio), None, 0), ink)
    width, height = target.x2 - target.x1, target.y2 - target.y1
    empty = written[0].x2 - written[0].x1 < _EMPTY * width
    look = PartKind.ROW if len(written) > 2 else PartKind.FIELD if empty and width > _LONG * height else PartKind.TEXT
    return ScreenPart(target, look, written[0])


def _plain(box: Box, sharpness: float) -> Box:
    return Box(CoordinateSpace.PIXEL, *(value / sharpness for value in box.xyxy))
