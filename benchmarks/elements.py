"""Density and look-alike groups of a screen with many elements, against a limit of one second.

    python benchmarks/elements.py [--rounds N]

A table is drawn on a picture of 1920x1080, its cells filled with words, numbers and small icons; in the second picture
every cell looks the same and only words differ, which is the most there is to compare. The measure is the time of both
forms of density, the looks of all elements, and the groups. CPU time, the least of several rounds. Always exits 0: a
timing is a finding, not a test."""

import argparse
import random
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.author.elements.alike import Candidate, group_elements
from affordance.author.elements.looks import look
from affordance.author.elements.validity import invalid
from affordance.author.records import Detected, Member
from affordance.core.geometry import Box, CoordinateSpace
from affordance.grounding.density import nid_count, nid_gauss

LIMIT = 1.0
SIZE = (1920, 1080)
WORDS = (
    "open",
    "save",
    "reply",
    "archive",
    "delete",
    "settings",
    "profile",
    "share",
    "export",
    "filter",
    "sort",
    "copy",
)

Image = NDArray[np.uint8]


def table(number: int, alike: bool) -> tuple[Image, list[Detected]]:
    """A picture with so many elements, in rows of 40."""
    draw = random.Random(number)
    image = np.full((SIZE[1], SIZE[0], 3), 255, np.uint8)
    wide, high = SIZE[0] / 40, SIZE[1] / (number / 40)
    elements = []
    for place in range(number):
        x, y = (place % 40) * wide, (place // 40) * high
        box = Box(CoordinateSpace.PIXEL, x + 1, y + 1, x + wide - 1, y + high - 1)
        text = " ".join(draw.choices(WORDS, k=draw.randint(1, 3)))
        kind = 0 if alike else draw.randrange(3)
        if kind == 1:
            text = str(draw.randrange(10_000))
        if kind == 2:
            text, box = "", Box(CoordinateSpace.PIXEL, x + 2, y + 2, x + 2 + draw.choice((14, 18)), y + 16)
            cv2.drawMarker(image, (int(x + 10), int(y + 9)), (60, 60, 60), draw.randrange(7), 10, 2)
        else:
            shown = "~~~" if alike else text
            cv2.putText(image, shown, (int(x + 3), int(y + 14)), cv2.FONT_HERSHEY_SIMPLEX, 0.35, (30, 30, 30))
        elements.append(Detected(id=str(place), box=box, text=text))
    return image, elements


def density(elements: list[Detected]) -> None:
    boxes = [one.box.xyxy for one in elements]
    centres = [(one.box.centre.x, one.box.centre.y) for one in elements]
    nid_count(boxes, centres)
    nid_gauss(boxes, centres, SIZE)


def groups(image: Image, elements: list[Detected]) -> int:
    assert not invalid(elements, image)
    sight = look(image, [one.box for one in elements], [one.text for one in elements])
    candidates = [Candidate(one, one.text, Member(id=one.id, box=one.box)) for one in elements]
    return len(group_elements(candidates, sight, "table", 0).groups)


def seconds(work: Callable[[], object], rounds: int) -> float:
    found = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        found.append(time.process_time() - started)
    return min(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    print(
        f"{'elements':>8} {'picture':>8} {'density s':>10} {'groups s':>9} {'both s':>7} {'of limit':>9} {'groups':>7}"
    )
    for number in (500, 2000):
        for alike in (False, True):
            image, elements = table(number, alike)
            crowding = seconds(lambda: density(elements), rounds)  # noqa: B023
            grouping = seconds(lambda: groups(image, elements), rounds)  # noqa: B023
            both = crowding + grouping
            kind = "one look" if alike else "mixed"
            print(
                f"{number:>8,} {kind:>8} {crowding:>10.3f} {grouping:>9.3f} {both:>7.3f} {both / LIMIT:>9.2f} "
                f"{groups(image, elements):>7}"
            )


if __name__ == "__main__":
    main()
