"""Multiple-choice questions before they are asked, and how one option is scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.geometry import Box
from affordance.core.media_spec import BoxOutline
from affordance.core.question import AnswerFormat, Question, SingleChoice
from affordance.core.requests import Response
from affordance.tasks.choice_answers import parse_single_choice, write_single_choice
from affordance.tasks.scoring import NOT_PARSED, verdict_of_text

OptionSpec = tuple[str, str]  # an option's text, and where it is from


@dataclass(frozen=True, slots=True)
class OutcomeImage:
    """What really happened: the picture afterwards, where it changed."""

    source: str
    box: Box


@dataclass(frozen=True, slots=True)
class ChoiceSpec:
    id: str
    screen: str  # what was sampled
    source: str
    files: Mapping[str, Path]
    outlines: tuple[BoxOutline, ...]
    question: str
    options: tuple[OptionSpec, ...]  # in the order in which they are shown
    correct: tuple[str, ...]  # texts
    multiple: bool
    tags: Mapping[str, str]
    outcome_image: OutcomeImage | None = None
    published: bool = False  # whether the order of its options is part of the data


def score_named_option(question: Question, reply: Response) -> Verdict:
    """The truth is the name of an option."""
    assert isinstance(question.answer_format, SingleChoice)
    grammar = question.answer_format

    def verdict(text: str) -> Verdict | str:
        option = parse_single_choice(text, grammar)
        if option is None:
            return NOT_PARSED
        return Verdict(AttemptStatus.ANSWERED, option.name, float(option.name == question.truth))

    return verdict_of_text(reply, verdict)


def correct_option(question: Question, grammar: AnswerFormat) -> str | None:
    options = grammar.options if isinstance(grammar, SingleChoice) else ()
    right = next((option for option in options if option.name == question.truth), None)
    return None if right is None else write_single_choice(right, "This is the truth.")
