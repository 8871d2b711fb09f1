"""Which of two designs a model prefers, as text, table and data."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from affordance.core.formatting import count_noun
from affordance.core.table import Column, Table
from affordance.evaluation.design_choice import DesignChoiceRun
from affordance.report.formats.terminal import MAX_WIDTH
from affordance.tasks.behavior.design_preference import (
    DESIGN_LETTERS,
    MIN_PROBABILITY,
    DesignLetter,
    DesignPreference,
    DesignVote,
)
from affordance.tasks.behavior.response_sentences import label_designs, split_sentences

BAR_WIDTH = 20
MAX_SENTENCES = 6  # per design
CAUTION = "This is a preference of the model. How people act takes a test with people."


def vote_table(found: DesignPreference, choice: DesignChoiceRun) -> Table:
    """How often each design was chosen: in all, when shown first, when shown second."""
    columns = (
        Column("design"), Column("bar", " "), Column("chosen", align="right"),
        Column("first", "shown first", align="right"), Column("second", "shown second", align="right"),
    )  # fmt: skip
    rows, responses = [], len(choice.said)
    for place, (letter, file) in enumerate(zip(DESIGN_LETTERS, choice.designs, strict=True)):
        here, there = (found.when_first, found.when_second) if letter == "A" else (found.when_second, found.when_first)
        filled = round(BAR_WIDTH * found.votes(letter) / responses) if responses else 0
        rows.append(
            (
                f"{letter}  {file.name}",
                "█" * filled + "░" * (BAR_WIDTH - filled),
                f"{found.votes(letter)} of {responses}",
                f"{here[place]} of {sum(here)}",
                f"{there[place]} of {sum(there)}",
            )
        )
    return Table.of("votes", "", columns, rows)


def headline(found: DesignPreference, model: str) -> str:
    """The result in one sentence."""
    probability = f"{100 * found.confidence:.0f}%"
    if found.verdict is not None:
        return f"{model} prefers {found.verdict} ({probability} probability, position bias removed)."
    if not found.read:
        return f"Undecided: no response of {model} chose a design."
    if found.both and found.by_place == found.both:
        return f"Undecided: {model} chose by position, not by design."
    leaning = "A" if found.probability > 0.5 else "B"
    towards = f"it leans towards {leaning} ({probability} probability" if found.confidence > 0.5 else "no preference ("
    separator = "; " if found.confidence > 0.5 else ""
    return f"Undecided: {towards}{separator}a verdict needs {MIN_PROBABILITY:.0%}). More --trials may decide."


def describe_choice(found: DesignPreference, votes: Sequence[DesignVote], goal: str | None) -> Iterator[str]:
    """Lines: the goal, position bias, and reasons in the words of the model."""
    if goal:
        yield from wrap(f"Goal: {goal}", "", "  ")
        yield ""
    yield from wrap(_describe_position(found))
    for letter in [found.verdict] if found.verdict is not None else DESIGN_LETTERS:
        if found.votes(letter):
            yield ""
            yield f"Reasons for {letter}, from the responses that chose it"
            yield from _quote(_reasons(votes, letter))
    if found.verdict is None and found.unread:
        yield ""
        yield "From the responses in which no choice could be read"
        yield from _quote([sentence for one in votes if one.chosen is None for sentence in split_sentences(one.text)])
    yield ""
    yield from wrap(CAUTION)


def wrap(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(text, MAX_WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def choice_record(found: DesignPreference, choice: DesignChoiceRun) -> dict[str, Any]:
    """The result as data, for `choose --json`."""
    return {
        "model": choice.model,
        "run": choice.run,
        "designs": dict(zip(DESIGN_LETTERS, map(str, choice.designs), strict=True)),
        "goal": choice.goal,
        "verdict": found.verdict,
        "confidence": round(found.confidence, 4),
        "probability_of_a": round(found.probability, 4),
        "share_of_a": round(found.share, 4),
        "share_of_first_place": round(found.first, 4),
        "replies": len(choice.said),
        "chosen": {letter: found.votes(letter) for letter in DESIGN_LETTERS},
        "a_first": dict(zip(DESIGN_LETTERS, found.when_first, strict=True)),
        "a_second": dict(zip(DESIGN_LETTERS, found.when_second, strict=True)),
        "unread": found.unread,
        "first_place": found.first_place,
        "trials_by_place": found.by_place,
        "trials_in_both_orders": found.both,
        "reasons": {letter: _reasons(choice.said, letter) for letter in DESIGN_LETTERS},
    }


def _describe_position(found: DesignPreference) -> str:
    if not found.read:
        return "Position bias: unknown."
    share = f"{found.first_place} of {found.read} readable responses chose the design shown first"
    if not found.both:
        trials = "no trial chose in both orders"
    elif found.by_place:
        trials = f"{found.by_place} of {count_noun(found.both, 'trial')} chose the same position in both orders"
    else:
        trials = "no trial chose the same position in both orders"
    unread = f" No choice could be read in {count_noun(found.unread, 'response')}." if found.unread else ""
    same = " All responses per order are equal, so more trials add nothing." if found.repeating else ""
    return f"Position bias: {trials}; {share}.{unread}{same}"


def _reasons(votes: Sequence[DesignVote], letter: DesignLetter) -> list[str]:
    """The sentences of responses that chose a design, each once, with the letters of the designs."""
    found = (
        label_designs(sentence, one.first_design, "B" if one.first_design == "A" else "A")
        for one in votes
        if one.chosen == letter
        for sentence in split_sentences(one.text)
    )
    return list(dict.fromkeys(found))


def _quote(sentences: Sequence[str]) -> Iterator[str]:
    distinct = list(dict.fromkeys(sentences))
    for sentence in distinct[:MAX_SENTENCES]:
        yield from wrap(f"“{sentence}”", "    ", "     ")
    if len(distinct) > MAX_SENTENCES:
        yield f"    and {count_noun(len(distinct) - MAX_SENTENCES, 'more sentence')} (--json lists all)"
    if not distinct:
        yield "    No sentences: see the ledger."
