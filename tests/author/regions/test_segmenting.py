"""The offline segmenter: what it promises of every picture, and what it finds on drawn and on captured screens."""

import gzip
import time
from collections.abc import Sequence
from importlib.resources import as_file

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.author.regions.segmenting import Segment, segment
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Screen
from affordance.datasets.demo import demo_files

Pixels = NDArray[np.uint8]
LEAST, LEVELS, MOST = 30, 4, 200
WHITE, PALE, DARK, INK = (255, 255, 255), (238, 240, 244), (20, 28, 44), (60, 60, 60)


def canvas(width: int = 1280, height: int = 800, colour: Sequence[int] = PALE) -> Pixels:
    return np.full((height, width, 3), colour, np.uint8)


def surface(image: Pixels, box: tuple[int, int, int, int], colour: Sequence[int] = WHITE) -> None:
    x1, y1, x2, y2 = box
    image[y1:y2, x1:x2] = colour
    cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), (205, 210, 216), 1)


def words(image: Pixels, x: int, y: int, text: str = "Some words", colour: Sequence[int] = INK) -> None:
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.45, tuple(colour), 1, cv2.LINE_AA)


def drawn_screen() -> tuple[Pixels, dict[str, tuple[int, int, int, int]]]:
    """A dark side bar with a list, a bar at the top, three cards in a row, and a framed list with lines."""
    image = canvas()
    image[:, :220] = DARK
    for row in range(6):
        cv2.circle(image, (36, 116 + 40 * row), 7, (200, 200, 200), -1)
        words(image, 56, 120 + 40 * row, "Section", (220, 220, 220))
    surface(image, (220, 0, 1280, 60))
    words(image, 250, 35, "Title of this page")
    words(image, 1150, 35, "Account")
    places = {"side bar": (0, 0, 220, 800), "bar": (220, 0, 1280, 60), "navigation": (21, 96, 120, 336)}
    for column in range(3):
        box = (250 + 340 * column, 90, 560 + 340 * column, 230)
        surface(image, box)
        words(image, box[0] + 20, 120, "Figure")
        words(image, box[0] + 20, 190, "12,345")
        places[f"card {column}"] = box
    places["list"] = (250, 260, 1240, 560)
    surface(image, places["list"])
    for row in range(5):
        top = 260 + 60 * row
        words(image, 270, top + 28, "One of several")
        words(image, 270, top + 46, "and more about it")
        words(image, 1120, top + 36, "Open")
        if row:
            image[top, 250:1240] = (205, 210, 216)
        places[f"row {row}"] = (250, top, 1240, top + 60)
    return image, places


def best(found: Sequence[Segment], place: Sequence[float]) -> float:
    box = Box(CoordinateSpace.PIXEL, *place)
    return max((box.iou(one.box) for one in found), default=0.0)


def levels(found: Sequence[Segment]) -> list[int]:
    known: list[int] = []
    for one in found:
        known.append(1 if one.parent is None else known[one.parent] + 1)
    return known


def check_promises(found: Sequence[Segment], image: Pixels) -> None:
    height, width = image.shape[:2]
    whole = Box(CoordinateSpace.PIXEL, 0, 0, width, height)
    assert len(found) <= MOST
    assert max(levels(found), default=0) <= LEVELS
    for index, one in enumerate(found):
        assert one.parent is None or one.parent < index
        around = whole if one.parent is None else found[one.parent].box
        assert one.box.intersection_area(around) == one.box.area
        assert min(one.box.x2 - one.box.x1, one.box.y2 - one.box.y1) >= LEAST
        assert all(float(value).is_integer() for value in one.box.xyxy)
        assert one.dividable == any(other.parent == index for other in found)
        assert not any(one.box.iou(other.box) > 0 for other in found[:index] if other.parent == one.parent)


def test_a_drawn_screen_is_found() -> None:
    image, places = drawn_screen()
    found = segment(image)
    check_promises(found, image)
    assert {name: best(found, place) for name, place in places.items() if best(found, place) < 0.7} == {}


def test_kinds_say_what_a_region_looks_like() -> None:
    image, places = drawn_screen()
    kinds = {}
    found = segment(image)
    for name, place in places.items():
        kinds[name] = max(found, key=lambda one: one.box.iou(Box(CoordinateSpace.PIXEL, *place))).kind
    assert kinds["side bar"] == "column"
    assert kinds["bar"] == "bar"
    assert kinds["navigation"] == "list"
    assert {kinds[f"row {row}"] for row in range(5)} == {"row"}
    assert kinds["list"] == "list"


