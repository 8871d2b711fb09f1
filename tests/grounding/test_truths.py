"""Grading: what is right, how much boxes overlap, and what a wrong answer points at instead."""

import math

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.grounding.location_scoring import (
    Corner,
    LocationScore,
    MissKind,
    TargetTruth,
    ideal_location,
    is_inside_polygon,
    point_in_polygon,
    score_location,
)
from affordance.grounding.locations import ABSENT, Location

SIZE = (1000, 500)


def box(x1: float, y1: float, x2: float, y2: float) -> Box:
    return Box(CoordinateSpace.PIXEL, x1, y1, x2, y2)


def point(x: float, y: float) -> Point:
    return Point(CoordinateSpace.PIXEL, x, y)


SQUARE = ((100, 100), (200, 100), (200, 200), (100, 200))
TARGET = TargetTruth(
    SIZE,
    (box(100, 100, 200, 200), box(700, 100, 720, 120)),
    alike=(box(300, 100, 400, 200), box(700, 100, 720, 120)),
    around=(box(50, 50, 450, 250), box(0, 0, 1000, 500)),
    within=(box(180, 180, 220, 230),),
)
POLYGON = TargetTruth(SIZE, polygon=SQUARE)
NOTHING = TargetTruth(SIZE)

GRADES: dict[str, tuple[Location, TargetTruth, LocationScore]] = {
    "the box itself": (box(100, 100, 200, 200), TARGET, LocationScore(True, 1.0)),
    "its centre": (point(150, 150), TARGET, LocationScore(True, None)),
    "a corner: edges are inside": (point(200, 100), TARGET, LocationScore(True, None)),
    "a hair beside it": (point(200.001, 100), TARGET, LocationScore(False, None, MissKind.ANCESTOR)),
    "half of it": (box(100, 100, 150, 200), TARGET, LocationScore(True, 0.5)),
    "a box without area inside": (box(150, 150, 150, 150), TARGET, LocationScore(True, 0.0)),
    "another that is accepted": (box(700, 100, 720, 120), TARGET, LocationScore(True, 1.0)),
    "an accepted one goes before a look-alike": (point(710, 110), TARGET, LocationScore(True, None)),
    "the whole screen around the target's centre": (box(0, 0, 300, 300), TARGET, LocationScore(True, 1 / 9)),
    "a look-alike": (box(300, 100, 400, 200), TARGET, LocationScore(False, 0.0, MissKind.LOOK_ALIKE)),
    "a point in a look-alike": (point(300, 150), TARGET, LocationScore(False, None, MissKind.LOOK_ALIKE)),
    "the region it is in": (box(50, 50, 450, 240), TARGET, LocationScore(False, 10000 / 76000, MissKind.ANCESTOR)),
    "a region farther out": (box(0, 0, 1000, 490), TARGET, LocationScore(False, 10000 / 490000, MissKind.ANCESTOR)),
    "a point in the region it is in": (point(60, 60), TARGET, LocationScore(False, None, MissKind.ANCESTOR)),
    "a part of it": (box(182, 190, 220, 230), TARGET, LocationScore(False, 180 / 11340, MissKind.DESCENDANT)),
    "overlapping, with the centre beside it": (
        box(190, 100, 230, 200),
        TARGET,
        LocationScore(False, 1 / 13, MissKind.NEAR),
    ),
    "somewhere": (point(900, 400), TARGET, LocationScore(False, None, MissKind.ELSEWHERE)),
    "a box somewhere": (box(800, 300, 900, 400), TARGET, LocationScore(False, 0.0, MissKind.ELSEWHERE)),
    "absent, but it is there": (ABSENT, TARGET, LocationScore(False, 0.0, MissKind.ANSWERED_ABSENT)),
    "in the polygon": (point(150, 150), POLYGON, LocationScore(True, None)),
    "on its edge": (point(100, 150), POLYGON, LocationScore(True, None)),
    "a box has no overlap with a polygon": (box(100, 100, 200, 200), POLYGON, LocationScore(True, None)),
    "a box that touches the polygon": (box(190, 190, 290, 290), POLYGON, LocationScore(False, None, MissKind.NEAR)),
    "a point beside the polygon": (point(201, 150), POLYGON, LocationScore(False, None, MissKind.ELSEWHERE)),
    "absent, but there is a polygon": (ABSENT, POLYGON, LocationScore(False, None, MissKind.ANSWERED_ABSENT)),
    "absent, and so it is": (ABSENT, NOTHING, LocationScore(True, None)),
    "a point where nothing is": (point(1, 1), NOTHING, LocationScore(False, None, MissKind.LOCATED_ABSENT)),
    "a box where nothing is": (box(1, 1, 2, 2), NOTHING, LocationScore(False, None, MissKind.LOCATED_ABSENT)),
    "negative numbers are no way to say absent": (
        point(-1, -1),
        NOTHING,
        LocationScore(False, None, MissKind.LOCATED_ABSENT),
    ),
}


