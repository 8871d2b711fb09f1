"""Samples: of an item what the models saw, what they were asked and what each of them replied."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.attempt import Outcome
from affordance.grounding.places import ABSENT
from affordance.ledger import Ledger, StepRecord
from affordance.report.filmstrips import Filmstrip, Frame, Projector
from affordance.report.kinds import Kind, kind, mark
from affordance.report.numbers import count
from affordance.report.overlays import overlay
from affordance.report.transcripts import Turn, turns
from affordance.suites.registry import TASKS
from affordance.suites.task import ASKED

_ITEMS_AT_ONCE = 10  # whose replies are read together

_Asked = tuple[str, int]  # question id, trial
_Steps = Mapping[str, Sequence[StepRecord]]  # by attempt


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
    shown: tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """An item to be shown, with all attempts at it."""

    item: str
    outcomes: Sequence[Outcome]
    pictures: bool = True  # or only such as have been made for another item


def samples(
    ledger: Ledger, projector: Projector, items: Sequence[Wanted], most_models: int | None = None
) -> Iterator[Sample]:
    """One after the other, so that thousands need no more memory than a few. `most_models` are shown of each
    question."""
    for start in range(0, len(items), _ITEMS_AT_ONCE):
        batch = [(one, telling(one.outcomes)) for one in items[start : start + _ITEMS_AT_ONCE]]
        steps = ledger.steps_of(
            [outcome.attempt for _, groups in batch for group in groups for outcome in group[:most_models]]
        )
        for one, groups in batch:
            yield _sample(projector, steps, one, groups, most_models)


def telling(outcomes: Iterable[Outcome]) -> list[list[Outcome]]:
    """By question and trial. The first, and of the others those that ended for some model as none before: so there is
    an example of all that came of each model's attempts at the item."""
    by_question: dict[_Asked, list[Outcome]] = {}
    for outcome in sorted(outcomes, key=lambda one: (one.trial, one.question)):
        by_question.setdefault((outcome.question, outcome.trial), []).append(outcome)
    chosen: list[list[Outcome]] = []
    seen: set[tuple[str, str, Kind]] = set()
    for group in by_question.values():
        kinds = {(one.model, one.strategy, kind(one.verdict)) for one in group}
        if not kinds <= seen:
            chosen.append(group)
            seen |= kinds
    return chosen


def tally(outcomes: Iterable[Outcome]) -> str:
    counted = [one.verdict for one in outcomes if one.verdict is not None and one.verdict.counted is not None]
    right = sum(verdict.score == 1 for verdict in counted)
    return f"{count(right)} of {count(len(counted))} right" if counted else "nothing scored"


def truths(outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    """In words."""
    tasks = {outcome.truth: outcome.task for outcome in outcomes}
    return tuple(dict.fromkeys(_told(task, truth) for truth, task in tasks.items()))


def model_name(outcome: Outcome) -> str:
    return outcome.model if outcome.strategy == "zero-shot" else f"{outcome.model} ({outcome.strategy})"


def is_located(outcome: Outcome) -> bool:
    """Whether the question is about a place on a screen."""
    task = TASKS.get(outcome.task)
    return task is not None and task.spoken is not None


def _sample(
    projector: Projector, steps: _Steps, wanted: Wanted, groups: Sequence[Sequence[Outcome]], most: int | None
) -> Sample:
    shown: list[Shown] = []
    pictures: tuple[str, ...] | None = None
    for group in groups:
        answers = _answers(group[:most], steps)
        seen = next((turn.pictures for answer in answers for turn in answer.turns if turn.pictures), None)
        again = seen == pictures and not any(answer.number for answer in answers)
        strip = projector.filmstrip(seen, new=wanted.pictures) if seen is not None and not again else None
        after = _after(projector, group[0], new=wanted.pictures)
        shown.append(_shown(group, answers, strip, after))
        pictures = seen or pictures
    return Sample(wanted.item, truths(wanted.outcomes), tally(wanted.outcomes), tuple(shown))


def _shown(group: Sequence[Outcome], answers: Sequence[Answer], strip: Filmstrip | None, after: Frame | None) -> Shown:
    one = group[0]
    drawn = strip is not None and strip.frames and is_located(one)
    return Shown(
        trial=one.trial,
        asked=one.tags.get(ASKED, ""),
        truth=_told(one.task, one.truth),
        filmstrip=strip,
        overlay=overlay(one.truth, _places(group[: len(answers)])) if drawn else None,
        after=after,
        prompts=_prompts(answers),
        answers=tuple(answers),
        hidden=len(group) - len(answers),
    )


def _told(task: str, truth: str) -> str:
    return TASKS[task].told(truth) if task in TASKS else truth


def _places(group: Sequence[Outcome]) -> list[str | None]:
    """Of questions about places, what is drawn of each attempt."""
    if not is_located(group[0]):
        return [None] * len(group)
    answers = [outcome.verdict.answer if outcome.verdict is not None else None for outcome in group]
    return [None if answer == ABSENT.value else answer for answer in answers]


def _after(projector: Projector, outcome: Outcome, *, new: bool) -> Frame | None:
    task = TASKS.get(outcome.task)
    source = task.after(outcome.truth) if task is not None else None
    return projector.source(source, new=new) if source is not None else None


def _answers(group: Sequence[Outcome], steps: _Steps) -> list[Answer]:
    return [
        _answer(outcome, number if place is not None else 0, steps[outcome.attempt])
        for number, (outcome, place) in enumerate(zip(group, _places(group), strict=True), 1)
    ]


def _answer(outcome: Outcome, number: int, steps: Sequence[StepRecord]) -> Answer:
    verdict = outcome.verdict
    return Answer(
        model=model_name(outcome),
        mark=mark(verdict),
        answer="" if verdict is None else verdict.answer or "",
        reason=f"{verdict.ended}: {verdict.reason}" if verdict is not None and verdict.reason else "",
        number=number,
        turns=tuple(turns(steps)),
    )


def _prompts(answers: Iterable[Answer]) -> tuple[Prompt, ...]:
    """What the models were asked first: once, if it was the same."""
    by_text: dict[str, list[str]] = {}
    for answer in answers:
        if answer.turns:
            by_text.setdefault(answer.turns[0].prompt, []).append(answer.model)
    return tuple(Prompt(text, tuple(models) if len(by_text) > 1 else ()) for text, models in by_text.items())
