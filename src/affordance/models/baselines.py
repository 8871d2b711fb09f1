"""Baselines: what chance, pixels and word overlap score. They answer in the asked grammar like any model."""

import asyncio
import random
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.box import Box, Space
from affordance.core.digest import digest
from affordance.core.grammar import Choice, Either, Locate, Option, Scale, Several, Words, YesNo
from affordance.core.picture import Picture
from affordance.datasets.purposes import PURPOSES
from affordance.grounding.location_parser import write_location
from affordance.media import decode_image
from affordance.models.base import LocalModel, Surroundings
from affordance.models.pixels import (
    EFFECTS,
    Reading,
    advantages,
    better_design,
    can_read,
    choose_outcome,
    classify_effect,
    find_place,
    purpose_of,
)
from affordance.suites.behavior.picks import write_pick
from affordance.suites.choice import write_choice, write_several
from affordance.suites.scale import write_score


class RandomBaseline(LocalModel):
    """Seeded chance: a function of seed, question, trial and step."""

    by_question = True

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name, seed=surroundings.seed)

    async def reply(self, ask: Ask) -> Reply:
        seed = digest("random", self._character["seed"], ask.question, ask.trial, list(ask.step))
        generator = random.Random(int(seed, 16))
        match ask.grammar:
            case Choice(options):
                return Reply(write_choice(generator.choice(options), "Chosen at random."))
            case Several(options):
                chosen = [option for option in options if generator.random() < 0.5] or [generator.choice(options)]
                return Reply(write_several(chosen, "Chosen at random."))
            case Either(first, second):
                return Reply(write_pick(generator.choice((first, second)), "Chosen at random."))
            case Words():
                return Reply("I chose at random.")
            case Locate():
                return Reply(write_location(_somewhere(ask.grammar, generator), ask.grammar))
            case Scale(low, high):
                return Reply(write_score(generator.randint(low, high), "Chosen at random."))
            case YesNo():
                return Reply(generator.choice(["Yes", "No"]))


