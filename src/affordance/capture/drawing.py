"""Screens with their boxes drawn on them, and clips as filmstrips, for people to look at."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from affordance.core.media_spec import BoxOutline, ImageSpec
from affordance.datasets import Clip, Screen, load_folder
from affordance.media import decode_image, encode_image, probe, render

ELEMENT, REGION = (213, 94, 0), (0, 114, 178)  # vermilion and blue, which colour-blind people can tell apart


def draw_boxes(root: Path, folder: Path) -> None:
    """One picture for each screen: regions as thin frames, elements as thick ones with a cross where they are hit."""
    folder.mkdir(parents=True, exist_ok=True)
    for screen in load_folder(root).items:
        if not isinstance(screen, Screen):
            continue
        shown = np.ascontiguousarray(decode_image((root / screen.image).read_bytes()))
        for region in screen.regions:
            x1, y1, x2, y2 = (round(value) for value in region.box.xyxy)
            cv2.rectangle(shown, (x1, y1), (x2 - 1, y2 - 1), REGION, 1)
        for element in screen.elements:
            x1, y1, x2, y2 = (round(value) for value in element.box.xyxy)
            cv2.rectangle(shown, (x1, y1), (x2 - 1, y2 - 1), ELEMENT, 2)
            if element.point is not None:
                x, y = round(element.point.x1), round(element.point.y1)
                cv2.drawMarker(shown, (x, y), ELEMENT, cv2.MARKER_CROSS, 8, 1)
        (folder / f"{screen.id}.png").write_bytes(encode_image(shown))


FRAMES, WIDE_FRAMES = 8, 5  # of a strip
HEIGHT = 240
CAPTION = 22
GAP = 8
INK = (60, 60, 60)


def draw_filmstrips(root: Path, folder: Path) -> None:
    """One picture for each clip: frames from the last before it begins to the last of it, with its regions drawn while
    it runs."""
    folder.mkdir(parents=True, exist_ok=True)
    for clip in load_folder(root).items:
        if isinstance(clip, Clip):
            (folder / f"{clip.id}.png").write_bytes(encode_image(_filmstrip(root / clip.video, clip)))


def _filmstrip(video: Path, clip: Clip) -> NDArray[np.uint8]:
    found = probe(video)
    start, end = clip.start_frame or 0, len(found.pts) - 1 if clip.end_frame is None else clip.end_frame
    before = max(0, start - 1)
    last = (WIDE_FRAMES if found.width > found.height else FRAMES) - 1
    chosen = sorted({round(before + (end - before) * step / last) for step in range(last + 1)})
    longest = round(HEIGHT * max(found.width, found.height) / found.height)
    outlines = tuple(BoxOutline(region, ELEMENT) for region in clip.regions)
    pictures = [
        ImageSpec(
            "clip", time=found.frame_time(number), max_side=longest, outlines=outlines if start <= number <= end else ()
        )
        for number in chosen
    ]
    cells = []
    for number, picture, png in zip(chosen, pictures, render(pictures, {"clip": video}), strict=True):
        frame = decode_image(png)
        cell = np.full((frame.shape[0] + CAPTION, frame.shape[1] + GAP, 3), 255, np.uint8)
        cell[: frame.shape[0], : frame.shape[1]] = frame
        text = f"{number}: {float(picture.time or 0):.2f} s"
        place = (2, frame.shape[0] + CAPTION - 6)
        cv2.putText(cell, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
        cells.append(cell)
    return np.hstack(cells)
