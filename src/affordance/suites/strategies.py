"""Strategies: pure generators that yield asks and receive replies."""

from affordance.core.ask import Ask, Message
from affordance.core.attempt import Prompts, Steps
from affordance.core.question import Question
from affordance.suites.prompts import fill


def zero_shot(question: Question, prompts: Prompts) -> Steps:
    """One ask: the prompt, then the pictures in order."""
    text = fill(prompts["zero-shot"], question.fields)
    message = Message("user", (text, *question.pictures))
    (reply,) = yield [Ask(question.id, (message,), question.grammar, question.fields)]
    return reply


def put_to_judge(question: Question, prompts: Prompts) -> Steps:
    """One ask of texts alone: what a judge is to compare is in the question's fields."""
    text = fill(prompts["judge"], question.fields)
    (reply,) = yield [Ask(question.id, (Message("user", (text,)),), question.grammar, question.fields)]
    return reply
