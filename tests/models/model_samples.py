"""Asks, questions and surroundings for the tests of models."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affordance.core.media_spec import ImageSpec
from affordance.core.question import AnswerFormat, AnswerOption, Question, SingleChoice
from affordance.core.requests import Message, Request
from affordance.models.model import ModelContext

OPTIONS = SingleChoice(
    tuple(AnswerOption(a, name, name.capitalize()) for a, name in zip("ABC", ("move", "fade", "blur"), strict=True))
)


def picture(source: str = "00ff", **recipe: Any) -> ImageSpec:
    return ImageSpec(source, **recipe)


def ask(*parts: str | ImageSpec, grammar: AnswerFormat = OPTIONS, question: str = "q", **changes: Any) -> Request:
    return Request(question, (Message("user", parts or ("Which?",)),), grammar, **changes)


@dataclass
class MemoryMediaLoader:
    """A gallery whose pictures are known bytes."""

    content: dict[str, bytes] = field(default_factory=dict)  # by source
    in_use: int = 0

    async def load(self, media: Sequence[ImageSpec]) -> list[bytes]:
        return [self.content[one.source] for one in media]

    async def load_base64(self, media: Sequence[ImageSpec]) -> list[bytes]:
        images = [base64.b64encode(one) for one in await self.load(media)]
        self.in_use += len(images)
        return images

    def release(self, images: Sequence[bytes]) -> None:
        self.in_use -= len(images)


def question(item: str = "item", truth: str = "fade", grammar: AnswerFormat = OPTIONS) -> Question:
    return Question("motion/effect", item, {}, (), {}, grammar, truth, source_paths={})


def unknown(_: str) -> Question:
    raise AssertionError("this model has no business with questions")


def surroundings(*questions: Question, content: dict[str, bytes] | None = None, **changes: Any) -> ModelContext:
    """What a model is built from; with no questions given, looking one up is an error."""
    by_id = {one.id: one for one in questions}
    return ModelContext(MemoryMediaLoader(content or {}), by_id.__getitem__ if questions else unknown, **changes)
