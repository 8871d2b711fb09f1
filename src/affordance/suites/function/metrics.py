"""Metrics of grounding and of outcome questions. What was refused, unparsed or truncated counts as wrong."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import comb

import numpy as np

from affordance.core.attempt import Ended, Outcome
from affordance.datasets.classes import Density
from affordance.grounding.density import area_adjusted
from affordance.grounding.places import place_to_text
from affordance.grounding.truths import Miss, Truth
from affordance.stats import Interval, clustered_mean
from affordance.stats.intervals import numbered
from affordance.suites.metrics import accuracy, accuracy_intervals, counted, first_try_accuracy

LEVELS = tuple(level / 10 for level in range(1, 10))
NO_ANSWER = "no answer"
MISTAKES = ("hard", "easy")  # origins of options, the most telling first


def ground_metrics(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    overlaps = _overlaps(outcomes)
    known = bool(overlaps)
    return {
        "accuracy": accuracy(outcomes),
        "iou": sum(overlaps) / len(overlaps) if known else None,
        **{
            f"iou_{round(100 * level)}": sum(found >= level for found in overlaps) / len(overlaps) if known else None
            for level in LEVELS
        },
        "first_try_accuracy": first_try_accuracy(outcomes),
    }


def ground_intervals(outcomes: Sequence[Outcome]) -> Mapping[str, Interval | None]:
    boxed = _boxed(outcomes)
    if not boxed:
        return accuracy_intervals(outcomes)
    overlaps, clusters = np.array([_overlap(one) for one in boxed]), numbered([one.cluster for one in boxed])
    over = {f"iou_{round(100 * level)}": (overlaps >= level).astype(float) for level in LEVELS}
    found = {"iou": overlaps, **over}
    return {
        **accuracy_intervals(outcomes),
        **{name: clustered_mean(values, clusters).interval for name, values in found.items()},
    }


def ground_counts(outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """How many attempts each overlap is over: a point has none, nor has a target that is no box."""
    found, parsed = len(_boxed(outcomes)), len(_boxed(_parsed(outcomes)))
    overlaps = dict.fromkeys(("iou", *(f"iou_{round(100 * level)}" for level in LEVELS)), found)
    return {name: n for name, n in {**overlaps, "iou_parsed": parsed}.items() if n}


def _overlaps(outcomes: Sequence[Outcome]) -> list[float]:
    return [_overlap(outcome) for outcome in _boxed(outcomes)]


def _boxed(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those with an IoU: on targets that are boxes, 0 where there was no answer. A point has none and is left out;
    where all that is said are points, there is no overlap to speak of."""
    boxed = [o for o in counted(outcomes) if o.tags.get("target", "box") == "box"]
    said = [o for o in boxed if not _pointed(o)]
    if len(said) < len(boxed) and not any(_answer(outcome).startswith("box") for outcome in said):
        return []
    return said


def _answer(outcome: Outcome) -> str:
    return "" if outcome.verdict is None else outcome.verdict.answer or ""


def _pointed(outcome: Outcome) -> bool:
    return _answer(outcome).startswith("point")


