"""Judge scores, corrected by human labels of a sample: the prediction-powered mean."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval, effective_count
from affordance.stats.significance_tests import finite_array

MIN_LABELS = 20  # with fewer, the judge's errors are hardly observed and intervals cover too little


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """A corrected mean with its standard error and interval, from `n` judged items of which `n_labels` are labelled."""

    value: float
    error: float  # standard error
    interval: Interval
    raw: float  # the judge's mean, without correction
    n: int
    n_labels: int


@dataclass(frozen=True, slots=True)
class CorrectionUnavailable:
    """Why a mean cannot be corrected, in one clause."""

    reason: str
    raw: float  # the judge's mean
    n_labels: int


def prediction_powered_mean(
    judged: Sequence[float], labels: Sequence[tuple[float, float, float]], level: float = CONFIDENCE_LEVEL
) -> CorrectedScore | CorrectionUnavailable:
    """The prediction-powered estimate of the mean that human scores would have (Angelopoulos et al. 2023): the mean of
    the judge's scores plus the weighted mean difference of human and judge.

    It assumes no constant error rate; with a bad judge it is little worse than the labels alone. The variance has two
    parts: that of human scores over all items, and that of labelling a sample only. The second treats weights as
        random, so that strata make it too large, never too small. The quantile is Student's for Kish's effective number
        of labels.

    Args:
        judged: The judge's scores of all items, between 0 and 1 and independent; average trials before.
        labels: (judge, human, weight) of a random sample within strata; a weight is the number of items it stands for.

    Returns:
        `CorrectionUnavailable` with too few labels, if no label differs from the judge, so that its error rate is
        unknown, or if value or interval leave 0 to 1: then the normal approximation does not hold and a truncated value
        is biased.
    """
    from scipy import special

    scores = _values_in_unit_range(judged, "scores")
    judge_mean, n = float(scores.mean()), len(labels)
    if n < MIN_LABELS:
        return CorrectionUnavailable(f"too few labels: {n} of at least {MIN_LABELS}", judge_mean, n)
    judge, human = (_values_in_unit_range([label[at] for label in labels], "labels") for at in (0, 1))
    weights = finite_array([weight for _, _, weight in labels], "weights")
    if weights.min() < 0 or weights.sum() == 0:
        raise ValueError("expected weights of at least 0, and not all 0")
    weights /= weights.sum()
    differences = human - judge
    if not differences.any():
        return CorrectionUnavailable(
            "all labels agree with the judge, so its error rate cannot be estimated", judge_mean, n
        )
    shift = float(weights @ differences)
    effective = effective_count(weights)
    of_labels = n / (n - 1) * float(weights**2 @ (differences - shift) ** 2)
    of_human, of_differences = (
        n / (n - 1) * float(weights @ (values - weights @ values) ** 2) for values in (human, differences)
    )
    error = math.sqrt(of_human / len(scores) + max(0.0, of_labels - of_differences / len(scores)))
    half = float(special.stdtrit(max(1.0, effective - 1), (1 + level) / 2)) * error
    value = judge_mean + shift
    low, high = value - half, value + half
    for what, number in (("value is", value), ("interval extends", low), ("interval extends", high)):
        if not 0 <= number <= 1:
            where = f"{'below 0' if number < 0 else 'above 1'} ({number:.3f})"
            return CorrectionUnavailable(
                f"the corrected {what} {where}; the normal approximation does not hold", judge_mean, n
            )
    return CorrectedScore(value, error, (low, high), judge_mean, len(scores), n)


def _values_in_unit_range(values: Sequence[float], what: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    found = finite_array(values, what)
    if found.min() < 0 or found.max() > 1:
        raise ValueError(f"expected {what} between 0 and 1, found {found.min()} to {found.max()}")
    return found
