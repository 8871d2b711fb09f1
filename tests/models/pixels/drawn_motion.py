"""Animations for the tests: a quiet screen with one thing that moves, and a green box while it does."""

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Corners = tuple[int, int, int, int]
Drawing = Callable[[Picture, float], None]  # draws on a screen what is there at a time from 0 (before) to 1 (after)

WIDTH, HEIGHT = 216, 384
WHITE, INK, BLUE, PALE, GREEN = (255, 255, 255), (40, 40, 40), (30, 90, 220), (225, 225, 225), (0, 255, 0)
MIDDLE: Corners = (60, 150, 156, 230)
ALL: Corners = (0, 0, WIDTH - 1, HEIGHT - 1)


def clip(
    draw: Drawing, seconds: float, box: Corners | None, *, lead: int = 4, more: Sequence[Drawing] = ()
) -> list[Picture]:
    """At ten frames a second. The box is on the frames between `lead` still ones at either end."""
    count = round(10 * seconds)
    frames = []
    for number in range(-lead, count + lead):
        time = min(max((number + 1) / (count + 1), 0.0), 1.0)
        frame = screen()
        draw(frame, time)
        for one in more:
            one(frame, (number + lead) / (count + 2 * lead))
        if box is not None and 0 <= number < count:
            cv2.rectangle(frame, box[:2], box[2:], GREEN, 2)
        frames.append(frame)
    return frames


def screen() -> Picture:
    frame = np.full((HEIGHT, WIDTH, 3), WHITE, np.uint8)
    cv2.rectangle(frame, (0, 0), (WIDTH, 30), PALE, cv2.FILLED)
    for y in (60, 80, 100):
        cv2.rectangle(frame, (20, y), (190, y + 6), (180, 180, 180), cv2.FILLED)
    return frame


def growing_bar(colour: tuple[int, int, int] = BLUE) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        cv2.rectangle(frame, (20, 186), (196, 194), PALE, cv2.FILLED)
        cv2.rectangle(frame, (20, 186), (20 + round(176 * time), 194), colour, cv2.FILLED)

    return draw


def page_slides_in(frame: Picture, time: float) -> None:
    left = round(WIDTH * (1 - time))
    cv2.rectangle(frame, (left, 0), (WIDTH, HEIGHT), (60, 70, 90), cv2.FILLED)
    for y in range(50, 350, 40):
        cv2.rectangle(frame, (left + 20, y), (left + 160, y + 12), PALE, cv2.FILLED)


def pulsing_badge(times: int, colour: tuple[int, int, int] = (220, 30, 40), x: int = 108) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        radius = 10 + 6 * math.sin(math.pi * times * time) ** 2
        cv2.circle(frame, (16 * x, 16 * 190), round(16 * radius), colour, cv2.FILLED, cv2.LINE_AA, 4)

    return draw


def shaking_field(frame: Picture, time: float) -> None:
    shift = round(8 * math.sin(5 * math.pi * time) * (1 - time))
    cv2.rectangle(frame, (70 + shift, 180), (146 + shift, 200), INK, 2)


def bouncing_dots(times: int) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        for dot in range(3):
            up = 10 * max(0.0, math.sin(2 * math.pi * (times * time - dot / 6))) if 0 < time < 1 else 0
            cv2.circle(frame, (84 + 24 * dot, round(196 - up)), 6, BLUE, cv2.FILLED, cv2.LINE_AA)

    return draw


def turning_spinner(times: int) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        cv2.ellipse(frame, (108, 190), (24, 24), 360 * times * time, 0, 100, BLUE, 8, cv2.LINE_AA)

    return draw


def pointing_arrow(times: int) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        y = round(205 - 30 * (times * time % 1))
        points = np.array([(108, y - 20), (92, y), (102, y), (102, y + 14), (114, y + 14), (114, y), (124, y)])
        cv2.fillPoly(frame, [points], INK, cv2.LINE_AA)

    return draw


def confetti(frame: Picture, time: float) -> None:
    lot = np.random.default_rng(7)
    for x, y, red in lot.uniform(0, 1, (60, 3)):
        top = round(HEIGHT * (2.6 * time - 0.2 - y))
        left = round(WIDTH * x + 10 * math.sin(20 * time + 6 * y))
        cv2.rectangle(frame, (left, top), (left + 5, top + 7), (round(255 * red), 60, 200), cv2.FILLED)


def toggled_switch(frame: Picture, time: float) -> None:
    cv2.rectangle(frame, (90, 180), (126, 198), tuple(round(190 - 100 * time) for _ in range(3)), cv2.FILLED)
    cv2.circle(frame, (round(99 + 18 * time), 189), 7, WHITE, cv2.FILLED)


def steps_shown(frame: Picture, time: float) -> None:
    """Three cards come up from below, one after the other."""
    for card in range(3):
        risen = min(max(3 * time - card, 0.0), 1.0)
        top = round(HEIGHT - (HEIGHT - 130 - 80 * card) * risen)
        cv2.rectangle(frame, (20, top), (196, top + 60), (90, 120 + 40 * card, 160), cv2.FILLED)


def breathing_surface(times: int) -> Drawing:
    def draw(frame: Picture, time: float) -> None:
        shade = round(200 - 60 * math.sin(math.pi * times * time) ** 2)
        cv2.rectangle(frame, (10, 120), (206, 370), (shade, shade, 255), cv2.FILLED)

    return draw


def still(frame: Picture, time: float) -> None:
    """Nothing moves."""
