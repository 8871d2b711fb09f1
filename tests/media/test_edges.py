"""Edges near a point: where the edge of a box belongs."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.media import NearbyEdges, find_edges

Pixels = NDArray[np.uint8]
Draw = Callable[[Pixels], None]

SIZE = (320, 420)  # rows and columns
LEFT, TOP, RIGHT, BOTTOM = 90, 70, 330, 250


def screen(ground: int = 255) -> Pixels:
    return np.full((*SIZE, 3), ground, np.uint8)


def card(pixels: Pixels, shade: tuple[int, int, int]) -> Pixels:
    pixels[TOP:BOTTOM, LEFT:RIGHT] = shade
    return pixels


def framed(width: int, ground: int = 255, shade: int = 200) -> Pixels:
    pixels = card(screen(ground), (shade, shade, shade))
    pixels[TOP + width : BOTTOM - width, LEFT + width : RIGHT - width] = ground
    return pixels


def gradient(pixels: Pixels, levels: int) -> Pixels:
    """The ground gets darker from left to right."""
    slope = np.linspace(0, levels, pixels.shape[1])[None, :, None]
    return np.clip(pixels - slope, 0, 255).astype(np.uint8)


def noisy(pixels: Pixels, sigma: float) -> Pixels:
    noise = np.random.default_rng(4).normal(0, sigma, pixels.shape)
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def written(pixels: Pixels, shade: int = 40) -> Pixels:
    """Running text on both sides of the card's edges, as near to them as type is set."""
    for row in (20, 44, TOP + 24, *range(TOP + 46, BOTTOM - 8, 22), BOTTOM + 24):
        for start in (8, LEFT + 10, RIGHT + 8):
            cv2.putText(
                pixels, "Till it fill", (start, row), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (shade,) * 3, 1, cv2.LINE_AA
            )
    return pixels


def rounded(radius: int) -> Pixels:
    pixels = screen(250)
    cv2.rectangle(pixels, (LEFT + radius, TOP), (RIGHT - 1 - radius, BOTTOM - 1), (225, 230, 235), -1)
    cv2.rectangle(pixels, (LEFT, TOP + radius), (RIGHT - 1, BOTTOM - 1 - radius), (225, 230, 235), -1)
    for x in (LEFT + radius, RIGHT - 1 - radius):
        for y in (TOP + radius, BOTTOM - 1 - radius):
            cv2.circle(pixels, (x, y), radius, (225, 230, 235), -1, cv2.LINE_AA)
    return pixels


def compressed(pixels: Pixels) -> Pixels:
    _, data = cv2.imencode(".jpg", pixels, (cv2.IMWRITE_JPEG_QUALITY, 85))
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def shadowed() -> Pixels:
    """A white card on white, which is there by its shadow and a hairline."""
    pixels = screen(248)
    shade = np.full(SIZE, 0, np.float32)
    shade[TOP + 4 : BOTTOM + 4, LEFT:RIGHT] = 30
    pixels[:] = np.clip(pixels - cv2.GaussianBlur(shade, (0, 0), 6)[..., None], 0, 255).astype(np.uint8)
    return card(pixels, (255, 255, 255))


SCREENS = {
    "a border of 1 pixel": framed(1),
    "a border of 2 pixels": framed(2),
    "a border of 3 pixels": framed(3),
    "a faint border": framed(1, shade=243),
    "a border in dark mode": framed(1, ground=18, shade=44),
    "a filled card": card(screen(), (225, 230, 240)),
    "a faint card": card(screen(), (245, 245, 245)),
    "a card in dark mode": card(screen(18), (30, 30, 32)),
    "colours of the same brightness": card(screen(128), (128, 91, 199)),
    "among text": written(card(screen(), (232, 232, 232))),
    "among text in dark mode": written(card(screen(18), (38, 38, 42)), shade=220),
    "on a gradient": card(gradient(screen(250), 120), (250, 250, 250)),
    "a gradient itself": gradient(card(screen(), (220, 220, 220)), 60),
    "noise": noisy(card(screen(250), (225, 225, 225)), 3),
    "a JPEG": compressed(card(screen(), (220, 226, 235))),
    "rounded by 4": rounded(4),
    "rounded by 12": rounded(12),
    "in a shadow": shadowed(),
}
CORNERS = {"top left": (LEFT, TOP), "bottom right": (RIGHT, BOTTOM)}


