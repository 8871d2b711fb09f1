import asyncio

import pytest
from model_samples import OPTIONS, ask, question, surroundings

from affordance.core.errors import UnknownName
from affordance.core.model_name import ModelName
from affordance.core.question import AnswerFormat, RatingScale, YesNo
from affordance.core.requests import FinishReason, Response
from affordance.models.oracle import Oracle
from affordance.tasks.registry import get_task
from affordance.tasks.scoring import verdict_of
from errors import raises


@pytest.mark.parametrize("truth", [option.name for option in OPTIONS.options])
def test_the_oracle_is_always_right(truth: str) -> None:
    asked = question(truth=truth)
    reply = asyncio.run(Oracle(ModelName("oracle", ""), surroundings(asked)).send(ask(question=asked.id)))
    verdict = verdict_of(get_task(asked.task).scorer, asked, reply)
    assert (verdict.answer, verdict.score) == (truth, 1.0)


@pytest.mark.parametrize(("truth", "grammar"), [("wobble", OPTIONS), ("fade", RatingScale(0, 5)), ("fade", YesNo())])
def test_where_it_cannot_say_the_truth_it_is_unable(truth: str, grammar: AnswerFormat) -> None:
    asked = question(truth=truth)
    one = ask(question=asked.id, grammar=grammar)
    reply: Response = asyncio.run(Oracle(ModelName("oracle", ""), surroundings(asked)).send(one))
    assert (reply.finish, reply.permanent, reply.text) == (FinishReason.UNSUPPORTED, True, "")


def test_plain_oracle_is_the_default_dialect() -> None:
    assert Oracle(ModelName("oracle", ""), surroundings()).name == "oracle:default"
    with raises(UnknownName, "elvish"):
        Oracle(ModelName("oracle", "elvish"), surroundings())
