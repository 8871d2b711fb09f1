"""Multiple-choice questions before they are asked, and how one option is scored."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.geometry import Box
from affordance.core.media_spec import BoxOutline
from affordance.core.question import AnswerOption, Question, SingleChoice
from affordance.tasks.scoring import Score, Scorer

OptionSpec = tuple[str, str]  # an option's text, and where it is from


@dataclass(frozen=True, slots=True)
class OutcomeImage:
    """What really happened: the image afterwards, where it changed."""

    source: str
    box: Box


@dataclass(frozen=True, slots=True)
class ChoiceSpec:
    """A multiple-choice question before it is asked."""

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


def score_option(question: Question, answer: AnswerOption) -> Score:
    """Right where the option has the name that is the truth."""
    return Score(answer.name, float(answer.name == question.truth))


def correct_option(question: Question) -> AnswerOption | None:
    options = question.answer_format.options if isinstance(question.answer_format, SingleChoice) else ()
    return next((option for option in options if option.name == question.truth), None)


CHOICE_SCORER = Scorer(score=score_option, correct=correct_option)
