"""From answers about known targets to the convention a model speaks, on simulated models."""

import math
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.geometry import Box, CoordinateSpace, ImageSize, Point
from affordance.datasets.generated.calibration_screens import CALIBRATION_SIZES, calibration_layout
from affordance.grounding.calibration import (
    CANDIDATES,
    MIN_DIFFERENCE,
    CalibrationAnswer,
    _readings,
    better_coordinates,
    infer_coordinates,
)
from affordance.grounding.coordinates import AxisOrder, CoordinateSystem
from errors import assert_carries

ORIGINAL, MILLE, SWAPPED = map(CoordinateSystem.parse, ("original/xyxy", "mille/xyxy", "mille/yxyx"))
NOISE, MISSES = 0.015, 0.2

LAYOUTS = [
    [(size, target) for size in CALIBRATION_SIZES for target in calibration_layout(size, seed)] for seed in range(3)
]

Aim = Callable[[random.Random, Box, ImageSize], tuple[float, float]]


def pointing(noise: float, misses: float) -> Aim:
    def aim(draw: random.Random, target: Box, size: ImageSize) -> tuple[float, float]:
        if draw.random() < misses:
            return anywhere(draw, target, size)
        return (
            target.centre.x + draw.gauss(0, noise) * size[0],
            target.centre.y + draw.gauss(0, noise) * size[1],
        )

    return aim


def anywhere(draw: random.Random, target: Box, size: ImageSize) -> tuple[float, float]:
    return draw.uniform(0, size[0]), draw.uniform(0, size[1])


def middle(draw: random.Random, target: Box, size: ImageSize) -> tuple[float, float]:
    return size[0] / 2, size[1] / 2


def about_the_middle(draw: random.Random, target: Box, size: ImageSize) -> tuple[float, float]:
    return draw.gauss(0.5, 0.1) * size[0], draw.gauss(0.5, 0.1) * size[1]


def beside(draw: random.Random, target: Box, size: ImageSize) -> tuple[float, float]:
    return target.centre.x + 0.03 * size[0], target.centre.y + 0.02 * size[1]


def said(
    speaks: CoordinateSystem, aim: Aim, draw: random.Random, target: Box, size: ImageSize, boxes: bool = False
) -> CalibrationAnswer:
    x, y = aim(draw, target, size)
    wide, high = ((target.x2 - target.x1) * draw.uniform(0.35, 0.7), (target.y2 - target.y1) * draw.uniform(0.35, 0.7))
    place = (
        Box(CoordinateSpace.PIXEL, x - wide, y - high, x + wide, y + high)
        if boxes
        else Point(CoordinateSpace.PIXEL, x, y)
    )
    digits = 3 if speaks.grid.kind == "unit" else None
    return CalibrationAnswer(
        tuple(round(number, digits) for number in speaks.from_location(place, size, size)), target, size, size
    )


def calibrated(speaks: CoordinateSystem, aim: Aim, seed: int, boxes: bool = False) -> list[CalibrationAnswer]:
    """What a model says about the default probes."""
    draw = random.Random(seed)
    return [said(speaks, aim, draw, target, size, boxes) for size, target in LAYOUTS[seed % len(LAYOUTS)]]


def evaluated(speaks: CoordinateSystem, aim: Aim, seed: int, n: int) -> list[CalibrationAnswer]:
    """What a model says in a run: many screens with targets of all sizes, more of them at the top."""
    draw, probes = random.Random(seed), []
    for _ in range(n):
        size = draw.choice([*CALIBRATION_SIZES, (1366, 768), (2560, 1440)])
        wide, high = draw.choice((0.02, 0.04, 0.1, 0.2)) * size[0], draw.choice((0.02, 0.04, 0.1)) * size[1]
        x, y = draw.uniform(0, size[0] - wide), draw.uniform(0, size[1] - high) * draw.choice((0.1, 1, 1))
        probes.append(said(speaks, aim, draw, Box(CoordinateSpace.PIXEL, x, y, x + wide, y + high), size))
    return probes


def apart(one: CoordinateSystem, other: CoordinateSystem) -> float:
    """The most that two conventions differ by on the default screens, as a share of the screen."""
    most = 0.0
    for size in CALIBRATION_SIZES:
        for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
            place = Point(CoordinateSpace.PIXEL, x * size[0], y * size[1])
            read = other.to_location(one.from_location(place, size, size), size, size)
            assert isinstance(read, Point)
            most = max(most, abs(read.x - place.x) / size[0], abs(read.y - place.y) / size[1])
    return most


