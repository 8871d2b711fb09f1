"""NID in both forms, classes by frozen cut points, and the contrast that takes area out."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.datasets.taxonomies import Area, Density
from affordance.grounding.density import (
    area_class,
    area_cuts,
    area_percent,
    cut_points,
    density_class,
    density_contrast,
    nid_count,
    nid_gauss,
)

SIZE = (1000, 1000)
SIDES = 0.411112 * 4 + 0.169013 * 4  # four neighbours beside, four at the corners


def grid(wide: float, high: float, left: float = 100, top: float = 100) -> np.ndarray:
    """Nine equal boxes, as far from each other as they are large; the middle one is the fifth."""
    corners = [(left + 2 * wide * (i % 3), top + 2 * high * (i // 3)) for i in range(9)]
    return np.array([(x, y, x + wide, y + high) for x, y in corners])


def centres(boxes: np.ndarray) -> np.ndarray:
    return (boxes[:, :2] + boxes[:, 2:]) / 2


@pytest.mark.parametrize(("wide", "high"), [(30, 30), (60, 20), (100 / 3, 47 / 7)])
def test_grid_with_gaps_as_large_as_its_boxes(wide: float, high: float) -> None:
    boxes = grid(wide, high)
    assert nid_count(boxes[4:5], centres(boxes)).tolist() == [0]
    assert nid_gauss(boxes[4:5], centres(boxes), SIZE) == pytest.approx([SIDES], abs=1e-5)
    assert nid_gauss(boxes[4:5], centres(boxes), SIZE) == pytest.approx([2.321], abs=1e-3)


@pytest.mark.parametrize(
    ("centre", "counted", "weighed"),
    [
        pytest.param((500, 500), False, False, id="its own centre"),
        pytest.param((508, 500), True, False, id="another centre within the target"),
        pytest.param((510, 510), True, False, id="on the corner of the target"),
        pytest.param((511, 500), True, True, id="just outside the target"),
        pytest.param((530, 500), True, True, id="on the edge of the threefold box"),
        pytest.param((530.1, 500), False, True, id="just outside the threefold box"),
        pytest.param((540, 460), False, True, id="on the corner of the fourfold box"),
        pytest.param((540.1, 500), False, False, id="just outside the fourfold box"),
    ],
)
def test_edges(centre: tuple[float, float], counted: bool, weighed: bool) -> None:
    target = [(490, 490, 510, 510)]
    assert nid_count(target, [centre]).tolist() == [int(counted)]
    assert bool(nid_gauss(target, [centre], SIZE)[0] > 0) is weighed


def test_only_one_of_two_coinciding_centres_is_its_own() -> None:
    assert nid_count([(0, 0, 10, 10)], [(5, 5), (5, 5)]).tolist() == [1]


def test_the_box_of_the_gauss_form_ends_at_the_screen() -> None:
    assert nid_gauss([(0, 0, 20, 20)], [(-5, 10), (10, 25)], SIZE) == pytest.approx([math.exp(-0.5 * 0.25)])


def test_a_target_without_area_has_deviations_of_a_pixel() -> None:
    assert nid_gauss([(50, 50, 50, 50)], [(50, 50), (51, 50)], SIZE).tolist() == [0]
    assert nid_gauss([(50, 50, 50.5, 50.5)], [(51.25, 50.25)], SIZE) == pytest.approx([math.exp(-0.5)])


def test_no_targets_and_no_centres() -> None:
    assert nid_count([], [(1, 1)]).tolist() == []
    assert nid_count([(0, 0, 1, 1)], []).tolist() == [0]
    assert nid_gauss([(0, 0, 1, 1)], [], SIZE).tolist() == [0]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.floats(0.1, 8))
def test_density_has_no_unit(seed: int, scale: float) -> None:
    draw = np.random.default_rng(seed)
    corners, sides = draw.uniform(0, 900, (5, 2)), draw.uniform(20, 100, (5, 2))
    boxes = np.hstack([corners, corners + sides])
    others = draw.uniform(0, 1000, (40, 2))
    apart = np.abs(others[:, None] - (corners + sides / 2)[None]).max(axis=2).min(axis=1)
    others = others[apart * min(scale, 1) > 1]  # one that coincides with a target's own centre is meant to be it
    assert nid_count(boxes * scale, others * scale).tolist() == nid_count(boxes, others).tolist()
    screen = (10_000, 10_000)
    assert nid_gauss(boxes * scale, others * scale, screen) == pytest.approx(nid_gauss(boxes, others, screen))


def test_classes_by_frozen_cuts() -> None:
    cuts = cut_points([0, 1, 2, 3])
    assert cuts == pytest.approx((0.99, 2.01))
    assert [density_class(score, cuts) for score in (0, 0.99, 1, 2.01, 2.02)] == [
        Density.SPARSE,
        Density.SPARSE,
        Density.MEDIUM,
        Density.MEDIUM,
        Density.DENSE,
    ]


def test_tied_counts_do_not_make_thirds() -> None:
    scores = [0] * 8 + [1, 5]
    assert [density_class(score, cut_points(scores)) for score in scores].count(Density.SPARSE) == 8


def test_area_classes() -> None:
    percents = area_percent([(0, 0, 10, 10), (0, 0, 100, 50)], (200, 100))
    assert percents.tolist() == [0.5, 25]
    cuts = area_cuts(range(101))
    assert cuts == pytest.approx((10, 30, 70))
    assert [area_class(percent, cuts) for percent in (10, 11, 30, 31, 70, 71)] == [
        Area.TINY,
        Area.SMALL,
        Area.SMALL,
        Area.MEDIUM,
        Area.MEDIUM,
        Area.LARGE,
    ]


def test_percentiles_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError):
        cut_points([])


def test_area_explains_a_contrast_that_is_not_one_of_density() -> None:
    draw = np.random.default_rng(1)
    area = draw.uniform(0, 1, 20_000)
    dense = draw.random(area.size) < area  # large targets have more neighbours
    hits = draw.random(area.size) < 0.2 + 0.6 * area  # and are easier
    contrast = density_contrast(hits, dense, area, strata=20)
    assert contrast is not None
    assert contrast.crude > 0.15
    assert abs(contrast.adjusted) < 3 * contrast.standard_error + 0.01
    assert contrast.compared == contrast.n == area.size


def test_a_contrast_of_density_survives_adjustment_and_its_error_is_right() -> None:
    found = []
    for seed in range(200):
        draw = np.random.default_rng(seed)
        area = draw.uniform(0, 1, 400)
        dense = draw.random(area.size) < 0.5
        hits = draw.random(area.size) < 0.7 - 0.2 * dense
        contrast = density_contrast(hits, dense, area)
        assert contrast is not None
        found.append((contrast.adjusted, contrast.standard_error))
    differences, errors = np.transpose(found)
    assert differences.mean() == pytest.approx(-0.2, abs=0.01)
    assert errors.mean() == pytest.approx(differences.std(), rel=0.15)


@pytest.mark.parametrize(
    ("dense", "area"),
    [
        pytest.param([True, True], [1, 2], id="all dense"),
        pytest.param([False, False], [1, 2], id="none dense"),
        pytest.param([True, True, False, False], [1, 1, 9, 9], id="no area has both"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_no_contrast(dense: list[bool], area: list[float]) -> None:
    assert density_contrast([True] * len(dense), dense, area, strata=2) is None


@settings(max_examples=10)
@given(st.lists(st.tuples(*[st.integers(0, 60)] * 2, *[st.integers(1, 20)] * 2), min_size=33, max_size=40))
def test_many_targets_are_as_one_by_one(found: list[tuple[int, int, int, int]]) -> None:
    boxes = [(x, y, x + wide, y + high) for x, y, wide, high in found]
    centres = [(x + wide / 2, y + high / 2) for x, y, wide, high in found]
    assert nid_count(boxes, centres).tolist() == [int(nid_count([one], centres)[0]) for one in boxes]
    assert nid_gauss(boxes, centres, (64, 64)).tolist() == [
        float(nid_gauss([one], centres, (64, 64))[0]) for one in boxes
    ]
