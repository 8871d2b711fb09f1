"""Reading text. The extra `ocr` is replaced by a module that knows what is written on the pictures of this file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.media.ocr import _engine, ocr_available, read_text

# As the engine has it: corners, texts and how sure it is of each, in no order. It finds the words that it knows.
ENGINE = """
import cv2
import numpy as np


class Found:
    boxes = txts = scores = None


def word(text, scale, ink, thickness):
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    image = np.full((height + below, width), GROUND[scale], np.uint8)
    cv2.putText(image, text, (0, height), cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thickness, cv2.LINE_AA)
    return image


class RapidOCR:
    def __init__(self, params):
        assert params["Global.use_cls"] is False

    def __call__(self, image):
        assert image.flags["C_CONTIGUOUS"]
        grey = image[..., 0].copy()
        lines = []
        for text, read_as, score, scale, ink, thickness in KNOWN:
            known = word(text, scale, ink, thickness)
            if known.shape[0] > grey.shape[0] or known.shape[1] > grey.shape[1]:
                continue
            _, likeness, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(grey, known, cv2.TM_CCOEFF_NORMED))
            if likeness > 0.9:
                height, width = known.shape
                corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
                lines.append((corners, read_as, score))
        found = Found()
        if lines:
            found.boxes = np.array([corners for corners, _, _ in lines], np.float32)
            found.txts = [text for _, text, _ in lines]
            found.scores = [score for _, _, score in lines]
        return found
"""
# What is written, what it is read as, how surely, and how it is drawn.
KNOWN = [
    ("Members", "Members", 0.9, 0.8, 20, 2),
    ("Archive", "Archive", 0.5, 0.8, 20, 2),
    ("Archive", "Archivo", 0.49, 0.8, 20, 2),
    ("Reports", "Reports", 1.0, 0.8, 20, 2),
    ("Reports", "  ", 1.0, 0.8, 20, 2),
    ("Billing", "Billing", 0.8, 0.8, 20, 2),
    ("Remember me", "Remember me", 0.9, 0.5, 40, 1),
]
GROUND = {0.8: 255, 0.5: 250}
WORDS = ["Archive", "Reports", "Billing", "Members"]


def alike() -> NDArray[np.uint8]:
    """Words of one length and one look, one above the other: only reading tells them apart."""
    image = np.full((400, 600, 3), 255, np.uint8)
    for row, word in enumerate(WORDS):
        cv2.putText(image, word, (40, 60 + 80 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20), 2, cv2.LINE_AA)
    return image


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "rapidocr.py").write_text(f"KNOWN = {KNOWN!r}\nGROUND = {GROUND!r}\n{ENGINE}", encoding="utf-8")
    (tmp_path / "onnxruntime.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("rapidocr", "onnxruntime"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    _forget()
    yield
    _forget()
    sys.modules.pop("rapidocr", None)


@pytest.fixture
def no_reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    _forget()
    yield
    _forget()


def _forget() -> None:
    ocr_available.cache_clear()
    _engine.cache_clear()


@pytest.mark.usefixtures("reader")
def test_lines_are_read_where_they_are() -> None:
    lines = read_text(alike())
    assert [line.text for line in lines] == WORDS
    assert all(line.box.contains(60, 52 + 80 * row) for row, line in enumerate(lines))


@pytest.mark.usefixtures("reader")
def test_a_picture_without_text_is_read_as_none() -> None:
    assert read_text(np.full((50, 50, 3), 255, np.uint8)) == ()
    assert read_text(np.full((1, 1, 3), 255, np.uint8)) == ()


@pytest.mark.usefixtures("no_reader")
def test_without_the_extra_nothing_is_read() -> None:
    assert read_text(alike()) == ()
