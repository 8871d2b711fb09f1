"""`baseline:pixels`: answers from measurements of the images, without a learned model of interfaces.

It names the effect of an animation from what changes in its frames (`effect_classifier`), and locates the part of a
screen whose text is most like the expression. Text is read where the extra `ocr` is installed; without text it points
at the centre of the screen.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

import numpy as np
from numpy.typing import NDArray

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import ImageSpec
from affordance.core.question import AnswerOption, LocationFormat, SingleChoice
from affordance.core.requests import Request, Response
from affordance.grounding.location_parser import write_location
from affordance.media import decode_image
from affordance.media.ocr import TextLine, ocr_available, read_text
from affordance.media.screen_layout import PartKind, ScreenPart, find_layout
from affordance.models.baselines.effect_classifier import EFFECTS, EffectReading, classify_effect
from affordance.models.baselines.overlap import content_words, word_overlap
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.choice_answers import write_single_choice

_MAX_SCREENS: Final = 8  # screens kept in memory; questions about one come close together
_MIN_LETTERS: Final = 0.6  # likeness of letters; below it they agree by chance
_LARGE: Final = frozenset({PartKind.AREA, PartKind.ROW})
_CENTRE_SHARES: Final = {"region": 0.5, "element": 0.02}  # size of a box at the centre, as a share of the screen


class PixelBaseline(LocalModel):
    """Measures the images of a request. Each clip and each screen is analysed once."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, reads=ocr_available())
        self._media_loader = context.media_loader
        self._effects: dict[tuple[ImageSpec, ...], asyncio.Future[EffectReading]] = {}
        self._screens: OrderedDict[ImageSpec, asyncio.Future[tuple[TextPart, ...]]] = OrderedDict()

    async def send(self, request: Request) -> Response:
        if len(request.images) < len(request.media):
            return unsupported_response(f"{self.name} measures frames; use --input frames")
        match request.answer_format:
            case SingleChoice(options) if {option.name for option in options} <= set(EFFECTS):
                return _effect_response(self.name, options, await self._effect(request.images))
            case LocationFormat() if len(request.images) == 1:
                parts = await self._parts(request.images[0])
                return _location_response(parts, request.prompt_fields["expression"], request.answer_format)
        return unsupported_response(f"{self.name} answers motion/effect and grounding only")

    async def _effect(self, images: tuple[ImageSpec, ...]) -> EffectReading:
        if images not in self._effects:
            self._effects[images] = asyncio.ensure_future(self._classify(images))
        return await asyncio.shield(self._effects[images])

    async def _classify(self, images: tuple[ImageSpec, ...]) -> EffectReading:
        return await asyncio.to_thread(_classify_frames, await self._media_loader.load(images))

    async def _parts(self, image: ImageSpec) -> "tuple[TextPart, ...]":
        if image not in self._screens:
            self._screens[image] = asyncio.ensure_future(self._read(image))
            if len(self._screens) > _MAX_SCREENS:
                self._screens.popitem(last=False)
        return await asyncio.shield(self._screens[image])

    async def _read(self, image: ImageSpec) -> "tuple[TextPart, ...]":
        (encoded,) = await self._media_loader.load([image])
        return await asyncio.to_thread(_text_parts_of, encoded)


@dataclass(frozen=True, slots=True)
class TextPart:
    """A part of a screen, in pixels, with the text in it."""

    box: Box
    is_large: bool
    text: str


def find_text_parts(image: NDArray[np.uint8]) -> tuple[TextPart, ...]:
    """The parts of an RGB image that hold text, in reading order; none without the extra `ocr`."""
    lines = read_text(image)
    if not lines:
        return ()
    # A line of text may not be a part of the layout.
    parts = [*find_layout(image).parts, *(ScreenPart(line.box, PartKind.TEXT, line.box) for line in lines)]
    found = [TextPart(part.box, part.kind in _LARGE, _text_in(part.box, lines)) for part in parts]
    return tuple(part for part in found if part.text)


def find_part(parts: Sequence[TextPart], expression: str, level: str) -> Box | None:
    """The box whose text is most like an expression, the first in reading order among equals; None if nothing is like
    it.

    Args:
        parts: the parts of a screen; see `find_text_parts`.
        expression: what is looked for.
        level: `region` for large parts, `element` for the others.
    """
    wanted = [part for part in parts if part.is_large == (level == "region")] or parts
    best = max(wanted, key=lambda part: text_likeness(expression, part.text), default=None)
    return None if best is None or not text_likeness(expression, best.text) else best.box


def text_likeness(first: str, second: str) -> float:
    """How alike two texts are, 0 to 1: by their words, or by their letters where those agree better."""
    one, other = _letters(first), _letters(second)
    if not one or not other:
        return 0.0
    words = word_overlap(first, second) if content_words(second) else 0.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    letters = matcher.ratio() if matcher.quick_ratio() > _MIN_LETTERS else 0.0
    return max(words, letters if letters > _MIN_LETTERS else 0.0)


def _text_in(box: Box, lines: Sequence[TextLine]) -> str:
    return " ".join(line.text for line in lines if box.contains(line.box.centre.x, line.box.centre.y))


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _classify_frames(encoded: Sequence[bytes]) -> EffectReading:
    return classify_effect([decode_image(data) for data in encoded])


def _text_parts_of(encoded: bytes) -> tuple[TextPart, ...]:
    return find_text_parts(decode_image(encoded)) if ocr_available() else ()


def _effect_response(model: str, options: Sequence[AnswerOption], reading: EffectReading) -> Response:
    for option in options:
        if option.name == reading.effect:
            return Response(write_single_choice(option, reading.reason))
    return unsupported_response(f"{model} sees the effect {reading.effect}, which is not among the options")


def _location_response(parts: Sequence[TextPart], expression: str, answer_format: LocationFormat) -> Response:
    found = find_part(parts, expression, answer_format.level)
    width, height = answer_format.size
    if found is None:
        wide, high = (_CENTRE_SHARES[answer_format.level] * side / 2 for side in (width, height))
        box = Box(CoordinateSpace.PIXEL, width / 2 - wide, height / 2 - high, width / 2 + wide, height / 2 + high)
    else:
        x, y = width / answer_format.sent[0], height / answer_format.sent[1]
        box = Box(CoordinateSpace.PIXEL, found.x1 * x, found.y1 * y, found.x2 * x, found.y2 * y)
    return Response(write_location(box, answer_format))
