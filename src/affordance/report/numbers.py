"""How numbers are written: shares as percent with one decimal, a dash for what there is not."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # who only writes numbers needs no statistics
    from affordance.stats import Interval

MISSING = "–"
_NAMED = 4  # names in a list before it says "and 3 more"


def format_percent(share: float | None) -> str:
    return MISSING if share is None else f"{100 * share:.1f}"


def format_interval(found: "Interval | None") -> str:
    return MISSING if found is None else f"{format_percent(found[0])} to {format_percent(found[1])}"


def format_count(number: int | None) -> str:
    return MISSING if number is None else f"{number:,}"


def count_noun(number: int, noun: str) -> str:
    """A count with its noun: `1 attempt`, `1,200 attempts`, `30 pairs of clips`."""
    return f"{format_count(number)} {noun if number == 1 else pluralize(noun)}"


def pluralize(noun: str) -> str:
    """`pairs of clips`"""
    head, of, rest = noun.partition(" of ")
    return f"{head}s{of}{rest}"


def format_points(difference: float) -> str:
    """A difference of shares in percentage points: `+4.1`."""
    return f"{100 * difference:+.1f}"


def format_points_interval(found: "Interval") -> str:
    return f"{100 * found[0]:+.1f} to {100 * found[1]:+.1f}"


_ON_A_SCALE = frozenset({"score", "score_sd"})  # from 0 to 5; all other metrics are shares


def format_metric(metric: str, value: float | None) -> str:
    """The value of a metric as it is shown: a share in percent, or a score as it is."""
    if metric not in _ON_A_SCALE:
        return format_percent(value)
    return MISSING if value is None else f"{value:.2f}"


def metric_unit(metric: str) -> str:
    return "" if metric in _ON_A_SCALE else ", %"


def join_names(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c, d and 3 more`."""
    shown = list(names[:_NAMED])
    last = f"{format_count(len(names) - _NAMED)} more" if len(names) > _NAMED else shown.pop() if shown else ""
    return f"{', '.join(shown)} and {last}" if shown else last


def format_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
