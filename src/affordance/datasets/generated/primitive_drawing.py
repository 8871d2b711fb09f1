"""The seven primitive effects and how their clips are drawn: one object changes next to a black square that does not.

A clip is fully described by its `PrimitiveClip`."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 640, 480
FPS = 60
FRAME_COUNT = 180

Rgb = tuple[int, int, int]

CHANGES: dict[str, frozenset[str]] = {
    "move": frozenset({"x", "y"}),
    "rotate": frozenset({"angle"}),
    "size": frozenset({"width", "height"}),
    "color": frozenset({"colour"}),
    "fade": frozenset({"opacity"}),
    "blur": frozenset({"blur"}),
    "morph": frozenset({"shape"}),
}
"""The fields of a `Look` which each effect may change. Everything else stays as it is for the whole clip."""


@dataclass(frozen=True, slots=True)
class ShapeState:
    """The object at one moment. Lengths are pixels of the 640x480 frame."""

    shape: str
    colour: Rgb
    x: float  # of the centre of gravity
    y: float
    width: float  # side of the square of equal area, if height is the same
    height: float
    angle: float = 0.0  # degrees, clockwise as seen
    opacity: float = 1.0
    blur: float = 0.0  # standard deviation of a Gaussian


@dataclass(frozen=True, slots=True)
class PrimitiveClip:
    """One clip. The object goes from `start` to `stop` between the moments `begin` and `end`, which are
    shares of the clip, and rests before and after; on a round trip it is at `stop` halfway."""

    effect: str
    background: Rgb
    start_state: ShapeState
    end_state: ShapeState
    easing: str = "ease-in-out"
    start_time: float = 0.08
    end_time: float = 0.92
    round_trip: bool = False


_SQUARE = ShapeState(shape="square", colour=(30, 100, 210), x=400.0, y=240.0, width=140.0, height=140.0)

_CANONICAL: dict[str, tuple[ShapeState, ShapeState]] = {
    "move": (replace(_SQUARE, x=280.0), replace(_SQUARE, x=520.0)),
    "rotate": (_SQUARE, replace(_SQUARE, angle=180.0)),
    "size": (replace(_SQUARE, width=90.0, height=90.0), replace(_SQUARE, width=210.0, height=210.0)),
    "color": (_SQUARE, replace(_SQUARE, colour=(220, 50, 40))),
    "fade": (_SQUARE, replace(_SQUARE, opacity=0.0)),
    "blur": (_SQUARE, replace(_SQUARE, blur=28.0)),
    "morph": (_SQUARE, replace(_SQUARE, shape="circle")),
}


def canonical_clip(effect: str) -> PrimitiveClip:
    """The plainest clip of an effect: a blue square on white, one way."""
    start, stop = _CANONICAL[effect]
    return PrimitiveClip(effect=effect, background=(255, 255, 255), start_state=start, end_state=stop)


# A multiple of 360, so that corners of the regular shapes fall on a sample and stay sharp.
_STEPS: Final = 1440
_COARSE: Final = 8

Floats = NDArray[np.float64]


def _regular(corners: int, first: float = -90.0) -> Floats:
    turns = np.radians(first + np.arange(corners) * 360.0 / corners)
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def _star(points: int, inner: float) -> Floats:
    vertices = _regular(2 * points)
    vertices[1::2] *= inner
    return vertices


def _heart() -> Floats:
    turns = np.linspace(0.0, 2.0 * np.pi, 360, endpoint=False)
    x = 16.0 * np.sin(turns) ** 3
    y = -(13.0 * np.cos(turns) - 5.0 * np.cos(2 * turns) - 2.0 * np.cos(3 * turns) - np.cos(4 * turns))
    return np.stack([x, y], axis=1)


def _polygon(*vertices: tuple[float, float]) -> Floats:
    return np.array(vertices, dtype=np.float64)


_OUTLINES: dict[str, Callable[[], Floats]] = {
    "circle": lambda: _regular(720),
    "square": lambda: _polygon((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "bar": lambda: _polygon((-2, -1), (2, -1), (2, 1), (-2, 1)),
    "triangle": lambda: _regular(3),
    "pentagon": lambda: _regular(5),
    "star": lambda: _star(5, 0.45),
    "badge": lambda: _star(8, 0.6),
    "heart": _heart,
    "cross": lambda: _polygon(
        (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1)
    ),
    "arrow": lambda: _polygon((3, 0), (0, -3), (0, -1.4), (-2.6, -1.4), (-2.6, 1.4), (0, 1.4), (0, 3)),
}

SHAPES: tuple[str, ...] = tuple(_OUTLINES)


def _cross(a: Floats, b: Floats) -> Floats:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _centre(points: Floats) -> Floats:
    following = np.roll(points, -1, axis=0)
    cross = _cross(points, following)[:, None]
    return np.asarray(points - ((points + following) * cross).sum(axis=0) / (3.0 * cross.sum()))


@cache
def _directions() -> Floats:
    turns = np.arange(_STEPS) * (2.0 * np.pi / _STEPS)
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


@cache
def _squared_distances(shape: str) -> Floats:
    """To the edge, for a shape of area one: where each ray from the centre meets an edge of the polygon."""
    corners = _centre(_OUTLINES[shape]())
    edges = np.roll(corners, -1, axis=0) - corners
    rays = _directions()[:, None, :]
    slant = _cross(rays, edges[None])
    slant = np.where(np.abs(slant) < 1e-12, np.nan, slant)
    distance = _cross(corners, edges)[None] / slant
    along = _cross(corners[None], rays) / slant
    hit = (distance > 0) & (along > -1e-9) & (along < 1 + 1e-9)
    squared = np.where(hit, distance, 0.0).max(axis=1) ** 2
    return np.asarray(squared / (squared.mean() * np.pi))


def outline(first: str, second: str, share: float) -> Floats:
    """The (n, 2) contour on the way from one shape to another, of area one and centred on (0, 0)."""
    if first == second:
        return _own_outline(first)
    squared = (1.0 - share) * _squared_distances(first) + share * _squared_distances(second)
    return _centre(_directions() * np.sqrt(squared)[:, None])


@cache
def _own_outline(shape: str) -> Floats:
    return _centre(_directions() * np.sqrt(_squared_distances(shape))[:, None])


@cache
def reach(shape: str) -> float:
    """How far the farthest point of a shape of area one is from its centre."""
    return float(np.sqrt(_squared_distances(shape).max()))


@cache
def overlap(first: str, second: str) -> float:
    """Intersection over union of two shapes of equal area and centre, turned to where they agree best."""
    one, other = _squared_distances(first)[::_COARSE], _squared_distances(second)[::_COARSE]
    turned = np.stack([np.roll(other, step) for step in range(len(other))])
    return float((np.minimum(one, turned).sum(axis=1) / np.maximum(one, turned).sum(axis=1)).max())


Frame = NDArray[np.uint8]

# Left, top, right, bottom of the black square which never changes.
REFERENCE: Final = (48, 192, 144, 288)

_SUPERSAMPLING: Final = 4
_SUBPIXEL_BITS: Final = 4
_BLUR_REACH: Final = 3.0

EASINGS: dict[str, Callable[[float], float]] = {
    "linear": lambda t: t,
    "ease-in": lambda t: t * t,
    "ease-out": lambda t: 1.0 - (1.0 - t) ** 2,
    "ease-in-out": lambda t: t * t * (3.0 - 2.0 * t),
}


def render_frames(clip: PrimitiveClip) -> Iterator[Frame]:
    """All frames of the clip in order, RGB, 60 a second."""
    return (render_frame(clip, index) for index in range(FRAME_COUNT))


def render_frame(clip: PrimitiveClip, index: int) -> Frame:
    """One frame by itself, at the same cost as within `frames`."""
    picture = _stage(clip.background).copy()
    share = _progress(clip, index)
    look = _between(clip.start_state, clip.end_state, share)
    contour = outline(clip.start_state.shape, clip.end_state.shape, share)
    _paint(picture, look, _transform(contour, look))
    return picture


@lru_cache(maxsize=16)
def _stage(background: Rgb) -> Frame:
    picture = np.full((HEIGHT, WIDTH, 3), background, dtype=np.uint8)
    left, top, right, bottom = REFERENCE
    picture[top:bottom, left:right] = 0
    return picture


def _progress(clip: PrimitiveClip, index: int) -> float:
    """How far the object is from `start` to `stop` in a frame, 0 to 1."""
    moment = index / (FRAME_COUNT - 1)
    share = min(max((moment - clip.start_time) / (clip.end_time - clip.start_time), 0.0), 1.0)
    if clip.round_trip:
        share = 1.0 - abs(2.0 * share - 1.0)
    return EASINGS[clip.easing](share)


def _between(start: ShapeState, stop: ShapeState, share: float) -> ShapeState:
    def mix(a: float, b: float) -> float:
        return a + (b - a) * share

    red, green, blue = (round(mix(a, b)) for a, b in zip(start.colour, stop.colour, strict=True))
    return ShapeState(
        shape=start.shape,
        colour=(red, green, blue),
        x=mix(start.x, stop.x),
        y=mix(start.y, stop.y),
        width=mix(start.width, stop.width),
        height=mix(start.height, stop.height),
        angle=mix(start.angle, stop.angle),
        opacity=mix(start.opacity, stop.opacity),
        blur=mix(start.blur, stop.blur),
    )


def _transform(contour: NDArray[np.float64], state: ShapeState) -> NDArray[np.float64]:
    cos, sin = math.cos(math.radians(state.angle)), math.sin(math.radians(state.angle))
    turn = np.array([[cos, sin], [-sin, cos]])
    return np.asarray((contour * (state.width, state.height)) @ turn + (state.x, state.y))


def _paint(picture: Frame, state: ShapeState, contour: NDArray[np.float64]) -> None:
    """Lays the object over the image, working only on the box it touches."""
    margin = math.ceil(_BLUR_REACH * state.blur) + 2
    left, top = np.maximum(np.floor(contour.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.minimum(np.ceil(contour.max(axis=0)).astype(int) + margin, (WIDTH, HEIGHT))
    cover = _coverage(contour - (left, top), right - left, bottom - top)
    if state.blur > 0:
        cover = _soft(cover, state.blur)
    opacity = cover[..., None] * state.opacity
    under = picture[top:bottom, left:right]
    under[...] = np.rint(under + opacity * (np.array(state.colour, dtype=np.float32) - under)).astype(np.uint8)


def _coverage(contour: NDArray[np.float64], width: int, height: int) -> NDArray[np.float32]:
    """The share of each pixel inside the contour."""
    fine = np.zeros((height * _SUPERSAMPLING, width * _SUPERSAMPLING), dtype=np.uint8)
    # A pixel's centre is half a pixel inside it, in the fine image too.
    points = np.rint((contour * _SUPERSAMPLING - 0.5) * (1 << _SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(fine, [points], 255, lineType=cv2.LINE_AA, shift=_SUBPIXEL_BITS)
    cover = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cover, dtype=np.float32) / np.float32(255.0)


def _soft(cover: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    blurred = cv2.GaussianBlur(cover, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(blurred, dtype=np.float32)
