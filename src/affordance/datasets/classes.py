"""Classes in which targets are reported: how crowded it is about them, how large they are, how many look like them."""

from enum import StrEnum


class Density(StrEnum):
    SPARSE = "sparse"
    MEDIUM = "medium"
    DENSE = "dense"


class Area(StrEnum):
    TINY = "tiny"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


UNKNOWN = "unknown"
GROUP_SIZE_CLASSES = ("1-2", "3-4", "5-6", "7+", UNKNOWN)


def group_size_class(members: int | str | None) -> str:
    """The bucket of a group of so many members. Below 0 is how published files say that they do not know."""
    if members is None or not str(members).isdecimal():
        return UNKNOWN
    return GROUP_SIZE_CLASSES[min(max(int(members) - 1, 0) // 2, 3)]
