"""How two designs are judged: in one go, with a plan, by refining, by debate. Pure generators over replies.

Both pictures go with every ask. Self-refinement starts from the very ask of `cocot`, and both debates share their
rounds, so what one of them has asked already the other does not ask again.
"""

import random
from collections.abc import Generator, Mapping

from affordance.core.answer_text import strip_thinking
from affordance.core.ask import Ask, Message, Reply
from affordance.core.attempt import Prompts, Steps
from affordance.core.digest import digest
from affordance.core.grammar import Either, Grammar, Words
from affordance.core.question import Question
from affordance.suites.prompts import fill

ROUNDS = 3
_LABELS = ("Amber", "Birch", "Cedar", "Delta", "Ember", "Fjord")
_Asking = Generator[list[Ask], list[Reply], str]


def _ask(question: Question, prompts: Prompts, name: str, grammar: Grammar, **fields: str) -> Ask:
    filled: Mapping[str, str] = {**question.fields, **fields}
    text = fill(prompts[name], filled)
    return Ask(question.id, (Message("user", (text, *question.pictures)),), grammar, filled)


def _said(question: Question, prompts: Prompts, name: str, **fields: str) -> _Asking:
    """One step on the way: any words will do. What the model thought on the way to them is nobody else's to see."""
    (reply,) = yield [_ask(question, prompts, name, Words(), **fields)]
    return strip_thinking(reply.text)


def in_one_go(prompt: str, question: Question, prompts: Prompts) -> Steps:
    (reply,) = yield [_ask(question, prompts, prompt, question.grammar)]
    return reply


def self_refine(question: Question, prompts: Prompts) -> Steps:
    draft = yield from in_one_go("cocot", question, prompts)
    previous = strip_thinking(draft.text)
    feedback = yield from _said(question, prompts, "review", previous_answer=previous)
    (reply,) = yield [_ask(question, prompts, "improve", question.grammar, previous_answer=previous, feedback=feedback)]
    return reply


def debate(rounds: int, question: Question, prompts: Prompts) -> Steps:
    """Each side sees the other's last words only; the moderator sees those of the last round."""
    arguments = {"first": "", "second": ""}
    for _ in range(rounds):
        for side, other in (("first", "second"), ("second", "first")):
            arguments[side] = yield from _said(question, prompts, "debater", side=side, opponent=arguments[other])
    (verdict,) = yield [
        _ask(
            question,
            prompts,
            "moderator",
            question.grammar,
            round=str(rounds),
            first_argument=arguments["first"],
            second_argument=arguments["second"],
        )
    ]
    return verdict


def relabelled(question: Question, prompts: Prompts) -> Steps:
    """A control: the versions get names that say nothing of their places, so that a preference for a place can be told
    from one for the word First."""
    grammar = neutral_labels(question.id)
    first, second = grammar.first, grammar.second
    fields = {"first_label": first, "second_label": second, "labels": f"{min(first, second)}/{max(first, second)}"}
    (reply,) = yield [_ask(question, prompts, "relabelled", grammar, **fields)]
    return reply


def neutral_labels(question: str) -> Either:
    """The names of the versions in `relabelled`, by the question's id."""
    first, second = random.Random(int(digest("labels", question), 16)).sample(_LABELS, 2)
    return Either(first, second)
