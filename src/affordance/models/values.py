"""What an answer of a person to a question comes to, however it was shown to them: what agreement is counted on."""

from collections.abc import Mapping
from typing import Any

from affordance.core.digest import Json

ORDER = "order"  # the axis of questions that show two things in both orders: which is first, and which second
ABSENT = "absent"
_SIDES = ("first", "second")
_LETTERS = ("A", "B")


def value_of(given: Mapping[str, Any], axes: Mapping[str, Json]) -> dict[str, Json]:
    """By what is measured. Of two things that were shown in one of two orders: which it is, not which side. Words have
    no value."""
    order = axes.get(ORDER)
    if isinstance(order, list):
        side = _SIDES.index(given["side"]) if "side" in given else _letter(given.get("option"))
        return {} if side is None else {"chosen": str(order[side])}
    if "option" in given:
        return {"option": str(given["option"])}
    if "options" in given:
        return {"options": ", ".join(sorted(given["options"]))}
    if "box" in given:
        return {"box": list(given["box"]["xyxy"])}
    if given.get(ABSENT):
        return {"box": ABSENT}
    return {"score": given["score"]} if "score" in given else {"yes": int(given["yes"])} if "yes" in given else {}


def _letter(option: object) -> int | None:
    return _LETTERS.index(option) if option in _LETTERS else None
