"""Asks, questions and surroundings for the tests of models."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affordance.core.ask import Ask, Message
from affordance.core.grammar import Choice, Grammar, Option
from affordance.core.picture import Picture
from affordance.core.question import Question
from affordance.models.base import Surroundings

OPTIONS = Choice(
    tuple(Option(a, name, name.capitalize()) for a, name in zip("ABC", ("move", "fade", "blur"), strict=True))
)


def picture(source: str = "00ff", **recipe: Any) -> Picture:
    return Picture(source, **recipe)


def ask(*parts: str | Picture, grammar: Grammar = OPTIONS, question: str = "q", **changes: Any) -> Ask:
    return Ask(question, (Message("user", parts or ("Which?",)),), grammar, **changes)


@dataclass
class Shelf:
    """A gallery whose pictures are known bytes."""

    content: dict[str, bytes] = field(default_factory=dict)  # by source
    on_loan: int = 0

    async def encoded(self, pictures: Sequence[Picture]) -> list[bytes]:
        return [self.content[one.source] for one in pictures]

    async def base64(self, pictures: Sequence[Picture]) -> list[bytes]:
        images = [base64.b64encode(one) for one in await self.encoded(pictures)]
        self.on_loan += len(images)
        return images

    def give_back(self, images: Sequence[bytes]) -> None:
        self.on_loan -= len(images)


def question(item: str = "item", truth: str = "fade", grammar: Grammar = OPTIONS) -> Question:
    return Question("motion/effect", item, {}, (), {}, grammar, truth, files={})


def unknown(_: str) -> Question:
    raise AssertionError("this model has no business with questions")


def surroundings(*questions: Question, content: dict[str, bytes] | None = None, **changes: Any) -> Surroundings:
    """What a model is built from; with no questions given, looking one up is an error."""
    by_id = {one.id: one for one in questions}
    return Surroundings(Shelf(content or {}), by_id.__getitem__ if questions else unknown, **changes)
