"""Verification of a log: request keys against the recorded requests, the plan against the settings."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.paths import cache_dir
from affordance.core.requests import (
    CallSettings,
    Request,
    Response,
    legacy_request_key,
    lookup_id_of,
    request_key,
    transcript,
)
from affordance.evaluation.attempts import (
    AttemptResponses,
    apply_judgement,
    conclude_judged_attempt,
    plan_judgement,
    run_attempt,
    score_attempt,
)
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import Plan, PlannedAttempt, with_version_1_rules
from affordance.integrations.inspect.log_schema import (
    LoggedAttempt,
    LoggedCallSettings,
    LoggedQuestion,
    LoggedRequest,
    LoggedVerdict,
    LogHeader,
    to_plain_json,
)
from affordance.integrations.inspect.recorded_requests import IncompleteAttempt, replay_responses
from affordance.integrations.inspect.session import session_plan, with_judge_and_parameters
from affordance.integrations.inspect.tasks import normalize_arguments
from affordance.ledger import RunRecord
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.model import Model
from affordance.tasks.registry import TASKS
from affordance.tasks.scoring import JudgedAnswer, JudgePlan

_TRANSCRIPT = TypeAdapter(list[tuple[str, list[str | dict[str, str]]]])


def with_current_keys(header: LogHeader, samples: Sequence[LoggedAttempt]) -> list[LoggedAttempt]:
    """The samples with the keys that requests have today, where an earlier version wrote the log.

    Raises `ValueError` where a response does not stand under the key of what it is the response to, or with other
    pictures than were shown, and `KeyError` where a picture cannot be made out."""
    found = []
    for made in samples:
        if made.judgements and header.judge is None:
            raise ValueError("judgements in a log without a judge")
        judgements = []
        for one in made.judgements:
            assert header.judge is not None
            if one.model != header.judge.model:
                raise ValueError(f"a judgement of {one.model} in a log whose judge is {header.judge.model}")
            judgements.append(_with_current_keys(one, header.judge))
        found.append(_with_current_keys(made, header.model).model_copy(update={"judgements": tuple(judgements)}))
    return found


def _with_current_keys(logged: LoggedAttempt, settings: LoggedCallSettings) -> LoggedAttempt:
    address = settings.call_settings()
    for said in logged.steps:
        if _media_digests(said) != _transcript_digests(said.transcript):
            raise ValueError(f"{_position(logged, said)}: the pictures are not those that were shown")
    steps = [said.model_copy(update={"key": _current_key(logged, said, address)}) for said in logged.steps]
    return logged.model_copy(update={"steps": tuple(steps)})


def _current_key(logged: LoggedAttempt, request: LoggedRequest, address: CallSettings) -> str:
    for question in ("", logged.attempt().question_id):  # models that answer by the question have it in the key
        now = request_key(address, request.transcript, logged.trial, request.step, lookup_id_of(question, address))
        if request.key in (now, legacy_request_key(address, request.transcript, logged.trial, request.step, question)):
            return now
    raise ValueError(f"{_position(logged, request)}: the key is not that of what was asked")


def _media_digests(request: LoggedRequest) -> list[str]:
    try:
        return [shown.to_spec().digest for shown in request.pictures]
    except (KeyError, TypeError, ValueError, ArithmeticError) as error:
        raise ValueError(f"a picture that cannot be made out ({type(error).__name__}: {error})") from None


def _transcript_digests(text: str) -> list[str]:
    """The digests of the pictures in a transcript."""
    parts = [part for _, parts in _TRANSCRIPT.validate_json(text) for part in parts]
    return [digest for part in parts if isinstance(part, dict) for digest in part.values()]


def _position(logged: LoggedAttempt, request: LoggedRequest | None = None) -> str:
    step = f", step {'.'.join(map(str, request.step))}" if request is not None else ""
    return f"item {logged.question.item!r}{step}"


def verify_verdicts(header: LogHeader, run: RunRecord, samples: Sequence[LoggedAttempt], data: str | None) -> str:
    """Whether the plan is that of the dataset, and the asks and verdicts are what the replies make them, where today's
    parsers read them; raises `ValueError` where they are not. Gives why that cannot be told, which is empty where it
    was. `data` is where the dataset lies, if not where it was."""
    try:
        job = _plan_of(header, data)
        if job.dataset["digest"] != header.dataset.get("digest"):
            return f"the dataset {data or header.arguments.get('data') or 'of the demo'} is another now"
        if different := _first_difference(job, header):
            return f"this Affordance has another setting of {different}"
        cast, model = _model_set(job, header)
        (task,) = job.config.tasks
        if cast.call_settings(model, task) != header.model.call_settings():
            raise ValueError(f"{header.model.model} was asked otherwise than the settings say")
        planned = {one.attempt.id: one for one in cast.plan_attempts(run, model)}
    except UserError as error:
        return str(error)
    told = [(LoggedQuestion.of(one.question), one.attempt.strategy, one.attempt.trial) for one in planned.values()]
    if told != header.planned_attempts():
        raise ValueError("the plan is not that of these settings on this dataset")
    judge = None if header.judge is None else header.judge.call_settings()
    comparable = [made for made in samples if made.was_read_by_parser(PARSER_VERSION)]
    asyncio.run(_check_all([(made, planned[made.attempt().id]) for made in comparable], judge))
    return ""


def _plan_of(header: LogHeader, data: str | None) -> Plan:
    if header.task not in TASKS:
        raise UserError(f"there is no task {header.task!r} here")
    arguments = normalize_arguments({**header.arguments, **({} if data is None else {"data": data})})
    parameters = header.settings.get("parameters")
    sampled = parameters.get(header.task) if isinstance(parameters, dict) else None
    judge = None if header.judge is None else header.judge.model
    job = with_judge_and_parameters(
        session_plan(header.task, arguments), judge, sampled if isinstance(sampled, dict) else {}
    )
    if not _first_difference(job, header):
        return job
    earlier = with_version_1_rules(job)
    return job if _first_difference(earlier, header) else earlier


def _first_difference(plan: Plan, header: LogHeader) -> str:
    """The first setting that is not the same."""
    ours = to_plain_json(plan.identity)
    return next((key for key in {**ours, **header.settings} if ours.get(key) != header.settings.get(key)), "")


@dataclass(frozen=True, slots=True)
class _LoggedModel:
    """A model as a log tells of it, which is not asked."""

    name: str
    base_url: str
    dialect: str
    parameters: Mapping[str, Json]
    answers_by_question: bool = False

    def request_parameters(self, parameters: Mapping[str, Json]) -> dict[str, Json]:
        return dict(self.parameters)

    async def send(self, request: Request) -> Response:
        raise AssertionError("it is not there")

    async def close(self) -> None:
        return


def _model_set(plan: Plan, header: LogHeader) -> tuple[ModelSet, Model]:
    everybody = [one for one in (header.judge, header.model) if one is not None]  # one that is both is asked as a model
    built = {one.model: _LoggedModel(one.model, one.base_url, one.dialect, one.parameters) for one in everybody}
    means = ExecutionConfig(clients=built, calibrated_dialect=lambda _: header.model.dialect)
    gallery = ThreadedMediaLoader(RenderCache(cache_dir() / "pictures", plan.source_files()))
    return ModelSet(plan, [ModelName.parse(header.model.model)], gallery, means), built[header.model.model]


async def _check_all(samples: Sequence[tuple[LoggedAttempt, PlannedAttempt]], judge: CallSettings | None) -> None:
    for made, planned in samples:
        if (answer := await _replay_answer(made, planned)) is None:
            continue
        ended, first = score_attempt(planned, answer)
        if planned.judge_spec is not None and ended.status is AttemptStatus.ANSWERED:
            if made.verdict is None:
                continue
            verdicts = await _replay_judgements(made, planned, planned.judge_spec, answer.last, judge)
            answered = JudgedAnswer.from_response(answer.last, planned.attempt.model)
            judged = conclude_judged_attempt(planned.question, planned.judge_spec, answered, verdicts)
            ended, first = apply_judgement((ended, first), judged)
        _check_verdict(made, ended, first)


async def _replay_answer(logged: LoggedAttempt, planned: PlannedAttempt) -> AttemptResponses | None:
    """The answer that the replies make; None where some are missing."""
    if logged.question != LoggedQuestion.of(planned.question):
        raise ValueError(f"{_position(logged)}: the question is another one in the dataset")
    known = {said.step: said.transcript for said in logged.steps}
    recalled = replay_responses(logged)

    async def reply(planned: PlannedAttempt, ask: Request) -> Response:
        found = await recalled(planned, ask)
        if known.pop(ask.step) != transcript(ask):
            raise ValueError(f"{_position(logged)}: what was asked is not what is asked about it")
        return found

    try:
        answer = await run_attempt(planned, reply)
    except IncompleteAttempt:
        if logged.verdict is not None:
            raise ValueError(f"{_position(logged)}: a verdict before everything was asked") from None
        return None
    if known:
        raise ValueError(f"{_position(logged)}: a reply to what is not asked about it")
    return answer


async def _replay_judgements(
    logged: LoggedAttempt, planned: PlannedAttempt, judging: JudgePlan, response: Response, judge: CallSettings | None
) -> list[Verdict]:
    assert judge is not None, "the cast has one where there is judging"
    judgements = {one.attempt().id: one for one in logged.judgements}
    verdicts = []
    for question in judging.judgements(planned.question, JudgedAnswer.from_response(response, planned.attempt.model)):
        asked = plan_judgement(planned, judging, question, judge)
        one = judgements.pop(asked.attempt.id, None)
        answer = None if one is None else await _replay_answer(one, asked)
        if one is None or answer is None:
            raise ValueError(f"{_position(logged)}: a verdict without all judgements")
        ended, first = score_attempt(asked, answer)
        _check_verdict(one, ended, first)
        verdicts.append(ended)
    if judgements:
        raise ValueError(f"{_position(logged)}: a judgement of what is not judged")
    return verdicts


def _check_verdict(logged: LoggedAttempt, ended: Verdict, first: Verdict) -> None:
    if logged.verdict is None:
        return
    if logged.verdict != LoggedVerdict.of(ended):
        endings = ((logged.verdict.ended, logged.verdict.score), (ended.status, ended.score))
        was, now = (f"{status} with the score {score}" for status, score in endings)
        raise ValueError(f"{_position(logged)}: the verdict is {was}, and the replies make it {now}")
    if ended.status is not AttemptStatus.FAILED and (logged.first or logged.verdict) != LoggedVerdict.of(first):
        raise ValueError(f"{_position(logged)}: the verdict on the first try is not what the reply makes it")
