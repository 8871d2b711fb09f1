"""Where on a screen is what is spoken of."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box
from affordance.media.ocr import TextLine, ocr_available, read_text
from affordance.media.screen_layout import PartKind, ScreenLayout, ScreenPart, find_layout
from affordance.models.pixels._blocks import find_blocks
from affordance.models.pixels._cues import Cues, likeness, read_cues
from affordance.models.pixels._fit import PartText, fit_part, text_of_part

_KEPT: Final = 8
_OTHER: Final = 0.02  # how much each line in a block weakens what it holds
_FEW: Final = 2
_T = TypeVar("_T")


class ImageCache(Generic[_T]):
    """A function of a picture that remembers its last few results. The lock keeps the same picture from being worked
    on twice at once."""

    def __init__(self, work: Callable[[NDArray[np.uint8]], _T]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._known: OrderedDict[str, _T] = OrderedDict()

    def __call__(self, image: NDArray[np.uint8]) -> _T:
        key = hashlib.blake2b(np.ascontiguousarray(image).data, digest_size=16).hexdigest() + str(image.shape)
        with self._lock:
            if key not in self._known:
                self._known[key] = self._work(image)
            self._known.move_to_end(key)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return self._known[key]


@dataclass(frozen=True, slots=True)
class AnalysedScreen:
    """All that is seen in a picture, whatever is asked about it."""

    layout: ScreenLayout
    lines: tuple[TextLine, ...]
    parts: tuple[PartText, ...]
    blocks: tuple[Box, ...]


def analyse_screen(image: NDArray[np.uint8], with_text: bool, pixel_ratio: int | None = None) -> AnalysedScreen:
    """`sharpness` is that of the whole picture where this is a part of one."""
    cv2.setNumThreads(1)
    layout = find_layout(image, pixel_ratio)
    lines = read_text(image) if with_text else ()
    # A text that is read well may not have been seen as one line.
    parts = [*layout.parts, *(ScreenPart(line.box, PartKind.TEXT, line.box) for line in lines)]
    seen = tuple(text_of_part(part, lines, layout.pixel_ratio) for part in parts)
    return AnalysedScreen(layout, lines, seen, find_blocks(layout))


_screen_read: Final = ImageCache(lambda image: analyse_screen(image, with_text=True))
_screen_seen: Final = ImageCache(lambda image: analyse_screen(image, with_text=False))


def find_location(
    image: NDArray[np.uint8], expression: str, level: str, with_text: bool = True
) -> tuple[float, float, float, float] | None:
    """The box, in pixels of an RGB picture, that fits the expression best; None where nothing stands out.

    `level` is `element` or `region`. The same picture and words give the same box: nothing is drawn by lot, and of
    equals the first in reading order is taken. Text is read where the extra `ocr` is installed.
    """
    screen = _screen_read(image) if with_text and ocr_available() else _screen_seen(image)
    cues = read_cues(expression)
    box = _region(screen, cues) if level == "region" else _element(screen, cues)
    return None if box is None else box.xyxy


def _element(screen: AnalysedScreen, cues: Cues) -> Box | None:
    best = max(screen.parts, key=lambda seen: fit_part(seen, cues, screen.layout), default=None)
    return None if best is None else best.part.box


def _region(screen: AnalysedScreen, cues: Cues) -> Box | None:
    names = [*(name for name, _ in cues.names), *cues.context_names]
    held = {line: [likeness(name, line.text) for name in names] for line in screen.lines}
    return max(
        screen.blocks,
        key=lambda box: _block_score(box, cues, screen.layout) + _holds_names(box, held),
        default=None,
    )


def _block_score(box: Box, cues: Cues, layout: ScreenLayout) -> float:
    frames = cues.frames or ((0.55, 0.5, 0.4, 0.35),)
    w, h = layout.width, layout.height
    return max(
        box.iou(
            Box(
                box.space,
                max(0.0, cx - fw / 2) * w,
                max(0.0, cy - fh / 2) * h,
                min(1.0, cx + fw / 2) * w,
                min(1.0, cy + fh / 2) * h,
            )
        )
        for cx, cy, fw, fh in frames
    )


def _holds_names(box: Box, held: Mapping[TextLine, Sequence[float]]) -> float:
    """The share of the names that can be read in it, less for a block that holds much else."""
    inside = [alike for line, alike in held.items() if box.contains(line.box.centre.x, line.box.centre.y)]
    if not inside or not inside[0]:
        return 0.0
    best: list[float] = [max(column) for column in zip(*inside, strict=True)]
    share, rest = sum(best) / len(best), _OTHER * len(inside)
    # Many names are of the controls in a block, which then holds little else; one is of the block, however large.
    return share - rest if len(best) > _FEW else share / (1.0 + rest)
