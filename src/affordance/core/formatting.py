"""How numbers are written."""

from enum import StrEnum


class Unit(StrEnum):
    """What a number counts."""

    PERCENT = "percent"
    SCORE = "score"
    COUNT = "count"
