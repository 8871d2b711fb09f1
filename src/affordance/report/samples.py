"""Samples: for some items what the models saw, what they were asked and what each of them replied."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.attempt import COUNTED, Ended, Outcome, Verdict
from affordance.core.evenly import spread
from affordance.grounding.places import ABSENT
from affordance.ledger import Ledger
from affordance.report.filmstrips import Filmstrip, Frame, Projector
from affordance.report.numbers import count, percent
from affordance.report.overlays import overlay
from affordance.report.transcripts import Turn, turns
from affordance.suites.registry import TASKS
from affordance.suites.task import ASKED

MOST_MODELS = 24  # for each question

WRONG, NO_ANSWER, DISAGREE = "wrong", "no-answer", "disagree"

_Asked = tuple[str, int]  # question id, trial


@dataclass(frozen=True, slots=True)
class Answer:
    """One model's attempt. The mark is right, wrong, no answer..., in words."""

    model: str
    mark: str
    answer: str
    reason: str  # how it ended otherwise, and why
    number: int  # under which it is drawn; 0 where it is not
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    models: tuple[str, ...]  # empty where all models were asked alike


@dataclass(frozen=True, slots=True)
class Shown:
    """One question in one trial, with the attempts of all models at it."""

    trial: int
    asked: str  # empty where all items are asked the same
    truth: str
    filmstrip: Filmstrip | None  # None where it is that of the question before
    overlay: Markup | None  # truth and answers, to be drawn over the picture
    after: Frame | None  # what looks different after what was asked about was really done
    prompts: tuple[Prompt, ...]
    answers: tuple[Answer, ...]
    hidden: int  # models that are left out