@pytest.mark.parametrize(("place", "truth", "expected"), GRADES.values(), ids=GRADES.keys())
def test_grades(place: Location, truth: TargetTruth, expected: LocationScore) -> None:
    found = score_location(place, truth)
    assert (found.is_correct, found.miss) == (expected.is_correct, expected.miss)
    assert found.iou == (None if expected.iou is None else pytest.approx(expected.iou))


SHAPES: dict[str, tuple[tuple[Corner, ...], Corner, bool]] = {
    "a square": (SQUARE, (150, 150), True),
    "beside it": (SQUARE, (99.9, 150), False),
    "on a slanted edge": (((0, 0), (10, 10), (0, 10)), (5, 5), True),
    "just above it": (((0, 0), (10, 10), (0, 10)), (5, 4.9), False),
    "on a corner": (SQUARE, (100, 200), True),
    "level with corners, outside": (((0, 5), (5, 0), (10, 5), (5, 10)), (-1, 5), False),
    "level with corners, inside": (((0, 5), (5, 0), (10, 5), (5, 10)), (5, 5), True),
    "in the notch of an arrow": (((0, 0), (10, 5), (0, 10), (4, 5)), (1, 5), False),
    "crossed twice: even, so outside": (
        ((0, 0), (10, 0), (10, 10), (0, 10), (0, 0), (2, 2), (8, 2), (8, 8), (2, 8), (2, 2)),
        (5, 5),
        False,
    ),
}


@pytest.mark.parametrize(("polygon", "at", "expected"), SHAPES.values(), ids=SHAPES.keys())
def test_inside(polygon: tuple[Corner, ...], at: Corner, expected: bool) -> None:
    assert is_inside_polygon(polygon, *at) is expected
    assert is_inside_polygon(polygon[::-1], *at) is expected, "the direction does not matter"
    assert is_inside_polygon((*polygon[1:], polygon[0]), *at) is expected, "nor does where it begins"


def ring(inner: float, corners: int) -> tuple[Corner, ...]:
    """A band between two circles, closed by a cut to the right."""
    angles = [2 * math.pi * step / corners for step in range(corners + 1)]
    outer = [(500 + 200 * math.cos(a), 300 + 200 * math.sin(a)) for a in angles]
    return (*outer, *((500 + inner * math.cos(a), 300 + inner * math.sin(a)) for a in reversed(angles)))


def crescent(depth: float, corners: int) -> tuple[Corner, ...]:
    angles = [math.pi * step / corners - math.pi / 2 for step in range(corners + 1)]
    outer = [(300 + 200 * math.cos(a), 300 + 200 * math.sin(a)) for a in angles]
    return (*outer, *((300 + depth * math.cos(a), 300 + 200 * math.sin(a)) for a in reversed(angles[1:-1])))


@settings(max_examples=40)
@given(st.floats(20, 195), st.integers(5, 60))
def test_the_oracle_points_into_a_ring(inner: float, corners: int) -> None:
    found = point_in_polygon(ring(inner, corners))
    assert is_inside_polygon(ring(inner, corners), found.x, found.y)
    assert not is_inside_polygon(ring(inner, corners), 500.0, 300.0), "the centre is the hole"


