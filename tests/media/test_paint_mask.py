"""Masks painted by hand: a round brush along a line, as a canvas paints it."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.media import paint_mask

SHAPE = (60, 80)
PLACES = st.tuples(st.floats(-30, 110), st.floats(-30, 90))


def distances(points: list[tuple[float, float]]) -> NDArray[np.float64]:
    """From the middle of each pixel to the line."""
    y, x = np.mgrid[0 : SHAPE[0], 0 : SHAPE[1]] + 0.5
    found = np.full(SHAPE, np.inf)
    for (x1, y1), (x2, y2) in zip(points, points[1:] or points, strict=False):
        length = (x2 - x1) ** 2 + (y2 - y1) ** 2
        along = np.clip(((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length, 0, 1) if length > 1e-9 else 0.0
        found = np.minimum(found, np.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1)))
    return found


@settings(max_examples=60, deadline=None)
@given(st.lists(PLACES, min_size=1, max_size=5), st.floats(1, 30))
def test_all_that_is_nearer_than_the_radius_is_painted_and_nothing_else(
    points: list[tuple[float, float]], radius: float
) -> None:
    mask = np.zeros(SHAPE, np.uint8)
    paint_mask(mask, points, radius)
    away = distances(points)
    assert (mask[away <= radius - 0.5] == 255).all()
    assert (mask[away > radius + 1.5] == 0).all()


def test_an_eraser_takes_away() -> None:
    mask = np.full(SHAPE, 255, np.uint8)
    paint_mask(mask, [(10, 30), (70, 30)], 5, erase=True)
    assert not mask[28:32, 10:70].any()
    assert mask[:20].all()


def test_a_brush_far_away_or_of_any_size_is_bounded() -> None:
    mask = np.zeros(SHAPE, np.uint8)
    paint_mask(mask, [(1e12, -1e12), (-1e300, 5)], 500)
    paint_mask(mask, [(40, 30)], 500)
    assert mask.all()
