"""Verification of a log: request keys against the recorded requests, and the plan against settings and dataset."""

from collections.abc import Sequence

from pydantic import TypeAdapter

from affordance.core.errors import UserError
from affordance.core.json_text import canonical_json
from affordance.core.question import answer_format_from_json
from affordance.core.requests import CallSettings, legacy_request_key, lookup_id_of, request_key
from affordance.evaluation.plan import Plan, with_version_1_rules
from affordance.integrations.inspect.log_schema import (
    LoggedAttempt,
    LoggedCallSettings,
    LoggedQuestion,
    LoggedRequest,
    LogHeader,
    to_plain_json,
)
from affordance.integrations.inspect.session import session_plan, with_judge_and_parameters
from affordance.integrations.inspect.task_arguments import normalize_arguments
from affordance.tasks.registry import TASKS

_TRANSCRIPT = TypeAdapter(list[tuple[str, list[str | dict[str, str]]]])


def verify_requests(header: LogHeader, attempts: Sequence[LoggedAttempt]) -> list[LoggedAttempt]:
    """The attempts, each request with its key of today where an earlier version wrote the log.

    Raises:
        ValueError: An attempt is not in the plan of the log, has a verdict without a response, or has a response under
            the key of another request or with other images.
        KeyError: The specification of an image is incomplete.
    """
    planned = {(one.item, _axes_key(one), strategy, trial): one for one, strategy, trial in header.planned_attempts()}
    verified = []
    for logged in attempts:
        question = planned.get((logged.question.item, _axes_key(logged.question), logged.strategy, logged.trial))
        if question is None or logged.model != header.model.model:
            raise ValueError(f"{_position(logged)}: the plan of the log has no such attempt")
        if question != logged.question:
            raise ValueError(f"{_position(logged)}: the question differs from the one in the plan")
        judgements = [_verify_judgement(header, one) for one in logged.judgements]
        found = _verify_attempt(logged, header.model)
        verified.append(found.model_copy(update={"judgements": tuple(judgements)}))
    return verified


def _axes_key(question: LoggedQuestion) -> str:
    return canonical_json([question.task, dict(question.axes)])


def _verify_judgement(header: LogHeader, judgement: LoggedAttempt) -> LoggedAttempt:
    if header.judge is None:
        raise ValueError("judgements in a log without a judge")
    if judgement.model != header.judge.model:
        raise ValueError(f"a judgement of {judgement.model} in a log whose judge is {header.judge.model}")
    return _verify_attempt(judgement, header.judge)


def _verify_attempt(logged: LoggedAttempt, settings: LoggedCallSettings) -> LoggedAttempt:
    if logged.verdict is not None and not logged.steps:
        raise ValueError(f"{_position(logged)}: a verdict without a response")
    if logged.origin is not None:
        if logged.origin.step not in {request.step for request in logged.steps}:
            raise ValueError(f"{_position(logged)}: a verdict that was read from a response of another attempt")
        answer_format_from_json(logged.origin.answer_format)
    for request in logged.steps:
        if _media_digests(request) != _transcript_digests(request.transcript):
            raise ValueError(f"{_position(logged, request)}: the images differ from those in the messages")
    call_settings = settings.call_settings()
    steps = [one.model_copy(update={"key": _current_key(logged, one, call_settings)}) for one in logged.steps]
    return logged.model_copy(update={"steps": tuple(steps)})


def _current_key(logged: LoggedAttempt, request: LoggedRequest, settings: CallSettings) -> str:
    for question in ("", logged.attempt().question_id):  # models that answer by the question have it in the key
        lookup_id = lookup_id_of(question, settings)
        now = request_key(settings, request.transcript, logged.trial, request.step, lookup_id)
        if request.key in (now, legacy_request_key(settings, request.transcript, logged.trial, request.step, question)):
            return now
    raise ValueError(f"{_position(logged, request)}: the key is not that of the recorded request")


def _media_digests(request: LoggedRequest) -> list[str]:
    try:
        return [image.to_spec().digest for image in request.pictures]
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"an image specification that cannot be read ({type(error).__name__}: {error})") from None


def _transcript_digests(text: str) -> list[str]:
    """The digests of the images and videos in a transcript."""
    parts = [part for _, parts in _TRANSCRIPT.validate_json(text) for part in parts]
    return [digest for part in parts if isinstance(part, dict) for digest in part.values()]


def _position(logged: LoggedAttempt, request: LoggedRequest | None = None) -> str:
    step = f", step {'.'.join(map(str, request.step))}" if request is not None else ""
    return f"item {logged.question.item!r}{step}"


def verify_plan(header: LogHeader, data: str | None) -> str:
    """Whether the plan of a log is that of its settings on its dataset.

    Args:
        header: The header of the log.
        data: The dataset, if it is not where the log says.

    Returns:
        Why that cannot be verified, as when the dataset is not available; empty where it was.

    Raises:
        ValueError: The plan is another one.
    """
    try:
        plan = _plan_of(header, data)
    except UserError as error:
        return str(error)
    if plan.dataset["digest"] != header.dataset.get("digest"):
        return f"the dataset {data or header.arguments.get('data') or 'of the demo'} has changed"
    if different := _first_difference(plan, header):
        return f"this version of Affordance has another setting of {different}"
    planned = [
        (LoggedQuestion.of(trial.question), strategy, trial.trial)
        for task, trial in plan.task_trials()
        for strategy in plan.config.strategy
        if strategy in task.strategies
    ]
    if planned != header.planned_attempts():
        raise ValueError("the plan is not that of these settings on this dataset")
    return ""


def _plan_of(header: LogHeader, data: str | None) -> Plan:
    if header.task not in TASKS:
        raise UserError(f"the task {header.task!r} is not installed")
    arguments = normalize_arguments({**header.arguments, **({} if data is None else {"data": data})})
    parameters = header.settings.get("parameters")
    model_parameters = parameters.get(header.task) if isinstance(parameters, dict) else None
    judge = None if header.judge is None else header.judge.model
    plan = with_judge_and_parameters(
        session_plan(header.task, arguments), judge, model_parameters if isinstance(model_parameters, dict) else {}
    )
    if not _first_difference(plan, header):
        return plan
    earlier = with_version_1_rules(plan)
    return plan if _first_difference(earlier, header) else earlier


def _first_difference(plan: Plan, header: LogHeader) -> str:
    """The first setting that differs; empty if none does."""
    current = to_plain_json(plan.identity)
    return next((key for key in {**current, **header.settings} if current.get(key) != header.settings.get(key)), "")
