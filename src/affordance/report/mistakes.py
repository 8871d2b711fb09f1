"""What is wrong about wrong answers, in words."""

from collections.abc import Sequence

from affordance.report.numbers import format_percent
from affordance.report.rows import ResultRow
from affordance.report.words import row_label

SPELLED_OUT = 3  # models that get a sentence of their own


def error_kinds(group: Sequence[ResultRow]) -> list[str]:
    """The kinds of mistake that occur, in their order, and no answer last."""
    found = {kind for row in group for kind in row.shares}
    return [kind for kind in _MISTAKES if kind in found] + sorted(found - set(_MISTAKES), reverse=True)


def share_right(row: ResultRow) -> float:
    """What is left of all scored attempts, so that a line adds up; of partly right answers, those are a kind."""
    return max(0.0, 1 - sum(row.shares.values()))


def worst(group: Sequence[ResultRow]) -> str:
    said = []
    for row in group[:SPELLED_OUT]:
        wrong = {kind: share for kind, share in row.shares.items() if share}
        if wrong:
            kind = max(wrong, key=lambda kind: wrong[kind])
            said.append(
                f"{row_label(row)} most often errs by {_MISTAKES.get(kind, kind)} ({format_percent(wrong[kind])}%)."
            )
    return " ".join(said)


def note(kinds: Sequence[str]) -> str:
    return " ".join(_MEANT[kind] for kind in kinds if kind in _MEANT)


_MISTAKES = {
    "look-alike": "pointing at a look-alike",
    "ancestor": "pointing at what the target is in",
    "descendant": "pointing at a part of the target",
    "near miss": "a near miss",
    "elsewhere": "pointing elsewhere",
    "said absent": "saying that there is no such thing",
    "invented": "pointing where there is nothing to point at",
    "hard": "taking the outcome of a look-alike",
    "easy": "taking the outcome of something else on the screen",
    "incomplete": "naming only some of the right options",
    "not found": "missing what experts saw",
    "judged ambiguously": "words that the judge is in two minds about",
    "no explanation": "giving no explanation",
    "no answer": "giving no answer",
}
_MEANT = {
    "look-alike": "Look-alike: the centre is in another member of the look-alike group.",
    "ancestor": "Ancestor: a region that the target is in.",
    "near miss": "Near miss: the box overlaps the target.",
    "hard": "Hard: the outcome of a look-alike.",
    "easy": "Easy: the outcome of something else on the same screen.",
    "incomplete": "Incomplete: some of the right options and no wrong one, worth their share.",
}
