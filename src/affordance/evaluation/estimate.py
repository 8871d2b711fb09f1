"""Worst-case requests, tokens and cost of a run, without sending any."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from affordance.core.attempts import AttemptStatus
from affordance.core.requests import CallSettings, Request, Response, request_key, transcript
from affordance.evaluation.attempts import (
    MAX_ROUNDS,
    AttemptResponses,
    complete_request,
    is_finished,
    is_parsed,
    max_parse_retries,
    plan_judgement,
    score_attempt,
    start_strategy,
)
from affordance.evaluation.model_set import ModelSet
from affordance.evaluation.plan import PlannedAttempt
from affordance.ledger import RunRecord
from affordance.models.model import Model, request_lookup_id
from affordance.models.token_cost import max_input_tokens, max_output_tokens
from affordance.tasks.scoring import JudgedAnswer, JudgePlan

JUDGE_TOKENS_PER_TOKEN = 4  # tokens of a judge for one token of the response that it reads, at most

ResponseLookup = Callable[[str], Response | None]  # the stored response by request key


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """For one model: upper bounds. The cost is None where the model has no price, or where tokens are not bounded."""

    model: str
    attempts: int
    ended: int  # attempts that need nothing more
    asks: int  # requests that would be sent, with all repetitions
    pictures: int  # and videos
    input_tokens: int | None  # None where responses without max_tokens are quoted
    most_output_tokens: int | None  # None without max_tokens
    cost: float | None


class _LongestResponse(Response):
    """The longest possible response: as many bytes as tokens. It begins with the key of its request, as texts that
    quote different responses are never equal."""


@dataclass(slots=True)
class _Tally:
    """Requests to one model. Equal requests count once."""

    stored: ResponseLookup
    keys: set[str] = field(default_factory=set)
    media: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0

    def add(self, key: str, request: Request, *, bounded: bool) -> None:
        if key in self.keys:
            return
        self.keys.add(key)
        self.media += len(request.media)
        out = max_output_tokens(request.parameters)
        self.input_tokens = (
            None if self.input_tokens is None or not bounded else self.input_tokens + max_input_tokens(request)
        )
        self.output_tokens = None if self.output_tokens is None or out is None else self.output_tokens + out


def estimate_plan(
    models: ModelSet, run: RunRecord, statuses: Mapping[str, AttemptStatus], stored: ResponseLookup
) -> list[CostEstimate]:
    """The estimate for each model, the judge last. Strategies are pure, so they run without requests: on stored
    responses, and on stand-ins for all others."""
    found = []
    of_judge, judgements = _Tally(stored), 0
    settings = models.judge_call_settings()
    for model in models.models:
        planned = models.plan_attempts(run, model)
        left = [one for one in planned if not is_finished(one, model, statuses)]
        tally = _Tally(stored)
        for one in left:
            answer = _count_attempt(one, model, tally)
            if models.judge is not None and one.judge_spec is not None and answer is not None:
                judgements += _count_judgements(one, one.judge_spec, answer, models.judge, settings, of_judge)
        found.append(_model_estimate(models, model, len(planned), len(planned) - len(left), tally))
    return found if models.judge is None else [*found, _model_estimate(models, models.judge, judgements, 0, of_judge)]


def _count_attempt(
    planned: PlannedAttempt, model: Model, tally: _Tally, *, bounded: bool = True
) -> AttemptResponses | None:
    """Count the requests of an attempt; its responses, or None if its strategy has an error, which a run reports.
    `bounded` is whether the length of its requests has a bound."""
    steps, requests = start_strategy(planned)
    answers: list[AttemptResponses] = []
    for number in range(MAX_ROUNDS):
        new = [
            _count_request(planned, request, (number, place), model, tally, bounded)
            for place, request in enumerate(requests)
        ]
        answers += new
        bounded = bounded and all(_has_bound(planned, answer) for answer in new)
        try:
            requests = steps.send([answer.last for answer in new])
        except StopIteration as stop:
            return next((answer for answer in answers if answer.last is stop.value), None)
    return None


def _count_request(
    planned: PlannedAttempt, request: Request, step: tuple[int, int], model: Model, tally: _Tally, bounded: bool
) -> AttemptResponses:
    """The response to a request as far as it is known, counting the request and its repetitions."""
    max_retries = max_parse_retries(planned, request)
    for retry in range(max_retries + 1):
        sent = complete_request(planned, request, (*step, retry))
        lookup_id = request_lookup_id(model, sent, planned.call_settings)
        key = request_key(planned.call_settings, transcript(sent), sent.trial, sent.step, lookup_id)
        known = tally.stored(key)
        if known is None:
            tally.add(key, sent, bounded=bounded)
        response = known or _LongestResponse(key.ljust(max_output_tokens(sent.parameters) or 0, "x"))
        if known is not None and retry < max_retries and is_parsed(planned, request, known):
            break
    return AttemptResponses(sent, response, response)


def _has_bound(planned: PlannedAttempt, answer: AttemptResponses) -> bool:
    return (
        not isinstance(answer.last, _LongestResponse) or max_output_tokens(planned.call_settings.parameters) is not None
    )


def _count_judgements(
    subject: PlannedAttempt,
    judge_spec: JudgePlan,
    responses: AttemptResponses,
    judge: Model,
    call_settings: Mapping[str, CallSettings],
    tally: _Tally,
) -> int:
    """Count the requests to the judge about an answer; the number of judgements."""
    response = responses.last
    if isinstance(response, _LongestResponse):
        response = Response(response.text.ljust(JUDGE_TOKENS_PER_TOKEN * len(response.text), "x"))
    elif score_attempt(subject, responses)[0].status is not AttemptStatus.ANSWERED:
        return 0
    questions = judge_spec.judgements(subject.question, JudgedAnswer.from_response(response, subject.attempt.model))
    for question in questions:
        planned = plan_judgement(subject, judge_spec, question, call_settings[question.task])
        _count_attempt(planned, judge, tally, bounded=_has_bound(subject, responses))
    return len(questions)


def _model_estimate(models: ModelSet, model: Model, attempts: int, ended: int, tally: _Tally) -> CostEstimate:
    return CostEstimate(
        model=model.name,
        attempts=attempts,
        ended=ended,
        asks=len(tally.keys),
        pictures=tally.media,
        input_tokens=tally.input_tokens,
        most_output_tokens=tally.output_tokens,
        cost=models.cost(model, tally.input_tokens, tally.output_tokens) if tally.keys else 0.0,
    )
