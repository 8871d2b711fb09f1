"""Baselines: what chance, pixels and word overlap score. They answer in the asked grammar like any model."""

import asyncio
import json
import random
import re

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.digest import digest
from affordance.core.grammar import Choice, Scale, YesNo
from affordance.media import decode_image
from affordance.models.base import LocalModel, Surroundings
from affordance.models.pixels import classify_effect
from affordance.suites.choice import write_choice


class RandomBaseline(LocalModel):
    """Seeded chance: a function of seed, question, trial and step."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name, seed=surroundings.seed)

    async def reply(self, ask: Ask) -> Reply:
        seed = digest("random", self._character["seed"], ask.question, ask.trial, list(ask.step))
        generator = random.Random(int(seed, 16))
        match ask.grammar:
            case Choice(options):
                return Reply(write_choice(generator.choice(options), "Chosen at random."))
            case Scale(low, high):
                return Reply(_scored(generator.randint(low, high), "Chosen at random."))
            case YesNo():
                return Reply(generator.choice(["Yes", "No"]))


class PixelBaseline(LocalModel):
    """Looks at the pictures it is sent, and at nothing else."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name)
        self._gallery = surroundings.gallery

    async def reply(self, ask: Ask) -> Reply:
        if not isinstance(ask.grammar, Choice):
            return _unable("baseline:pixels answers multiple-choice questions about frames only")
        encoded = await self._gallery.encoded(ask.pictures)
        reading = await asyncio.to_thread(lambda: classify_effect([decode_image(data) for data in encoded]))
        for option in ask.grammar.options:
            if option.name == reading.effect:
                return Reply(write_choice(option, reading.because))
        return _unable(f"baseline:pixels sees {reading.effect}, which is not among the options")


class OverlapBaseline(LocalModel):
    """The offline judge: compares two texts by the words they share. Uncertified, and always labelled so."""

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name)

    async def reply(self, ask: Ask) -> Reply:
        texts = [ask.fields.get(name) for name in ("text_a", "text_b")]
        if texts[0] is None or texts[1] is None:
            return _unable("baseline:overlap judges two texts and answers nothing else; use it as --judge")
        share = overlap(texts[0], texts[1])
        because = f"The texts share {share:.0%} of their words."
        match ask.grammar:
            case Scale(low, high):
                return Reply(_scored(round(low + share * (high - low)), because))
            case YesNo():
                return Reply("Yes" if share >= 0.5 else "No")
            case Choice():
                return _unable("baseline:overlap judges two texts and answers nothing else; use it as --judge")


def overlap(first: str, second: str) -> float:
    """F1 over the sets of words, without the most common English ones; 1.0 for two texts without any."""
    a, b = _words(first), _words(second)
    if not a and not b:
        return 1.0
    return 2 * len(a & b) / (len(a) + len(b))


_COMMON = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "this", "to", "was", "with"}
)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.lower())) - _COMMON


def _scored(score: int, because: str) -> str:
    return json.dumps({"score": score, "reason": because})


def _unable(why: str) -> Reply:
    return Reply(finish=Finish.UNABLE, error=why, permanent=True)