@settings(max_examples=40)
@given(st.floats(0, 195), st.integers(3, 60))
def test_the_oracle_points_into_a_crescent(depth: float, corners: int) -> None:
    found = point_in_polygon(crescent(depth, corners))
    assert is_inside_polygon(crescent(depth, corners), found.x, found.y)


COORDINATES = st.tuples(st.integers(0, 4000), st.integers(0, 4000))


@settings(max_examples=40)
@given(st.lists(COORDINATES, min_size=3, max_size=9, unique=True))
@example([(0, 0), (10, 0), (20, 0)])
@example([(0, 0), (10, 30), (20, 60)])
@example([(0, 0), (1, 3), (2, 6), (3, 9)])
def test_the_oracle_points_into_any_polygon(polygon: list[Corner]) -> None:
    """Whatever its corners are, crossing itself and without any area too."""
    found = point_in_polygon(polygon)
    assert is_inside_polygon(polygon, found.x, found.y)


@settings(max_examples=40)
@given(st.lists(COORDINATES, min_size=3, max_size=6, unique=True))
def test_the_ideal_answer_is_right(polygon: list[Corner]) -> None:
    truth = TargetTruth((4000, 4000), polygon=tuple(polygon))
    assume(truth.area_share > 0)
    assert score_location(ideal_location(truth), truth) == LocationScore(True, None)


def test_ideal_answers() -> None:
    assert ideal_location(TARGET) == TARGET.boxes[0]
    assert ideal_location(NOTHING) is ABSENT


FLOATS = st.floats(-1e6, 1e6, allow_nan=False)
BOXES = st.builds(
    lambda x, y, wide, high: box(x, y, x + wide, y + high), FLOATS, FLOATS, st.floats(0, 1e5), st.floats(0, 1e5)
)
SEVERAL = st.lists(BOXES, max_size=3).map(tuple)
TRUTHS = st.builds(
    TargetTruth,
    st.tuples(st.integers(1, 10_000), st.integers(1, 10_000)),
    SEVERAL,
    st.one_of(st.just(()), st.lists(st.tuples(FLOATS, FLOATS), min_size=3, max_size=6).map(tuple)),
    SEVERAL,
    SEVERAL,
    SEVERAL,
)


@settings(max_examples=40)
@given(TRUTHS)
def test_a_truth_survives_as_text(truth: TargetTruth) -> None:
    text = truth.to_text()
    again = TargetTruth.from_text(text)
    assert again == truth
    assert again.to_text() == text


@settings(max_examples=40)
@given(TRUTHS, st.one_of(BOXES, st.builds(point, FLOATS, FLOATS), st.just(ABSENT)))
def test_any_answer_is_graded(truth: TargetTruth, place: Location) -> None:
    found = score_location(place, truth)
    assert found.is_correct is (found.miss is None)
    assert found.iou is None or 0 <= found.iou <= 1 + 1e-9
    if isinstance(place, Point) or truth.polygon or truth.is_absent:
        assert found.iou is None or truth.boxes


SHARES = {
    "a box": (TargetTruth(SIZE, (box(0, 0, 100, 50),)), 0.01),
    "two": (TargetTruth(SIZE, (box(0, 0, 100, 50), box(500, 0, 600, 50))), 0.02),
    "two that overlap": (TargetTruth(SIZE, (box(0, 0, 100, 50), box(50, 0, 150, 50))), 0.015),
    "the same twice": (TargetTruth(SIZE, (box(0, 0, 600, 300), box(0, 0, 600, 300))), 0.36),
    "larger than the screen": (TargetTruth(SIZE, (box(-500, -500, 2000, 2000),)), 1.0),
    "a triangle": (TargetTruth(SIZE, polygon=((0, 0), (100, 0), (0, 50))), 0.005),
    "nothing": (NOTHING, 0.0),
}


@pytest.mark.parametrize(("truth", "share"), SHARES.values(), ids=SHARES.keys())
def test_how_often_a_random_point_hits(truth: TargetTruth, share: float) -> None:
    assert truth.area_share == pytest.approx(share)
