"""Options of multiple-choice questions, in a seeded order that has nothing to do with where they are from."""

import random
from collections.abc import Sequence

from affordance.core.digest import digest

N_OPTIONS = 5  # of a single-answer question, as in the paper
N_MULTI_OPTIONS = 6
MAX_HARD = 3
TARGET, HARD, EASY = "target", "hard", "easy"

OptionSpec = tuple[str, str]  # an option's text, and where it is from


def single_answer_options(
    correct: str, hard: Sequence[str], easy: Sequence[str], *seed: str | int
) -> tuple[OptionSpec, ...] | None:
    """The right option, up to three hard ones and easy ones, with one of each at least. None where there are not
    enough."""
    generator = _generator(seed)
    chosen = generator.sample(list(hard), min(MAX_HARD, len(hard)))
    left = N_OPTIONS - 1 - len(chosen)
    return _shuffle_options([correct], chosen, easy, left, generator) if chosen and left >= 1 else None


def multi_answer_options(
    correct: Sequence[str], hard: Sequence[str], easy: Sequence[str], *seed: str | int
) -> tuple[OptionSpec, ...] | None:
    """Two or more right options among hard and easy ones. None where there are not enough."""
    generator = _generator(seed)
    wanted = N_MULTI_OPTIONS - len(correct)
    chosen = generator.sample(list(hard), min(MAX_HARD, len(hard), wanted))
    return _shuffle_options(correct, chosen, easy, wanted - len(chosen), generator) if len(correct) > 1 else None


def _shuffle_options(
    correct: Sequence[str], hard: Sequence[str], easy: Sequence[str], easy_count: int, generator: random.Random
) -> tuple[OptionSpec, ...] | None:
    if easy_count > len(easy):
        return None
    chosen = generator.sample(list(easy), easy_count)
    picks = [(text, origin) for origin, texts in ((TARGET, correct), (HARD, hard), (EASY, chosen)) for text in texts]
    generator.shuffle(picks)
    return tuple(picks)


def _generator(seed: Sequence[str | int]) -> random.Random:
    return random.Random(int(digest("options", *seed), 16))
