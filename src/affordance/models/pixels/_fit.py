"""How well a part of a screen fits what is said of it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from affordance.core.geometry import Box
from affordance.media.ocr import TextLine
from affordance.media.screen_layout import PartKind, ScreenLayout, ScreenPart
from affordance.models.pixels._cues import ICON_ACTS, Cues, likeness, words_of

_LETTER: Final = 7.4  # pixels of a plain screen that a letter of its text takes on average
_LENGTH_SLACK: Final = 0.25  # of the logarithm of the ratio of lengths
_LENGTH: Final = 1.5
_PLACE: Final = 0.8
_TOWARDS: Final = 1.0
_SAID: Final = 4.0  # what a name that can be read counts, against looks and lengths
_NEARBY: Final = 1.6
_NEARBY_ACT: Final = 3.0
_ACTED_ON: Final = 0.5
_AROUND: Final = 0.3
_READ: Final = 0.3
_LOOSE_WORDS: Final = 1.5
_WORDLESS: Final = frozenset({PartKind.ICON, PartKind.TICK, PartKind.SWITCH, PartKind.TRACK, PartKind.FIELD})


@dataclass(frozen=True, slots=True)
class PartText:
    """A part with the text in it, and the text in its row or right above it; None where no text was read."""

    part: ScreenPart
    inside: str | None
    nearby: str | None


def text_of_part(part: ScreenPart, lines: Sequence[TextLine], sharpness: float) -> PartText:
    if not lines:
        return PartText(part, None, None)
    inside = " ".join(line.text for line in lines if _holds(part.box, line.box))
    beside = " ".join(line.text for line in lines if _is_next_to(part.box, line.box, sharpness))
    return PartText(part, inside, beside)


def fit_part(seen: PartText, cues: Cues, layout: ScreenLayout) -> float:
    """Higher is better; comparable between parts for the same cues, and between cues for the same part."""
    score = cues.looks[seen.part.kind] + _placement_score(seen.part.box, cues, layout)
    if seen.inside is None or seen.nearby is None:
        return score + _LENGTH * _long_enough(seen.part, cues, layout.pixel_ratio)
    return score + _name_score(seen.part.kind, seen.inside, seen.nearby, cues)


def _placement_score(box: Box, cues: Cues, layout: ScreenLayout) -> float:
    x, y = box.centre.x / layout.width, box.centre.y / layout.height
    score = _TOWARDS * (cues.towards[0] * (2 * x - 1) + cues.towards[1] * (2 * y - 1))
    if any(abs(x - cx) <= w / 2 and abs(y - cy) <= h / 2 for cx, cy, w, h in cues.frames):
        score += _PLACE
    return score


def _long_enough(part: ScreenPart, cues: Cues, sharpness: float) -> float:
    """1 where what is written is as long as the name, 0 where it is much shorter or longer."""
    if not cues.names:
        return 0.0
    if part.ink is None or part.kind in _WORDLESS:
        return 0.3
    width = (part.ink.x2 - part.ink.x1) / sharpness
    return max(
        weight * math.exp(-(math.log(width / (_LETTER * max(1, len(name)))) ** 2) / (2 * _LENGTH_SLACK**2))
        for name, weight in cues.names
    )


def _name_score(look: PartKind, inside: str, nearby: str, cues: Cues) -> float:
    own = max((weight * _reads(name, inside) for name, weight in cues.names), default=0.0)
    near = max((_word_coverage(name, nearby) for name in cues.context_names), default=0.0)
    score = _SAID * own + _AROUND * near
    if cues.words:
        score += _LOOSE_WORDS * len(words_of(inside) & cues.words) / len(cues.words)
    if look in _WORDLESS and own < _READ:
        score += max((weight * _belongs_to(name, nearby) for name, weight in cues.names), default=0.0)
    return score


def _reads(name: str, text: str) -> float:
    """Less where the name is of an act on what the text names: that is a control beside the text."""
    return likeness(name, text) * (_ACTED_ON if _act(name) - words_of(text) else 1.0)


def _belongs_to(name: str, nearby: str) -> float:
    act = _act(name)
    wanted = words_of(name) - act
    share = len(wanted & words_of(nearby)) / len(wanted) if wanted else 0.0
    return (_NEARBY_ACT if act else _NEARBY) * share


def _act(name: str) -> frozenset[str]:
    """The word that a name begins with, if that is what a control without text is for."""
    return frozenset(name.lower().split()[:1]) & ICON_ACTS


def _word_coverage(name: str, text: str) -> float:
    wanted = words_of(name)
    return len(wanted & words_of(text)) / len(wanted) if wanted else 0.0


def _holds(outer: Box, inner: Box) -> bool:
    """Whether most of a line is in a box, or the box is most of the line."""
    width = min(outer.x2, inner.x2) - max(outer.x1, inner.x1)
    height = min(outer.y2, inner.y2) - max(outer.y1, inner.y1)
    return width > 0 and height > 0 and width * height >= 0.5 * inner.area


def _is_next_to(box: Box, line: Box, sharpness: float) -> bool:
    """Whether a line is in the same row, or right above."""
    overlap = min(box.y2, line.y2) - max(box.y1, line.y1)
    same_row = overlap > 0.4 * min(box.y2 - box.y1, line.y2 - line.y1)
    above = 0 <= box.y1 - line.y2 < 14 * sharpness and min(box.x2, line.x2) > max(box.x1, line.x1)
    return same_row or above
