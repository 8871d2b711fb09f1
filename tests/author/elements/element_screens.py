"""Screens to find elements on, drawn for the purpose."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.records import Shot
from affordance.author.state import ScreenState
from affordance.core.digest import digest_bytes
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Element, Screen
from affordance.media import encode_image

Image = NDArray[np.uint8]


def box(x: float, y: float, wide: float = 32, high: float = 32) -> Box:
    return Box(CoordinateSpace.PIXEL, x, y, x + wide, y + high)


def blank(width: int = 800, height: int = 600) -> Image:
    return np.full((height, width, 3), 245, np.uint8)


def marker(kind: int) -> Callable[[Image, Box], None]:
    def draw(image: Image, at: Box) -> None:
        cv2.drawMarker(image, (int(at.centre.x), int(at.centre.y)), (60, 60, 60), kind, 16, 2)

    return draw


star, cross = marker(cv2.MARKER_STAR), marker(cv2.MARKER_TILTED_CROSS)


def labelled(image: Image, at: Box, text: str) -> None:
    cv2.rectangle(image, (int(at.x1), int(at.y1)), (int(at.x2) - 1, int(at.y2) - 1), (90, 90, 90), 1)
    cv2.putText(image, text, (int(at.x1) + 6, int(at.y2) - 9), cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1)


def state(
    folder: Path, image: Image, elements: Sequence[Element] | None = None, name: str = "screen", **shot: Any
) -> ScreenState:
    """A screen with this picture; captured where elements are given."""
    content = encode_image(image)
    path = folder / f"{name}.png"
    path.write_bytes(content)
    height, width = image.shape[:2]
    about = {"image": path.name, "digest": digest_bytes(content), "width": width, "height": height, **shot}
    captured = None
    if elements is not None:
        captured = Screen(id=name, image=path.name, width=width, height=height, elements=list(elements))
    return ScreenState(name, Shot(**about), path, captured=captured)
