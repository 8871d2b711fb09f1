"""How a project stands in a few numbers, and what there is to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from affordance.report.numbers import count as numbered
from affordance.report.numbers import counted

Rows = Sequence[Mapping[str, Any]]  # of the list of screens

_SUMMED = (
    "regions",
    "corrected",
    "untold",
    "unvalidated",
    "validated",
    "failed",
    "rejected",
    "questions",
    "dropped",
    "abandoned",
)


@dataclass(frozen=True, slots=True)
class Counts:
    """Of the screens that go on. Each sum is of what the list of screens says."""

    screens: int
    done: int
    aside: int
    regions: int = 0
    corrected: int = 0
    untold: int = 0
    unvalidated: int = 0
    validated: int = 0
    failed: int = 0
    rejected: int = 0
    questions: int = 0
    dropped: int = 0
    abandoned: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do: what to call it, and where."""

    name: str
    href: str


def going_on(rows: Rows) -> list[Mapping[str, Any]]:
    return [row for row in rows if not row["aside"]]


def count(rows: Rows) -> Counts:
    on = going_on(rows)
    sums = {name: sum(row[name] for row in on) for name in _SUMMED}
    return Counts(len(on), sum(row["done"] for row in on), len(rows) - len(on), **sums)


def sentence(counts: Counts) -> str:
    """`31 of 120 screens are done. 14 corrected regions wait to be told anew, 9 texts to be validated.`"""
    if not counts.screens:
        return "No screen is here yet."
    first = _done(counts.done, counts.screens)
    untold, unvalidated = counts.untold, counts.unvalidated
    corrected = f"{counted(untold, 'corrected region')} {'waits' if untold == 1 else 'wait'} to be told anew"
    texts = counted(unvalidated, "text")
    if untold and unvalidated:
        return f"{first} {corrected}, {texts} to be validated."
    if untold:
        return f"{first} {corrected}."
    if unvalidated:
        return f"{first} {texts} {'waits' if unvalidated == 1 else 'wait'} to be validated."
    return first


def _done(done: int, screens: int) -> str:
    if screens == 1:
        return "The only screen is done." if done else "The only screen is not done yet."
    if done == screens:
        return f"All {counted(screens, 'screen')} are done."
    return f"{numbered(done) if done else 'None'} of {counted(screens, 'screen')} {'is' if done == 1 else 'are'} done."


def steps(rows: Rows, may_validate: bool) -> list[Step]:
    """What can be done now, what comes first being first."""
    on = going_on(rows)
    counts = count(rows)
    found: list[Step] = []
    if (undone := next((row for row in on if not row["done"]), None)) is not None:
        begun = any(row["done"] or row["corrected"] for row in on)
        found.append(Step(f"{'Go on' if begun else 'Begin'} with {undone['id']}", _boxes(undone)))
    if (untold := next((row for row in on if row["untold"]), None)) is not None:
        found.append(Step(f"Have {counted(counts.untold, 'region')} told anew", _boxes(untold)))
    if counts.unvalidated and may_validate:
        found.append(Step(f"Validate {counted(counts.unvalidated, 'text')}", "/validation"))
    return found


def _boxes(row: Mapping[str, Any]) -> str:
    return f"/boxes?{urlencode({'screen': row['id']})}"
