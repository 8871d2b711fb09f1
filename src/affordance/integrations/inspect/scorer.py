"""The scorer and the metrics: verdicts of our tasks on the responses in a log, judged where a task needs it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_info
from pydantic import JsonValue

from affordance.core.attempts import SCORED_STATUSES, Attempt, AttemptResult, AttemptStatus, Verdict
from affordance.core.json_text import canonical_json
from affordance.core.requests import Response
from affordance.evaluation.attempts import (
    apply_judgement,
    conclude_judged_attempt,
    gather_all,
    plan_judgement,
    run_attempt,
    score_attempt,
)
from affordance.evaluation.plan import Plan, PlannedAttempt
from affordance.integrations.inspect._compat import scorer_register
from affordance.integrations.inspect.conversion import RequestFailed
from affordance.integrations.inspect.log_schema import LOG_KEY, LoggedAttempt, LoggedVerdict, LoggedVerdictOrigin
from affordance.integrations.inspect.recorded_requests import IncompleteAttempt, RequestRecorder, replay_responses
from affordance.integrations.inspect.session import InspectSession, current_session, session_plan
from affordance.models.provider_errors import error_response
from affordance.tasks.metrics import ResultSet, compute_metrics
from affordance.tasks.scoring import JudgedAnswer, JudgePlan
from affordance.tasks.task import Task

SCORER_NAME = (
    "affordance/verdict"  # Inspect cuts the package's name off in logs, and looks for what is left: hence twice
)

# How Inspect calls what is wrong with an answer; what it has no word for is called as we do.
_REASON_OF_STATUS = {AttemptStatus.UNPARSED: "invalid_response_format", AttemptStatus.REFUSED: "refusal"}


@scorer(name=SCORER_NAME, metrics=[])
def verdict(task: str, arguments: dict[str, Any]) -> Scorer:
    """The verdict of our task on the attempt that a sample is. Nothing is asked again but the judge."""

    async def score(state: TaskState, target: Target) -> Score:
        session = await current_session(task, arguments)
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
for _name in (SCORER_NAME, _INFO.name):  # what is registered last is its own name
    scorer_register(verdict, _name, _INFO.metadata)


async def _judge_response(
    session: InspectSession,
    subject: PlannedAttempt,
    judging: JudgePlan,
    response: Response,
    judgements: list[LoggedAttempt],
) -> Verdict:
    """Put a reply to the judge; what it says is added to the judgements."""
    address = session.judge_settings
    assert address is not None, "a judged task was planned without a judge"
    judged = JudgedAnswer.from_response(response, subject.attempt.model)
    planned = [plan_judgement(subject, judging, one, address) for one in judging.judgements(subject.question, judged)]
    judgements.extend(await gather_all(_judgement(session, one) for one in planned))
    verdicts = [one.verdict.verdict() for one in judgements if one.verdict is not None]
    return conclude_judged_attempt(subject.question, judging, judged, verdicts)


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


AttemptKey = tuple[str, str, int]  # question, strategy and trial: which attempt of a job
Verdicts = Mapping[AttemptKey, tuple[Verdict, Verdict]]  # each with that on the first try


@metric(name="measures", scores="unreduced")
def affordance_metrics(task: str, arguments: dict[str, Any]) -> Metric:
    """What a report says of the same verdicts. Inspect asks for it at any time: while something is missing there is the
    accuracy of what is there, which is not called accuracy, with the bounds of that of the whole, and how much is
    missing. Forms and strategies have numbers of their own, as they have rows of their own in a report."""

    def measure(scores: list[SampleScore]) -> Value:
        found = [one.score.metadata[LOG_KEY] for one in scores if one.score.metadata and LOG_KEY in one.score.metadata]
        verdicts = {
            (one["question"], one["strategy"], one["trial"]): (_verdict(one["verdict"]), _verdict(one["first"]))
            for one in found
        }
        job = session_plan(task, arguments)
        one_of_them = found[0] if found else {"run": "", "model": ""}
        rows = _rows(job, one_of_them["run"], one_of_them["model"], verdicts)
        (asked,) = job.config.tasks
        return _numbers(asked, rows, one_of_them.get("dialect", ""))

    return measure


def _verdict(found: Any) -> Verdict:
    return LoggedVerdict.model_validate(found).verdict()


def _rows(plan: Plan, run: str, model: str, verdicts: Verdicts) -> dict[tuple[str, str], list[AttemptResult]]:
    """What belongs together, by strategy and form, in the order in which a ledger has it: sums depend on that."""
    (task,) = plan.config.tasks
    rows: dict[tuple[str, str], list[AttemptResult]] = {}
    for one in sorted(_outcomes(plan, run, model, verdicts), key=lambda entry: entry[0]):
        outcome = one[1]
        rows.setdefault((outcome.strategy, outcome.tags.get(task.views.split.tag, "")), []).append(outcome)
    return rows


def _outcomes(
    plan: Plan, run: str, model: str, verdicts: Verdicts
) -> Iterator[tuple[tuple[str, str, str, int], AttemptResult]]:
    for task, trial in plan.task_trials():
        question = trial.question
        for strategy in plan.config.strategy:
            if strategy not in task.strategies:
                continue
            verdict, first = verdicts.get((question.id, strategy, trial.trial), (None, None))
            yield (
                (strategy, question.item, canonical_json(dict(question.axes)), trial.trial),
                AttemptResult(
                    attempt_id=Attempt(run, question.id, model, strategy, trial.trial).id,
                    task=task.name,
                    model=model,
                    strategy=strategy,
                    trial=trial.trial,
                    question_id=question.id,
                    item_id=question.item,
                    truth=question.truth,
                    tags=question.tags,
                    cluster=question.cluster,
                    verdict=verdict,
                    first_verdict=first,
                ),
            )


def _numbers(
    task: Task, rows: Mapping[tuple[str, str], Sequence[AttemptResult]], dialect: str
) -> dict[str, str | int | float | bool | None]:
    several = [len({key[part] for key in rows}) > 1 for part in range(2)]
    found: dict[str, str | int | float | bool | None] = {}
    for key, outcomes in rows.items():
        before = "".join(f"{name}/" for name, told in zip(key, several, strict=True) if told)
        results = ResultSet(outcomes, dialect)
        numbers = compute_metrics(task.metrics_of_row, results)
        if results.is_complete:
            found |= {f"{before}{name}": value for name, value in numbers.items()}
            continue
        if results.bounds is not None and task.headline is not None:
            name, (low, high) = task.headline.name, results.bounds
            limits = {"partial": numbers[name], "at_least": low, "at_most": high}
            found |= {f"{before}{name}_{how}": value for how, value in limits.items()}
        found[f"{before}missing"] = sum(one.verdict is None for one in outcomes)
    return found
