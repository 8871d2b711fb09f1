"""Attention checks: sheets with the study's own form that say plainly what to answer. What is right is worked out from
seed, seat and check, here and nowhere else: it is neither kept nor sent."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from affordance.core.digest import seeded_random
from affordance.core.geometry import Box
from affordance.studio.studies.forms import (
    AnswerForm,
    ChoiceForm,
    EitherForm,
    PlaceForm,
    ScaleForm,
    TagsForm,
    WordsForm,
    YesNoForm,
)
from affordance.studio.studies.sheets import Sheet, Still

_BEGIN = "This one is to see that you are reading: "
_WORDS = ("harbour", "lantern", "meadow", "orchard", "pebble", "saddle", "thimble", "willow")
_CORNERS = {"upper left": (0, 0), "upper right": (1, 0), "lower left": (0, 1), "lower right": (1, 1)}


def check_sheet(usual: Sheet, check: str, seat: str, seed: int) -> Sheet:
    """`usual` is any sheet of the study; of it only the form is taken, and pictures where the form needs one."""
    form = usual.form
    shown = usual.blocks if isinstance(form, EitherForm | PlaceForm) else ()
    if isinstance(form, ChoiceForm):  # examples are films among blocks that are not shown
        form = replace(form, reason="", options=tuple(replace(one, examples=()) for one in form.options))
    return Sheet(
        slot=check,
        heading=usual.heading,
        instruction=_BEGIN + _told(form, _chance(check, seat, seed)),
        blocks=tuple(replace(one, label="") for one in shown if isinstance(one, Still)),
        form=form,
        check=True,
        files=usual.files,
    )


def passed(form: AnswerForm, given: Mapping[str, Any], check: str, seat: str, seed: int) -> bool:
    """Whether what was given is what the sheet asked for."""
    chance = _chance(check, seat, seed)
    match form:
        case ChoiceForm(options, several):
            name = chance.choice(options).name
            return given.get("options") == [name] if several else given.get("option") == name
        case EitherForm():
            return given.get("side") == chance.choice(("first", "second"))
        case PlaceForm(size):
            return _in_corner(given, size, _CORNERS[chance.choice(list(_CORNERS))])
        case WordsForm(fields):
            word = chance.choice(_WORDS)
            return all(word in given.get(one.name, "").casefold() for one in fields if one.needed)
        case ScaleForm(low, high):
            return given.get("score") == chance.randint(low, high)
        case YesNoForm():
            return given.get("yes") is chance.choice((True, False))
        case TagsForm():
            return chance.choice(_WORDS) in [one.strip().casefold() for one in given.get("tags", [])]


def _told(form: AnswerForm, chance: random.Random) -> str:
    match form:
        case ChoiceForm(options, several):
            return f"choose “{chance.choice(options).label}”{' and nothing else' if several else ''}."
        case EitherForm(labels):
            return f"choose “{labels[('first', 'second').index(chance.choice(('first', 'second')))]}”."
        case PlaceForm(box=box):
            what = "draw a box that lies" if box else "set a point"
            return f"{what} in the {chance.choice(list(_CORNERS))} quarter of the picture."
        case WordsForm(fields):
            where = "every field" if len(fields) > 1 else "the field"
            return f"write the word “{chance.choice(_WORDS)}” into {where}."
        case ScaleForm(low, high):
            return f"choose {chance.randint(low, high)}."
        case YesNoForm():
            return f"answer {'yes' if chance.choice((True, False)) else 'no'}."
        case TagsForm():
            return f"add the tag “{chance.choice(_WORDS)}”."


def _chance(check: str, seat: str, seed: int) -> random.Random:
    return seeded_random("check", seed, seat, check)


def _in_corner(given: Mapping[str, Any], size: tuple[int, int], corner: tuple[int, int]) -> bool:
    if "box" in given:
        centre = Box.from_json(given["box"]).centre
        x, y = centre.x, centre.y
    elif "point" in given:
        x, y = given["point"]["xy"]
    else:
        return False
    return (x * 2 > size[0], y * 2 > size[1]) == (bool(corner[0]), bool(corner[1]))
