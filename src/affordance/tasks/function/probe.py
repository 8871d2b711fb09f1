"""Calibration: generated screens with one target each, whose place is known.

What a model says about them tells in which convention it speaks (`grounding.inference`). They come at the sizes of the
benchmarks, are made by us and are never part of a score."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from affordance.core.box import Box
from affordance.core.sizes import ImageSize
from affordance.datasets import Dataset, Header, Screen, Target, create_once, load_folder, write_folder
from affordance.grounding.candidates import CALIBRATION_SIZES, calibration_layout
from affordance.media import encode_image
from affordance.tasks.function.ground import GROUND_ELEMENT, questions

EDITION = 1  # of the screens; raise it when what is drawn changes
SEED = 0
NAME = "function/probe"

_PAGE, _BAR, _LINE = (246, 246, 248), (228, 230, 234), (214, 217, 222)  # greys, so that the target is the only colour
_TARGET = (24, 92, 214)
_TARGET_DESCRIPTION = "The blue rectangle, the only coloured thing on the screen."

CALIBRATION_TASK = replace(
    GROUND_ELEMENT,
    name=NAME,
    summary="Where is the blue rectangle?",
    questions=partial(questions, NAME, "element"),
    breakdowns=(),
)


def calibration_screens(cache: Path) -> Dataset:
    """The screens, made on first use."""
    return load_folder(create_once(cache / "probes" / str(EDITION), write_calibration_screens))


def write_calibration_screens(folder: Path) -> None:
    (folder / "media").mkdir(parents=True, exist_ok=True)
    header = Header(
        format=1,
        kind="screen",
        name="probes",
        licence="CC0-1.0",
        provenance="Screens with one target each, drawn by `affordance calibrate`",
        synthetic=True,
    )
    write_folder(folder, header, list(_screens(folder)))


def _screens(folder: Path) -> Iterator[Screen]:
    for size in CALIBRATION_SIZES:
        for place, box in enumerate(calibration_layout(size, SEED)):
            name = f"{size[0]}x{size[1]}-{place:02d}"
            (folder / "media" / f"{name}.png").write_bytes(encode_image(_draw_screen(size, box)))
            target = Target(id="target", level="element", box=box, description=_TARGET_DESCRIPTION)
            yield Screen(id=name, image=f"media/{name}.png", width=size[0], height=size[1], targets=[target])


def _draw_screen(size: ImageSize, box: Box) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    """A page with a bar and some lines of nothing, so that it looks like a screen and gives no hint."""
    width, height = size
    image = np.full((height, width, 3), _PAGE, np.uint8)
    unit = min(size) // 36
    cv2.rectangle(image, (0, 0), (width, 2 * unit), _BAR, cv2.FILLED)
    for y in range(4 * unit, height - unit, 3 * unit):
        cv2.rectangle(image, (2 * unit, y), (width - 2 * unit, y + max(2, unit // 6)), _LINE, cv2.FILLED)
    x1, y1, x2, y2 = (round(edge) for edge in box.xyxy)
    cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), _TARGET, cv2.FILLED)
    return image
