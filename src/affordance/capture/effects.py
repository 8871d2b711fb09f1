"""From what has changed about a part of a page to the primitive effects that a person sees."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

PIXELS = 0.05  # less is rounding
SHARE = 0.002
DEGREES = 0.05
INSIDE = 0.1  # of its size: how far beside a drawing the point may lie that it turns around

Values = Sequence[str]  # of one property, in the order of time, the first from before it changed
History = Mapping[str, Values]

_MOVE = "offset-distance margin-left margin-right margin-top margin-bottom cx cy x y background-position mask-position"
_SIZE = "scale width height font-size background-size mask-size r rx ry outline-width outline-offset stroke-width"
_COLOUR = "color background-color border-top-color border-right-color border-bottom-color border-left-color fill stroke"
_MORPH = "clip-path border-top-left-radius border-top-right-radius border-bottom-left-radius d points stroke-dashoffset"

_SIMPLE: dict[str, str] = {
    **dict.fromkeys((*_MOVE.split(), "translate", "object-position", "scroll"), "move"),
    **dict.fromkeys(("rotate", "offset-rotate"), "rotate"),
    **dict.fromkeys((*_SIZE.split(), "border-top-width", "border-bottom-width", "letter-spacing"), "size"),
    **dict.fromkeys(("opacity", "fill-opacity", "stroke-opacity"), "fade"),
    **dict.fromkeys((*_MORPH.split(), "border-bottom-right-radius", "stroke-dasharray", "text", "value"), "morph"),
    "background-image": "color",
}
_PRESENCE = ("display", "visibility")
_FROM_TEXT = ("width", "height")  # follow from a text that changes


def effects_of(history: History, *, comes_or_goes: bool = False) -> set[str]:
    """The primitive effects of one part of a page. What changes at a stroke counts only where nothing changes bit by
    bit; that it is there at all where it was not, or the other way round, only where nothing else is to be seen."""
    found = _effects({name: values for name, values in history.items() if len(values) > 2}) or _effects(history)
    if not found and (comes_or_goes or any(name in history for name in _PRESENCE)):
        found.add("fade")
    return found


def _effects(history: History) -> set[str]:
    found: set[str] = set()
    for name, values in history.items():
        if name in _SIMPLE and not (name in _FROM_TEXT and "text" in history):
            found.add(_SIMPLE[name])
        elif name in _READERS:
            found |= _READERS[name](values)
    for one, other in (("left", "right"), ("top", "bottom")):  # one of the two alone follows from the size
        if one in history and other in history:
            found.add("move")
    return found


def _of_transform(values: Values) -> set[str]:
    found: set[str] = set()
    for before, after in pairwise(map(_matrix, values)):
        found |= _of_matrices(before, after)
    return found


def _of_matrices(before: NDArray[np.float64], after: NDArray[np.float64]) -> set[str]:
    """4x4 matrices, points on the right: the columns are where the axes go."""
    found = set()
    if np.abs(after[:2, 3] - before[:2, 3]).max() > PIXELS:
        found.add("move")
    if abs(after[2, 3] - before[2, 3]) > PIXELS or np.abs(_lengths(after) - _lengths(before)).max() > SHARE:
        found.add("size")
    one, other = _axes(before), _axes(after)
    if one is not None and other is not None:
        if np.abs(other[:, 0] - one[:, 0]).max() > math.radians(DEGREES):
            found.add("rotate")
        if abs(float(other[:, 0] @ other[:, 1] - one[:, 0] @ one[:, 1])) > math.radians(DEGREES):
            found.add("morph")
    return found


def _lengths(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """How long the first axis is, and how far the second reaches away from it: a slant is not a size."""
    first, second = matrix[:3, 0], matrix[:3, 1]
    length = float(np.linalg.norm(first))
    direction = first / length if length > SHARE else first
    return np.array([length, float(np.linalg.norm(second - (second @ direction) * direction))])


def _axes(matrix: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The directions of the first two axes, without mirroring; None where one of them has no length."""
    lengths = _lengths(matrix)
    if lengths.min() < SHARE:
        return None
    axes = matrix[:3, :2] / np.linalg.norm(matrix[:3, :2], axis=0)
    flat = not matrix[2, :2].any()
    mirrored = flat and np.linalg.det(matrix[:2, :2]) < 0
    return np.asarray(axes * [-1, 1] if mirrored else axes)