def simulated(seeds: int) -> Iterator[tuple[CoordinateSystem, bool, int]]:
    for boxes in (False, True):
        for speaks in CANDIDATES:
            if boxes or speaks.axis_order is not AxisOrder.XYWH:  # a point has no width
                yield from ((speaks, boxes, seed) for seed in range(seeds))


@pytest.mark.parametrize("seeds", [1, pytest.param(3, marks=pytest.mark.long)])
def test_finds_the_convention_of_simulated_models(seeds: int) -> None:
    trials = list(simulated(seeds))
    wrong, untold = [], []
    for speaks, boxes, seed in trials:
        found = infer_coordinates(calibrated(speaks, pointing(NOISE, MISSES), seed, boxes), CANDIDATES)
        assert found.settled
        assert found.best is not None
        best = found.best.coordinates
        if best == speaks:
            continue
        untold += [(str(speaks), str(best))] if speaks not in [near.coordinates for near in found.alternatives] else []
        wrong += (
            [(str(speaks), str(best))]
            if best.axis_order != speaks.axis_order or apart(speaks, best) >= MIN_DIFFERENCE
            else []
        )
    assert len(wrong) <= 0.05 * len(trials), wrong
    assert len(untold) <= 0.05 * len(trials), untold


@pytest.mark.parametrize(
    ("speaks", "other", "least", "most"),
    [
        pytest.param("original/xyxy", "sent/xyxy", 0, 0, id="the same where pictures are sent as they are"),
        pytest.param("side:1568/xyxy", "side:1600/xyxy", 50, 100, id="two percent of a large screen"),
        pytest.param("original/xyxy", "smart:28:3136:12845056/xyxy", 5, 40, id="rounded to multiples of 28"),
    ],
)
def test_conventions_nearer_than_the_noise_are_told_with_their_difference(
    speaks: str, other: str, least: float, most: float
) -> None:
    found = infer_coordinates(calibrated(CoordinateSystem.parse(speaks), pointing(NOISE, MISSES), 1), CANDIDATES)
    assert found.best is not None
    pair = {str(found.best.coordinates)} | {str(near.coordinates) for near in found.alternatives}
    assert {speaks, other} <= pair
    pixels = [near.pixels for near in found.alternatives if str(near.coordinates) in (speaks, other)]
    assert all(least <= difference <= most for difference in pixels)


def test_a_model_that_points_exactly_tells_finer_conventions() -> None:
    speaks = CoordinateSystem.parse("side:1568/xyxy")
    found = infer_coordinates(calibrated(speaks, pointing(0.002, 0.05), 1), CANDIDATES)
    assert found.settled
    assert found.ranking[0].coordinates == speaks
    assert "side:1600/xyxy" not in [str(near.coordinates) for near in found.alternatives]


def test_what_an_inference_says() -> None:
    probes = calibrated(MILLE, pointing(NOISE, MISSES), 4)
    silent = CalibrationAnswer(None, probes[0].box, probes[0].size, probes[0].sent)
    found = infer_coordinates([*probes, silent], CANDIDATES)
    assert (found.answered, found.total, found.reason) == (len(probes), len(probes) + 1, "")
    assert found.best is not None
    assert found.best == found.ranking[0]
    assert found.best.coordinates == MILLE
    assert 0.65 * len(probes) <= found.best.fits <= 0.95 * len(probes)
    assert found.best.error is not None
    assert 10 < found.best.error < 60
    assert found.best.noise == NOISE
    assert found.gap is not None
    assert found.gap > 20
    assert [fit.score for fit in found.ranking[1:]] == sorted((fit.score for fit in found.ranking[1:]), reverse=True)


@pytest.mark.parametrize("aim", [anywhere, middle, about_the_middle])
def test_a_model_that_cannot_point_has_no_convention(aim: Aim) -> None:
    for seed, speaks in enumerate(random.Random(0).choices(CANDIDATES[:66], k=8)):
        found = infer_coordinates(calibrated(speaks, aim, seed), CANDIDATES)
        assert not found.settled
        assert_carries(found.reason, len(LAYOUTS[0]))


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param(None, id="no numbers"),
        pytest.param((1.0, 2.0, 3.0), id="three"),
        pytest.param((math.nan, 2.0), id="not a number"),
        pytest.param((1.0, math.inf), id="infinite"),
    ],
)
def test_nothing_to_infer_from(numbers: tuple[float, ...] | None) -> None:
    found = infer_coordinates(
        [CalibrationAnswer(numbers, Box(CoordinateSpace.PIXEL, 1, 1, 9, 9), (100, 50), (100, 50))] * 30, CANDIDATES
    )
    assert not found.settled
    assert found.best is None
    assert_carries(found.reason)
    assert found.reason == infer_coordinates([], CANDIDATES).reason
    assert infer_coordinates([], CANDIDATES).best is None


