"""What a job would ask and cost at most, without asking."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from affordance.core.ask import Address, Ask, Reply, request_key, transcript
from affordance.core.attempt import Ended
from affordance.ledger import Run
from affordance.models.base import Model, request_lookup_id
from affordance.models.prices import input_tokens, most_output
from affordance.run.driving import (
    MOST_ROUNDS,
    Answer,
    Planned,
    addressed,
    is_parsed,
    judgement,
    read_answer,
    reasks_of,
)
from affordance.run.execute import Cast
from affordance.run.unfinished import is_finished
from affordance.suites.task import Judging

OTHER_TOKENS = 4  # of a judge, at most, for one of the model whose reply it reads

Stored = Callable[[str], Reply | None]  # the reply to a request in the ledger, by the request's key


@dataclass(frozen=True, slots=True)
class Estimate:
    """For one model: upper bounds. The cost is None where the model has no price, or where tokens are not bounded."""

    model: str
    attempts: int
    ended: int  # attempts that need nothing more
    asks: int  # that would go out, with all that may be asked again
    pictures: int  # and videos
    input_tokens: int | None  # None where replies are quoted that have no max_tokens
    most_output_tokens: int | None  # None without max_tokens
    cost: float | None


class _StandIn(Reply):
    """The longest reply that may come: as many bytes as tokens. It begins with the key of its request, for what quotes
    different replies is never the same."""


@dataclass(slots=True)
class _Tally:
    """What goes out to one model. What is asked twice goes out once."""

    stored: Stored
    keys: set[str] = field(default_factory=set)
    pictures: int = 0
    input_tokens: int | None = 0
    most_output: int | None = 0

    def add(self, key: str, ask: Ask, *, bounded: bool) -> None:
        if key in self.keys:
            return
        self.keys.add(key)
        self.pictures += len(ask.visuals)
        out = most_output(ask.parameters)
        self.input_tokens = None if self.input_tokens is None or not bounded else self.input_tokens + input_tokens(ask)
        self.most_output = None if self.most_output is None or out is None else self.most_output + out


def estimate(cast: Cast, run: Run, ended: Mapping[str, Ended], stored: Stored) -> list[Estimate]:
    """Strategies are pure, so they can be driven without asking: by the replies that are `stored`, and by stand-ins for
    all others. The judge comes last."""
    found = []
    of_judge, judgements = _Tally(stored), 0
    addresses = cast.judge_addresses()
    for model in cast.models:
        planned = cast.planned(run, model)
        left = [one for one in planned if not is_finished(one, model, ended)]
        tally = _Tally(stored)
        for one in left:
            answer = _drive(one, model, tally)
            if cast.judge is not None and one.judging is not None and answer is not None:
                judgements += _judge(one, one.judging, answer, cast.judge, addresses, of_judge)
        found.append(_estimate(cast, model, len(planned), len(planned) - len(left), tally))
    return found if cast.judge is None else [*found, _estimate(cast, cast.judge, judgements, 0, of_judge)]


def _drive(planned: Planned, model: Model, tally: _Tally, *, bounded: bool = True) -> Answer | None:
    """Count what an attempt asks; gives how it is answered, None where its strategy has an error, which a run will
    report. `bounded` says whether there is a bound to the length of what it asks."""
    steps = planned.strategy(planned.question, planned.prompts)
    asks = next(steps)
    answers: list[Answer] = []
    for number in range(MOST_ROUNDS):
        new = [_answer(planned, ask, (number, place), model, tally, bounded) for place, ask in enumerate(asks)]
        answers += new
        bounded = bounded and all(_has_bound(planned, answer) for answer in new)
        try:
            asks = steps.send([answer.last for answer in new])
        except StopIteration as stop:
            return next((answer for answer in answers if answer.last is stop.value), None)
    return None


def _answer(planned: Planned, ask: Ask, place: tuple[int, int], model: Model, tally: _Tally, bounded: bool) -> Answer:
    """What is known of the answer to an ask, counting what it takes to get it."""
    reasks = reasks_of(planned, ask)
    for retry in range(reasks + 1):
        sent = addressed(planned, ask, (*place, retry))
        lookup_id = request_lookup_id(model, sent, planned.address)
        key = request_key(planned.address, transcript(sent), sent.trial, sent.step, lookup_id)
        known = tally.stored(key)
        if known is None:
            tally.add(key, sent, bounded=bounded)
        reply = known or _StandIn(key.ljust(most_output(sent.parameters) or 0, "x"))
        if known is not None and retry < reasks and is_parsed(planned, ask, known):
            break
    return Answer(sent, reply, reply)


def _has_bound(planned: Planned, answer: Answer) -> bool:
    return not isinstance(answer.last, _StandIn) or most_output(planned.address.parameters) is not None


def _judge(
    subject: Planned, judging: Judging, answer: Answer, judge: Model, addresses: Mapping[str, Address], tally: _Tally
) -> int:
    """Count what the judge is asked about an answer; gives the number of judgements."""
    reply = answer.last
    if isinstance(reply, _StandIn):
        reply = Reply(reply.text.ljust(OTHER_TOKENS * len(reply.text), "x"))
    elif read_answer(subject, answer)[0].ended is not Ended.ANSWERED:
        return 0
    questions = judging.questions(subject.question, reply)
    for question in questions:
        planned = judgement(subject, judging, question, addresses[question.task])
        _drive(planned, judge, tally, bounded=_has_bound(subject, answer))
    return len(questions)


def _estimate(cast: Cast, model: Model, attempts: int, ended: int, tally: _Tally) -> Estimate:
    return Estimate(
        model=model.name,
        attempts=attempts,
        ended=ended,
        asks=len(tally.keys),
        pictures=tally.pictures,
        input_tokens=tally.input_tokens,
        most_output_tokens=tally.most_output,
        cost=cast.cost(model, tally.input_tokens, tally.most_output) if tally.keys else 0.0,
    )
