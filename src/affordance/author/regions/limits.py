"""How far a division goes, and what is good enough in it."""

from dataclasses import dataclass

from affordance.author.regions.verifying import BOUNDED, COMPLETENESS
from affordance.author.tools import Tools
from affordance.core.errors import UserError


@dataclass(frozen=True, slots=True)
class Limits:
    """`refinements` are proposals in all; `depth` is the deepest level, None for no limit."""

    refinements: int = 3
    depth: int | None = 3
    completeness: float = COMPLETENESS
    bounded: float = BOUNDED


def limits_of(tools: Tools) -> Limits:
    """The limits that the settings give, by their names; `depth=none` is no limit."""
    given, usual = tools.settings, Limits()
    depth = given.get("depth", str(usual.depth))
    return Limits(
        refinements=_whole("refinements", given.get("refinements", str(usual.refinements)), 1, 10),
        depth=None if depth == "none" else _whole("depth", depth, 1, 100, " or none"),
        completeness=_number("completeness", given.get("completeness", str(usual.completeness)), 0, 3),
        bounded=_number("bounded", given.get("bounded", str(usual.bounded)), 0, 1),
    )


def _whole(name: str, text: str, low: int, high: int, also: str = "") -> int:
    if not text.isdecimal() or not low <= int(text[:9]) <= high:
        raise UserError(f"setting {name}: expected a whole number from {low} to {high}{also}, found {text!r}")
    return int(text)


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not low <= number <= high:
        raise UserError(f"setting {name}: expected a number from {low} to {high}, found {text!r}")
    return number
