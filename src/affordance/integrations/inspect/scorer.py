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

SCORER_NAME = "affordance/verdict"

# Inspect's words for a status; other statuses keep ours.
_REASON_OF_STATUS = {AttemptStatus.UNPARSED: "invalid_response_format", AttemptStatus.REFUSED: "refusal"}


@scorer(name=SCORER_NAME, metrics=[])
def verdict(task: str, arguments: dict[str, Any]) -> Scorer:
    """The verdict of our task on the attempt of a sample. Only the judge receives requests."""

    async def score(state: TaskState, target: Target) -> Score:
        session = await current_session(task, arguments)
        planned = session.planned[str(state.sample_id)]
        if (found := state.store.get(LOG_KEY)) is None:
            return Score.unscored(reason="not attempted")
        logged = LoggedAttempt.model_validate(found)
        try:
            responses = await run_attempt(planned, replay_responses(logged))
        except IncompleteAttempt as error:
            return Score.unscored(reason="incomplete", explanation=str(error))
        final, first = score_attempt(planned, responses)
        if final.status is AttemptStatus.FAILED:  # only where a log is scored again
            return Score.unscored(reason=final.status.value, explanation=final.reason)
        judgements: list[LoggedAttempt] = []
        if planned.judge_spec is not None and final.status is AttemptStatus.ANSWERED:
            judged = await _judge_response(session, planned, planned.judge_spec, responses.last, judgements)
            final, first = apply_judgement((final, first), judged)
        logged = logged.model_copy(
            update={
                "verdict": LoggedVerdict.of(final),
                "first": LoggedVerdict.of(first),
                "origin": LoggedVerdictOrigin.of(planned, responses),
                "judgements": tuple(judgements),
            }
        )
        state.store.set(LOG_KEY, logged.to_json())
        if final.status is AttemptStatus.FAILED:
            if all(one.verdict is not None and one.verdict.ended in SCORED_STATUSES for one in judgements):
                return Score.unscored(reason=final.status.value, explanation=final.reason)  # a judgement is unreadable
            raise RequestFailed(error_response(final.reason, permanent=False))
        return _score(planned, logged, final, responses.last)

    return score


_INFO = registry_info(verdict)
# Logs hold the name without the package, and Inspect looks for that: so the scorer is registered under both names.
for _name in (SCORER_NAME, _INFO.name):  # the last one becomes its own name
    scorer_register(verdict, _name, _INFO.metadata)


async def _judge_response(
    session: InspectSession,
    subject: PlannedAttempt,
    judging: JudgePlan,
    response: Response,
    judgements: list[LoggedAttempt],
) -> Verdict:
    """The verdict of the judge on a response. Its judgements are added to `judgements`."""
    settings = session.judge_settings
    assert settings is not None, "a judged task was planned without a judge"
    judged = JudgedAnswer.from_response(response, subject.attempt.model)
    questions = judging.judgements(subject.question, judged)
    planned = [plan_judgement(subject, judging, one, settings) for one in questions]
    judgements.extend(await gather_all(_judgement(session, one) for one in planned))
    verdicts = [one.verdict.verdict() for one in judgements if one.verdict is not None]
    return conclude_judged_attempt(subject.question, judging, judged, verdicts)


async def _judgement(session: InspectSession, planned: PlannedAttempt) -> LoggedAttempt:
    assert session.judge is not None
    recorder = RequestRecorder(session.judge)
    responses = await run_attempt(planned, recorder.send)
    final, _ = score_attempt(planned, responses)
    return LoggedAttempt.of(planned, recorder.requests, responses, final)


