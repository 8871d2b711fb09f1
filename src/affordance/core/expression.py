"""How a target is described to whoever is to find it."""

from enum import StrEnum


class TargetExpression(StrEnum):
    FUNCTIONALITY = "functionality"  # what it does
    DESCRIPTION = "description"  # what it looks like
    INTENT = "intent"  # what somebody wants to do with it
