"""`baseline:pixels`: answers from measurements of the images alone."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import ImageSpec
from affordance.core.question import AnswerOption, FreeText, LocationFormat, MultipleChoice, PairChoice, SingleChoice
from affordance.core.requests import Request, Response
from affordance.datasets.taxonomies import PURPOSES
from affordance.grounding.location_parser import write_location
from affordance.media import decode_image
from affordance.models.baselines.overlap import _unsupported_response
from affordance.models.model import LocalModel, ModelContext
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
from affordance.tasks.choice_answers import write_multiple_choice, write_single_choice
from affordance.tasks.pair_answers import write_pair_choice


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
                return Response(write_single_choice(next(option for option in options if option.name == purpose), why))
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
            return Response(write_single_choice(option, reading.reason))
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
                write_multiple_choice([options[place]], because)
                if several
                else write_single_choice(options[place], because)
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
