"""What an animation is for, by how it moves and what is said about it.

The rules and their weights come from the definitions of the seven purposes and from common sense. They were written
before any clip, context or response with a known purpose was looked at, without regard to how frequent the purposes
are, and they are not tuned: what they score is what they score.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from affordance.datasets.taxonomies import PURPOSES
from affordance.models.pixels._motion import MotionMeasurement, measure_motion
from affordance.models.pixels._purpose_words import PurposeHints, read_purpose_hints

_LARGE: Final = 0.25  # of the screen
_SMALL: Final = 0.1
_MOST_OF_IT: Final = 0.5
_QUICK: Final = 0.8  # seconds, about as long as an answer to a tap may take
_SLOW: Final = 1.5
_LONG: Final = 3.0
_AGAIN: Final = 2.0  # times, from which on it is a repetition
_MANY: Final = 10
_SEVERAL: Final = 3
_IN_PLACE: Final = frozenset({"size", "color", "fade", "blur", "morph"})
_MOST_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class PurposeRule:
    """`holds` is of the motion and of whether somebody acted, None where that is not told. At a weight of 2 the motion
    alone is plain; one below 0 speaks against the purpose."""

    purpose: str
    weight: float
    holds: Callable[[MotionMeasurement, bool | None], bool]
    reason: str


def infer_purpose(frames: Sequence[NDArray[Any]], context: str, user_input: str) -> tuple[str, str]:
    """One of the seven purposes, and one sentence why. The frames are as a model is shown them: RGB, in their order of
    time, ten a second, with a pure green box while the animation runs.

    Never raises on account of what the frames show or the texts say. A guess is said to be one.
    """
    motion, told = measure_motion(frames), read_purpose_hints(context, user_input)
    held = [rule for rule in RULES if motion is not None and rule.holds(motion, told.user_acted)]
    scores = {purpose: _score(purpose, held, told) for purpose in PURPOSES}
    best = max(PURPOSES, key=lambda purpose: scores[purpose])
    if scores[best] <= 0.0:
        return best, "Neither the motion nor the words tell what it is for, so this is a guess."
    return best, _sentence(best, held, told)


def _score(purpose: str, held: Sequence[PurposeRule], hints: PurposeHints) -> float:
    return math.fsum(
        [rule.weight for rule in held if rule.purpose == purpose]
        + [weight for _, spoken_for, weight in hints.words if spoken_for == purpose]
    )


def _sentence(purpose: str, held: Sequence[PurposeRule], hints: PurposeHints) -> str:
    """The weightiest rule and the weightiest words that speak for the purpose."""
    speaking = [rule for rule in held if rule.purpose == purpose and rule.weight > 0]
    reasons = [max(speaking, key=lambda rule: rule.weight).reason] if speaking else []
    said = sorted(((weight, words) for words, spoken_for, weight in hints.words if spoken_for == purpose), reverse=True)
    if said:
        reasons.append("there is talk of " + ", ".join(f"“{words}”" for _, words in said[:_MOST_WORDS]))
    sentence = ", and ".join(reasons)
    return f"{sentence[0].upper()}{sentence[1:]}."


def _repeats(motion: MotionMeasurement) -> bool:
    """Repeats for longer than a shake of the head."""
    return motion.cycles >= _AGAIN and motion.seconds >= _SLOW


def _stays(motion: MotionMeasurement) -> bool:
    return motion.lasting >= _MOST_OF_IT


def _fills(motion: MotionMeasurement) -> bool:
    """One piece after the other turns and stays, unhurriedly."""
    return motion.once >= _MOST_OF_IT and motion.spread >= _MOST_OF_IT / 2 and motion.seconds > _QUICK


def _is_large_and_new(motion: MotionMeasurement) -> bool:
    return motion.share >= _LARGE and not _repeats(motion)


def _is_one_small_thing(motion: MotionMeasurement) -> bool:
    return motion.places < _SEVERAL and motion.share < _LARGE


RULES: Final = (
    PurposeRule(
        "Transition",
        2.0,
        lambda motion, acted: motion.share >= _LARGE and _stays(motion) and motion.seconds <= _SLOW,
        "a large part of the screen quickly gives way to something else",
    ),
    PurposeRule(
        "Transition",
        0.5,
        lambda motion, acted: motion.share >= _SMALL and _stays(motion) and motion.seconds < _LONG,
        "a part of the screen is another one afterwards",
    ),
    PurposeRule(
        "Transition",
        0.5,
        lambda motion, acted: motion.covered >= _MOST_OF_IT and _stays(motion) and motion.seconds < _LONG,
        "it spans most of the screen and leaves it changed",
    ),
    PurposeRule(
        "Demonstration",
        1.0,
        lambda motion, acted: acted is not True and motion.seconds >= _LONG and _is_large_and_new(motion),
        "much happens for long without anybody doing it",
    ),
    PurposeRule(
        "Guidance",
        2.0,
        lambda motion, acted: _repeats(motion) and motion.effect == "move" and _is_one_small_thing(motion),
        "one small thing moves the same way over and over, as if it pointed",
    ),
    PurposeRule(
        "Feedback",
        1.5,
        lambda motion, acted: acted is True and motion.seconds <= _QUICK and motion.share < _LARGE,
        "a small part of the screen briefly answers to what somebody did",
    ),
    PurposeRule(
        "Feedback",
        0.5,
        lambda motion, acted: acted is True and motion.share < _LARGE and not _repeats(motion),
        "it is confined and follows what somebody did",
    ),
    PurposeRule("Feedback", -2.0, lambda motion, acted: acted is False, "nobody did anything that it could answer to"),
    PurposeRule(
        "Visualization",
        2.0,
        lambda motion, acted: _fills(motion) and motion.share < _LARGE,
        "something fills bit by bit, as a state or a number grows",
    ),
    PurposeRule(
        "Visualization",
        2.0,
        lambda motion, acted: _repeats(motion) and motion.places >= _SEVERAL and motion.pieces < _MANY,
        "several small things keep moving in turn, as while one waits",
    ),
    PurposeRule(
        "Visualization",
        2.0,
        lambda motion, acted: _repeats(motion) and motion.effect == "rotate",
        "something keeps turning, as while one waits",
    ),
    PurposeRule(
        "Highlight",
        2.0,
        lambda motion, acted: _repeats(motion) and motion.effect in _IN_PLACE and _is_one_small_thing(motion),
        "one small thing pulses in its place to be noticed",
    ),
    PurposeRule(
        "Highlight",
        1.0,
        lambda motion, acted: acted is False and motion.share < _SMALL and motion.seconds < _LONG,
        "something small stirs by itself",
    ),
    PurposeRule(
        "Aesthetic",
        2.0,
        lambda motion, acted: motion.pieces >= _MANY and motion.seconds > _QUICK and not _stays(motion),
        "many small pieces move about and leave nothing behind",
    ),
    PurposeRule(
        "Aesthetic",
        1.0,
        lambda motion, acted: motion.share >= _LARGE and motion.seconds >= _SLOW and not _stays(motion),
        "a large surface moves and is as before in the end",
    ),
)
