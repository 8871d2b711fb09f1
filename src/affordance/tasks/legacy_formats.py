"""Answer formats of verdicts that were stored without one, from what was stored of their questions."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.question import (
    AnswerFormat,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    Question,
    SingleChoice,
)
from affordance.grounding.dialects import get_dialect, sent_size
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.behavior import choice, design_preference, rationale
from affordance.tasks.behavior.strategies import neutral_labels
from affordance.tasks.function.calibration import CALIBRATION_TASK
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION, outcome_options
from affordance.tasks.motion import meaning, meaning_summaries, purpose, twin
from affordance.tasks.motion.effect import EFFECT, effect_options

_Format = Callable[[Question, str, str], AnswerFormat]  # of a question, a strategy and a dialect


def legacy_answer_format(question: Question, strategy: str, dialect: str) -> AnswerFormat | None:
    """The form in which a question of version 1 was asked by a strategy; None for tasks of plugins.

    Raises:
        UserError: the dialect is of a plugin that is not installed.
    """
    found = _FORMATS.get(question.task)
    return None if found is None else found(question, strategy, dialect)


def _axis(question: Question, name: str) -> Any:
    return question.axes[name]


def _pair(question: Question, strategy: str, _: str) -> AnswerFormat:
    return neutral_labels(question.id) if strategy == "relabelled" else PairChoice()


def _outcome(question: Question, _: str, __: str) -> AnswerFormat:
    options = outcome_options(_axis(question, "options"))
    return MultipleChoice(options) if json.loads(question.truth)["multiple"] else SingleChoice(options)


def _location(level: str) -> _Format:
    def location_format(question: Question, _: str, dialect: str) -> AnswerFormat:
        size = TargetTruth.target_from_text(question.truth).size
        return LocationFormat(dialect, level, size, sent_size(get_dialect(dialect), size))

    return location_format


_FORMATS: Mapping[str, _Format] = {
    EFFECT.name: lambda question, _, __: SingleChoice(effect_options(_axis(question, "options"))),
    purpose.NAME: lambda question, _, __: SingleChoice(purpose.purpose_options(_axis(question, "options"))),
    twin.NAME: lambda *_: SingleChoice(twin.OPTIONS),
    meaning.MEANING.name: lambda *_: FreeText(),
    meaning_summaries.NAME: lambda *_: FreeText(),
    choice.CHOICE.name: _pair,
    design_preference.NAME: _pair,
    rationale.NAME: lambda *_: FreeText(),
    GROUND_ELEMENT.name: _location("element"),
    GROUND_REGION.name: _location("region"),
    CALIBRATION_TASK.name: _location("element"),
    OUTCOME_ELEMENT.name: _outcome,
    OUTCOME_REGION.name: _outcome,
}
