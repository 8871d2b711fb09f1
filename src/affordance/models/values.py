"""What an answer of a person to a question comes to, however it was shown to them: what agreement is counted on."""

from collections.abc import Mapping
from typing import Any

from affordance.core.digest import Json

ORDER_AXIS = "order"  # the axis of questions that show two things in both orders: which is first, and which second
ABSENT = "absent"
_SIDES = ("first", "second")
_LETTERS = ("A", "B")


def comparable_value(content: Mapping[str, Any], axes: Mapping[str, Json]) -> dict[str, Json]:
    """By what is measured. Of two things that were shown in one of two orders: which it is, not which side. Words have
    no value."""
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
