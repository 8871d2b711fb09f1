"""The gutter between two designs of one picture."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.media import find_gutter


def noise(width: int, height: int, seed: int) -> NDArray[np.uint8]:
    """A design that has something in every row and column."""
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3), np.uint8)


def composite(
    left: int, right: int, gutter: int, shade: int = 255, margin: int = 0, height: int = 60
) -> NDArray[np.uint8]:
    pixels = np.full((height + 2 * margin, left + gutter + right + 2 * margin, 3), shade, np.uint8)
    pixels[margin : margin + height, margin : margin + left] = noise(left, height, 1)
    pixels[margin : margin + height, margin + left + gutter : margin + left + gutter + right] = noise(right, height, 2)
    return pixels


@settings(max_examples=15)
@given(st.integers(40, 120), st.integers(-4, 4), st.integers(4, 10), st.sampled_from([0, 128, 255]), st.integers(0, 12))
def test_a_planted_gutter_is_found(left: int, more: int, gutter: int, shade: int, margin: int) -> None:
    pixels = composite(left, left + more, gutter, shade, margin)
    found = find_gutter(pixels)
    assert found is not None
    assert (found.columns, found.start, found.end) == (True, margin + left, margin + left + gutter)
    turned = find_gutter(np.ascontiguousarray(pixels.transpose(1, 0, 2)))
    assert turned is not None
    assert (turned.columns, turned.start, turned.end) == (False, found.start, found.end)
    assert found.symmetry == turned.symmetry


def test_a_narrow_gutter_belongs_to_neither_and_of_a_wide_one_each_has_half() -> None:
    narrow = find_gutter(composite(100, 100, 10))
    assert narrow is not None
    assert [box.xyxy for box in narrow.boxes] == [(0, 0, 100, 60), (110, 0, 210, 60)]
    wide = find_gutter(composite(100, 100, 60))
    assert wide is not None
    assert [box.xyxy for box in wide.boxes] == [(0, 0, 130, 60), (130, 0, 260, 60)]


def test_a_gutter_may_have_a_line_and_a_word_in_it() -> None:
    pixels = composite(100, 100, 20, height=400)
    pixels[:, 109:111] = (200, 30, 30)
    cv2.putText(pixels, "vs", (101, 8), cv2.FONT_HERSHEY_PLAIN, 0.6, (0, 0, 0))
    found = find_gutter(pixels)
    assert found is not None
    assert (found.start, found.end) == (100, 120)


def badge(pixels: NDArray[np.uint8], middle: tuple[int, int], radius: int) -> NDArray[np.uint8]:
    """A disc that says VS."""
    cv2.circle(pixels, middle, radius, (40, 40, 40), -1)
    cv2.putText(pixels, "VS", (middle[0] - 8, middle[1] + 5), cv2.FONT_HERSHEY_PLAIN, 1, (255, 255, 255))
    return pixels


def arrow(
    pixels: NDArray[np.uint8], start: tuple[int, int], end: tuple[int, int], thickness: int = 6
) -> NDArray[np.uint8]:
    cv2.arrowedLine(pixels, start, end, (200, 30, 30), thickness, tipLength=0.4)
    return pixels


INTERRUPTED = {
    "a badge over its edges": badge(composite(300, 300, 30, height=400), (315, 120), 26),
    "an arrow": arrow(composite(300, 304, 60, height=400), (302, 200), (358, 200)),
}


@pytest.mark.parametrize("pixels", INTERRUPTED.values(), ids=INTERRUPTED.keys())
def test_a_badge_or_an_arrow_may_stand_in_a_gutter(pixels: NDArray[np.uint8]) -> None:
    found, turned = find_gutter(pixels), find_gutter(np.ascontiguousarray(pixels.transpose(1, 0, 2)))
    assert found is not None
    assert turned is not None
    assert (found.interrupted, found.columns, turned.columns) == (True, True, False)
    assert (found.start, found.end) == (turned.start, turned.end)
    assert abs(found.start - 300) <= 2
    assert found.symmetry > 0.98


def test_an_empty_gutter_is_better_than_one_with_something_all_over_it() -> None:
    pixels = noise(630, 400, 1)
    pixels[:, 310:330] = 255
    pixels[180:220, 310:330] = 40
    found = find_gutter(pixels)
    assert found is not None
    assert (found.interrupted, found.start, found.end) == (True, 310, 330)
    pixels[:, 270:290] = 255  # less symmetric
    found = find_gutter(pixels)
    assert found is not None
    assert (found.interrupted, found.start, found.end) == (False, 270, 290)


def test_what_stands_at_the_edge_of_a_design_is_part_of_it() -> None:
    """A logo in the margin of the second design."""
    pixels = composite(300, 240, 120, height=400)
    pixels[10:50, 320:350] = 40
    found = find_gutter(pixels)
    assert found is not None
    assert (found.interrupted, found.start, found.end) == (False, 300, 320)


def bridged(*rows: slice) -> NDArray[np.uint8]:
    """Two columns of a page, joined by what stretches over both."""
    pixels = composite(300, 300, 40, height=400)
    for one in rows:
        pixels[one, 300:340] = noise(40, 400, 3)[one]
    return pixels


NONE = {
    "a heading and a footer over both": bridged(slice(0, 40), slice(360, 400)),
    "a large picture over both": bridged(slice(100, 200)),
    "things at several heights": bridged(*(slice(start, start + 12) for start in range(0, 400, 80))),
    "a badge in a sidebar": badge(composite(60, 340, 40, height=400), (80, 200), 18),
    "a badge on one design": badge(noise(300, 200, 1), (150, 100), 14),
    "one design": noise(200, 60, 1),
    "nothing": np.full((60, 200, 3), 255, np.uint8),
    "a sidebar": composite(30, 170, 8),
    "a hair": composite(300, 300, 1),
    "a pixel": np.zeros((1, 1, 3), np.uint8),
}


@pytest.mark.parametrize("pixels", NONE.values(), ids=NONE.keys())
def test_where_there_is_none(pixels: NDArray[np.uint8]) -> None:
    assert find_gutter(pixels) is None