@dataclass(frozen=True, slots=True)
class Sample:
    item: str
    truths: tuple[str, ...]
    right: str  # of all attempts at the item: `3 of 20 right`
    flags: tuple[str, ...]  # what the filter goes by, over all attempts at the item
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Samples:
    samples: tuple[Sample, ...]
    items: int  # that there are


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice of the filter, with how many items it leaves."""

    flag: str
    label: str
    items: int


_LABELS = {WRONG: "a wrong answer", NO_ANSWER: "no answer", DISAGREE: "models disagree"}


def choices(found: Iterable[Samples]) -> list[Choice]:
    shown = [sample for of_group in found for sample in of_group.samples]
    flagged = [Choice(flag, label, sum(flag in one.flags for one in shown)) for flag, label in _LABELS.items()]
    return [Choice("all", "all items", len(shown)), *flagged]


def samples(ledger: Ledger, projector: Projector, outcomes: Sequence[Outcome], most: int) -> Samples:
    """Of the outcomes of one task and run: items spread evenly over all, sorted by id."""
    by_item: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_item.setdefault(outcome.item, []).append(outcome)
    items = sorted(by_item)
    chosen = [items[place] for place in spread(len(items), most)]
    return Samples(tuple(_sample(ledger, projector, item, by_item[item]) for item in chosen), len(items))


def flags(outcomes: Sequence[Outcome]) -> set[str]:
    """What is worth looking at in the attempts at one question."""
    verdicts = [
        outcome.verdict for outcome in outcomes if outcome.verdict is not None and outcome.verdict.ended in COUNTED
    ]
    found = set()
    if any(verdict.ended is not Ended.ANSWERED for verdict in verdicts):
        found.add(NO_ANSWER)
    if any(verdict.ended is Ended.ANSWERED and verdict.score is not None and verdict.score < 1 for verdict in verdicts):
        found.add(WRONG)
    if len({verdict.answer for verdict in verdicts}) > 1:
        found.add(DISAGREE)
    return found


def mark(verdict: Verdict | None) -> str:
    if verdict is None:
        return "pending"
    if verdict.ended not in COUNTED:
        return str(verdict.ended)
    if verdict.ended is not Ended.ANSWERED:
        return "no answer"
    if verdict.score is None:
        return "not scored"
    return {1.0: "right", 0.0: "wrong"}.get(verdict.score, f"score {percent(verdict.score)}")


def _sample(ledger: Ledger, projector: Projector, item: str, outcomes: Sequence[Outcome]) -> Sample:
    by_question: dict[_Asked, list[Outcome]] = {}
    for outcome in sorted(outcomes, key=lambda one: (one.trial, one.question)):
        by_question.setdefault((outcome.question, outcome.trial), []).append(outcome)
    counted = [one.verdict for one in outcomes if one.verdict is not None and one.verdict.counted is not None]
    right = sum(verdict.score == 1 for verdict in counted)
    found = set().union(*map(flags, by_question.values()))
    shown: list[Shown] = []
    pictures: tuple[str, ...] | None = None
    for group in _telling(list(by_question.values())):
        one, pictures = _shown(ledger, projector, group, pictures)
        shown.append(one)
    return Sample(
        item=item,
        truths=tuple(dict.fromkeys(_told(outcome) for outcome in outcomes)),
        right=f"{count(right)} of {count(len(counted))} right" if counted else "nothing scored",
        flags=tuple(flag for flag in (WRONG, NO_ANSWER, DISAGREE) if flag in found),
        shown=tuple(shown),
    )


def _telling(groups: Sequence[list[Outcome]]) -> list[list[Outcome]]:
    """The first question of an item, and of the others the first of each kind worth looking at that it is not."""
    chosen, seen = [groups[0]], flags(groups[0])
    for group in groups[1:]:
        if not flags(group) <= seen:
            chosen.append(group)
            seen |= flags(group)
    return chosen


def _shown(
    ledger: Ledger, projector: Projector, group: Sequence[Outcome], before: tuple[str, ...] | None
) -> tuple[Shown, tuple[str, ...] | None]:
    """`before` are the pictures of the question above; those of this one come back."""
    places = _places(group[:MOST_MODELS])
    answers = [
        _answer(ledger, outcome, number if places[number - 1] is not None else 0)
        for number, outcome in enumerate(group[:MOST_MODELS], 1)
    ]
    pictures = next((turn.pictures for answer in answers for turn in answer.turns if turn.pictures), None)
    again = pictures == before and not any(places)
    strip = projector.filmstrip(pictures) if pictures is not None and not again else None
    drawn = strip is not None and strip.frames and _is_located(group[0])
    shown = Shown(
        trial=group[0].trial,
        asked=group[0].tags.get(ASKED, ""),
        truth=_told(group[0]),
        filmstrip=strip,
        overlay=overlay(group[0].truth, places) if drawn else None,
        after=_after(projector, group[0]),
        prompts=_prompts(answers),
        answers=tuple(answers),
        hidden=len(group) - len(answers),
    )
    return shown, pictures or before


def _told(outcome: Outcome) -> str:
    task = TASKS.get(outcome.task)
    return task.told(outcome.truth) if task is not None else outcome.truth


def _is_located(outcome: Outcome) -> bool:
    task = TASKS.get(outcome.task)
    return task is not None and task.spoken is not None


def _places(group: Sequence[Outcome]) -> list[str | None]:
    """Of questions about places, what is drawn of each attempt."""
    if not _is_located(group[0]):
        return [None] * len(group)
    answers = [outcome.verdict.answer if outcome.verdict is not None else None for outcome in group]
    return [None if answer == ABSENT.value else answer for answer in answers]


def _after(projector: Projector, outcome: Outcome) -> Frame | None:
    task = TASKS.get(outcome.task)
    source = task.after(outcome.truth) if task is not None else None
    return projector.source(source) if source is not None else None


def _answer(ledger: Ledger, outcome: Outcome, number: int) -> Answer:
    verdict = outcome.verdict
    strategy = "" if outcome.strategy == "zero-shot" else f" ({outcome.strategy})"
    return Answer(
        model=outcome.model + strategy,
        mark=mark(verdict),
        answer="" if verdict is None else verdict.answer or "",
        reason=f"{verdict.ended}: {verdict.reason}" if verdict is not None and verdict.reason else "",
        number=number,
        turns=tuple(turns(ledger.steps(outcome.attempt))),
    )


def _prompts(answers: Iterable[Answer]) -> tuple[Prompt, ...]:
    """What the models were asked first: once, if it was the same."""
    by_text: dict[str, list[str]] = {}
    for answer in answers:
        if answer.turns:
            by_text.setdefault(answer.turns[0].prompt, []).append(answer.model)
    return tuple(Prompt(text, tuple(models) if len(by_text) > 1 else ()) for text, models in by_text.items())
