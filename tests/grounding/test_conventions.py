import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.grounding.coordinates import CoordinateSystem, Grid, smart_resize
from errors import raises

EXTENTS = {
    "original": ((3840, 2160), (2560, 1440), (3840, 2160)),
    "sent": ((3840, 2160), (2560, 1440), (2560, 1440)),
    "unit": ((3840, 2160), (2560, 1440), (1, 1)),
    "percent": ((3840, 2160), (2560, 1440), (100, 100)),
    "mille": ((3840, 2160), (2560, 1440), (1000, 1000)),
    "side:1568": ((3840, 2160), (3840, 2160), (1568, 882)),
    "area:1568:1192464": ((3840, 2160), (3840, 2160), (1456, 819)),
    "tiles:2048:768": ((3840, 2160), (3840, 2160), (1365, 768)),
    "smart:28:3136:12845056": ((3840, 2160), (3840, 2160), (3836, 2156)),
}


@pytest.mark.parametrize(("text", "case"), EXTENTS.items(), ids=EXTENTS.keys())
def test_a_grid_has_an_extent_and_is_written_as_it_is_read(text: str, case: tuple[tuple[int, int], ...]) -> None:
    size, sent, extent = case
    grid = Grid.parse(text)
    assert grid.extent(size, sent) == extent
    assert str(grid) == text


SMART = {
    "multiples of the factor": ((1280, 720), (1288, 728)),
    "nearest, not next": ((1920, 1080), (1932, 1092)),
    "portrait": ((1170, 2532), (1176, 2520)),
    "too many pixels": ((8000, 6000), (4116, 3080)),
    "too few pixels": ((20, 10), (84, 56)),
    "a line": ((2000, 3), (1988, 28)),
}


@pytest.mark.parametrize(("size", "smart"), SMART.values(), ids=SMART.keys())
def test_smart_resizing(size: tuple[int, int], smart: tuple[int, int]) -> None:
    assert smart_resize(size, 28, 3136, 12845056) == smart


READ = {
    "corners": ("mille/xyxy", (100, 200, 300, 400), (200, 200, 600, 400)),
    "y first": ("mille/yxyx", (100, 200, 300, 400), (400, 100, 800, 300)),
    "width and height": ("mille/xywh", (100, 200, 300, 400), (200, 200, 800, 600)),
    "corners the wrong way round": ("mille/xyxy", (300, 400, 100, 200), (200, 200, 600, 400)),
    "outside the picture": ("mille/xyxy", (1500, -20, 1600, 30), (3000, -20, 3200, 30)),
}


@pytest.mark.parametrize(("convention", "numbers", "xyxy"), READ.values(), ids=READ.keys())
def test_numbers_are_a_box(convention: str, numbers: tuple[float, ...], xyxy: tuple[float, ...]) -> None:
    place = CoordinateSystem.parse(convention).to_location(numbers, (2000, 1000), (500, 250))
    assert isinstance(place, Box)
    assert place.xyxy == pytest.approx(xyxy)


@settings(max_examples=100)
@given(
    st.sampled_from([f"{grid}/{order}" for grid in EXTENTS for order in ("xyxy", "yxyx", "xywh")]),
    st.lists(st.integers(0, 1170), min_size=4, max_size=4),
)
def test_there_and_back(convention: str, edges: list[int]) -> None:
    (x1, x2), (y1, y2) = sorted(edges[:2]), sorted(edges[2:])
    place = Box(CoordinateSpace.PIXEL, x1, y1, x2, y2)
    how, size, sent = CoordinateSystem.parse(convention), (1170, 2532), (585, 1266)
    for asked in (place, place.centre):
        back = how.to_location(how.from_location(asked, size, sent), size, sent)
        assert isinstance(back, type(asked))
        found, expected = (_values(value) for value in (back, asked))
        assert all(math.isclose(a, b, abs_tol=1e-6) for a, b in zip(found, expected, strict=True))
    assert str(how) == convention


@pytest.mark.parametrize("count", [0, 1, 3, 5])
def test_other_counts_of_numbers_are_no_place(count: int) -> None:
    with raises(ValueError, count):
        CoordinateSystem.parse("mille/xyxy").to_location([1.0] * count, (2000, 1000), (500, 250))


NO_CONVENTION = ["", "mille", "mille/", "/xyxy", "mille/zyx", "thumb/xyxy", "side/xyxy", "side:0/xyxy", "side:x/xyxy"]
NO_CONVENTION += ["side:²/xyxy", "side:1:2/xyxy", "mille:3/xyxy", "side:-4/xyxy", f"side:{'9' * 5000}/xyxy"]


@pytest.mark.parametrize("text", NO_CONVENTION)
def test_what_is_no_convention_is_one_line(text: str) -> None:
    with pytest.raises(UserError) as caught:
        CoordinateSystem.parse(text)
    assert "\n" not in str(caught.value)


def _values(place: Box | Point) -> tuple[float, ...]:
    return place.xyxy if isinstance(place, Box) else (place.x, place.y)