@pytest.mark.parametrize("pixels", SCREENS.values(), ids=SCREENS.keys())
@pytest.mark.parametrize(("x", "y"), CORNERS.values(), ids=CORNERS.keys())
def test_a_box_fits_what_is_drawn(pixels: Pixels, x: int, y: int) -> None:
    outward = -1 if x == LEFT else 1
    near = (x + 4 * outward, y + 3 * outward)  # as people come: from outside, a few pixels off
    found = find_edges(pixels, *near, 12)
    assert (found.x, found.y, found.corner) == (x, y, (x, y))
    for other in (find_edges(pixels, x + 5 * outward, (TOP + BOTTOM) / 2, 12), find_edges(pixels[..., 1], *near, 12)):
        assert other.x == x or pixels is SCREENS["colours of the same brightness"]


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_each_side_of_a_border_is_an_edge(width: int) -> None:
    pixels = framed(width)
    outside, inside = (
        find_edges(pixels, LEFT - 2, TOP - 2, 10),
        find_edges(pixels, LEFT + width + 2, TOP + width + 2, 10),
    )
    assert (outside.x, outside.y, outside.corner) == (LEFT, TOP, (LEFT, TOP))
    assert (inside.x, inside.y, inside.corner) == (LEFT + width, TOP + width, (LEFT + width, TOP + width))
    assert {line.position for line in outside.lines if line.vertical} == {LEFT, LEFT + width}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_edges_of_any_rectangle_are_exact(data: st.DataObject) -> None:
    x1, y1 = data.draw(st.integers(8, 300)), data.draw(st.integers(8, 200))
    x2, y2 = x1 + data.draw(st.integers(20, 100)), y1 + data.draw(st.integers(20, 100))
    ground = data.draw(st.integers(0, 255))
    shade = data.draw(st.integers(0, 255).filter(lambda shade: abs(shade - ground) >= 10))
    pixels = screen(ground)
    pixels[y1:y2, x1:x2] = shade
    for x, y in ((x1, y1), (x2, y1), (x1, y2), (x2, y2)):
        found = find_edges(pixels, x + data.draw(st.floats(-3, 3)), y + data.draw(st.floats(-3, 3)), 8)
        assert found.corner == (x, y)
        assert (found.x, found.y) == found.corner


def test_a_line_is_told_as_far_as_it_is_seen() -> None:
    found = find_edges(card(screen(), (200, 200, 200)), LEFT, TOP + 10, 8)
    (line,) = [line for line in found.lines if line.vertical]
    assert (line.position, line.start) == (LEFT, TOP)
    assert line.end > TOP + 10 + 8


def test_a_soft_edge_is_one_line() -> None:
    pixels = cv2.GaussianBlur(card(screen(), (120, 120, 120)), (0, 0), 1.5)
    found = find_edges(np.asarray(pixels, np.uint8), LEFT, (TOP + BOTTOM) / 2, 16)
    assert [line.position for line in found.lines] == [LEFT]


@pytest.mark.parametrize("radius", [4, 16, 64])
def test_the_screen_ends_at_its_edges(radius: int) -> None:
    empty = screen()
    assert find_edges(empty, 2, 2, radius).corner == (0, 0)
    assert find_edges(empty, SIZE[1] - 1, SIZE[0] - 1, radius).corner == (SIZE[1], SIZE[0])


NOTHING = {
    "an empty screen": screen(),
    "a slow gradient": gradient(screen(), 200),
    "noise": noisy(screen(128), 4),
    "running text": written(screen()),
}


@pytest.mark.parametrize("pixels", NOTHING.values(), ids=NOTHING.keys())
def test_where_nothing_has_an_edge_there_is_none(pixels: Pixels) -> None:
    found = find_edges(pixels, 200, 160, 24)
    assert (found.x, found.corner) == (None, None)
    assert not any(line.vertical for line in found.lines)


def test_what_is_out_of_reach_is_not_found() -> None:
    pixels = card(screen(), (200, 200, 200))
    assert find_edges(pixels, LEFT - 9, 160, 8).x is None
    assert find_edges(pixels, LEFT - 8, 160, 8).x == LEFT
    assert find_edges(pixels, LEFT, TOP - 17, 8) == NearbyEdges(None, None, None, ())


def test_the_nearest_of_several_is_taken() -> None:
    pixels = screen()
    pixels[:, 100:] = 220
    pixels[:, 110:] = 190
    assert [find_edges(pixels, x, 160, 20).x for x in (96, 104, 106, 112)] == [100, 100, 110, 110]


def test_the_same_point_gives_the_same_edges() -> None:
    pixels = noisy(written(card(screen(), (225, 230, 240))), 6)
    assert len({find_edges(pixels, LEFT + 3, TOP + 3, 64) for _ in range(5)}) == 1


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (8, 8)])
def test_pictures_of_any_size_and_points_anywhere(size: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (*size, 3), np.uint8)
    for x, y in ((0, 0), (size[1], size[0]), (-500, -500), (5000, 5000), (0.5, 5000)):
        find_edges(pixels, x, y, 64)
