"""Removing drawn markers: what is drawn goes, all else stays as it is."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from affordance.media import find_markers, inpaint

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
    cleaned = inpaint(marked, mask)
    assert np.abs(cleaned.astype(int) - page())[drawn].max() <= 8
    assert np.array_equal(cleaned[mask == 0], marked[mask == 0])


@pytest.mark.parametrize("radius", [6, 30, 90])
@pytest.mark.parametrize("colour", [(180, 130, 170), (230, 170, 210), DISC], ids=["darkest", "lightest", "usual"])
def test_discs_are_found_where_a_search_of_the_whole_picture_finds_them(radius: int, colour: tuple[int, ...]) -> None:
    pixels = np.full((260, 400, 3), 245, np.uint8)
    cv2.rectangle(pixels, (0, 0), (399, 20), (200, 30, 30), -1)  # a page that is red elsewhere
    cv2.circle(pixels, (399 - radius // 2, 150), radius, colour, -1)
    seen = cv2.HoughCircles(
        cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), (9, 9), 2),
        *(cv2.HOUGH_GRADIENT, 1, 20),
        **{"param1": 50, "param2": 30, "minRadius": 5, "maxRadius": 100},
    )
    expected = False
    for x, y, found in np.round(seen).reshape(-1, 3).astype(int) if seen is not None else ():
        square = pixels[max(0, y - found) : y + found + 1, max(0, x - found) : x + found + 1]
        mean = square.reshape(-1, 3).mean(axis=0)
        expected |= bool(np.all(mean >= (180, 130, 170)) and np.all(mean <= (230, 170, 210)))
    assert bool(find_markers(pixels).any()) is expected


def test_a_page_without_markers_stays_as_it_is() -> None:
    mask = find_markers(page())
    assert not mask.any()
    assert np.array_equal(inpaint(page(), mask), page())


@pytest.mark.parametrize(("length", "found"), [(23, False), (40, True)], ids=["edge of a letter", "hairline"])
def test_what_fades_through_the_colour_is_no_line(length: int, found: bool) -> None:
    pixels = page()
    for x in range(20, 220, 9):
        pixels[100 : 100 + length, x] = LINE
    assert bool(find_markers(pixels).any()) is found
    marked = pixels.copy()
    cv2.line(marked, (150, 20), (150, 70), LINE, 3)
    mask = find_markers(marked)
    assert mask[20:71, 149:152].all()
    assert bool(mask[100:].any()) is found


def test_a_line_in_pieces_is_found_whole() -> None:
    pixels = page()
    cv2.line(pixels, (150, 20), (150, 28), LINE, 3)
    pixels[33:60:3, 150] = LINE
    assert find_markers(pixels)[20:60, 150].all()


def test_a_disc_of_another_colour_is_the_pages_own() -> None:
    pixels = page()
    cv2.circle(pixels, (170, 45), 18, (220, 40, 40), -1)
    assert not find_markers(pixels).any()


def test_a_ring_that_has_the_colour_only_on_average_is_the_pages_own() -> None:
    pixels = page()
    cv2.circle(pixels, (170, 45), 18, (250, 200, 240), -1)
    cv2.circle(pixels, (170, 45), 12, (120, 60, 100), -1)
    square = pixels[27:64, 152:189].reshape(-1, 3).mean(axis=0)
    assert np.all((square >= (180, 130, 170)) & (square <= (230, 170, 210)))
    assert not find_markers(pixels).any()


def test_once_is_enough_and_always_the_same() -> None:
    marked = with_disc()
    first = inpaint(marked, find_markers(marked))
    assert np.array_equal(first, inpaint(marked, find_markers(marked)))
    assert not find_markers(first).any()


@pytest.mark.parametrize("size", [(1, 1), (3, 200), (200, 3)])
def test_small_pictures(size: tuple[int, int]) -> None:
    assert find_markers(np.full((*size, 3), 200, np.uint8)).shape == size
