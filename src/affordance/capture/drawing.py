"""Screens with the boxes of their elements and regions drawn on them, for people to look at."""

from pathlib import Path

import cv2
import numpy as np

from affordance.datasets import Screen, read_folder
from affordance.media import decode_image, encode_image

ELEMENT, REGION = (213, 94, 0), (0, 114, 178)  # vermilion and blue, which colour-blind people can tell apart


def draw_boxes(root: Path, folder: Path) -> None:
    """One picture for each screen: regions as thin frames, elements as thick ones with a cross where they are hit."""
    folder.mkdir(parents=True, exist_ok=True)
    for screen in read_folder(root).items:
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
