"""What a job would ask and cost, without asking."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from affordance.core.ask import Ask, Reply, request_key, transcript
from affordance.core.attempt import Ended
from affordance.ledger import Run
from affordance.models.base import Model, request_lookup_id
from affordance.models.prices import input_tokens
from affordance.run.driving import MOST_ROUNDS, Planned, judgement
from affordance.run.execute import Cast
from affordance.run.unfinished import is_finished

LONG_ANSWER = 400  # words


@dataclass(frozen=True, slots=True)
class Estimate:
    """For one model. Tokens are upper estimates; the cost is None where the model has no price."""

    model: str
    attempts: int
    ended: int  # attempts that need nothing more
    asks: int  # that would go out
    pictures: int  # and videos
    input_tokens: int
    most_output_tokens: int | None  # None without max_tokens
    cost: float | None


def estimate(cast: Cast, run: Run, ended: Mapping[str, Ended], cached: Collection[str]) -> list[Estimate]:
    """Strategies are pure, so they can be driven with empty replies to count what they would ask. What has ended or
    is in the ledger already is not asked again. The judge comes last, with answers of a length that few exceed."""
    found = [_of_model(cast, run, model, ended, cached) for model in cast.models]
    return found if cast.judge is None else [*found, _of_judge(cast, run, cast.judge, ended, cached)]


def _of_model(cast: Cast, run: Run, model: Model, ended: Mapping[str, Ended], cached: Collection[str]) -> Estimate:
    planned = cast.planned(run, model)
    left = [one for one in planned if not is_finished(one, model, ended)]
    asks = [ask for one in left for ask, key in _asks(one, model) if key not in cached]
    return _estimate(cast, model, len(planned), len(planned) - len(left), asks)


def _of_judge(cast: Cast, run: Run, judge: Model, ended: Mapping[str, Ended], cached: Collection[str]) -> Estimate:
    """What is the same for several answers is judged once."""
    addresses = cast.judge_addresses()
    judgements = [
        judgement(one, one.judging, question, addresses[question.task])
        for model in cast.models
        for one in cast.planned(run, model)
        if one.judging is not None and not is_finished(one, model, ended)
        for question in one.judging.questions(one.question, Reply(f"{one.attempt.id}{' word' * LONG_ANSWER}"))
    ]
    asks = {key: ask for one in judgements for ask, key in _asks(one, judge) if key not in cached}
    return _estimate(cast, judge, len(judgements), 0, list(asks.values()))


def _estimate(cast: Cast, model: Model, attempts: int, ended: int, asks: Sequence[Ask]) -> Estimate:
    tokens = sum(input_tokens(ask) for ask in asks)
    tariff = cast.tariffs[model.name]
    most_output = tariff.most_output * len(asks) if tariff.most_output else None
    return Estimate(
        model=model.name,
        attempts=attempts,
        ended=ended,
        asks=len(asks),
        pictures=sum(len(ask.visuals) for ask in asks),
        input_tokens=tokens,
        most_output_tokens=most_output,
        cost=cast.cost(model, tokens, most_output) if asks else 0.0,
    )


def _asks(planned: Planned, model: Model) -> Iterator[tuple[Ask, str]]:
    steps = planned.strategy(planned.question, planned.prompts)
    asks = next(steps)
    for number in range(MOST_ROUNDS):
        for place, ask in enumerate(asks):
            sent = replace(ask, trial=planned.attempt.trial, step=(number, place, 0))
            lookup_id = request_lookup_id(model, sent, planned.address)
            yield sent, request_key(planned.address, transcript(sent), sent.trial, sent.step, lookup_id)
        try:
            asks = steps.send([Reply() for _ in asks])
        except StopIteration:
            return
