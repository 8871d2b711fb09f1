"""One sample of the HTML report: images, questions, prompts and responses of an item."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from affordance.core.attempts import AttemptResult
from affordance.core.formatting import format_count
from affordance.grounding.locations import ABSENT
from affordance.ledger import AttemptStep, Ledger
from affordance.report.page.image_strips import ImageStrip, Thumbnail, ThumbnailRenderer
from affordance.report.page.overlays import overlay
from affordance.report.page.result_kinds import ResultKind, result_kind, result_label
from affordance.report.page.transcripts import ConversationTurn, conversation
from affordance.tasks.registry import TASKS
from affordance.tasks.task import QUESTION_TEXT_TAG

_ITEMS_AT_ONCE = 10  # whose replies are read together

_Asked = tuple[str, int]  # question id, trial
_Steps = Mapping[str, Sequence[AttemptStep]]  # by attempt


@dataclass(frozen=True, slots=True)
class AttemptDetail:
    """One model's attempt. The mark is right, wrong, no answer..., in words."""

    model: str
    mark: str
    answer: str
    reason: str  # how it ended otherwise, and why
    number: int  # under which it is drawn; 0 where it is not
    turns: tuple[ConversationTurn, ...]


@dataclass(frozen=True, slots=True)
class PromptText:
    text: str
    models: tuple[str, ...]  # empty where all models were asked alike


@dataclass(frozen=True, slots=True)
class QuestionDetail:
    """One question in one trial, with the attempts of all models at it."""

    trial: int
    asked: str  # empty where all items are asked the same
    truth: str
    filmstrip: ImageStrip | None  # None where it is that of the question before
    overlay: Markup | None  # truth and answers, to be drawn over the picture
    after: Thumbnail | None  # what looks different after what was asked about was really done
    prompts: tuple[PromptText, ...]
    answers: tuple[AttemptDetail, ...]
    hidden: int  # models that are left out


@dataclass(frozen=True, slots=True)
class SampleDetail:
    item: str
    truths: tuple[str, ...]
    right: str  # of all attempts at the item: `3 of 20 right`
    shown: tuple[QuestionDetail, ...]


@dataclass(frozen=True, slots=True)
class SampleSelection:
    """An item to be shown, with all attempts at it."""

    item: str
    outcomes: Sequence[AttemptResult]
    pictures: bool = True  # or only such as have been made for another item


def samples(
    ledger: Ledger, projector: ThumbnailRenderer, items: Sequence[SampleSelection], most_models: int | None = None
) -> Iterator[SampleDetail]:
    """One after the other, so that thousands need no more memory than a few. `most_models` are shown of each
    question."""
    for start in range(0, len(items), _ITEMS_AT_ONCE):
        batch = [(one, representative_attempts(one.outcomes)) for one in items[start : start + _ITEMS_AT_ONCE]]
        steps = ledger.steps_of(
            [outcome.attempt_id for _, groups in batch for group in groups for outcome in group[:most_models]]
        )
        for one, groups in batch:
            yield _sample(projector, steps, one, groups, most_models)


def representative_attempts(outcomes: Iterable[AttemptResult]) -> list[list[AttemptResult]]:
    """By question and trial. The first, and of the others those that ended for some model as none before: so there is
    an example of all that came of each model's attempts at the item."""
    by_question: dict[_Asked, list[AttemptResult]] = {}
    for outcome in sorted(outcomes, key=lambda one: (one.trial, one.question_id)):
        by_question.setdefault((outcome.question_id, outcome.trial), []).append(outcome)
    chosen: list[list[AttemptResult]] = []
    seen: set[tuple[str, str, ResultKind]] = set()
    for group in by_question.values():
        kinds = {(one.model, one.strategy, result_kind(one.verdict)) for one in group}
        if not kinds <= seen:
            chosen.append(group)
            seen |= kinds
    return chosen


def score_tally(outcomes: Iterable[AttemptResult]) -> str:
    counted = [one.verdict for one in outcomes if one.verdict is not None and one.verdict.counted_score is not None]
    right = sum(verdict.score == 1 for verdict in counted)
    return f"{format_count(right)} of {format_count(len(counted))} right" if counted else "nothing scored"


