"""Which of two designs a model prefers, as text, table and data."""

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

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
from affordance.tasks.behavior.response_sentences import LawMention, label_designs, law_mentions, split_sentences

BAR = 20
MOST_LAWS = 6
MOST_SENTENCES = 3  # where no law is in any
CAUTION = "This is what the model prefers, not how people will act: that takes a test with people."


def _reasons(said: Sequence[DesignVote], letter: DesignLetter) -> tuple[list[LawMention], list[str]]:
    return law_mentions(
        [
            label_designs(sentence, one.first_design, "B" if one.first_design == "A" else "A")
            for sentence in split_sentences(one.text)
        ]
        for one in said
        if one.chosen == letter
    )


def vote_table(found: DesignPreference, asking: DesignChoiceRun) -> Table:
    """For each design how often it was chosen: in all, in first place, in second place."""
    columns = (
        Column("design"), Column("chosen", " "), Column("responses", "chosen", align="right"),
        Column("first", "shown first", align="right"), Column("second", "shown second", align="right"),
    )  # fmt: skip
    lines, replies = [], len(asking.said)
    for place, (letter, file) in enumerate(zip(DESIGN_LETTERS, asking.designs, strict=True)):
        here, there = (found.when_first, found.when_second) if letter == "A" else (found.when_second, found.when_first)
        filled = round(BAR * found.votes(letter) / replies) if replies else 0
        cells = (
            f"{letter}  {file.name}",
            "█" * filled + "░" * (BAR - filled),
            f"{found.votes(letter)} of {replies}",
            f"{here[place]} of {sum(here)}",
            f"{there[place]} of {sum(there)}",
        )
        lines.append(cells)
    return Table.of("votes", "", columns, lines)


def describe_choice(found: DesignPreference, said: Sequence[DesignVote], goal: str | None) -> Iterator[str]:
    if goal:
        yield from wrap(f"Goal: {goal}", "", "  ")
        yield ""
    yield from wrap(_about_place(found))
    for letter in [found.verdict] if found.verdict is not None else DESIGN_LETTERS:
        if found.votes(letter):
            yield ""
            yield from _why(said, letter, found.votes(letter))
    if found.verdict is None and found.unread:
        yield ""
        yield from _describe_undecided(said)
    yield ""
    yield from wrap(CAUTION)


def _describe_undecided(said: Sequence[DesignVote]) -> Iterator[str]:
    """What replies said that chose neither."""
    yield "From the replies in which no choice could be read"
    texts = dict.fromkeys(sentence for one in said if one.chosen is None for sentence in split_sentences(one.text))
    for sentence in list(texts)[:MOST_SENTENCES]:
        yield from wrap(f"“{sentence}”", "    ", "     ")
    if not texts:
        yield "  They say nothing: see the ledger."


def headline(found: DesignPreference, model: str) -> str:
    sure = f"{100 * found.confidence:.0f}%"
    if found.verdict is not None:
        return f"{model} prefers {found.verdict}: that is {sure} certain, its preference for a place taken out."
    if not found.read:
        return f"Cannot tell: no reply of {model} chose a design."
    if found.both and found.by_place == found.both:
        return f"Cannot tell: {model} chose by place, not by design."
    leaning = "A" if found.probability > 0.5 else "B"
    towards = f"it leans to {leaning}, but only {sure} certain" if found.confidence > 0.5 else "it is evenly split"
    return (
        f"Cannot tell: {model} is not of one mind; {towards} (a verdict takes {MIN_PROBABILITY:.0%}). More "
        "--trials may tell."
    )


def _about_place(found: DesignPreference) -> str:
    if not found.read:
        return "Place: nothing to say."
    share = f"{found.first_place} of {found.read} readable replies chose what was shown first"
    places = "no trial chose in both orders"
    if found.both and found.by_place:
        places = f"{found.by_place} of {found.both} trials took the same place in both orders, and so chose by place"
    elif found.both:
        places = "no trial took the same place in both orders, so the choice does not follow the place"
    unread = f" In {found.unread} replies no choice could be read." if found.unread else ""
    same = " In each order all replies are the same: more trials tell nothing new." if found.repeating else ""
    return f"Place: {places}; {share}.{unread}{same}"


def _why(said: Sequence[DesignVote], letter: DesignLetter, votes: int) -> Iterator[str]:
    laws, silent = _reasons(said, letter)
    yield f"Reasons for {letter}, from the replies that chose it"
    used: set[str] = set()
    for ground in laws[:MOST_LAWS]:
        how = f"named in {ground.named_count}" if ground.named_count else "not named, but in its words"
        yield ""
        yield f"  {ground.law.name} ({ground.law.dimension}): {ground.response_count} of {votes} replies, {how}"
        sentence = next((one for one in ground.sentences if one not in used), None)
        if sentence is not None:
            used.add(sentence)
        yield from wrap(f"“{sentence}”" if sentence else "in the words above", "    ", "     ")
    if not laws:
        yield "  None of the twelve UX laws is in them, neither by name nor in its words."
        for sentence in silent[:MOST_SENTENCES]:
            yield from wrap(f"“{sentence}”", "    ", "     ")
    elif not any(ground.named_count for ground in laws):
        yield ""
        yield "  No law is called by its name: they are told by words, which is a guess."


def wrap(text: str, first: str = "", later: str = "") -> list[str]:
    return textwrap.wrap(text, MAX_WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def choice_record(found: DesignPreference, asking: DesignChoiceRun) -> dict[str, Any]:
    said = asking.said
    reasons: dict[str, Any] = {}
    for letter in DESIGN_LETTERS:
        laws, silent = _reasons(said, letter)
        told = [
            {
                "law": ground.law.name,
                "dimension": ground.law.dimension,
                "replies": ground.response_count,
                "named": ground.named_count,
                "sentences": list(ground.sentences),
            }
            for ground in laws
        ]
        reasons[letter] = {"laws": told, "without_a_law": silent}
    return {
        "model": asking.model,
        "run": asking.run,
        "designs": dict(zip(DESIGN_LETTERS, map(str, asking.designs), strict=True)),
        "goal": asking.goal,
        "verdict": found.verdict,
        "confidence": round(found.confidence, 4),
        "probability_of_a": round(found.probability, 4),
        "share_of_a": round(found.share, 4),
        "share_of_first_place": round(found.first, 4),
        "replies": len(said),
        "chosen": {letter: found.votes(letter) for letter in DESIGN_LETTERS},
        "a_first": dict(zip(DESIGN_LETTERS, found.when_first, strict=True)),
        "a_second": dict(zip(DESIGN_LETTERS, found.when_second, strict=True)),
        "unread": found.unread,
        "first_place": found.first_place,
        "trials_by_place": found.by_place,
        "trials_in_both_orders": found.both,
        "reasons": reasons,
    }
