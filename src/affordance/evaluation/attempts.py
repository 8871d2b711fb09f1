"""One attempt: the requests of a strategy, parse retries, its score and its judgements."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from affordance.core.attempts import Attempt, AttemptStatus, RequestGenerator, Verdict
from affordance.core.errors import UserError
from affordance.core.question import AnswerFormat, Question
from affordance.core.requests import CallSettings, Request, RequestStep, Response
from affordance.evaluation.plan import PlannedAttempt
from affordance.models.model import LimitedModel, Model
from affordance.tasks.scoring import JUDGEMENT_TAG, JudgedAnswer, JudgePlan
from affordance.tasks.strategies import request_judgement

T = TypeVar("T")


async def gather_all(coroutines: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results, in order. If some of it raises, the rest is awaited before the first error is raised: requests in
    flight are paid for, and their responses must be stored."""
    values: list[T] = []
    for ended in await asyncio.gather(*coroutines, return_exceptions=True):
        if isinstance(ended, BaseException):
            raise ended
        values.append(ended)
    return values


MAX_ROUNDS = 1000  # a strategy with more rounds is not going to end


@dataclass(frozen=True, slots=True)
class AttemptResponses:
    """A request with its last response, and the first one if the request was repeated."""

    request: Request
    last: Response
    first: Response


Responder = Callable[[PlannedAttempt, Request], Awaitable[Response]]


async def run_attempt(planned: PlannedAttempt, respond: Responder) -> AttemptResponses:
    """Run a strategy to its end. A failed request ends the attempt.

    Raises:
        UserError: the strategy yields no request, returns a response that it was not sent, or does not end.
    """
    steps, requests = start_strategy(planned)
    answered: list[AttemptResponses] = []
    for number in range(MAX_ROUNDS):
        answers = await _send_round(planned, respond, requests, number)
        answered += answers
        for answer in answers:
            if answer.last.failed:
                steps.close()
                return answer
        try:
            requests = steps.send([answer.last for answer in answers])
        except StopIteration as stop:
            for answer in reversed(answered):
                if answer.last is stop.value:
                    return answer
            raise UserError(
                f"strategy {planned.attempt.strategy!r}: expected one of the responses that it was sent, found another "
                "object; return the response that answers the question as it is"
            ) from None
    raise UserError(
        f"strategy {planned.attempt.strategy!r} did not end within {MAX_ROUNDS} rounds; report it to its author"
    )


def start_strategy(planned: PlannedAttempt) -> tuple[RequestGenerator, Sequence[Request]]:
    """A strategy and the requests of its first round."""
    steps = planned.strategy(planned.question, planned.prompts)
    try:
        return steps, next(steps)
    except StopIteration:
        raise UserError(f"strategy {planned.attempt.strategy!r} yields no request") from None


def answer_format(planned: PlannedAttempt, request: Request) -> AnswerFormat:
    """The format in which a response is parsed: that of the request if it is of the question's kind."""
    own = planned.question.answer_format
    return request.answer_format if type(request.answer_format) is type(own) else own


def max_parse_retries(planned: PlannedAttempt, request: Request) -> int:
    """Maximum number of repetitions; 0 for a request that only prepares the answer."""
    return planned.parse_retries if type(request.answer_format) is type(planned.question.answer_format) else 0


def is_parsed(planned: PlannedAttempt, request: Request, response: Response) -> bool:
    return _score(planned, request, response).status is not AttemptStatus.UNPARSED


def score_attempt(planned: PlannedAttempt, responses: AttemptResponses) -> tuple[Verdict, Verdict]:
    """The verdict of an attempt, and the verdict on its first response."""
    verdict = _score(planned, responses.request, responses.last)
    return verdict, verdict if responses.first is responses.last else _score(
        planned, responses.request, responses.first
    )


def has_answer(planned: PlannedAttempt, request: Request, response: Response) -> bool:
    """Whether a response has an answer; one that only prepares the answer needs none."""
    own_kind = type(request.answer_format) is type(planned.question.answer_format)
    return not own_kind or _score(planned, request, response).status is AttemptStatus.ANSWERED


def _score(planned: PlannedAttempt, request: Request, response: Response) -> Verdict:
    found = answer_format(planned, request)
    question = (
        planned.question if found == planned.question.answer_format else replace(planned.question, answer_format=found)
    )
    return planned.score(question, response)


