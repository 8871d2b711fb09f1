"""Rationales that name a side: "the right version" is the winner to whoever wrote it, and nothing to a model that sees
a first and a second picture.

The list is of WiserUI-Bench. Other sentences there say left or right of a place on the page; those stay as they are.
"""

import re

# By index of the pair, the places of the rationales in it, counted from 0.
RATIONALES_NAMING_A_SIDE: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2),
    1: (1, 2),
    2: (0, 2, 3),
    4: (0,),
    9: (2, 3),
    13: (0, 1),
    17: (0,),
    20: (1,),
    27: (1,),
    31: (1,),
    37: (0,),
    60: (1,),
    72: (0,),
    76: (0,),
    106: (2,),
    107: (1,),
    140: (0,),
    147: (0,),
    151: (0,),
    163: (0, 1),
    167: (1,),
    171: (0,),
    173: (1,),
    226: (2,),
    278: (1, 2),
}
# Winners are on the right everywhere in that set.
NEUTRAL = {"right": "better", "left": "weaker"}

_SIDE = re.compile(r"\b(left|right)(?= version\b)", re.IGNORECASE)


def named_sides(text: str) -> list[str]:
    """The sides that a text calls a version by: `right` in "the right version"."""
    return [found.lower() for found in _SIDE.findall(text)]


def neutral_wording(text: str) -> str:
    """The same without sides: the right version is the better one, the left the weaker."""
    return _SIDE.sub(lambda found: NEUTRAL[found[0].lower()], text)


def published_neutral_wording(index: int, place: int, text: str) -> str | None:
    """What a rationale of WiserUI-Bench says without its side; None where it has none."""
    listed = place in RATIONALES_NAMING_A_SIDE.get(index, ())
    return neutral_wording(text) if listed and named_sides(text) else None
