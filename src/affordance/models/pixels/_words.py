"""Text in a picture, where the extra `ocr` is installed. Its models come with it: nothing is fetched."""

import importlib
import importlib.util
import threading
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affordance.core.box import Box, CoordinateSpace
from affordance.models.pixels._cues import words_of

_SURE: Final = 0.5
_ALIKE: Final = 0.6  # below it letters agree by chance
_SETTINGS: Final = {
    "Global.use_cls": False,  # screens are not upside down
    "Global.log_level": "error",
    # As it is: small pictures are enlarged otherwise, which takes five times as long and finds little more.
    "Det.limit_type": "min",
    "Det.limit_side_len": 64,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_ENGINE_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text and where it stands, in pixels of the picture."""

    box: Box
    text: str


@cache
def ocr_available() -> bool:
    """Whether the extra `ocr` is installed; without it everything goes by layout."""
    return all(importlib.util.find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def read_text(image: NDArray[np.uint8]) -> tuple[TextLine, ...]:
    """The lines of an RGB picture in reading order; none where there is no text or no extra."""
    if not ocr_available() or min(image.shape[:2]) < 8:
        return ()
    with _ENGINE_LOCK:
        found = _engine()(np.ascontiguousarray(image[..., ::-1]))
    if found.boxes is None:
        return ()
    lines = [
        TextLine(_bounding_box(corners), text)
        for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if score >= _SURE and text.strip()
    ]
    return tuple(sorted(lines, key=lambda line: (line.box.y1, line.box.x1)))


def likeness(name: str, text: str) -> float:
    """How alike two texts are, 0 to 1, by letters where they are short and by words where one is long."""
    first, second = _plain(name), _plain(text)
    if not first or not second:
        return 0.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    letters = matcher.ratio() if matcher.quick_ratio() > _ALIKE else 0.0
    a, b = words_of(name), words_of(text)
    shared = 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
    return max(shared, letters if letters > _ALIKE else 0.0)


@cache
def _engine() -> Callable[[NDArray[np.uint8]], Any]:
    # By name, for the extra has no types and may be missing.
    engine: Callable[[NDArray[np.uint8]], Any] = importlib.import_module("rapidocr").RapidOCR(params=_SETTINGS)
    return engine


def _bounding_box(corners: NDArray[np.float32]) -> Box:
    low, high = corners.min(axis=0), corners.max(axis=0)
    return Box(CoordinateSpace.PIXEL, float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
