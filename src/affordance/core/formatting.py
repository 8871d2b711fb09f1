"""How numbers are written: units, percentages, counts, intervals, p-values and lists of names."""

from collections.abc import Sequence
from enum import Enum

Scalar = str | int | float | None
Bounds = tuple[float, float]

MISSING = "–"
_NAMED = 4  # names in a list before "and 3 more"


class Unit(Enum):
    """What the number of a column or metric is, and with that how it is written."""

    TEXT = "text"
    PERCENT = "percent"  # a share from 0 to 1
    POINTS = "points"  # a difference of shares, in percentage points
    SCORE = "score"  # a rating on a scale
    DIFFERENCE = "difference"  # of scores
    RATIO = "ratio"  # a coefficient such as kappa, alpha or IoU
    COUNT = "count"
    P = "p"
    SECONDS = "seconds"
    USD = "usd"

    @property
    def suffix(self) -> str:
        """What is added to the heading of a column."""
        return _SUFFIXES.get(self, "")

    def format_value(self, value: Scalar, decimals: int | None = None) -> str:
        """The value as text: `77.6` for the share 0.776, a dash for None."""
        if value is None:
            return MISSING
        if isinstance(value, str):
            return value
        match self:
            case Unit.TEXT:
                return str(value)
            case Unit.COUNT:
                whole = decimals is None and value == int(value)
                return f"{int(value):,}" if whole else f"{value:,.{1 if decimals is None else decimals}f}"
            case Unit.P:
                return format_p(value)
        scale, default, sign = _FORMATS[self]
        digits = default if decimals is None else decimals
        return f"{round(scale * value, digits) + 0.0:{sign},.{digits}f}"  # no minus in front of zero

    def format_interval(self, interval: Bounds | None) -> str:
        return MISSING if interval is None else f"{self.format_value(interval[0])} to {self.format_value(interval[1])}"


_SUFFIXES = {Unit.PERCENT: ", %", Unit.POINTS: ", points", Unit.SECONDS: ", s", Unit.USD: ", US$"}
_FORMATS = {  # factor, decimals, sign
    Unit.PERCENT: (100, 1, ""),
    Unit.POINTS: (100, 1, "+"),
    Unit.SCORE: (1, 2, ""),
    Unit.DIFFERENCE: (1, 2, "+"),
    Unit.RATIO: (1, 2, ""),
    Unit.SECONDS: (1, 1, ""),
    Unit.USD: (1, 2, ""),
}


def format_percent(share: float | None) -> str:
    return Unit.PERCENT.format_value(share)


def format_interval(interval: Bounds | None) -> str:
    return Unit.PERCENT.format_interval(interval)


def format_points(difference: float) -> str:
    """A difference of shares in percentage points: `+4.1`."""
    return Unit.POINTS.format_value(difference)


def format_points_interval(interval: Bounds) -> str:
    return Unit.POINTS.format_interval(interval)


def format_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def format_count(number: int | None) -> str:
    return Unit.COUNT.format_value(number)


def count_noun(number: int, noun: str) -> str:
    """A count with its noun: `1 attempt`, `1,200 attempts`, `30 pairs of clips`."""
    return f"{format_count(number)} {noun if number == 1 else pluralize(noun)}"


def pluralize(noun: str) -> str:
    """`pairs of clips`, `queries`"""
    head, of, rest = noun.partition(" of ")
    ending = f"{head[:-1]}ies" if head.endswith("y") and head[-2:-1] not in "aeiou" else f"{head}s"
    return f"{ending}{of}{rest}"


def join_names(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c, d and 3 more`."""
    shown = list(names[:_NAMED])
    last = f"{format_count(len(names) - _NAMED)} more" if len(names) > _NAMED else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last


def format_bytes(size: float) -> str:
    """`512 B`, `1.5 kB`, `23 MB`, in powers of 1,000."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if size >= 10 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:,.1f} TB"
