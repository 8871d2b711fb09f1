"""`baseline:random`: answers at random, from a seed."""

import random

from affordance.core.digest import digest
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.question import (
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
from affordance.tasks.answers import write_rating
from affordance.tasks.choice_answers import write_multiple_choice, write_single_choice
from affordance.tasks.pair_answers import write_pair_choice


class RandomBaseline(LocalModel):
    """Answers at random: a function of seed, question, trial and step."""

    answers_by_question = True

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, seed=context.seed)

    async def send(self, request: Request) -> Response:
        seed = digest("random", self._identity["seed"], request.question, request.trial, list(request.step))
        generator = random.Random(int(seed, 16))
        match request.answer_format:
            case SingleChoice(options):
                return Response(write_single_choice(generator.choice(options), "Chosen at random."))
            case MultipleChoice(options):
                chosen = [option for option in options if generator.random() < 0.5] or [generator.choice(options)]
                return Response(write_multiple_choice(chosen, "Chosen at random."))
            case PairChoice(first, second):
                return Response(write_pair_choice(generator.choice((first, second)), "Chosen at random."))
            case FreeText():
                return Response("I chose at random.")
            case LocationFormat():
                return Response(write_location(_random_box(request.answer_format, generator), request.answer_format))
            case RatingScale(low, high):
                return Response(write_rating(generator.randint(low, high), "Chosen at random."))
            case YesNo():
                return Response(generator.choice(["Yes", "No"]))


def _random_box(grammar: LocationFormat, generator: random.Random) -> Box:
    """A small box anywhere on the screen."""
    width, height = grammar.size
    x, y = generator.random() * width, generator.random() * height
    wide, high = width / 100, height / 100
    return Box(CoordinateSpace.PIXEL, x - wide, y - high, x + wide, y + high)
