"""What an ideal model says is read as what it meant: every dialect, level and size."""

import itertools

import pytest

from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.core.question import LocationFormat
from affordance.grounding.dialects import DIALECTS, get_dialect, sent_size
from affordance.grounding.location_parser import parse_location, write_location, write_location_exactly
from affordance.grounding.locations import ABSENT

SIZES = [(1280, 720), (3840, 2160), (1170, 2532)]
LEVELS = ("element", "region")
NAMES = [*DIALECTS, "default@side:1568/xyxy", "default@unit/xyxy", "default@percent/xywh", "holo@tiles:2048:768/yxyx"]


def targets(size: tuple[int, int]) -> list[Box]:
    """Boxes of many sizes all over the picture, the four corners among them."""
    width, height = size
    found = []
    for wide, high in [(12, 12), (13, 37), (301, 17), (width // 3, height // 5), (width, height)]:
        across = {0.0, (width - wide) / 2, width * 0.137, float(width - wide)}
        down = {0.0, (height - high) / 2, height * 0.611, float(height - high)}
        for x, y in itertools.product(sorted(across), sorted(down)):
            if x + wide <= width and y + high <= height:
                found.append(Box(CoordinateSpace.PIXEL, x, y, x + wide, y + high))
    return found


def grammar(name: str, level: str, size: tuple[int, int]) -> LocationFormat:
    return LocationFormat(name, level, size, sent_size(get_dialect(name), size))


def least_iou(box: Box, step_x: float, step_y: float) -> float:
    """What is left when every edge is rounded the wrong way by half a step."""
    width, height = box.x2 - box.x1, box.y2 - box.y1
    common = max(0, width - step_x) * max(0, height - step_y)
    return common / (box.area + (width + step_x) * (height + step_y) - common)


@pytest.mark.parametrize("name", NAMES)
def test_the_centre_is_inside_and_the_overlap_is_what_rounding_allows(name: str) -> None:
    for level, size in itertools.product(LEVELS, SIZES):
        check_what_is_read(name, level, size)


def check_what_is_read(name: str, level: str, size: tuple[int, int]) -> None:
    dialect, asked = get_dialect(name), grammar(name, level, size)
    step_x, step_y = dialect.coordinates.scale(size, asked.sent)
    step = {"unit": 0.001, "percent": 0.1}.get(dialect.coordinates.grid.kind, 1)
    edges = 2 if name.endswith("xywh") else 1  # the far edge is the sum of two rounded numbers
    for box in targets(size):
        reading = parse_location(write_location(box, asked), asked)
        assert not reading.fallback
        assert isinstance(reading.location, Point if dialect.points_only(level) else Box)
        centre = reading.location.centre if isinstance(reading.location, Box) else reading.location
        assert box.contains(centre.x, centre.y)
        if isinstance(reading.location, Box):
            assert box.iou(reading.location) >= least_iou(box, edges * step * step_x, edges * step * step_y) - 1e-9


def test_a_point_stays_where_it_was_put_and_absent_is_absent() -> None:
    for name, level in itertools.product(NAMES, LEVELS):
        asked = grammar(name, level, (1920, 1080))
        reading = parse_location(write_location(Point(CoordinateSpace.PIXEL, 700, 300), asked), asked)
        centre = reading.location.centre if isinstance(reading.location, Box) else reading.location
        assert isinstance(centre, Point), name
        assert (centre.x, centre.y) == pytest.approx((700, 300), abs=2), name
        nothing = parse_location(write_location(ABSENT, asked), asked)
        assert (nothing.location, nothing.fallback) == (ABSENT, False), name


PLACES = [
    Box(CoordinateSpace.PIXEL, 10.25, 20.5, 30.75, 41),
    Point(CoordinateSpace.PIXEL, 1234.567, 89.5),
    Box(CoordinateSpace.PIXEL, -5, 0, 3000, 9),
]


def test_what_others_have_read_is_read_again_without_loss() -> None:
    for name, level in itertools.product(NAMES, LEVELS):
        asked = grammar(name, level, (1920, 1080))
        for place in PLACES:
            found = parse_location(write_location_exactly(place, asked), asked).location
            assert isinstance(found, type(place)), name
            pairs = [one.xyxy if isinstance(one, Box) else (one.x, one.y) for one in (found, place)]
            assert pairs[0] == pytest.approx(pairs[1], abs=1e-4), name
        assert parse_location(write_location_exactly(ABSENT, asked), asked).location is ABSENT, name


UNIT = {
    "gemini": ("gemini", "element", (1920, 1080), "[100,200,300,400]", (0.2, 0.1, 0.4, 0.3)),
    "claude": ("claude", "element", (3840, 2160), "Box: [1280, 720, 1280, 720]", (0.5, 0.5, 0.5, 0.5)),
    "generic": ("default", "region", (1920, 1080), "Box: [500, 500, 600, 600]", (0.5, 0.5, 0.6, 0.6)),
    "glm": (
        "glm",
        "element",
        (1920, 1080),
        "<|begin_of_box|>[816, 162, 838, 172]<|end_of_box|>",
        (0.816, 0.162, 0.838, 0.172),
    ),
    "atlas": ("os-atlas", "element", (1280, 720), "close button(744,381),(756,400)", (0.744, 0.381, 0.756, 0.4)),
    "opencua": (
        "opencua",
        "element",
        (3840, 2160),
        "pyautogui.click(x=3167, y=360)",
        (3167 / 3836, 360 / 2156),
    ),
    "jedi": (
        "jedi",
        "element",
        (1920, 1080),
        '{"name": "computer_use", "arguments": {"action": "left_click", "coordinate": [453, 258]}}',
        (453 / 1092, 258 / 616),
    ),
}


@pytest.mark.parametrize(("name", "level", "size", "text", "unit"), UNIT.values(), ids=UNIT.keys())
def test_coordinates_as_published(
    name: str, level: str, size: tuple[int, int], text: str, unit: tuple[float, ...]
) -> None:
    place = parse_location(text, grammar(name, level, size)).location
    assert isinstance(place, Box | Point)
    found = place.to_space(CoordinateSpace.UNIT, *size)
    assert (found.xyxy if isinstance(found, Box) else (found.x, found.y)) == pytest.approx(unit)


def test_claude_is_sent_4k_as_2560_by_1440() -> None:
    assert grammar("claude", "element", (3840, 2160)).sent == (2560, 1440)
