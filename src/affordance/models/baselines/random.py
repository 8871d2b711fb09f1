"""`baseline:random`: answers at random, from a seed."""

import random
from typing import Any

from affordance.core.digest import digest
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import (
    AnswerFormat,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.requests import Request, Response
from affordance.grounding.location_parser import write_location
from affordance.models.model import LocalModel, ModelContext
from affordance.tasks.answers import FIRST, SECOND, write_answer

_REASON = "Chosen at random."


class RandomBaseline(LocalModel):
    """Answers at random: a function of seed, question, trial and step."""

    answers_by_question = True

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, seed=context.seed)

    async def send(self, request: Request) -> Response:
        seed = digest("random", self._identity["seed"], request.question, request.trial, list(request.step))
        generator = random.Random(int(seed, 16))
        if isinstance(request.answer_format, LocationFormat):
            return Response(write_location(_random_box(request.answer_format, generator), request.answer_format))
        return Response(write_answer(_random_answer(request.answer_format, generator), request.answer_format, _REASON))


def _random_answer(answer_format: AnswerFormat, generator: random.Random) -> Any:
    """An answer, as parsers return it."""
    match answer_format:
        case SingleChoice(options):
            return generator.choice(options)
        case MultipleChoice(options):
            return [option for option in options if generator.random() < 0.5] or [generator.choice(options)]
        case PairChoice():
            return generator.choice((FIRST, SECOND))
        case RatingScale(low, high):
            return generator.randint(low, high)
        case YesNo():
            return generator.choice((True, False))
        case FreeText():
            return "I chose at random."
    raise AssertionError(f"no random answer in the format {answer_format}")


def _random_box(grammar: LocationFormat, generator: random.Random) -> Box:
    """A small box anywhere on the screen."""
    width, height = grammar.size
    x, y = generator.random() * width, generator.random() * height
    wide, high = width / 100, height / 100
    return Box(CoordinateSpace.PIXEL, x - wide, y - high, x + wide, y + high)
