"""A drawn screen with a control of each kind at a known location."""

import cv2
import numpy as np
from numpy.typing import NDArray

Corners = tuple[int, int, int, int]

PLACES: dict[str, Corners] = {
    "field": (300, 20, 700, 60),
    "link": (20, 120, 150, 150),
    "button": (300, 200, 420, 240),
    "switch": (800, 300, 844, 324),
    "tick": (300, 300, 318, 318),
    "track": (300, 400, 500, 424),
    "icon": (1200, 20, 1240, 60),
}
_INK = (40, 40, 40)
_GREY = (190, 190, 190)


def drawn_screen(scale: int = 1) -> NDArray[np.uint8]:
    """1280 x 800, or that many times as large."""
    image = np.full((800, 1280, 3), 250, np.uint8)
    for name in ("field", "button", "tick", "icon"):
        _frame(image, PLACES[name])
    _written(image, "Search", 312, 46)
    _written(image, "Inbox messages", 24, 141)
    _written(image, "Send now", 318, 226)
    _written(image, "Remember me", 330, 315)
    _written(image, "Sound", 700, 318)
    cv2.line(image, (1212, 32), (1228, 48), _INK, 2, cv2.LINE_AA)
    cv2.line(image, (1228, 32), (1212, 48), _INK, 2, cv2.LINE_AA)
    for x in (812, 832):
        cv2.circle(image, (x, 312), 12, (90, 90, 90), -1, cv2.LINE_AA)
    cv2.rectangle(image, (812, 300), (832, 324), (90, 90, 90), -1)
    cv2.circle(image, (812, 312), 8, (250, 250, 250), -1, cv2.LINE_AA)
    cv2.rectangle(image, (300, 410), (500, 413), (60, 90, 200), -1)
    cv2.circle(image, (400, 412), 11, (60, 90, 200), -1, cv2.LINE_AA)
    return np.asarray(np.repeat(np.repeat(image, scale, axis=0), scale, axis=1), np.uint8)


def _frame(image: NDArray[np.uint8], corners: Corners) -> None:
    cv2.rectangle(image, corners[:2], corners[2:], _GREY, 1)


def _written(image: NDArray[np.uint8], text: str, x: int, y: int) -> None:
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, _INK, 1, cv2.LINE_AA)