def test_few_probes_do_not_settle() -> None:
    probes = calibrated(MILLE, pointing(0.004, 0), 2)[:5]
    assert not infer_coordinates(probes, CANDIDATES).settled


@settings(max_examples=50)
@given(
    st.sampled_from(CANDIDATES),
    st.lists(st.floats(-5000, 5000), min_size=2, max_size=2) | st.lists(st.floats(-5000, 5000), min_size=4, max_size=4),
    st.sampled_from(CALIBRATION_SIZES),
    st.sampled_from([*CALIBRATION_SIZES, (1000, 563)]),
)
def test_reads_as_conventions_do(
    speaks: CoordinateSystem, numbers: list[float], size: ImageSize, sent: ImageSize
) -> None:
    place = speaks.to_location(numbers, size, sent)
    centre = place.centre if isinstance(place, Box) else place
    probe = CalibrationAnswer(tuple(numbers), Box(CoordinateSpace.PIXEL, 0, 0, 1, 1), size, sent)
    assert _readings([probe], [speaks])[0, 0].tolist() == pytest.approx([centre.x, centre.y], abs=1e-6)


@pytest.mark.parametrize("seed", range(2))
def test_probe_layout(seed: int) -> None:
    for size in (*CALIBRATION_SIZES, (640, 640)):
        check_layout(size, seed)


def check_layout(size: ImageSize, seed: int) -> None:
    boxes = calibration_layout(size, seed)
    assert boxes == calibration_layout(size, seed) != calibration_layout(size, seed + 1)
    assert len(boxes) == 12
    short = min(size)
    for box in boxes:
        assert box.clip(*size) == box
        assert all(0.025 * short <= side <= 0.065 * short for side in (box.x2 - box.x1, box.y2 - box.y1))
        assert not any(other.contains(box.centre.y, box.centre.x) for other in boxes)
    assert all(a.iou(b) == 0 for a in boxes for b in boxes if a is not b)
    for shares in ([box.centre.x / size[0] for box in boxes], [box.centre.y / size[1] for box in boxes]):
        assert min(shares) < 0.34
        assert max(shares) > 0.66


@pytest.mark.parametrize(
    ("read", "speaks", "hits"),
    [(MILLE, ORIGINAL, 0.5), (ORIGINAL, MILLE, 0.5), (MILLE, SWAPPED, 0.5)],
    ids=["pixels read as thousandths", "thousandths read as pixels", "y first read as x first"],
)
def test_warns_of_answers_that_fit_another_convention(
    read: CoordinateSystem, speaks: CoordinateSystem, hits: float
) -> None:
    found = better_coordinates(read, evaluated(speaks, pointing(0.01, 0.3), 1, 300), CANDIDATES)
    assert found is not None
    assert (found.current, found.n) == (read, 300)
    assert found.coordinates.axis_order is speaks.axis_order
    assert apart(speaks, found.coordinates) < MIN_DIFFERENCE
    assert found.hits > hits * found.n > found.current_hits
    assert found.p_value < 1e-9


@pytest.mark.parametrize(
    "aim",
    [pointing(0.01, 0.1), pointing(0.06, 0.5), anywhere, middle, about_the_middle, beside],
    ids=["good", "mediocre", "anywhere", "always the middle", "about the middle", "always beside"],
)
def test_is_silent_about_models_that_are_simply_good_or_bad(aim: Aim) -> None:
    alarms = [
        better_coordinates(speaks, evaluated(speaks, aim, seed, 200), CANDIDATES)
        for seed in range(4)
        for speaks in (ORIGINAL, MILLE, SWAPPED)
    ]
    assert not any(alarms)


@pytest.mark.parametrize("corner", [slice(0, 2), slice(2, 4)])
def test_the_edges_of_a_target_belong_to_it(corner: slice) -> None:
    probes = [
        CalibrationAnswer(target.xyxy[corner], target, size, size) for layout in LAYOUTS for size, target in layout
    ]
    found = better_coordinates(MILLE, probes, [ORIGINAL])
    assert found is not None
    assert found.hits == len(probes)


def test_is_silent_without_answers() -> None:
    assert better_coordinates(MILLE, [], CANDIDATES) is None
    assert better_coordinates(MILLE, evaluated(ORIGINAL, pointing(0.01, 0), 1, 8), CANDIDATES) is None
