"""How a project stands in a few numbers, and what there is to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from affordance.author.study_records import Study
from affordance.core.formatting import count_noun
from affordance.core.formatting import format_count as numbered

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
    corrected = f"{count_noun(untold, 'corrected region')} {'waits' if untold == 1 else 'wait'} to be told anew"
    texts = count_noun(unvalidated, "text")
    if untold and unvalidated:
        return f"{first} {corrected}, {texts} to be validated."
    if untold:
        return f"{first} {corrected}."
    if unvalidated:
        return f"{first} {texts} {'waits' if unvalidated == 1 else 'wait'} to be validated."
    return first


def clip_sentence(rows: Rows) -> str:
    """Of the list of clips: `3 of 60 clips are done.`; nothing where there are none that go on."""
    going = [row for row in rows if row.get("standing") in ("open", "done")]
    return _done(sum(row["standing"] == "done" for row in going), len(going), "clip") if going else ""


def clip_steps(rows: Rows) -> list[Step]:
    """The first clip that is not done."""
    undone = next((row["id"] for row in rows if row.get("standing") == "open"), None)
    return [] if undone is None else [Step(f"Describe {undone}", f"/clips?{urlencode({'clip': undone})}")]


def pair_sentence(rows: Rows) -> str:
    """Of the list of pairs: `3 of 20 pairs have rationales.`; nothing where there are none that go on."""
    going = _pairs(rows)
    told = sum(row["rationales"] > 0 for row in going)
    if not going:
        return ""
    if len(going) == 1:
        return f"The only pair has {'rationales' if told else 'no rationale yet'}."
    some = "All" if told == len(going) else f"{numbered(told) if told else 'None'} of"
    return f"{some} {count_noun(len(going), 'pair')} {'has' if told == 1 else 'have'} rationales."


def pair_steps(rows: Rows) -> list[Step]:
    """The first pair that nobody has given a rationale for."""
    untold = next((row["id"] for row in _pairs(rows) if not row["rationales"]), None)
    return [] if untold is None else [Step(f"Say what differs in {untold}", f"/pairs?{urlencode({'pair': untold})}")]


def study_sentence(studies: Sequence[Study]) -> str:
    """`2 of 3 studies are open.`; nothing where there are none."""
    going = sum(not one.closed for one in studies)
    if not studies:
        return ""
    if len(studies) == 1:
        return f"The only study is {'open' if going else 'closed'}."
    some = "All" if going == len(studies) else f"{numbered(going) if going else 'None'} of"
    return f"{some} {numbered(len(studies))} studies {'is' if going == 1 else 'are'} open."


def study_steps(studies: Sequence[Study]) -> list[Step]:
    return [Step("Take part in a study", "/study")] if any(not one.closed for one in studies) else []


def _pairs(rows: Rows) -> list[Mapping[str, Any]]:
    return [row for row in rows if "rationales" in row and not row["aside"]]


def _done(done: int, of: int, what: str = "screen") -> str:
    if of == 1:
        return f"The only {what} is done." if done else f"The only {what} is not done yet."
    if done == of:
        return f"All {count_noun(of, what)} are done."
    return f"{numbered(done) if done else 'None'} of {count_noun(of, what)} {'is' if done == 1 else 'are'} done."


def steps(rows: Rows, may_validate: bool) -> list[Step]:
    """What can be done now, what comes first being first."""
    on = going_on(rows)
    counts = count(rows)
    found: list[Step] = []
    if (undone := next((row for row in on if not row["done"]), None)) is not None:
        begun = any(row["done"] or row["corrected"] for row in on)
        found.append(Step(f"{'Go on' if begun else 'Begin'} with {undone['id']}", _boxes(undone)))
    if (untold := next((row for row in on if row["untold"]), None)) is not None:
        found.append(Step(f"Have {count_noun(counts.untold, 'region')} told anew", _boxes(untold)))
    if counts.unvalidated and may_validate:
        found.append(Step(f"Validate {count_noun(counts.unvalidated, 'text')}", "/validation"))
    return found


def _boxes(row: Mapping[str, Any]) -> str:
    return f"/boxes?{urlencode({'screen': row['id']})}"
