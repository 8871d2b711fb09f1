"""Elements from the picture alone: what looks operable by its outline, and lines of text where they can be read."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.records import Detected
from affordance.core.geometry import Box, CoordinateSpace, fit_within
from affordance.media.ocr import TextLine, ocr_available, read_text
from affordance.media.screen_layout import PartKind, ScreenPart, find_layout

NO_WORDS: Final = "texts are not read: pip install 'affordance[ocr]'"

_LONGEST_READ: Final = 2560  # pixels of a side of a picture whose text is read
_OPERABLE: Final = frozenset(
    {PartKind.BUTTON, PartKind.FIELD, PartKind.TICK, PartKind.SWITCH, PartKind.ICON, PartKind.TRACK}
)
_MOST_WORDS: Final = 4  # of a line that may be a link, a tab or an item of a menu
_IN: Final = 0.7  # of a part that is in another


def see_elements(image: NDArray[np.uint8]) -> tuple[list[Detected], list[str]]:
    """The elements of an RGB picture in reading order, and notes. Lines of text are elements too, and interactive where
    they are read and short."""
    layout = find_layout(image)
    lines = _read(image)
    unread = [] if ocr_available() else [part.box for part in layout.parts if part.kind is PartKind.TEXT]
    written = [*unread, *(line.box for line in lines)]
    parts = _operable(layout.parts, written)
    texts: dict[int, list[str]] = {}
    found = [(box, "text", "", False) for box in unread]
    for line in lines:
        holder = _holder(line.box, parts)
        if holder is None:
            found.append((line.box, "text", line.text, _short(line.text)))
        else:
            texts.setdefault(holder, []).append(line.text)
    found += [(part.box, str(part.kind), " ".join(texts.get(index, ())), True) for index, part in enumerate(parts)]
    found.sort(key=lambda one: (one[0].y1, one[0].x1, one[0].y2, one[0].x2, one[1]))
    elements = [
        Detected(id=f"v{place}", box=box, role=role, text=text, interactive=interactive)
        for place, (box, role, text, interactive) in enumerate(found)
    ]
    return elements, [] if ocr_available() else [NO_WORDS]


def _operable(parts: Sequence[ScreenPart], written: Sequence[Box]) -> list[ScreenPart]:
    """Parts that look operable, each once: without words of a line, which look like bars, and without what is inside
    another of about its size."""
    kept: list[ScreenPart] = []
    for part in sorted(parts, key=lambda one: (-one.box.area, one.box.xyxy)):
        if part.kind not in _OPERABLE:
            continue
        in_words = any(_share(part.box, line) > _IN and part.box.area < _IN * line.area for line in written)
        inside = any(_share(part.box, other.box) > _IN and part.box.area > 0.3 * other.box.area for other in kept)
        if not in_words and not inside and not (part.kind is PartKind.TRACK and _on_any(part.box, written)):
            kept.append(part)
    return kept


def _on_any(box: Box, others: Sequence[Box]) -> bool:
    return any(_share(box, other) > _IN for other in others)


def _share(inner: Box, outer: Box) -> float:
    return inner.intersection_area(outer) / inner.area if inner.area else 0.0


def _read(image: NDArray[np.uint8]) -> tuple[TextLine, ...]:
    height, width = image.shape[:2]
    size = fit_within(width, height, _LONGEST_READ)
    if size == (width, height):
        return read_text(image)
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return tuple(
        TextLine(
            line.box.to_space(CoordinateSpace.UNIT, *size).to_space(CoordinateSpace.PIXEL, width, height), line.text
        )
        for line in read_text(small)
    )


def _holder(box: Box, parts: list[ScreenPart]) -> int | None:
    """The smallest part that most of a line is in."""
    around = [
        (part.box.area, index) for index, part in enumerate(parts) if box.intersection_area(part.box) > 0.5 * box.area
    ]
    return min(around)[1] if around else None


def _short(text: str) -> bool:
    return len(text.split()) <= _MOST_WORDS and not text.rstrip().endswith((".", ":"))
