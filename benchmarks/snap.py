"""Whether the studio finds edges to snap to in time: the time of one answer as a share of 30 ms.

    python benchmarks/snap.py [--json] [--size WIDTHxHEIGHT] [--points N] [--radius N]

A drawn screen is decoded, and edges are looked for at random points of it with the largest radius. Decoding it is timed
in the same run: the ratio to it does not depend on how busy the computer is. Always exits 0: a timing is a finding, not
a test.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.media import decode_image, encode_image, find_edges

LIMIT = 0.030  # seconds
SEED = 1


def drawn(width: int, height: int) -> NDArray[np.uint8]:
    """Cards with borders and running text, as many as fit."""
    image = np.full((height, width, 3), 247, np.uint8)
    for top in range(24, height - 120, 140):
        for left in range(24, width - 260, 280):
            corners = (left, top), (left + 255, top + 115)
            cv2.rectangle(image, *corners, (255, 255, 255), -1)
            cv2.rectangle(image, *corners, (208, 212, 216), 1)
            for row in range(top + 24, top + 110, 20):
                place = (left + 12, row)
                cv2.putText(image, "Orders and invoices 12,480", place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (40, 44, 52), 1)
    return image


def seconds_of(count: int, work: Callable[[int], object]) -> list[float]:
    times = []
    for number in range(count):
        begin = time.perf_counter()
        work(number)
        times.append(time.perf_counter() - begin)
    return times


def measure(width: int, height: int, points: int, radius: int) -> dict[str, float]:
    data = encode_image(drawn(width, height))
    pixels = decode_image(data)
    chance = random.Random(SEED)
    places = [(chance.uniform(0, width), chance.uniform(0, height)) for _ in range(points)]
    found = [find_edges(pixels, *place, radius) for place in places]  # the first are slower: not timed
    begin = time.process_time()
    times = sorted(seconds_of(points, lambda number: find_edges(pixels, *places[number], radius)))
    processor = (time.process_time() - begin) / points
    decoding = statistics.median(seconds_of(5, lambda _: decode_image(data)))
    median, late = statistics.median(times), times[int(0.99 * (points - 1))]
    return {
        "points": points,
        "lines": statistics.mean(len(one.lines) for one in found),
        "median ms": 1000 * median,
        "99% ms": 1000 * late,
        "processor ms": 1000 * processor,
        "of 30 ms": late / LIMIT,
        "decoding ms": 1000 * decoding,
        "of decoding": median / decoding,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--size", default="3840x2160", metavar="WIDTHxHEIGHT")
    parser.add_argument("--points", type=int, default=400, metavar="N")
    parser.add_argument("--radius", type=int, default=64, metavar="N")
    given = parser.parse_args()
    width, height = map(int, given.size.split("x"))
    found = measure(width, height, given.points, given.radius)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"{given.size}, radius {given.radius}, {given.points} points, {found['lines']:.1f} lines in reach")
    print(f"an answer: median {found['median ms']:.2f} ms, 99% {found['99% ms']:.2f} ms")
    print(f"of the processor, whatever else runs: {found['processor ms']:.2f} ms")
    print(f"99% as a share of 30 ms: {found['of 30 ms']:.2f}")
    print(f"median as a share of decoding the picture ({found['decoding ms']:.0f} ms): {found['of decoding']:.3f}")


if __name__ == "__main__":
    main()
