"""Screens with what was found on them drawn in, for people to look at: regions in blue, thicker the higher in the tree
and with their names, elements in vermilion, targets of questions filled."""

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from affordance.author.exchange.boxed import Boxed, boxed
from affordance.author.exchange.files import empty_folder, file_name
from affordance.author.exchange.kept import questions, selected, tell_newer
from affordance.author.exchange.results import Exported, States
from affordance.author.screens.pixels import pixels_of
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere
from affordance.capture.drawing import ELEMENT, REGION
from affordance.core.errors import MediaError
from affordance.core.geometry import Box
from affordance.media import encode_image

TARGET: Final = (0, 158, 115)  # bluish green, which colour-blind people can tell from the other two
_THICKEST: Final = 4
_SEE_THROUGH: Final = 0.25
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


def write_pictures(states: States, folder: Path) -> Exported:
    """One picture for each screen, `SCREEN.png`, into a new or empty folder. What cannot be drawn is left out."""
    empty_folder(folder)
    told = Exported()
    newer = 0
    for state in selected(states(None), told):
        asked = questions(state, told)
        newer += sum(one.newer for one in asked)
        try:
            data = _drawn(state, boxed(state, told), [one.box for one in asked])
        except (NotThere, MediaError, cv2.error) as error:
            told.omit(state.id, f"screen that cannot be drawn: {error}")
            continue
        (folder / f"{file_name(state.id)}.png").write_bytes(data)
        told.counts["pictures"] += 1
    tell_newer(newer, told)
    return told


def _drawn(state: ScreenState, found: list[Boxed], targets: list[Box]) -> bytes:
    shown = np.ascontiguousarray(pixels_of(state))
    tinted = shown.copy()
    for box in targets:
        cv2.rectangle(tinted, *_corners(box), TARGET, -1)
    shown = np.asarray(cv2.addWeighted(tinted, _SEE_THROUGH, shown, 1 - _SEE_THROUGH, 0), np.uint8)
    for one in found:
        if one.level == "element":
            cv2.rectangle(shown, *_corners(one.box), ELEMENT, 1)
    for one in found:
        if one.level == "region":
            thickness = max(1, _THICKEST - state.level(one.id))
            (x1, y1), other = _corners(one.box)
            cv2.rectangle(shown, (x1, y1), other, REGION, thickness)
            (width, height), _ = cv2.getTextSize(one.id, _FONT, 0.4, 1)
            cv2.rectangle(shown, (x1, y1), (x1 + width + 4, y1 + height + 5), REGION, -1)
            cv2.putText(shown, one.id, (x1 + 2, y1 + height + 2), _FONT, 0.4, (255, 255, 255), 1, cv2.LINE_AA)
    return encode_image(shown)


def _corners(box: Box) -> tuple[tuple[int, int], tuple[int, int]]:
    x1, y1, x2, y2 = (round(value) for value in box.xyxy)
    return (x1, y1), (x2 - 1, y2 - 1)
