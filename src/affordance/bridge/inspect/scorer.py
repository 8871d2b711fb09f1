"""The scorer: reads what was said as our tasks do, and has it judged where that is how they are scored."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.scorer._scorer import scorer_register
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_info
from pydantic import JsonValue

from affordance.bridge.inspect.asked import Hearing, Unfinished, remembered
from affordance.bridge.inspect.faults import Unanswered
from affordance.bridge.inspect.record import KEY, Made, Origin, Ruling
from affordance.bridge.inspect.sitting import Sitting, sitting_of
from affordance.core.ask import Reply
from affordance.core.attempt import COUNTED, Ended, Verdict
from affordance.models.completion import failure
from affordance.run.driving import Planned, concluded, drive, judgement, once_judged, read_answer
from affordance.run.together import together
from affordance.suites.task import Judging

NAME = "affordance/verdict"  # Inspect cuts the package's name off in logs, and looks for what is left: hence twice

# How Inspect calls what is wrong with an answer; what it has no word for is called as we do.
_REASONS = {Ended.UNPARSED: "invalid_response_format", Ended.REFUSED: "refusal"}


@scorer(name=NAME, metrics=[])
def verdict(task: str, arguments: dict[str, Any]) -> Scorer:
    """The verdict of our task on the attempt that a sample is. Nothing is asked again but the judge."""

    async def score(state: TaskState, target: Target) -> Score:
        sitting = sitting_of(task, arguments)
        planned = sitting.planned[str(state.sample_id)]
        if (found := state.store.get(KEY)) is None:
            return Score.unscored(reason="not asked")
        made = Made.model_validate(found)
        try:
            answer = await drive(planned, remembered(made))
        except Unfinished as broken_off:
            return Score.unscored(reason="unfinished", explanation=str(broken_off))
        ended, first = read_answer(planned, answer)
        if ended.ended is Ended.FAILED:  # only where a log is scored again: it had no answer then
            return Score.unscored(reason=ended.ended.value, explanation=ended.reason)
        judgements: list[Made] = []
        if planned.judging is not None and ended.ended is Ended.ANSWERED:
            judged = await _judged(sitting, planned, planned.judging, answer.last, judgements)
            ended, first = once_judged((ended, first), judged)
        made = made.model_copy(
            update={
                "verdict": Ruling.of(ended),
                "first": Ruling.of(first),
                "origin": Origin.of(planned, answer),
                "judgements": tuple(judgements),
            }
        )
        state.store.set(KEY, made.written())
        if ended.ended is Ended.FAILED:
            if all(one.verdict is not None and one.verdict.ended in COUNTED for one in judgements):
                return Score.unscored(reason=ended.ended.value, explanation=ended.reason)  # a judgement is unreadable
            raise Unanswered(failure(ended.reason, permanent=False))
        return _score(planned, made, ended, answer.last)

    return score


_INFO = registry_info(verdict)
for _name in (NAME, _INFO.name):  # what is registered last is its own name
    scorer_register(verdict, _name, _INFO.metadata)


async def _judged(
    sitting: Sitting, subject: Planned, judging: Judging, reply: Reply, judgements: list[Made]
) -> Verdict:
    """Put a reply to the judge; what it says is added to the judgements."""
    address = sitting.judged_at
    assert address is not None, "a judged task was planned without a judge"
    planned = [judgement(subject, judging, one, address) for one in judging.questions(subject.question, reply)]
    judgements.extend(await together(_judgement(sitting, one) for one in planned))
    verdicts = [one.verdict.verdict() for one in judgements if one.verdict is not None]
    return concluded(subject.question, judging, reply, verdicts)


async def _judgement(sitting: Sitting, planned: Planned) -> Made:
    assert sitting.judge is not None
    hearing = Hearing(sitting.judge)
    answer = await drive(planned, hearing.reply)
    ended, _ = read_answer(planned, answer)
    return Made.of(planned, hearing.said, answer, ended)


def _score(planned: Planned, made: Made, ended: Verdict, reply: Reply) -> Score:
    identity: dict[str, JsonValue] = {"question": planned.question.id, "run": made.run, "model": made.model}
    dialect: dict[str, JsonValue] = {"dialect": planned.address.dialect} if planned.address.dialect else {}
    rulings = made.model_dump(mode="json", include={"strategy", "trial", "verdict", "first"})
    return Score(
        # Inspect keeps a score that is nothing but NaN from metrics; ours are to know what was skipped.
        value={"score": float("nan") if ended.counted is None else ended.counted, "ended": ended.ended.value},
        answer=ended.answer,
        explanation=_explained(ended, reply, made.judgements),
        reason=None if ended.ended is Ended.ANSWERED else _REASONS.get(ended.ended, ended.ended.value),
        metadata={KEY: {**identity, **dialect, **rulings}},
    )


def _explained(ended: Verdict, reply: Reply, judgements: Sequence[Made]) -> str:
    """What was said, and what is to be said about it."""
    judged = [
        said.reply.text for one in judgements for said in one.steps if one.origin and said.step == one.origin.step
    ]
    parts = [f"{ended.ended}: {ended.reason}" if ended.reason else str(ended.ended), reply.text]
    return "\n\n".join([*parts, *(f"The judge: {text}" for text in judged)])
