"""Options by name: what a reply chose, and what a perfect one says."""

from affordance.core.ask import Response
from affordance.core.attempt import AttemptStatus, Verdict
from affordance.core.grammar import AnswerFormat, SingleChoice
from affordance.core.question import Question
from affordance.tasks.choice import read_choice, write_choice
from affordance.tasks.verdicts import NO_ANSWER, conclude


def read_chosen(question: Question, reply: Response) -> Verdict:
    """The truth is the name of an option."""
    assert isinstance(question.answer_format, SingleChoice)
    grammar = question.answer_format

    def verdict(text: str) -> Verdict | str:
        option = read_choice(text, grammar)
        if option is None:
            return NO_ANSWER
        return Verdict(AttemptStatus.ANSWERED, option.name, float(option.name == question.truth))

    return conclude(reply, verdict)


def ideal_choice(question: Question, grammar: AnswerFormat) -> str | None:
    options = grammar.options if isinstance(grammar, SingleChoice) else ()
    right = next((option for option in options if option.name == question.truth), None)
    return None if right is None else write_choice(right, "This is the truth.")
