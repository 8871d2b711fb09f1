"""Options by name: what a reply chose, and what a perfect one says."""

from affordance.core.ask import Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.grammar import Choice, Grammar
from affordance.core.question import Question
from affordance.suites.choice import read_choice, write_choice
from affordance.suites.verdicts import NO_ANSWER, conclude


def read_chosen(question: Question, reply: Reply) -> Verdict:
    """The truth is the name of an option."""
    assert isinstance(question.grammar, Choice)
    grammar = question.grammar

    def verdict(text: str) -> Verdict | str:
        option = read_choice(text, grammar)
        if option is None:
            return NO_ANSWER
        return Verdict(Ended.ANSWERED, option.name, float(option.name == question.truth))

    return conclude(reply, verdict)


def ideal_choice(question: Question, grammar: Grammar) -> str | None:
    options = grammar.options if isinstance(grammar, Choice) else ()
    right = next((option for option in options if option.name == question.truth), None)
    return None if right is None else write_choice(right, "This is the truth.")
