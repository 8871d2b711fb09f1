"""Words for numbers and moments, as people read them."""


def span(seconds: float) -> str:
    """`1 minute`, rounded up."""
    for size, name in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds > size or size == 1:
            number = max(1, -int(-seconds // size))
            return f"{number} {name}{'' if number == 1 else 's'}"
    raise AssertionError


def day_and_time(moment: str) -> str:
    """`2026-11-16 06:29 UTC` of ISO 8601; nothing of nothing."""
    return f"{moment[:10]} {moment[11:16]} UTC" if moment else ""
