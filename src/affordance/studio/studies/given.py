"""What a person filled in, against the form of the sheet. It may be unfinished, but never something else."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.studio.refused import Refused
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

Given = Mapping[str, Any]

SIDES = ("first", "second")
LONGEST_TEXT = 5000  # characters, where a form says nothing else
LONGEST_TAG = 60
MOST_TAGS = 30
_LARGEST = 1e9  # of a coordinate


def check_given(form: AnswerForm, given: Given) -> None:
    """Raises `Refused` for what the form does not have. Nothing at all is an answer that was taken back."""
    if given:
        _CHECKS[form.kind](form, given)


def is_complete(form: AnswerForm, given: Given) -> bool:
    """Whether there is nothing left to fill in, of what passed the check."""
    match form:
        case ChoiceForm(several=True):
            return bool(given.get("options"))
        case ChoiceForm():
            return "option" in given
        case WordsForm(fields):
            return all(given.get(one.name, "").strip() for one in fields if one.needed) and any(given.values())
        case TagsForm():
            return bool(given.get("tags"))
    return bool(given)


def _choice(form: ChoiceForm, given: Given) -> None:
    names = {option.name for option in form.options}
    _keys(given, {"options" if form.several else "option", *(("reason",) if form.reason else ())})
    _text("the reason", given.get("reason", ""), LONGEST_TEXT)
    chosen = given.get("options", []) if form.several else [given["option"]] if "option" in given else []
    if not isinstance(chosen, list) or not all(isinstance(one, str) for one in chosen):
        raise Refused("expected options by name, found something else")
    if unknown := [one for one in chosen if one not in names]:
        raise Refused(f"expected one of the options, found {unknown[0][:80]!r}")
    if len(set(chosen)) < len(chosen):
        raise Refused("expected each option once, found one twice")


def _either(_: EitherForm, given: Given) -> None:
    _keys(given, {"side"})
    if given["side"] not in SIDES:
        raise Refused(f"expected first or second, found {str(given['side'])[:80]!r}")


def _place(form: PlaceForm, given: Given) -> None:
    name = "box" if form.box else "point"
    _keys(given, {name, *(("absent",) if form.absent else ())})
    if len(given) != 1:
        raise Refused(f"expected a {name}, or that there is none; found both")
    if "absent" in given:
        if given["absent"] is not True:
            raise Refused("expected true for what is absent")
        return
    try:
        place = Box.from_json(given["box"]) if form.box else _point(given["point"])
    except ValueError as error:
        raise Refused(f"the {name}: {error}") from None
    width, height = form.size
    numbers = place.xyxy if isinstance(place, Box) else (place.x, place.y, place.x, place.y)
    if place.space is not CoordinateSpace.PIXEL or min(numbers) < 0 or numbers[2] > width or numbers[3] > height:
        raise Refused(f"expected a {name} in the picture of {width}x{height} pixels, found {list(numbers)}")
    if isinstance(place, Box) and min(place.x2 - place.x1, place.y2 - place.y1) < 1:
        raise Refused(f"expected a box of at least one pixel, found {list(numbers)}")


def _point(value: Any) -> Point:
    xy = value.get("xy") if isinstance(value, Mapping) and set(value) == {"space", "xy"} else None
    if not isinstance(xy, list) or len(xy) != 2 or not all(_is_number(one) for one in xy):
        raise ValueError('expected {"space": "pixel", "xy": [x, y]}')
    return Point(CoordinateSpace(value["space"]), *xy)


def _words(form: WordsForm, given: Given) -> None:
    fields = {one.name: one for one in form.fields}
    _keys(given, set(fields))
    for name, value in given.items():
        _text(fields[name].label, value, fields[name].longest)


def _scale(form: ScaleForm, given: Given) -> None:
    _keys(given, {"score"})
    score = given["score"]
    if not isinstance(score, int) or isinstance(score, bool) or not form.low <= score <= form.high:
        raise Refused(f"expected a whole number from {form.low} to {form.high}, found {str(score)[:80]!r}")


def _yes_or_no(_: YesNoForm, given: Given) -> None:
    _keys(given, {"yes"})
    if not isinstance(given["yes"], bool):
        raise Refused(f"expected true or false, found {str(given['yes'])[:80]!r}")


def _tags(_: TagsForm, given: Given) -> None:
    _keys(given, {"tags", "note"})
    tags = given.get("tags", [])
    if not isinstance(tags, list) or len(tags) > MOST_TAGS:
        raise Refused(f"expected at most {MOST_TAGS} tags")
    for one in tags:
        _text("a tag", one, LONGEST_TAG)
        if not one.strip():
            raise Refused("expected tags of at least one character, found an empty one")
    if len(set(tags)) < len(tags):
        raise Refused("expected each tag once, found one twice")
    _text("the note", given.get("note", ""), LONGEST_TEXT)


def _keys(given: Given, known: set[str]) -> None:
    if unknown := sorted(set(given) - known):
        raise Refused(f"expected {' and '.join(sorted(known))}, found {unknown[0][:40]!r}")


def _text(what: str, value: Any, longest: int) -> None:
    if not isinstance(value, str):
        raise Refused(f"{what}: expected a text")
    if len(value) > longest:
        raise Refused(f"{what}: expected at most {longest:,} characters, found {len(value):,}")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _LARGEST


_CHECKS: Mapping[str, Callable[[Any, Given], None]] = {
    "choice": _choice,
    "either": _either,
    "place": _place,
    "words": _words,
    "scale": _scale,
    "yes or no": _yes_or_no,
    "tags": _tags,
}
