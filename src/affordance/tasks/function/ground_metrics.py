"""Metrics of grounding: hits, IoU, kinds of misses, contrast of dense and sparse targets."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from affordance.core.attempts import AttemptResult
from affordance.datasets.taxonomies import Density
from affordance.grounding.density import density_contrast
from affordance.grounding.location_scoring import MissKind, TargetTruth
from affordance.grounding.locations import location_to_text
from affordance.stats import Interval, clustered_mean
from affordance.stats.intervals import cluster_indices
from affordance.tasks.metrics import (
    accuracy,
    accuracy_intervals,
    error_kind_shares,
    first_try_accuracy,
    parsed_results,
    scored_results,
)

IOU_LEVELS = tuple(level / 10 for level in range(1, 10))


def ground_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    overlaps = _iou_values(outcomes)
    known = bool(overlaps)
    return {
        "accuracy": accuracy(outcomes),
        "iou": sum(overlaps) / len(overlaps) if known else None,
        **{
            f"iou_{round(100 * level)}": sum(found >= level for found in overlaps) / len(overlaps) if known else None
            for level in IOU_LEVELS
        },
        "first_try_accuracy": first_try_accuracy(outcomes),
    }


def ground_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    boxed = _results_with_iou(outcomes)
    if not boxed:
        return accuracy_intervals(outcomes)
    overlaps, clusters = np.array([_iou(one) for one in boxed]), cluster_indices([one.cluster for one in boxed])
    over = {f"iou_{round(100 * level)}": (overlaps >= level).astype(float) for level in IOU_LEVELS}
    found = {"iou": overlaps, **over}
    return {
        **accuracy_intervals(outcomes),
        **{name: clustered_mean(values, clusters).interval for name, values in found.items()},
    }


def ground_metric_counts(outcomes: Sequence[AttemptResult]) -> Mapping[str, int]:
    """How many attempts each overlap is over: a point has none, nor has a target that is no box."""
    found, parsed = len(_results_with_iou(outcomes)), len(_results_with_iou(parsed_results(outcomes)))
    overlaps = dict.fromkeys(("iou", *(f"iou_{round(100 * level)}" for level in IOU_LEVELS)), found)
    return {name: n for name, n in {**overlaps, "iou_parsed": parsed}.items() if n}


def _iou_values(outcomes: Sequence[AttemptResult]) -> list[float]:
    return [_iou(outcome) for outcome in _results_with_iou(outcomes)]


def _results_with_iou(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Those with an IoU: on targets that are boxes, 0 where there was no answer. A point has none and is left out;
    where all that is said are points, there is no overlap to speak of."""
    boxed = [o for o in scored_results(outcomes) if o.tags.get("target", "box") == "box"]
    said = [o for o in boxed if not _is_point(o)]
    if len(said) < len(boxed) and not any(_answer(outcome).startswith("box") for outcome in said):
        return []
    return said


def _answer(outcome: AttemptResult) -> str:
    return "" if outcome.verdict is None else outcome.verdict.answer or ""


def _is_point(outcome: AttemptResult) -> bool:
    return _answer(outcome).startswith("point")


def ground_compatible_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    """As the released code counts: over replies that it could read. And OSWorld-G's boxes alone, as AutoGUI-v2 has
    them."""
    parsed = parsed_results(outcomes)
    overlaps = _iou_values(parsed)
    found = {
        "accuracy_parsed": accuracy(parsed),
        "iou_parsed": sum(overlaps) / len(overlaps) if overlaps else None,
    }
    boxes = [o for o in outcomes if o.tags.get("target", "box") == "box"]
    return found if len(boxes) == len(outcomes) else {**found, "accuracy_boxes": accuracy(boxes)}


def _iou(outcome: AttemptResult) -> float:
    found = outcome.verdict.detail.get("iou") if outcome.verdict is not None else None
    return found if isinstance(found, float) else 0.0


def ground_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What takes no understanding: a random point, and always the middle of the screen."""
    found = [_baseline_hits(outcome.truth) for outcome in outcomes]
    if not found:
        return {"area share": 0.0}
    shares, middles = zip(*found, strict=True)
    return {"area share": sum(shares) / len(found), "screen centre": sum(middles) / len(found)}


@lru_cache(maxsize=2**17)
def _baseline_hits(text: str) -> tuple[float, bool]:
    """The share of the screen that a target takes, and whether it is in the middle."""
    truth = TargetTruth.target_from_text(text)
    return truth.area_share, truth.contains(truth.size[0] / 2, truth.size[1] / 2)


def ground_error_shares(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """Of all that is counted, what was pointed at instead of the target."""
    return error_kind_shares(outcomes, [*MissKind], "miss")


def ground_density_contrast(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What crowding costs: accuracy on dense less that on sparse targets, as it is and among targets of equal area,
    for the box in which neighbours are counted grows with the target."""
    ends = [(o, o.tags.get("density", "").partition(" ")[0]) for o in scored_results(outcomes)]
    both = [(o, density) for o, density in ends if density in (Density.DENSE, Density.SPARSE)]
    found = density_contrast(
        [o.verdict is not None and o.verdict.counted_score == 1 for o, _ in both],
        [density == Density.DENSE for _, density in both],
        [_baseline_hits(o.truth)[0] for o, _ in both],
    ) if both else None  # fmt: skip
    if found is None:
        return {}
    return {"crude": found.crude, "adjusted": found.adjusted, "error": found.standard_error, "n": found.compared}


def describe_target(truth: str) -> str:
    found = TargetTruth.target_from_text(truth)
    if found.is_absent:
        return "absent"
    if found.polygon:
        return f"a polygon of {len(found.polygon)} corners"
    others = f" or {len(found.boxes) - 1} more" if len(found.boxes) > 1 else ""
    return f"{location_to_text(found.boxes[0])}{others}"