def _score(planned: PlannedAttempt, logged: LoggedAttempt, final: Verdict, response: Response) -> Score:
    identity: dict[str, JsonValue] = {"question": planned.question.id, "run": logged.run, "model": logged.model}
    dialect: dict[str, JsonValue] = {"dialect": planned.call_settings.dialect} if planned.call_settings.dialect else {}
    verdicts = logged.model_dump(mode="json", include={"strategy", "trial", "verdict", "first"})
    return Score(
        # Inspect does not pass a score that is only NaN to metrics, and ours need to know what was skipped.
        value={
            "score": float("nan") if final.counted_score is None else final.counted_score,
            "ended": final.status.value,
        },
        answer=final.answer,
        explanation=_explanation(final, response, logged.judgements),
        reason=None
        if final.status is AttemptStatus.ANSWERED
        else _REASON_OF_STATUS.get(final.status, final.status.value),
        metadata={LOG_KEY: {**identity, **dialect, **verdicts}},
    )


def _explanation(final: Verdict, response: Response, judgements: Sequence[LoggedAttempt]) -> str:
    """Status, response and judgements, for people who read the log."""
    judged = [
        request.reply.text
        for one in judgements
        for request in one.steps
        if one.origin is not None and request.step == one.origin.step
    ]
    parts = [f"{final.status}: {final.reason}" if final.reason else str(final.status), response.text]
    return "\n\n".join([*parts, *(f"The judge: {text}" for text in judged)])


AttemptKey = tuple[str, str, int]  # question, strategy and trial
Verdicts = Mapping[AttemptKey, tuple[Verdict, Verdict]]  # final and on the first try


@metric(name="measures", scores="unreduced")
def affordance_metrics(task: str, arguments: dict[str, Any]) -> Metric:
    """The metrics that a report has for the same verdicts, by strategy and condition where there are several.

    Inspect computes metrics while an evaluation runs. Until all attempts are finished there is no accuracy, but the
    accuracy of the finished ones (`..._partial`), its bounds (`..._at_least`, `..._at_most`) and the number `missing`.
    """

    def measure(scores: list[SampleScore]) -> Value:
        found = [one.score.metadata[LOG_KEY] for one in scores if one.score.metadata and LOG_KEY in one.score.metadata]
        verdicts = {
            (one["question"], one["strategy"], one["trial"]): (_verdict(one["verdict"]), _verdict(one["first"]))
            for one in found
        }
        plan = session_plan(task, arguments)
        any_score = found[0] if found else {"run": "", "model": ""}
        rows = _rows(plan, any_score["run"], any_score["model"], verdicts)
        (planned_task,) = plan.config.tasks
        return _metric_values(planned_task, rows, any_score.get("dialect", ""))

    return measure


def _verdict(found: Any) -> Verdict:
    return LoggedVerdict.model_validate(found).verdict()


def _rows(plan: Plan, run: str, model: str, verdicts: Verdicts) -> dict[tuple[str, str], list[AttemptResult]]:
    """Results by strategy and condition, in the order of the ledger, on which sums of floats depend."""
    (task,) = plan.config.tasks
    rows: dict[tuple[str, str], list[AttemptResult]] = {}
    for _, result in sorted(_results(plan, run, model, verdicts), key=lambda entry: entry[0]):
        rows.setdefault((result.strategy, result.tags.get(task.views.split.tag, "")), []).append(result)
    return rows


def _results(
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


def _metric_values(
    task: Task, rows: Mapping[tuple[str, str], Sequence[AttemptResult]], dialect: str
) -> dict[str, str | int | float | bool | None]:
    has_several = [len({key[part] for key in rows}) > 1 for part in range(2)]
    values: dict[str, str | int | float | bool | None] = {}
    for key, of_row in rows.items():
        results = ResultSet(of_row, dialect)
        prefix = "".join(f"{name}/" for name, several in zip(key, has_several, strict=True) if several)
        metrics = compute_metrics(task.metrics_of_row, results)
        if results.is_complete:
            values |= {f"{prefix}{name}": value for name, value in metrics.items()}
            continue
        if results.bounds is not None and task.headline is not None:
            name, (lower, upper) = task.headline.name, results.bounds
            bounds = {"partial": metrics[name], "at_least": lower, "at_most": upper}
            values |= {f"{prefix}{name}_{suffix}": value for suffix, value in bounds.items()}
        values[f"{prefix}missing"] = sum(one.verdict is None for one in results)
    return values
