"""Boxes as models and other programs write them."""

from typing import Any

_LARGEST = 1e9
_LONGEST = 20  # characters of a number


def four_numbers(value: Any) -> list[float] | None:
    """A list of four numbers, written as such or as texts; None for anything else. Whole ones stay whole."""
    if not isinstance(value, list) or len(value) != 4:
        return None
    found: list[float] = []
    for one in value:
        try:
            number = float(one) if isinstance(one, str) and len(one) < _LONGEST else one
        except ValueError:
            return None
        if isinstance(number, bool) or not isinstance(number, int | float) or not abs(number) < _LARGEST:
            return None
        found.append(number)
    return found
