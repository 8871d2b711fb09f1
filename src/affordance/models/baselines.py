"""Baselines: what chance, pixels and word overlap score. They answer in the asked grammar like any model."""

import asyncio
import random
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.core.ask import FinishReason, Request, Response
from affordance.core.box import Box, CoordinateSpace
from affordance.core.digest import digest
from affordance.core.grammar import (
    AnswerOption,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.picture import ImageSpec
from affordance.datasets.purposes import PURPOSES
from affordance.grounding.location_parser import write_location
from affordance.media import decode_image
from affordance.models.base import LocalModel, ModelContext
from affordance.models.pixels import (
    EFFECTS,
    EffectReading,
    advantages,
    better_design,
    choose_outcome,
    classify_effect,
    find_location,
    infer_purpose,
    ocr_available,
)
from affordance.tasks.behavior.picks import write_pair_choice
from affordance.tasks.choice import write_choice, write_multiple_choice
from affordance.tasks.scale import write_rating


class RandomBaseline(LocalModel):
    """Seeded chance: a function of seed, question, trial and step."""

    answers_by_question = True

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, seed=context.seed)

    async def send(self, request: Request) -> Response:
        seed = digest("random", self._identity["seed"], request.question, request.trial, list(request.step))
        generator = random.Random(int(seed, 16))
        match request.answer_format:
            case SingleChoice(options):
                return Response(write_choice(generator.choice(options), "Chosen at random."))
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


