"""Answers of people in a study, and the value that agreement is computed on."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from affordance.core.json_text import Json
from affordance.core.validation import StrictModel
from affordance.datasets.items import NonEmptyStr

UNANSWERED = "not answered yet"  # how the error for a question without an answer begins


class StudyAnswer(StrictModel):
    """One answer of one participant. `given` depends on the form of the study:

    - choice: {"option": NAME}, with {"reason": TEXT} if one is asked for; several: {"options": [NAME...]}
    - either: {"side": "first" | "second"}, as it was shown
    - place: {"box": {"space": "pixel", "xyxy": [...]}}, {"point": {"space": "pixel", "xy": [...]}} or {"absent": true}
    - words: {FIELD: TEXT...}
    - scale: {"score": NUMBER}; yes or no: {"yes": true | false}
    - tags: {"tags": [TEXT...], "note": TEXT}

    `seat` is the participant, `slot` the assignment. An answer to an attention check has `check` and does
    not count. A redacted answer has no `given`."""

    seat: NonEmptyStr
    slot: NonEmptyStr
    item: NonEmptyStr
    question: str = ""  # its id, if the study asks questions of a task
    trial: Annotated[int, Field(ge=0)] = 0
    given: dict[str, Any] = {}
    seconds: Annotated[float, Field(ge=0)] = 0.0
    check: bool = False
    redacted: bool = False


VersionedAnswers = Mapping[tuple[str, int], tuple[int, StudyAnswer]]  # by question and trial, each with its version


ORDER_AXIS = "order"  # of questions that show two things in both orders: the first and the second
ABSENT = "absent"
_SIDES = ("first", "second")
_LETTERS = ("A", "B")


def comparable_value(content: Mapping[str, Any], axes: Mapping[str, Json]) -> dict[str, Json]:
    """The value of an answer that agreement is computed on. For two things shown in one of two orders it is the thing,
    not its side. Free text has no value."""
    order = axes.get(ORDER_AXIS)
    if isinstance(order, list):
        side = _SIDES.index(content["side"]) if "side" in content else _position_of_letter(content.get("option"))
        return {} if side is None else {"chosen": str(order[side])}
    if "option" in content:
        return {"option": str(content["option"])}
    if "options" in content:
        return {"options": ", ".join(sorted(content["options"]))}
    if "box" in content:
        return {"box": list(content["box"]["xyxy"])}
    if content.get(ABSENT):
        return {"box": ABSENT}
    return (
        {"score": content["score"]} if "score" in content else {"yes": int(content["yes"])} if "yes" in content else {}
    )


def _position_of_letter(option: object) -> int | None:
    return _LETTERS.index(option) if option in _LETTERS else None
