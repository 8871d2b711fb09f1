"""How much of the known regions of the captured demo screens the offline segmenter finds.

    python benchmarks/segment.py [--json] [--pictures DIR] [--only NAME,...]

A region and a segment are matched one to one, so that the sum of their overlaps is greatest; a region is found where
its match overlaps it by 0.5 (IoU) or more. The level of a region is its depth in the tree of the page. Applications
are halved by name: the rules were set with one half in view, the other was held out. Always exits 0: a share is a
finding, not a test.
"""

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from affordance.author.regions.segmenting import Segment, segment
from affordance.datasets import Screen
from affordance.datasets.demo import unpack_demo

IN_VIEW = ("dashboard", "mail", "settings")  # every other application by name
TRUTH, ANSWER = (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00)
LOOSE, STRICT = 0.5, 0.7
SHOWN = 3  # pictures of the best and of the worst


@dataclass(frozen=True, slots=True)
class Measured:
    """One screen: the overlap of each known region with its match (0 without one) and its level in the tree."""

    screen: Screen
    segments: list[Segment]
    overlaps: list[float]
    levels: list[int]
    seconds: float

    @property
    def page(self) -> str:
        assert self.screen.page is not None
        return self.screen.page.name

    @property
    def application(self) -> str:
        return self.page.split("-")[0]

    @property
    def share(self) -> float:
        return sum(overlap >= LOOSE for overlap in self.overlaps) / max(1, len(self.overlaps))


def measure(screen: Screen, image: NDArray[np.uint8]) -> Measured:
    begin = time.perf_counter()
    segments = segment(image)
    seconds = time.perf_counter() - begin
    table = np.array([[region.box.iou(one.box) for one in segments] for region in screen.regions])
    overlaps = np.zeros(len(screen.regions))
    if table.size:
        # What is below the bar is no match: it must not take a segment from a region that it would be one for.
        rows, columns = linear_sum_assignment(np.where(table >= LOOSE, table, 0.0), maximize=True)
        overlaps[rows] = table[rows, columns]
    return Measured(screen, segments, overlaps.tolist(), levels_of(screen), seconds)


def levels_of(screen: Screen) -> list[int]:
    parents = {region.id: region.parent for region in screen.regions}

    def level(name: str) -> int:
        above = parents[name]
        return 1 if above is None else 1 + level(above)

    return [level(region.id) for region in screen.regions]


def row(name: str, measured: Sequence[Measured], level: int | None = None) -> dict[str, object]:
    overlaps = [
        overlap
        for one in measured
        for overlap, at in zip(one.overlaps, one.levels, strict=True)
        if level is None or at == level
    ]
    proposed = sum(len(one.segments) for one in measured)
    found = sum(overlap >= LOOSE for overlap in overlaps)
    return {
        "what": name,
        "screens": len(measured),
        "regions": len(overlaps),
        "found": found / max(1, len(overlaps)),
        "found_strict": sum(overlap >= STRICT for overlap in overlaps) / max(1, len(overlaps)),
        "proposed": proposed / len(measured) if level is None else None,
        "precision": found / max(1, proposed) if level is None else None,
    }


def rows(measured: Sequence[Measured]) -> list[dict[str, object]]:
    seen = [one for one in measured if one.application in IN_VIEW]
    held = [one for one in measured if one.application not in IN_VIEW]
    names = sorted({one.application for one in measured})
    found = [row("all", measured)]
    found += [row(name, half) for name, half in (("in view", seen), ("held out", held)) if half]
    found += [row(f"level {level}", measured, level) for level in sorted({at for one in measured for at in one.levels})]
    return found + [row(name, [one for one in measured if one.application == name]) for name in names]


def as_text(found: Iterable[Mapping[str, object]]) -> str:
    lines = [f"{'':12}{'screens':>8}{'regions':>9}{'IoU 0.5':>9}{'IoU 0.7':>9}{'proposed':>10}{'precision':>11}"]
    for one in found:
        tail = "" if one["proposed"] is None else f"{one['proposed']:10.1f}{one['precision']:11.1%}"
        lines.append(
            f"{one['what']:12}{one['screens']:8}{one['regions']:9}{one['found']:9.1%}{one['found_strict']:9.1%}{tail}"
        )
    return "\n".join(lines)


def picture(image: NDArray[np.uint8], one: Measured) -> NDArray[np.uint8]:
    """Left the known regions, those that were not found with a broken line; right what was proposed."""
    left, right = image.copy(), image.copy()
    for region, overlap in zip(one.screen.regions, one.overlaps, strict=True):
        outline(left, region.box.xyxy, TRUTH, broken=overlap < LOOSE)
    for proposed in one.segments:
        outline(right, proposed.box.xyxy, ANSWER, broken=False)
    gap = np.full((image.shape[0], 16, 3), 255, np.uint8)
    return np.hstack([left, gap, right])


def show(measured: Sequence[Measured], images: Mapping[str, NDArray[np.uint8]], folder: Path) -> list[Path]:
    """Writes pictures of the pages with the greatest and the least share found, each page in one theme."""
    folder.mkdir(parents=True, exist_ok=True)
    ordered = sorted(measured, key=lambda one: (-one.share, one.screen.id))
    paths = []
    for how, ones in (("well", ordered), ("badly", ordered[::-1])):
        pages = {one.page: one for one in reversed(ones)}
        for one in [one for one in ones if pages[one.page] is one][:SHOWN]:
            paths.append(folder / f"{how}-{100 * one.share:.0f}-{one.screen.id}.png")
            cv2.imwrite(str(paths[-1]), cv2.cvtColor(picture(images[one.screen.id], one), cv2.COLOR_RGB2BGR))
    return paths


def outline(image: NDArray[np.uint8], xyxy: Sequence[float], colour: tuple[int, int, int], broken: bool) -> None:
    x1, y1, x2, y2 = (round(value) for value in xyxy)
    drawn = image.copy()
    cv2.rectangle(drawn, (x1 + 1, y1 + 1), (x2 - 2, y2 - 2), colour, 2)
    if broken:
        steps = np.add.outer(np.arange(image.shape[0]), np.arange(image.shape[1])) // 8 % 2 == 0
        image[steps] = drawn[steps]
    else:
        image[:] = drawn


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--json", action="store_true")
    options.add_argument("--pictures", type=Path)
    options.add_argument("--only", help="applications, with a comma between them")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        screens = next(one for one in unpack_demo(Path(scratch)) if one.header.kind == "screen")
        measured: list[Measured] = []
        images: dict[str, NDArray[np.uint8]] = {}
        for screen in screens.items:
            assert isinstance(screen, Screen)
            if chosen.only and screen.id.split("-")[0] not in chosen.only.split(","):
                continue
            read = cv2.imread(str(screens.root / screen.image))
            assert read is not None, screen.image
            images[screen.id] = np.asarray(cv2.cvtColor(read, cv2.COLOR_BGR2RGB), np.uint8)
            measured.append(measure(screen, images[screen.id]))
    found = rows(measured)
    if chosen.json:
        print(json.dumps(found))
    else:
        seconds = [one.seconds for one in measured]
        print(as_text(found))
        print(f"\n{statistics.median(seconds):.2f} s for a screen (median), {max(seconds):.2f} s at most")
    if chosen.pictures:
        for path in show(measured, images, chosen.pictures):
            print(path)


if __name__ == "__main__":
    main()