class PixelBaseline(LocalModel):
    """Looks at the pictures it is sent, and at nothing else."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name, reads=can_read())
        self._gallery = surroundings.gallery
        self._readings: dict[tuple[Picture, ...], asyncio.Future[Reading]] = {}
        self._purposes: dict[tuple[tuple[Picture, ...], str, str], asyncio.Future[tuple[str, str]]] = {}

    async def reply(self, ask: Ask) -> Reply:
        if len(ask.pictures) < len(ask.visuals):
            return _unable("baseline:pixels looks at frames; ask it with --input frames")
        match ask.grammar:
            case Choice(options) if {option.name for option in options} <= set(EFFECTS):
                return _named(options, await self._reading(ask.pictures))
            case Choice(options) if {option.name for option in options} <= set(PURPOSES):
                purpose, why = await self._purpose(ask)
                return Reply(write_choice(next(option for option in options if option.name == purpose), why))
            case Words() if "shown" in ask.fields:
                purpose, why = await self._purpose(ask)
                return Reply(f"It is there for {purpose.lower()}. {why}")
            case Either() | Words() if len(ask.pictures) == 2:
                return await self._look(ask)
            case Choice() | Several() | Locate() if len(ask.pictures) == 1:
                return await self._look(ask)
        return _unable("baseline:pixels answers multiple-choice questions, points, and compares designs; no more")

    async def _look(self, ask: Ask) -> Reply:
        return await asyncio.to_thread(_looked_at, ask, await self._gallery.encoded(ask.pictures))

    async def _reading(self, pictures: tuple[Picture, ...]) -> Reading:
        """Of a clip, which is asked about with its options in many orders: looked at once."""
        if pictures not in self._readings:
            self._readings[pictures] = asyncio.ensure_future(self._classify(pictures))
        return await asyncio.shield(self._readings[pictures])

    async def _purpose(self, ask: Ask) -> tuple[str, str]:
        """Of a clip and what is told of it; asked about with several orders and tasks, but looked at once."""
        told = ask.fields.get("context", ""), ask.fields.get("input", "")
        key = (ask.pictures, *told)
        if key not in self._purposes:
            self._purposes[key] = asyncio.ensure_future(self._judge_purpose(ask.pictures, *told))
        return await asyncio.shield(self._purposes[key])

    async def _judge_purpose(self, pictures: tuple[Picture, ...], context: str, user_input: str) -> tuple[str, str]:
        encoded = await self._gallery.encoded(pictures)
        return await asyncio.to_thread(_purpose_seen, encoded, context, user_input)

    async def _classify(self, pictures: tuple[Picture, ...]) -> Reading:
        return await asyncio.to_thread(_classified, await self._gallery.encoded(pictures))


def _classified(encoded: Sequence[bytes]) -> Reading:
    return classify_effect([decode_image(data) for data in encoded])


def _purpose_seen(encoded: Sequence[bytes], context: str, user_input: str) -> tuple[str, str]:
    return purpose_of([decode_image(data) for data in encoded], context, user_input)


def _named(options: Sequence[Option], reading: Reading) -> Reply:
    for option in options:
        if option.name == reading.effect:
            return Reply(write_choice(option, reading.because))
    return _unable(f"baseline:pixels sees {reading.effect}, which is not among the options")


def _looked_at(ask: Ask, encoded: Sequence[bytes]) -> Reply:
    images = [decode_image(data) for data in encoded]
    match ask.grammar:
        case Locate():
            return _pointed(ask, images[0])
        case Choice(options) | Several(options):
            place = choose_outcome(images[0], None, [option.label for option in options])
            if place is None:
                return Reply("I see nothing that decides it.")
            because = "It fits best what is in the red rectangle."
            several = isinstance(ask.grammar, Several)
            return Reply(write_several([options[place]], because) if several else write_choice(options[place], because))
        case Either(first, second):
            better, reason = better_design(images[0], images[1])
            return Reply(reason if better is None else write_pick((first, second)[better], reason))
        case Words():
            return Reply(advantages(images[0], images[1], 0 if ask.fields.get("side") == "first" else 1))
    raise AssertionError(f"baseline:pixels was asked in {ask.grammar}")


def _pointed(ask: Ask, image: NDArray[np.uint8]) -> Reply:
    grammar = ask.grammar
    assert isinstance(grammar, Locate)
    found = find_place(image, ask.fields["expression"], grammar.level)
    if found is None:
        return Reply("I see nothing that fits.")
    wide, high = grammar.size[0] / grammar.sent[0], grammar.size[1] / grammar.sent[1]
    x1, y1, x2, y2 = found
    return Reply(write_location(Box(Space.PIXEL, x1 * wide, y1 * high, x2 * wide, y2 * high), grammar))


class OverlapBaseline(LocalModel):
    """The offline judge: compares two texts by the words they share. Uncertified, and always labelled so. As a
    summarizer it quotes the response that shares most words with the others."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name)

    async def reply(self, ask: Ask) -> Reply:
        if "responses" in ask.fields:
            return Reply(most_shared(ask.fields["responses"].splitlines()).removeprefix("- "))
        texts = [ask.fields.get(name) for name in ("text_a", "text_b")]
        if texts[0] is None or texts[1] is None:
            return _unable("baseline:overlap judges two texts and answers nothing else; use it as --judge")
        share = overlap(texts[0], texts[1])
        because = f"The texts share {share:.0%} of their words."
        match ask.grammar:
            case Scale(low, high):
                return Reply(write_score(round(low + share * (high - low)), because))
            case YesNo():
                return Reply("Yes" if contained(texts[0], texts[1]) >= 0.5 else "No")
            case _:
                return _unable("baseline:overlap judges two texts and answers nothing else; use it as --judge")


def _somewhere(grammar: Locate, generator: random.Random) -> Box:
    """A small box anywhere on the screen."""
    width, height = grammar.size
    x, y = generator.random() * width, generator.random() * height
    wide, high = width / 100, height / 100
    return Box(Space.PIXEL, x - wide, y - high, x + wide, y + high)


def overlap(first: str, second: str) -> float:
    """F1 over the sets of words, without the most common English ones; 1.0 for two texts without any."""
    a, b = _words(first), _words(second)
    if not a and not b:
        return 1.0
    return 2 * len(a & b) / (len(a) + len(b))


def most_shared(texts: Sequence[str]) -> str:
    """The text that has most in common with the others; the first of those that are level."""
    return max(texts, key=lambda text: sum(overlap(text, other) for other in texts))


def contained(whole: str, part: str) -> float:
    """The share of a text's words that another one has; 1.0 for a text without any."""
    a, b = _words(whole), _words(part)
    return len(a & b) / len(b) if b else 1.0


_COMMON = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "this", "to", "was", "with"}
)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower())) - _COMMON


def _unable(why: str) -> Reply:
    return Reply(finish=Finish.UNABLE, error=why, permanent=True)
