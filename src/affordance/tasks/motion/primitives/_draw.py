"""From a variant to pixels."""

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.tasks.motion.primitives._shapes import outline
from affordance.tasks.motion.primitives._variant import FRAME_COUNT, HEIGHT, WIDTH, PrimitiveClip, Rgb, ShapeState

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
    """Lays the object over the picture, working only on the box it touches."""
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
    # A pixel's centre is half a pixel inside it, in the fine picture too.
    points = np.rint((contour * _SUPERSAMPLING - 0.5) * (1 << _SUBPIXEL_BITS)).astype(np.int32)
    cv2.fillPoly(fine, [points], 255, lineType=cv2.LINE_AA, shift=_SUBPIXEL_BITS)
    cover = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(cover, dtype=np.float32) / np.float32(255.0)


def _soft(cover: NDArray[np.float32], sigma: float) -> NDArray[np.float32]:
    blurred = cv2.GaussianBlur(cover, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(blurred, dtype=np.float32)
