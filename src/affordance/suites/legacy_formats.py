"""Answer formats of verdicts that were stored without one, from what was stored of their questions."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.grammar import Choice, Either, Grammar, Locate, Several, Words
from affordance.core.question import Question
from affordance.grounding.selection import dialect_named, sent_size
from affordance.grounding.truths import Truth
from affordance.suites.behavior import choice, choose, rationale
from affordance.suites.behavior.strategies import neutral_labels
from affordance.suites.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.suites.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION, outcome_options
from affordance.suites.function.probe import PROBE
from affordance.suites.motion import meaning, purpose, summing_up, twin
from affordance.suites.motion.effect import EFFECT, effect_options

_Format = Callable[[Question, str, str], Grammar]  # of a question, a strategy and a dialect


def legacy_answer_format(question: Question, strategy: str, dialect: str) -> Grammar | None:
    """The form in which a question of version 1 was asked by a strategy; None for tasks of plugins.

    Raises:
        UserError: the dialect is of a plugin that is not installed.
    """
    found = _FORMATS.get(question.task)
    return None if found is None else found(question, strategy, dialect)


def _axis(question: Question, name: str) -> Any:
    return question.axes[name]


def _pair(question: Question, strategy: str, _: str) -> Grammar:
    return neutral_labels(question.id) if strategy == "relabelled" else Either()


def _outcome(question: Question, _: str, __: str) -> Grammar:
    options = outcome_options(_axis(question, "options"))
    return Several(options) if json.loads(question.truth)["multiple"] else Choice(options)


def _location(level: str) -> _Format:
    def found(question: Question, _: str, dialect: str) -> Grammar:
        size = Truth.target_from_text(question.truth).size
        return Locate(dialect, level, size, sent_size(dialect_named(dialect), size))

    return found


_FORMATS: Mapping[str, _Format] = {
    EFFECT.name: lambda question, _, __: Choice(effect_options(_axis(question, "options"))),
    purpose.NAME: lambda question, _, __: Choice(purpose.purpose_options(_axis(question, "options"))),
    twin.NAME: lambda *_: Choice(twin.OPTIONS),
    meaning.NAME: lambda *_: Words(),
    summing_up.NAME: lambda *_: Words(),
    choice.CHOICE.name: _pair,
    choose.NAME: _pair,
    rationale.NAME: lambda *_: Words(),
    GROUND_ELEMENT.name: _location("element"),
    GROUND_REGION.name: _location("region"),
    PROBE.name: _location("element"),
    OUTCOME_ELEMENT.name: _outcome,
    OUTCOME_REGION.name: _outcome,
}
