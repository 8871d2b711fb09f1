"""Outlines. Each is the distance from the centre of gravity to the edge, at equally spaced angles.

That form only fits shapes whose whole edge is seen from their centre, and makes morphing exact: mixing
squared distances keeps the area.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
