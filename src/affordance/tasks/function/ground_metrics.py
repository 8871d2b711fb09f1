"""Metrics of grounding: hits, IoU, contrast of dense and sparse targets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affordance.core.attempts import AttemptResult
from affordance.core.formatting import Unit
from affordance.datasets.taxonomies import Density
from affordance.grounding.density import DensityContrast, density_contrast
from affordance.grounding.dialects import find_dialect
from affordance.grounding.location_scoring import TargetTruth
from affordance.grounding.locations import location_to_text
from affordance.stats import Interval, clustered_mean
from affordance.stats.intervals import cluster_indices
from affordance.tasks.metrics import (
    ACCURACY,
    ACCURACY_OF_PARSED,
    AS_PUBLISHED,
    FIRST_TRY_ACCURACY,
    Metric,
    ResultSet,
    TrivialBaseline,
    mean,
    mean_score,
)

IOU_LEVELS = tuple(level / 10 for level in range(1, 10))
DENSITY = "density"  # the section of metrics of dense and sparse targets


@dataclass(frozen=True, slots=True)
class _Overlaps:
    """IoUs of results, and the clusters of the results."""

    values: NDArray[np.float64]
    clusters: NDArray[np.intp]


def _overlaps(results: ResultSet) -> _Overlaps | None:
    """IoUs of the scored results that have one; None where there are none."""
    found = _results_with_iou(results.scored)
    if not found:
        return None
    return _Overlaps(np.array([_iou(one) for one in found]), cluster_indices([one.cluster for one in found]))


def _results_with_iou(scored: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Results with an IoU: on targets that are boxes, 0 where there was no answer. A point has none and is left out;
    where all answers are points, there is no IoU at all."""
    boxed = [one for one in scored if _has_box(one)]
    found = [one for one in boxed if not _answer(one).startswith("point")]
    if len(found) < len(boxed) and not any(_answer(one).startswith("box") for one in found):
        return []
    return found


def _has_box(result: AttemptResult) -> bool:
    return result.tags.get("target", "box") == "box"


def _answer(result: AttemptResult) -> str:
    return "" if result.verdict is None else result.verdict.answer or ""


def _iou(result: AttemptResult) -> float:
    found = result.verdict.detail.get("iou") if result.verdict is not None else None
    return found if isinstance(found, float) else 0.0


def _points_only(results: ResultSet) -> bool:
    """Whether the dialect asks for points only. For one that is not installed the answers decide."""
    dialect = find_dialect(results.dialect) if results.dialect else None
    return dialect is not None and dialect.points_only("region" if results[0].task.endswith("region") else "element")


def _iou_metric(
    name: str, label: str, values: Callable[[NDArray[np.float64]], NDArray[np.float64]], section: str = "main"
) -> Metric:
    def compute(results: ResultSet) -> float | None:
        found = results.cached(_overlaps)
        return None if found is None or _points_only(results) else mean(values(found.values).tolist())

    def interval(results: ResultSet) -> Interval | None:
        found = results.cached(_overlaps)
        return None if found is None else clustered_mean(values(found.values), found.clusters).interval

    return Metric(name=name, label=label, compute=compute, interval=interval, count=_count_overlaps, section=section)


def _at_least(level: float) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    return lambda values: (values >= level).astype(float)


def _count_overlaps(results: ResultSet) -> int:
    found = results.cached(_overlaps)
    return 0 if found is None else len(found.values)


def _parsed_overlaps(results: ResultSet) -> Sequence[float]:
    return [_iou(one) for one in _results_with_iou(results.answered)]


def _accuracy_on_boxes(results: ResultSet) -> float | None:
    """OSWorld-G's boxes alone, as AutoGUI-v2 has them; None where there is nothing else."""
    boxes = [one for one in results if _has_box(one)]
    return None if len(boxes) == len(results) else mean_score(ResultSet(boxes))


@lru_cache(maxsize=2**17)  # a report asks for the same targets once for each model
def _baseline_hits(truth: str) -> tuple[float, float]:
    """How often a random point and the screen centre hit a target."""
    target = TargetTruth.target_from_text(truth)
    return target.area_share, float(target.contains(target.size[0] / 2, target.size[1] / 2))


def _contrast(results: ResultSet) -> DensityContrast | None:
    """What density costs: accuracy on dense targets less that on sparse ones, as it is and among targets of equal area,
    as the box in which neighbours are counted grows with the target."""
    ends = [(one, one.tags.get("density", "").partition(" ")[0]) for one in results.scored]
    both = [(one, density) for one, density in ends if density in (Density.DENSE, Density.SPARSE)]
    if not both:
        return None
    return density_contrast(
        [one.verdict is not None and one.verdict.counted_score == 1 for one, _ in both],
        [density == Density.DENSE for _, density in both],
        [_baseline_hits(one.truth)[0] for one, _ in both],
    )


def _contrast_metric(name: str, label: str, field: str, unit: Unit = Unit.PERCENT) -> Metric:
    def compute(results: ResultSet) -> float | None:
        found = results.cached(_contrast)
        return None if found is None else float(getattr(found, field))

    return Metric(
        name=name,
        label=label,
        compute=compute,
        unit=unit,
        section=DENSITY,
        higher_is_better=None,
        needs_complete=False,
    )


def describe_target(truth: str) -> str:
    found = TargetTruth.target_from_text(truth)
    if found.is_absent:
        return "absent"
    if found.polygon:
        return f"a polygon of {len(found.polygon)} corners"
    others = f" or {len(found.boxes) - 1} more" if len(found.boxes) > 1 else ""
    return f"{location_to_text(found.boxes[0])}{others}"


def _random_point(results: ResultSet) -> float:
    return mean(_baseline_hits(one.truth)[0] for one in results.asked) or 0.0


def _screen_centre(results: ResultSet) -> float | None:
    return mean(_baseline_hits(one.truth)[1] for one in results.asked)


IOU_METRICS = (
    _iou_metric("iou", "mean IoU", lambda values: values),
    *(
        _iou_metric(
            f"iou_{round(100 * level)}",
            f"IoU at least {level}",
            _at_least(level),
            section="main" if level == 0.5 else "IoU thresholds",
        )
        for level in IOU_LEVELS
    ),
)
DENSITY_CONTRAST = (
    _contrast_metric("dense_less_sparse", "dense minus sparse", "crude", Unit.POINTS),
    _contrast_metric("dense_less_sparse_at_equal_area", "at equal area", "adjusted", Unit.POINTS),
    _contrast_metric("density_standard_error", "standard error", "standard_error"),
    _contrast_metric("density_targets", "targets compared", "compared", Unit.COUNT),
)
GROUND_METRICS = (
    ACCURACY,
    *IOU_METRICS,
    FIRST_TRY_ACCURACY,
    *DENSITY_CONTRAST,
    ACCURACY_OF_PARSED,
    Metric(
        name="iou_parsed",
        label="mean IoU of parsed responses",
        compute=lambda results: mean(results.cached(_parsed_overlaps)),
        count=lambda results: len(results.cached(_parsed_overlaps)),
        section=AS_PUBLISHED,
        needs_complete=False,
    ),
    Metric(
        name="accuracy_boxes",
        label="accuracy on boxes",
        compute=_accuracy_on_boxes,
        section=AS_PUBLISHED,
        needs_complete=False,
    ),
)
RANDOM_POINT = TrivialBaseline("area share", "random point", _random_point)
SCREEN_CENTRE = TrivialBaseline("screen centre", "screen centre", _screen_centre)
