import asyncio

import pytest
from model_samples import OPTIONS, ask, question, surroundings

from affordance.core.ask import Finish, Reply
from affordance.core.errors import UnknownName
from affordance.core.grammar import Grammar, Scale, YesNo
from affordance.core.names import ModelName
from affordance.models.oracle import Oracle
from affordance.suites.motion.chosen import read_chosen as read
from errors import raises


@pytest.mark.parametrize("truth", [option.name for option in OPTIONS.options])
def test_the_oracle_is_always_right(truth: str) -> None:
    asked = question(truth=truth)
    reply = asyncio.run(Oracle(ModelName("oracle", ""), surroundings(asked)).reply(ask(question=asked.id)))
    verdict = read(asked, reply)
    assert (verdict.answer, verdict.score) == (truth, 1.0)


@pytest.mark.parametrize(("truth", "grammar"), [("wobble", OPTIONS), ("fade", Scale(0, 5)), ("fade", YesNo())])
def test_where_it_cannot_say_the_truth_it_is_unable(truth: str, grammar: Grammar) -> None:
    asked = question(truth=truth)
    one = ask(question=asked.id, grammar=grammar)
    reply: Reply = asyncio.run(Oracle(ModelName("oracle", ""), surroundings(asked)).reply(one))
    assert (reply.finish, reply.permanent, reply.text) == (Finish.UNABLE, True, "")


def test_plain_oracle_is_the_default_dialect() -> None:
    assert Oracle(ModelName("oracle", ""), surroundings()).name == "oracle:default"
    with raises(UnknownName, "elvish"):
        Oracle(ModelName("oracle", "elvish"), surroundings())