class PixelBaseline(LocalModel):
    """Looks at the pictures it is sent, and at nothing else."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, reads=ocr_available())
        self._media_loader = context.media_loader
        self._effects: dict[tuple[ImageSpec, ...], asyncio.Future[EffectReading]] = {}
        self._purposes: dict[tuple[tuple[ImageSpec, ...], str, str], asyncio.Future[tuple[str, str]]] = {}

    async def send(self, request: Request) -> Response:
        if len(request.images) < len(request.media):
            return _unsupported_response("baseline:pixels looks at frames; ask it with --input frames")
        match request.answer_format:
            case SingleChoice(options) if {option.name for option in options} <= set(EFFECTS):
                return _effect_response(options, await self._effect(request.images))
            case SingleChoice(options) if {option.name for option in options} <= set(PURPOSES):
                purpose, why = await self._purpose(request)
                return Response(write_choice(next(option for option in options if option.name == purpose), why))
            case FreeText() if "shown" in request.prompt_fields:
                purpose, why = await self._purpose(request)
                return Response(f"It is there for {purpose.lower()}. {why}")
            case PairChoice() | FreeText() if len(request.images) == 2:
                return await self._answer_from_images(request)
            case SingleChoice() | MultipleChoice() | LocationFormat() if len(request.images) == 1:
                return await self._answer_from_images(request)
        return _unsupported_response(
            "baseline:pixels answers multiple-choice questions, points, and compares designs; no more"
        )

    async def _answer_from_images(self, request: Request) -> Response:
        return await asyncio.to_thread(_response_from_images, request, await self._media_loader.load(request.images))

    async def _effect(self, images: tuple[ImageSpec, ...]) -> EffectReading:
        """Of a clip, which is asked about with its options in many orders: looked at once."""
        if images not in self._effects:
            self._effects[images] = asyncio.ensure_future(self._classify(images))
        return await asyncio.shield(self._effects[images])

    async def _purpose(self, request: Request) -> tuple[str, str]:
        """Of a clip and what is told of it; asked about with several orders and tasks, but looked at once."""
        told = request.prompt_fields.get("context", ""), request.prompt_fields.get("input", "")
        key = (request.images, *told)
        if key not in self._purposes:
            self._purposes[key] = asyncio.ensure_future(self._infer_purpose(request.images, *told))
        return await asyncio.shield(self._purposes[key])

    async def _infer_purpose(self, images: tuple[ImageSpec, ...], context: str, user_input: str) -> tuple[str, str]:
        encoded = await self._media_loader.load(images)
        return await asyncio.to_thread(_purpose_of_images, encoded, context, user_input)

    async def _classify(self, images: tuple[ImageSpec, ...]) -> EffectReading:
        return await asyncio.to_thread(_classify_images, await self._media_loader.load(images))


def _classify_images(encoded: Sequence[bytes]) -> EffectReading:
    return classify_effect([decode_image(data) for data in encoded])


def _purpose_of_images(encoded: Sequence[bytes], context: str, user_input: str) -> tuple[str, str]:
    return infer_purpose([decode_image(data) for data in encoded], context, user_input)


def _effect_response(options: Sequence[AnswerOption], reading: EffectReading) -> Response:
    for option in options:
        if option.name == reading.effect:
            return Response(write_choice(option, reading.reason))
    return _unsupported_response(f"baseline:pixels sees {reading.effect}, which is not among the options")


def _response_from_images(request: Request, encoded: Sequence[bytes]) -> Response:
    images = [decode_image(data) for data in encoded]
    match request.answer_format:
        case LocationFormat():
            return _location_response(request, images[0])
        case SingleChoice(options) | MultipleChoice(options):
            place = choose_outcome(images[0], None, [option.label for option in options])
            if place is None:
                return Response("I see nothing that decides it.")
            because = "It fits best what is in the red rectangle."
            several = isinstance(request.answer_format, MultipleChoice)
            return Response(
                write_multiple_choice([options[place]], because) if several else write_choice(options[place], because)
            )
        case PairChoice(first, second):
            better, reason = better_design(images[0], images[1])
            return Response(reason if better is None else write_pair_choice((first, second)[better], reason))
        case FreeText():
            return Response(advantages(images[0], images[1], 0 if request.prompt_fields.get("side") == "first" else 1))
    raise AssertionError(f"baseline:pixels was asked in {request.answer_format}")


def _location_response(request: Request, image: NDArray[np.uint8]) -> Response:
    grammar = request.answer_format
    assert isinstance(grammar, LocationFormat)
    found = find_location(image, request.prompt_fields["expression"], grammar.level)
    if found is None:
        return Response("I see nothing that fits.")
    wide, high = grammar.size[0] / grammar.sent[0], grammar.size[1] / grammar.sent[1]
    x1, y1, x2, y2 = found
    return Response(write_location(Box(CoordinateSpace.PIXEL, x1 * wide, y1 * high, x2 * wide, y2 * high), grammar))


class OverlapBaseline(LocalModel):
    """The offline judge: compares two texts by the words they share. Uncertified, and always labelled so. As a
    summarizer it quotes the response that shares most words with the others."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name)

    async def send(self, request: Request) -> Response:
        if "responses" in request.prompt_fields:
            return Response(most_overlapping(request.prompt_fields["responses"].splitlines()).removeprefix("- "))
        texts = [request.prompt_fields.get(name) for name in ("text_a", "text_b")]
        if texts[0] is None or texts[1] is None:
            return _unsupported_response(
                "baseline:overlap judges two texts and answers nothing else; use it as --judge"
            )
        share = word_overlap(texts[0], texts[1])
        because = f"The texts share {share:.0%} of their words."
        match request.answer_format:
            case RatingScale(low, high):
                return Response(write_rating(round(low + share * (high - low)), because))
            case YesNo():
                return Response("Yes" if word_containment(texts[0], texts[1]) >= 0.5 else "No")
            case _:
                return _unsupported_response(
                    "baseline:overlap judges two texts and answers nothing else; use it as --judge"
                )


def _random_box(grammar: LocationFormat, generator: random.Random) -> Box:
    """A small box anywhere on the screen."""
    width, height = grammar.size
    x, y = generator.random() * width, generator.random() * height
    wide, high = width / 100, height / 100
    return Box(CoordinateSpace.PIXEL, x - wide, y - high, x + wide, y + high)


def word_overlap(first: str, second: str) -> float:
    """F1 over the sets of words, without the most common English ones; 1.0 for two texts without any."""
    a, b = _words(first), _words(second)
    if not a and not b:
        return 1.0
    return 2 * len(a & b) / (len(a) + len(b))


def most_overlapping(texts: Sequence[str]) -> str:
    """The text that has most in common with the others; the first of those that are level."""
    return max(texts, key=lambda text: sum(word_overlap(text, other) for other in texts))


def word_containment(whole: str, part: str) -> float:
    """The share of a text's words that another one has; 1.0 for a text without any."""
    a, b = _words(whole), _words(part)
    return len(a & b) / len(b) if b else 1.0


_STOP_WORDS = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "this", "to", "was", "with"}
)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower())) - _STOP_WORDS


def _unsupported_response(why: str) -> Response:
    return Response(finish=FinishReason.UNSUPPORTED, error=why, permanent=True)
