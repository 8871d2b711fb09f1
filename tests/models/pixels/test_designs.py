"""Which of two designs looks more effective: each rule on a page that differs in nothing else, and symmetry on all."""

from collections.abc import Callable

import cv2
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from affordance.models.pixels import advantages, better_design

Picture = NDArray[np.uint8]

WHITE, GREY, INK, PALE, BLUE = (255, 255, 255), (225, 225, 225), (30, 30, 30), (170, 170, 170), (20, 80, 220)


def page(
    *,
    fill: tuple[int, int, int] = BLUE,
    ink: tuple[int, int, int] = INK,
    size: tuple[int, int] = (160, 44),
    top: int = 300,
    others: int = 0,
    lines: int = 4,
    jitter: int = 0,
    fields: int = 0,
) -> Picture:
    """A page with lines of text, a main action, and other actions that look the same."""
    image = np.full((800, 1280, 3), WHITE, np.uint8)
    for number in range(lines):
        cv2.putText(
            image,
            "A line of text about it",
            (100 + jitter * (number * 37 % 11), 80 + 44 * number),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.7,
            ink,
            2,
        )
    for number in range(others + 1):
        x, y = 100 + 220 * number, top
        cv2.rectangle(image, (x, y), (x + size[0], y + size[1]), fill, cv2.FILLED)
        cv2.putText(
            image, "Begin", (x + size[0] // 2 - 34, y + size[1] // 2 + 8), cv2.FONT_HERSHEY_SIMPLEX, 0.7, WHITE, 2
        )
    for number in range(fields):
        cv2.rectangle(image, (100, 420 + 60 * number), (500, 460 + 60 * number), PALE, 1)
    return image


BETTER = {
    "a main action that stands out": (page(), page(fill=GREY)),
    "one action instead of three": (page(), page(others=2)),
    "a larger main action": (page(size=(200, 60)), page(size=(100, 30))),
    "a main action further up": (page(top=300), page(top=700)),
    "fewer fields": (page(), page(fields=5)),
    "readable text": (page(), page(ink=PALE)),
    "aligned lines": (page(), page(jitter=12)),
}


def test_a_rule_decides_where_all_else_is_equal() -> None:
    reasons = {}
    for name, (better, worse) in BETTER.items():
        winner, reasons[name] = better_design(better, worse)
        assert winner == 0, name
    assert len(set(reasons.values())) == len(BETTER), "each has a reason of its own"


def test_identical_pictures_and_those_without_anything_to_measure_are_not_decided() -> None:
    dark, white = np.zeros((40, 40, 3), np.uint8), np.full((300, 400, 3), 255, np.uint8)
    identical = [better_design(one, one.copy()) for one in (page(), dark)]
    assert identical[0] == identical[1]
    nothing = better_design(white, white - np.uint8(5))
    assert identical[0][0] is nothing[0] is None
    assert identical[0][1] != nothing[1]


def test_what_is_better_in_one_design_is_not_in_the_other() -> None:
    better, worse = page(), page(jitter=12)
    ours, theirs, swapped = advantages(better, worse, 0), advantages(better, worse, 1), advantages(worse, better, 1)
    assert len({ours, theirs, swapped}) == 3
    assert theirs == advantages(better, better, 1), "nothing is better in the second"


def noise(seed: int, height: int, width: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), np.uint8)


DRAWN: dict[str, Callable[[int], Picture]] = {
    "pages": lambda seed: page(others=seed % 3, top=100 + 90 * (seed % 7), lines=seed % 6, fields=seed % 4),
    "noise": lambda seed: noise(seed, 60 + seed % 50, 90),
    "tiny": lambda seed: noise(seed, 1 + seed % 4, 1 + seed % 3),
}


@settings(max_examples=6)
@given(st.sampled_from(sorted(DRAWN)), st.integers(0, 10_000), st.sampled_from(sorted(DRAWN)), st.integers(0, 10_000))
def test_swapping_the_pictures_swaps_the_answer(one: str, seed: int, other: str, other_seed: int) -> None:
    first, second = DRAWN[one](seed), DRAWN[other](other_seed)
    there, why = better_design(first, second)
    back, why_back = better_design(second, first)
    assert back == (None if there is None else 1 - there)
    assert (why_back == why) is (there is None)
