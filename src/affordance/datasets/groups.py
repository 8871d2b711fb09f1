"""Sizes of look-alike groups, in the buckets in which they are reported."""

UNKNOWN = "unknown"
GROUP_SIZES = ("1-2", "3-4", "5-6", "7+", UNKNOWN)


def group_bucket(members: int | str | None) -> str:
    """The bucket of a group of so many members. Below 0 is how published files say that they do not know."""
    if members is None or not str(members).isdecimal():
        return UNKNOWN
    return GROUP_SIZES[min(max(int(members) - 1, 0) // 2, 3)]
