"""Options of multiple-choice questions, in a seeded order that has nothing to do with where they are from."""

import random
from collections.abc import Sequence

from affordance.core.digest import digest

OPTIONS = 5  # of a single-answer question, as in the paper
MULTI_OPTIONS = 6
MOST_HARD = 3
TARGET, HARD, EASY = "target", "hard", "easy"

Pick = tuple[str, str]  # an option's text, and where it is from


def one_right(right: str, hard: Sequence[str], easy: Sequence[str], *seed: str | int) -> tuple[Pick, ...] | None:
    """The right option, up to three hard ones and easy ones, with one of each at least. None where there are not
    enough."""
    generator = _generator(seed)
    chosen = generator.sample(list(hard), min(MOST_HARD, len(hard)))
    left = OPTIONS - 1 - len(chosen)
    return _shuffled([right], chosen, easy, left, generator) if chosen and left >= 1 else None


def some_right(
    right: Sequence[str], hard: Sequence[str], easy: Sequence[str], *seed: str | int
) -> tuple[Pick, ...] | None:
    """Two or more right options among hard and easy ones. None where there are not enough."""
    generator = _generator(seed)
    wanted = MULTI_OPTIONS - len(right)
    chosen = generator.sample(list(hard), min(MOST_HARD, len(hard), wanted))
    return _shuffled(right, chosen, easy, wanted - len(chosen), generator) if len(right) > 1 else None


def _shuffled(
    right: Sequence[str], hard: Sequence[str], easy: Sequence[str], left: int, generator: random.Random
) -> tuple[Pick, ...] | None:
    if left > len(easy):
        return None
    chosen = generator.sample(list(easy), left)
    picks = [(text, origin) for origin, texts in ((TARGET, right), (HARD, hard), (EASY, chosen)) for text in texts]
    generator.shuffle(picks)
    return tuple(picks)


def _generator(seed: Sequence[str | int]) -> random.Random:
    return random.Random(int(digest("options", *seed), 16))