def ground_compat(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    """As the released code counts: over replies that it could read. And OSWorld-G's boxes alone, as AutoGUI-v2 has
    them."""
    parsed = _parsed(outcomes)
    overlaps = _overlaps(parsed)
    found = {
        "accuracy_parsed": accuracy(parsed),
        "iou_parsed": sum(overlaps) / len(overlaps) if overlaps else None,
    }
    boxes = [o for o in outcomes if o.tags.get("target", "box") == "box"]
    return found if len(boxes) == len(outcomes) else {**found, "accuracy_boxes": accuracy(boxes)}


def outcome_compat(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    """As the released code counts: kinds of wrong options as shares of the errors."""
    wrong = choice_shares(outcomes)
    errors = sum(wrong.values())
    shares = {f"{kind}_of_errors": wrong.get(kind, 0.0) / errors if errors else None for kind in MISTAKES}
    return {"accuracy_parsed": accuracy(_parsed(outcomes)), **shares}


def _parsed(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in counted(outcomes) if o.verdict is not None and o.verdict.ended is Ended.ANSWERED]


def _overlap(outcome: Outcome) -> float:
    found = outcome.verdict.detail.get("iou") if outcome.verdict is not None else None
    return found if isinstance(found, float) else 0.0


def ground_floors(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """What takes no understanding: a random point, and always the middle of the screen."""
    found = [_blindly(outcome.truth) for outcome in outcomes]
    if not found:
        return {"area share": 0.0}
    shares, middles = zip(*found, strict=True)
    return {"area share": sum(shares) / len(found), "screen centre": sum(middles) / len(found)}


@lru_cache(maxsize=2**17)
def _blindly(text: str) -> tuple[float, bool]:
    """The share of the screen that a target takes, and whether it is in the middle."""
    truth = Truth.target_from_text(text)
    return truth.share, truth.holds(truth.size[0] / 2, truth.size[1] / 2)


def ground_shares(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """Of all that is counted, what was pointed at instead of the target."""
    return _shares(outcomes, [*Miss], "miss")


def ground_contrast(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """What crowding costs: accuracy on dense less that on sparse targets, as it is and among targets of equal area,
    for the box in which neighbours are counted grows with the target."""
    ends = [(o, o.tags.get("density", "").partition(" ")[0]) for o in counted(outcomes)]
    both = [(o, density) for o, density in ends if density in (Density.DENSE, Density.SPARSE)]
    found = area_adjusted(
        [o.verdict is not None and o.verdict.counted == 1 for o, _ in both],
        [density == Density.DENSE for _, density in both],
        [_blindly(o.truth)[0] for o, _ in both],
    ) if both else None  # fmt: skip
    if found is None:
        return {}
    return {"crude": found.crude, "adjusted": found.adjusted, "error": found.error, "n": found.compared}


def told_place(truth: str) -> str:
    found = Truth.target_from_text(truth)
    if found.absent:
        return "absent"
    if found.polygon:
        return f"a polygon of {len(found.polygon)} corners"
    others = f" or {len(found.boxes) - 1} more" if len(found.boxes) > 1 else ""
    return f"{place_to_text(found.boxes[0])}{others}"


def told_options(truth: str) -> str:
    return " / ".join(json.loads(truth)["right"])


def choice_shares(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """Of all that is counted, from where the option is that was chosen wrongly."""
    return _shares(outcomes, MISTAKES, "mistake")


def _shares(outcomes: Sequence[Outcome], known: Sequence[str], key: str) -> dict[str, float]:
    scored = counted(outcomes)
    if not scored:
        return {}
    kinds = Counter(
        str(o.verdict.detail.get(key, "")) if o.verdict.ended is Ended.ANSWERED else NO_ANSWER
        for o in scored
        if o.verdict is not None
    )
    names = [name for name in [*known, *sorted(kinds)] if kinds[name] and name != ""]
    return {name: kinds[name] / len(scored) for name in dict.fromkeys([*names, NO_ANSWER])}


def outcome_metrics(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    return {"accuracy": accuracy(outcomes), "first_try_accuracy": first_try_accuracy(outcomes)}


def outcome_floors(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """Guessing one option, or a random set of them, with the credit that a part of the right ones gets."""
    guesses = [_guess(outcome.truth) for outcome in outcomes]
    return {"chance": sum(guesses) / len(guesses) if guesses else 0.0}


@lru_cache(maxsize=2**17)
def _guess(text: str) -> float:
    truth = json.loads(text)
    options, right = truth["options"], len(truth["right"])
    parts = sum(comb(right, some) * some / right for some in range(1, right + 1))
    return float(parts / (2**options - 1) if truth["multiple"] else right / options)
