"""What speaks against the wording of a question, told to the person who is writing it. Nothing is forbidden by it."""

import re
from collections.abc import Iterator, Sequence

from affordance.author.questions.leaks import complaint, option_complaint, plain
from affordance.author.questions.subjects import region_subject
from affordance.author.records import QuestionRecord
from affordance.author.state import ScreenState
from affordance.grounding.number_groups import GROUP, PAIR

OPTIONS, QUESTION = "options", "question"  # what doubts are about, beside the kinds of expressions

# Groups of numbers as models write places, and a single coordinate with its name or unit.
_PLACE = re.compile(rf"{PAIR}|{GROUP}|\b[xy]\s?[=:]\s?\d+|\b\d+\s?(?:px|pixels?)\b", re.IGNORECASE)
_ENOUGH = re.compile(r"\d.*\D\d|[xy=]|p", re.IGNORECASE | re.DOTALL)  # one number in brackets is no place


def doubts(state: ScreenState, name: str, record: QuestionRecord) -> dict[str, list[str]]:
    """By kind of expression, `question` or `options`: a line for each doubt. What has none is left out."""
    own = written_on(state, record)
    found = {
        kind: [*_alone(text, own, record.action), *_elsewhere(state, name, record, text)]
        for kind, text in record.expressions.items()
        if text
    }
    if record.form == "outcome":
        found[QUESTION] = _place(record.question) if plain(record.question) else ["it says nothing"]
        found[OPTIONS] = list(_of_options([one.text for one in record.options], record, own))
    return {part: lines for part, lines in found.items() if lines}


def written_on(state: ScreenState, record: QuestionRecord) -> str:
    """The target's own text, which would give it away; empty where none is known."""
    if record.level == "region":
        return region_subject(state, record.target).own if record.target in state.regions else ""
    elements = [] if state.elements is None else state.elements.elements
    found = next((one.text for one in elements if one.id == record.target), "")
    captured = [] if state.captured is None else state.captured.elements
    return found or next((one.name or "" for one in captured if one.id == record.target), "")


def _alone(text: str, own: str, action: str | None) -> Iterator[str]:
    if against := complaint(text, own, action):
        yield against
    yield from _place(text)


def _place(text: str) -> list[str]:
    found = next((one[0] for one in _PLACE.finditer(text) if _ENOUGH.search(one[0])), None)
    return [] if found is None else [f"it tells where the target is (“{found[:40]}”)"]


def _elsewhere(state: ScreenState, name: str, record: QuestionRecord, text: str) -> Iterator[str]:
    """A wording that asks for another target as well has no single answer."""
    spelt = plain(text)
    for other, one in state.questions.items():
        same = other == name or (one.level, one.target) == (record.level, record.target)
        if not same and not one.abandoned and any(plain(said) == spelt for said in one.expressions.values()):
            yield f"the question {other} about {one.target} says the same"


def _of_options(texts: Sequence[str], record: QuestionRecord, own: str) -> Iterator[str]:
    right = next((place for place, one in enumerate(record.options) if one.origin == "target"), None)
    if right is not None and (against := option_complaint(texts, right, own)):
        yield against
    yield from (line for text in texts for line in _place(text))