def _matrix(text: str) -> NDArray[np.float64]:
    numbers = [float(number) for number in _NUMBER.findall(text.partition("(")[2])]
    matrix = np.eye(4)
    if text.startswith("matrix3d") and len(numbers) == 16:
        matrix = np.array(numbers).reshape(4, 4).T
    elif text.startswith("matrix") and len(numbers) == 6:
        matrix[:2, :2] = [[numbers[0], numbers[2]], [numbers[1], numbers[3]]]
        matrix[:2, 3] = numbers[4:]
    return matrix


def _of_drawing(values: Values) -> set[str]:
    """Matrices of part of an SVG drawing, each with the box of that part: there, turning or growing around a point of
    its own also has to shift it, which is not moving."""
    rows = [[float(number) for number in value.split()] for value in values if value]
    if len(rows) < 2:
        return set()
    matrices = []
    for a, b, c, d, e, f, *_ in rows:
        matrix = np.eye(4)
        matrix[:2] = [[a, c, 0, e], [b, d, 0, f]]
        matrices.append(matrix)
    found: set[str] = set()
    for before, after in pairwise(matrices):
        found |= _of_matrices(before, after)
    if found & {"rotate", "size"} and _stays(matrices, None if "rotate" in found else rows[0][6:]):
        found.discard("move")
    return found


def _stays(matrices: Sequence[NDArray[np.float64]], box: Sequence[float] | None) -> bool:
    """Whether there is a point, inside the box if there is one, that all matrices leave where the first has it."""
    turned = np.vstack([matrix[:2, :2] - matrices[0][:2, :2] for matrix in matrices[1:]])
    shifted = np.concatenate([matrix[:2, 3] - matrices[0][:2, 3] for matrix in matrices[1:]])
    x, y, width, height = box or (0.0, 0.0, 0.0, 0.0)
    middle = np.array([x + width / 2, y + height / 2])
    away, *_ = np.linalg.lstsq(turned, -(shifted + turned @ middle), rcond=None)  # the nearest to the middle
    if np.abs(turned @ (middle + away) + shifted).max() > 10 * PIXELS:
        return False
    if box is None:
        return True
    room = INSIDE * max(width, height, 1.0)
    return bool(abs(away[0]) <= width / 2 + room and abs(away[1]) <= height / 2 + room)


def _of_colour(values: Values) -> set[str]:
    """A colour that only becomes more or less opaque fades."""
    return {"fade" if _opaque(one) == _opaque(other) else "color" for one, other in pairwise(values)}


def _opaque(colour: str) -> str:
    """A colour without how opaque it is: `rgba(1, 2, 3, 0.5)` and `color(srgb 1 0 0 / 0.5)` have it last."""
    name, _, inner = colour.partition("(")
    parts = inner.rstrip(")").split("/")[0].split(",") if inner else [colour]
    return f"{name.removesuffix('a')} {' '.join(' '.join(parts[:3]).split())}"


def _of_filter(values: Values) -> set[str]:
    found = set()
    for before, after in pairwise(values):
        parts = dict(_FUNCTION.findall(before)), dict(_FUNCTION.findall(after))
        for name in parts[0].keys() | parts[1].keys():
            if parts[0].get(name) != parts[1].get(name):
                found.add({"blur": "blur", "opacity": "fade"}.get(name, "color"))
    return found


def _of_shadow(values: Values) -> set[str]:
    """A ring that spreads changes its size; the rest of a shadow is shading."""
    found = set()
    for before, after in pairwise(values):
        colours = ["|".join(_FUNCTION_OR_NAME.findall(value)) for value in (before, after)]
        lengths = [_LENGTH.findall(_FUNCTION_OR_NAME.sub("", value)) for value in (before, after)]
        spreads = [numbers[3::4] for numbers in lengths]
        if spreads[0] != spreads[1] and any(float(number) for spread in spreads for number in spread):
            found.add("size")
        if colours[0] != colours[1]:
            found |= _of_colour(colours)
        if not found:
            found.add("color")
    return found


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)")
_FUNCTION_OR_NAME = re.compile(r"[a-z]+\([^()]*\)")
_LENGTH = re.compile(r"(-?[\d.]+)px")

_READERS: dict[str, Callable[[Values], set[str]]] = {
    "transform": _of_transform,
    "matrix": _of_drawing,
    **dict.fromkeys((*_COLOUR.split(), "outline-color", "stop-color", "text-decoration-color"), _of_colour),
    **dict.fromkeys(("filter", "backdrop-filter"), _of_filter),
    **dict.fromkeys(("box-shadow", "text-shadow"), _of_shadow),
}