def apply_judgement(verdicts: tuple[Verdict, Verdict], judged_verdict: Verdict) -> tuple[Verdict, Verdict]:
    """The verdicts of a judged answer. A first response without an answer had nothing to judge."""
    verdict, first = verdicts
    return judged_verdict, judged_verdict if first is verdict else first


def plan_judgement(
    subject: PlannedAttempt, judge_spec: JudgePlan, question: Question, call_settings: CallSettings
) -> PlannedAttempt:
    """A judgement: an attempt about another one."""
    judge = Attempt(
        subject.attempt.run_id, question.id, call_settings.model, "judge", subject.attempt.trial, subject.attempt.id
    )
    return PlannedAttempt(judge, question, request_judgement, subject.prompts, judge_spec.score, call_settings)


def conclude_judged_attempt(
    question: Question, judge_spec: JudgePlan, answer: JudgedAnswer, verdicts: Sequence[Verdict]
) -> Verdict:
    """The verdict of a judged attempt. Where a judgement is missing, or one of the headline cannot be parsed, the judge
    failed and not the model: the attempt is not scored."""
    for verdict in verdicts:
        if verdict.status in (AttemptStatus.FAILED, AttemptStatus.SKIPPED):
            return Verdict(AttemptStatus.FAILED, reason=f"the judge gave no judgement: {verdict.reason}")
    for verdict in _unread_score_verdicts(question, judge_spec, answer, verdicts):
        return Verdict(AttemptStatus.FAILED, reason=f"the judgement cannot be read: {verdict.reason}")
    score = judge_spec.combine(question, answer, verdicts)
    return Verdict(AttemptStatus.ANSWERED, score.answer, score.value, detail=score.detail)


def _unread_score_verdicts(
    question: Question, judge_spec: JudgePlan, answer: JudgedAnswer, verdicts: Sequence[Verdict]
) -> list[Verdict]:
    """Judgements of the headline that have no answer."""
    if all(verdict.status is AttemptStatus.ANSWERED for verdict in verdicts):
        return []
    kinds = [one.tags.get(JUDGEMENT_TAG, "") for one in judge_spec.judgements(question, answer)]
    scored = judge_spec.scored_kind(kinds)
    return [
        verdict
        for kind, verdict in zip(kinds, verdicts, strict=True)
        if scored in (None, kind) and verdict.status is not AttemptStatus.ANSWERED
    ]


async def _send_round(
    planned: PlannedAttempt, respond: Responder, requests: Sequence[Request], number: int
) -> list[AttemptResponses]:
    if len(requests) == 1:
        return [await _send_until_parsed(planned, respond, requests[0], number, 0)]
    return await gather_all(
        _send_until_parsed(planned, respond, request, number, place) for place, request in enumerate(requests)
    )


async def _send_until_parsed(
    planned: PlannedAttempt, respond: Responder, request: Request, number: int, index: int
) -> AttemptResponses:
    """Send a request, and repeat it while the response to one of the question's own kind is unparsed."""
    first: Response | None = None
    for retry in range(planned.parse_retries + 1):
        sent = complete_request(planned, request, (number, index, retry))
        response = await respond(planned, sent)
        first = first or response
        if response.failed or retry == max_parse_retries(planned, request) or is_parsed(planned, request, response):
            break
    return AttemptResponses(sent, response, first or response)


def complete_request(planned: PlannedAttempt, request: Request, step: RequestStep) -> Request:
    """A strategy's request with its parameters, trial and step."""
    parameters, trial = planned.call_settings.parameters, planned.attempt.trial
    return Request(
        request.question, request.messages, request.answer_format, request.prompt_fields, parameters, trial, step
    )


def is_finished(planned: PlannedAttempt, model: Model, statuses: Mapping[str, AttemptStatus]) -> bool:
    """Whether an attempt is complete. A failed one is repeated, and so is one that was skipped by a limit that no
    longer holds. (Version 1 also skipped what a server refused.)

    Args:
        statuses: by attempt id, how attempts of the run have ended.
    """
    match statuses.get(planned.attempt.id):
        case None | AttemptStatus.FAILED:
            return False
        case AttemptStatus.SKIPPED if isinstance(model, LimitedModel):
            _, requests = start_strategy(planned)
            return any(model.check_limits(request) is not None for request in requests)
        case _:
            return True