def truths(outcomes: Iterable[AttemptResult]) -> tuple[str, ...]:
    """In words."""
    tasks = {outcome.truth: outcome.task for outcome in outcomes}
    return tuple(dict.fromkeys(_describe_truth(task, truth) for truth, task in tasks.items()))


def model_name(outcome: AttemptResult) -> str:
    return outcome.model if outcome.strategy == "zero-shot" else f"{outcome.model} ({outcome.strategy})"


def has_location(outcome: AttemptResult) -> bool:
    """Whether the question is about a place on a screen."""
    task = TASKS.get(outcome.task)
    return task is not None and task.scorer.locations


def _sample(
    projector: ThumbnailRenderer,
    steps: _Steps,
    wanted: SampleSelection,
    groups: Sequence[Sequence[AttemptResult]],
    most: int | None,
) -> SampleDetail:
    shown: list[QuestionDetail] = []
    pictures: tuple[str, ...] | None = None
    for group in groups:
        answers = _answers(group[:most], steps)
        seen = next((turn.pictures for answer in answers for turn in answer.turns if turn.pictures), None)
        again = seen == pictures and not any(answer.number for answer in answers)
        strip = projector.image_strip(seen, new=wanted.pictures) if seen is not None and not again else None
        after = _after(projector, group[0], new=wanted.pictures)
        shown.append(_question_detail(group, answers, strip, after))
        pictures = seen or pictures
    return SampleDetail(wanted.item, truths(wanted.outcomes), score_tally(wanted.outcomes), tuple(shown))


def _question_detail(
    group: Sequence[AttemptResult], answers: Sequence[AttemptDetail], strip: ImageStrip | None, after: Thumbnail | None
) -> QuestionDetail:
    one = group[0]
    drawn = strip is not None and strip.frames and has_location(one)
    return QuestionDetail(
        trial=one.trial,
        asked=one.tags.get(QUESTION_TEXT_TAG, ""),
        truth=_describe_truth(one.task, one.truth),
        filmstrip=strip,
        overlay=overlay(one.truth, _places(group[: len(answers)])) if drawn else None,
        after=after,
        prompts=_prompts(answers),
        answers=tuple(answers),
        hidden=len(group) - len(answers),
    )


def _describe_truth(task: str, truth: str) -> str:
    return TASKS[task].views.describe_truth(truth) if task in TASKS else truth


def _places(group: Sequence[AttemptResult]) -> list[str | None]:
    """Of questions about places, what is drawn of each attempt."""
    if not has_location(group[0]):
        return [None] * len(group)
    answers = [outcome.verdict.answer if outcome.verdict is not None else None for outcome in group]
    return [None if answer == ABSENT.value else answer for answer in answers]


def _after(projector: ThumbnailRenderer, outcome: AttemptResult, *, new: bool) -> Thumbnail | None:
    task = TASKS.get(outcome.task)
    source = task.views.truth_image(outcome.truth) if task is not None else None
    return projector.source(source, new=new) if source is not None else None


def _answers(group: Sequence[AttemptResult], steps: _Steps) -> list[AttemptDetail]:
    return [
        _answer(outcome, number if place is not None else 0, steps[outcome.attempt_id])
        for number, (outcome, place) in enumerate(zip(group, _places(group), strict=True), 1)
    ]


def _answer(outcome: AttemptResult, number: int, steps: Sequence[AttemptStep]) -> AttemptDetail:
    verdict = outcome.verdict
    return AttemptDetail(
        model=model_name(outcome),
        mark=result_label(verdict),
        answer="" if verdict is None else verdict.answer or "",
        reason=f"{verdict.status}: {verdict.reason}" if verdict is not None and verdict.reason else "",
        number=number,
        turns=tuple(conversation(steps)),
    )


def _prompts(answers: Iterable[AttemptDetail]) -> tuple[PromptText, ...]:
    """What the models were asked first: once, if it was the same."""
    by_text: dict[str, list[str]] = {}
    for answer in answers:
        if answer.turns:
            by_text.setdefault(answer.turns[0].prompt, []).append(answer.model)
    return tuple(PromptText(text, tuple(models) if len(by_text) > 1 else ()) for text, models in by_text.items())
