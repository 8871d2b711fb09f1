"""Removing drawn markers: what is drawn goes, all else stays as it is."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.media import find_markers, without_markers

LINE = (118, 84, 121)
DISC = (205, 150, 190)


def page() -> NDArray[np.uint8]:
    pixels = np.full((160, 240, 3), 245, np.uint8)
    cv2.rectangle(pixels, (20, 20), (110, 60), (30, 90, 200), -1)
    cv2.rectangle(pixels, (20, 90), (220, 92), (60, 60, 60), -1)
    return pixels


def with_line() -> NDArray[np.uint8]:
    pixels = page()
    cv2.line(pixels, (150, 20), (150, 70), LINE, 3)
    return pixels


def with_disc() -> NDArray[np.uint8]:
    pixels = page()
    cv2.circle(pixels, (170, 45), 18, DISC, -1)
    return pixels


@pytest.mark.parametrize("marked", [with_line(), with_disc()], ids=["line", "disc"])
def test_a_marker_is_found_and_gone(marked: NDArray[np.uint8]) -> None:
    mask = find_markers(marked)
    drawn = np.any(marked != page(), axis=2)
    assert np.all(mask[drawn] == 255)
    assert mask[90:93].max() == 0
    cleaned = without_markers(marked, mask)
    assert np.abs(cleaned.astype(int) - page())[drawn].max() <= 8
    assert np.array_equal(cleaned[mask == 0], marked[mask == 0])


def test_a_page_without_markers_stays_as_it_is() -> None:
    mask = find_markers(page())
    assert not mask.any()
    assert np.array_equal(without_markers(page(), mask), page())


def test_a_disc_of_another_colour_is_the_pages_own() -> None:
    pixels = page()
    cv2.circle(pixels, (170, 45), 18, (220, 40, 40), -1)
    assert not find_markers(pixels).any()


def test_once_is_enough_and_always_the_same() -> None:
    marked = with_disc()
    first = without_markers(marked, find_markers(marked))
    assert np.array_equal(first, without_markers(marked, find_markers(marked)))
    assert not find_markers(first).any()


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (200, 3)])
def test_small_pictures(size: tuple[int, int]) -> None:
    assert find_markers(np.full((*size, 3), 200, np.uint8)).shape == size