def test_a_sharper_picture_has_the_same_regions() -> None:
    image, _ = drawn_screen()
    twice = np.asarray(cv2.resize(image, None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST), np.uint8)
    plain, sharp = segment(image), segment(twice)
    assert [one.kind for one in sharp] == [one.kind for one in plain]
    assert all(best(plain, [value / 2 for value in one.box.xyxy]) > 0.9 for one in sharp), (
        "boxes are in pixels of the picture that was given"
    )


def test_same_picture_same_regions() -> None:
    image, _ = drawn_screen()
    before = image.copy()
    assert segment(image) == segment(image.copy())
    assert np.array_equal(image, before)


def noise(width: int, height: int) -> Pixels:
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)


def photograph() -> Pixels:
    soft = cv2.GaussianBlur(noise(960, 640), (0, 0), 9)
    return np.asarray(cv2.normalize(soft, np.zeros_like(soft), 0, 255, cv2.NORM_MINMAX), np.uint8)


def lattice() -> Pixels:
    image = canvas(1920, 1080, WHITE)
    image[::7], image[:, ::7] = 0, 0
    return image


def many_cards() -> Pixels:
    image = canvas(1920, 1080)
    for y in range(10, 1000, 70):
        for x in range(10, 1840, 90):
            surface(image, (x, y, x + 70, y + 50))
    return image


def nested() -> Pixels:
    image = canvas(1000, 1000)
    for step in range(1, 12):
        surface(image, (40 * step, 40 * step, 1000 - 40 * step, 1000 - 40 * step), (255 - 9 * step,) * 3)
    return image


def test_any_picture_is_taken() -> None:
    drawn = drawn_screen()[0]
    pictures = {
        "nothing": np.zeros((0, 0, 3), np.uint8),
        "one pixel": canvas(1, 1),
        "smaller than a region": canvas(29, 29),
        "a line": canvas(1, 5000),
        "a flat line": canvas(5000, 2),
        "photograph": photograph(),
        "lattice": lattice(),
        "hundreds of cards": many_cards(),
        "frames in frames": nested(),
        "cut off": drawn[:, :400],
        "a very long page": np.tile(drawn, (4, 1, 1)),
        "a view with steps backwards": drawn[::-1, ::-1],
    }
    for image in pictures.values():
        check_promises(segment(image), image)


@pytest.mark.parametrize("image", [canvas(), noise(640, 480)], ids=["blank", "noise"])
def test_nothing_is_found_where_nothing_is(image: Pixels) -> None:
    assert segment(image) == []


@pytest.mark.long
def test_a_hundred_megapixels_take_bounded_time() -> None:
    image = np.tile(many_cards(), (10, 6, 1))[:10_000, :10_000]
    begin = time.process_time()
    found = segment(image)
    assert time.process_time() - begin < 90  # a few seconds; all frames against all frames would be minutes
    check_promises(found, image)


rectangles = st.tuples(
    st.integers(0, 700), st.integers(0, 500), st.integers(1, 700), st.integers(1, 500), st.integers(0, 255)
)
texts = st.tuples(st.integers(0, 700), st.integers(0, 500), st.text("abcdefgh ", min_size=1, max_size=30))


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 760), st.integers(1, 560), st.lists(rectangles, max_size=14), st.lists(texts, max_size=14))
def test_promises_hold_for_any_arrangement(
    width: int, height: int, areas: list[tuple[int, int, int, int, int]], lines: list[tuple[int, int, str]]
) -> None:
    image = canvas(width, height)
    for x, y, w, h, grey in areas:
        cv2.rectangle(image, (x, y), (x + w, y + h), (grey,) * 3, -1)
    for x, y, text in lines:
        words(image, x, y, text)
    check_promises(segment(image), image)


def captured(*names: str) -> list[tuple[Screen, Pixels]]:
    lines = gzip.decompress(demo_files().joinpath("screens.jsonl.gz").read_bytes()).decode().splitlines()
    found = []
    for screen in (Screen.model_validate_json(line) for line in lines):
        if screen.id in names:
            with as_file(demo_files().joinpath(*screen.image.split("/"))) as path:
                read = cv2.imread(str(path))
            assert read is not None
            found.append((screen, np.asarray(cv2.cvtColor(read, cv2.COLOR_BGR2RGB), np.uint8)))
    return found


def test_most_regions_of_captured_screens_are_found() -> None:
    """`benchmarks/segment.py` measures all of them, one to one."""
    applications = ("dashboard", "mail")
    screens = captured(*(f"{name}-1280x800-1x-light-en-US" for name in applications))
    assert len(screens) == len(applications)
    overlaps = []
    for screen, image in screens:
        found = segment(image)
        check_promises(found, image)
        overlaps += [best(found, region.box.xyxy) for region in screen.regions]
    assert sum(overlap >= 0.5 for overlap in overlaps) / len(overlaps) >= 0.6
