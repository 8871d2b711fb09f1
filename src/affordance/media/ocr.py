"""Text recognition in images, with the extra `ocr`. Its models are bundled: nothing is downloaded."""

import importlib
import importlib.util
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace

_MIN_SCORE: Final = 0.5
_SETTINGS: Final = {
    "Global.use_cls": False,  # screens are not upside down
    "Global.log_level": "error",
    # The original size: enlarging small images takes five times as long and finds little more.
    "Det.limit_type": "min",
    "Det.limit_side_len": 64,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}
_ENGINE_LOCK: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text and its box, in pixels of the image."""

    box: Box
    text: str


@cache
def ocr_available() -> bool:
    """Whether the extra `ocr` is installed; without it, only the layout is used."""
    return all(importlib.util.find_spec(name) is not None for name in ("rapidocr", "onnxruntime"))


def read_text(image: NDArray[np.uint8]) -> tuple[TextLine, ...]:
    """The text lines of an RGB image in reading order; none without text or without the extra."""
    if not ocr_available() or min(image.shape[:2]) < 8:
        return ()
    with _ENGINE_LOCK:
        found = _engine()(np.ascontiguousarray(image[..., ::-1]))
    if found.boxes is None:
        return ()
    lines = [
        TextLine(_bounding_box(corners), text)
        for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        if score >= _MIN_SCORE and text.strip()
    ]
    return tuple(sorted(lines, key=lambda line: (line.box.y1, line.box.x1)))


@cache
def _engine() -> Callable[[NDArray[np.uint8]], Any]:
    # Imported by name: the extra has no types and may be missing.
    engine: Callable[[NDArray[np.uint8]], Any] = importlib.import_module("rapidocr").RapidOCR(params=_SETTINGS)
    return engine


def _bounding_box(corners: NDArray[np.float32]) -> Box:
    low, high = corners.min(axis=0), corners.max(axis=0)
    return Box(CoordinateSpace.PIXEL, float(low[0]), float(low[1]), float(high[0]), float(high[1]))
