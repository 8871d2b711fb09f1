"""Reading text. What needs the extra `ocr` is skipped where that is not installed: pip install 'affordance[ocr]'."""

import cv2
import numpy as np
import pytest
from drawn_screens import PLACES, boxed, drawn_screen, is_hit
from numpy.typing import NDArray

from affordance.models.pixels import can_read, choose_outcome, find_place
from affordance.models.pixels._words import likeness, read_lines

needs_ocr = pytest.mark.skipif(not can_read(), reason="needs the extra ocr")
WORDS = ["Archive", "Reports", "Billing", "Members"]


@pytest.mark.parametrize(
    ("name", "text", "low", "high"),
    [
        ("Send now", "Send now", 1.0, 1.0),
        ("Send now", "SEND NOW!", 1.0, 1.0),
        ("Inbox", "lnbox", 0.7, 0.9),
        ("Inbox", "Drafts", 0.0, 0.0),
        ("Remove Heather Throw", "Heather Throw", 0.7, 0.9),
        ("Inbox", "", 0.0, 0.0),
        ("···", "···", 0.0, 0.0),
    ],
    ids=["same", "case", "misread", "other", "part", "empty", "signs"],
)
def test_likeness(name: str, text: str, low: float, high: float) -> None:
    assert low <= likeness(name, text) <= high


def alike() -> NDArray[np.uint8]:
    """Words of one length and one look, one above the other: only reading tells them apart."""
    image = np.full((400, 600, 3), 255, np.uint8)
    for row, word in enumerate(WORDS):
        cv2.putText(image, word, (40, 60 + 80 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 20), 2, cv2.LINE_AA)
    return image


@needs_ocr
def test_lines_are_read_where_they_stand() -> None:
    lines = read_lines(alike())
    assert [line.text for line in lines] == WORDS
    assert all(line.box.contains(60, 52 + 80 * row) for row, line in enumerate(lines))


@needs_ocr
@pytest.mark.parametrize("row", range(4), ids=WORDS)
def test_text_decides_where_it_can_be_read(row: int) -> None:
    place = (30, 30 + 80 * row, 200, 75 + 80 * row)
    assert is_hit(find_place(alike(), f"The page “{WORDS[row]} - Tarn” opens.", "element"), place)
    options = [f"The page “Tarn” opens with the heading “{word}”." for word in WORDS]
    assert choose_outcome(boxed(alike(), place), None, options) == row


@needs_ocr
def test_a_picture_without_text_is_read_as_none() -> None:
    assert read_lines(np.full((50, 50, 3), 255, np.uint8)) == ()
    assert read_lines(np.full((1, 1, 3), 255, np.uint8)) == ()


@needs_ocr
def test_a_name_beside_a_control_counts() -> None:
    assert is_hit(find_place(drawn_screen(), "The checkbox “Remember me” is checked.", "element"), PLACES["tick"])


@pytest.mark.skipif(can_read(), reason="the extra ocr is installed")
def test_without_the_extra_nothing_is_read() -> None:
    assert read_lines(alike()) == ()
    assert find_place(drawn_screen(), "The switch “Sound”", "element") == find_place(
        drawn_screen(), "The switch “Sound”", "element", read_text=False
    )
