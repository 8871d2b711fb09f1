"""The scorer: reads what was said as our tasks do, and has it judged where that is how they are scored."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.scorer._scorer import scorer_register
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_info
from pydantic import JsonValue

from affordance.core.ask import Response
from affordance.core.attempt import SCORED_STATUSES, AttemptStatus, Verdict
from affordance.evaluation.attempts import (
    PlannedAttempt,
    apply_judgement,
    conclude_judged_attempt,
    plan_judgement,
    run_attempt,
    score_attempt,
)
from affordance.evaluation.gather import gather_all
from affordance.integrations.inspect.asked import IncompleteAttempt, RequestRecorder, replay_responses
from affordance.integrations.inspect.faults import RequestFailed
from affordance.integrations.inspect.record import LOG_KEY, LoggedAttempt, LoggedVerdict, LoggedVerdictOrigin
from affordance.integrations.inspect.sitting import InspectSession, current_session
from affordance.models.completion import error_response
from affordance.tasks.task import Judging

NAME = "affordance/verdict"  # Inspect cuts the package's name off in logs, and looks for what is left: hence twice

# How Inspect calls what is wrong with an answer; what it has no word for is called as we do.
_REASON_OF_STATUS = {AttemptStatus.UNPARSED: "invalid_response_format", AttemptStatus.REFUSED: "refusal"}


@scorer(name=NAME, metrics=[])
def verdict(task: str, arguments: dict[str, Any]) -> Scorer:
    """The verdict of our task on the attempt that a sample is. Nothing is asked again but the judge."""

    async def score(state: TaskState, target: Target) -> Score:
        session = current_session(task, arguments)
        planned = session.planned[str(state.sample_id)]
        if (found := state.store.get(LOG_KEY)) is None:
            return Score.unscored(reason="not asked")
        made = LoggedAttempt.model_validate(found)
        try:
            answer = await run_attempt(planned, replay_responses(made))
        except IncompleteAttempt as broken_off:
            return Score.unscored(reason="unfinished", explanation=str(broken_off))
        ended, first = score_attempt(planned, answer)
        if ended.status is AttemptStatus.FAILED:  # only where a log is scored again: it had no answer then
            return Score.unscored(reason=ended.status.value, explanation=ended.reason)
        judgements: list[LoggedAttempt] = []
        if planned.judge_spec is not None and ended.status is AttemptStatus.ANSWERED:
            judged = await _judge_response(session, planned, planned.judge_spec, answer.last, judgements)
            ended, first = apply_judgement((ended, first), judged)
        made = made.model_copy(
            update={
                "verdict": LoggedVerdict.of(ended),
                "first": LoggedVerdict.of(first),
                "origin": LoggedVerdictOrigin.of(planned, answer),
                "judgements": tuple(judgements),
            }
        )
        state.store.set(LOG_KEY, made.to_json())
        if ended.status is AttemptStatus.FAILED:
            if all(one.verdict is not None and one.verdict.ended in SCORED_STATUSES for one in judgements):
                return Score.unscored(reason=ended.status.value, explanation=ended.reason)  # a judgement is unreadable
            raise RequestFailed(error_response(ended.reason, permanent=False))
        return _score(planned, made, ended, answer.last)

    return score


_INFO = registry_info(verdict)
for _name in (NAME, _INFO.name):  # what is registered last is its own name
    scorer_register(verdict, _name, _INFO.metadata)


async def _judge_response(
    session: InspectSession,
    subject: PlannedAttempt,
    judging: Judging,
    response: Response,
    judgements: list[LoggedAttempt],
) -> Verdict:
    """Put a reply to the judge; what it says is added to the judgements."""
    address = session.judge_settings
    assert address is not None, "a judged task was planned without a judge"
    planned = [plan_judgement(subject, judging, one, address) for one in judging.judgements(subject.question, response)]
    judgements.extend(await gather_all(_judgement(session, one) for one in planned))
    verdicts = [one.verdict.verdict() for one in judgements if one.verdict is not None]
    return conclude_judged_attempt(subject.question, judging, response, verdicts)


async def _judgement(session: InspectSession, planned: PlannedAttempt) -> LoggedAttempt:
    assert session.judge is not None
    recorder = RequestRecorder(session.judge)
    answer = await run_attempt(planned, recorder.reply)
    ended, _ = score_attempt(planned, answer)
    return LoggedAttempt.of(planned, recorder.requests, answer, ended)


def _score(planned: PlannedAttempt, logged: LoggedAttempt, ended: Verdict, response: Response) -> Score:
    identity: dict[str, JsonValue] = {"question": planned.question.id, "run": logged.run, "model": logged.model}
    dialect: dict[str, JsonValue] = {"dialect": planned.call_settings.dialect} if planned.call_settings.dialect else {}
    rulings = logged.model_dump(mode="json", include={"strategy", "trial", "verdict", "first"})
    return Score(
        # Inspect keeps a score that is nothing but NaN from metrics; ours are to know what was skipped.
        value={
            "score": float("nan") if ended.counted_score is None else ended.counted_score,
            "ended": ended.status.value,
        },
        answer=ended.answer,
        explanation=_explanation(ended, response, logged.judgements),
        reason=None
        if ended.status is AttemptStatus.ANSWERED
        else _REASON_OF_STATUS.get(ended.status, ended.status.value),
        metadata={LOG_KEY: {**identity, **dialect, **rulings}},
    )


def _explanation(ended: Verdict, response: Response, judgements: Sequence[LoggedAttempt]) -> str:
    """What was said, and what is to be said about it."""
    judged = [
        said.reply.text for one in judgements for said in one.steps if one.origin and said.step == one.origin.step
    ]
    parts = [f"{ended.status}: {ended.reason}" if ended.reason else str(ended.status), response.text]
    return "\n\n".join([*parts, *(f"The judge: {text}" for text in judged)])
