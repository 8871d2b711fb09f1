"""What a judge's scores would be if people had given them, from those that people gave to some."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affordance.core.deferred import special
from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval
from affordance.stats.significance_tests import finite_array

# With fewer labels the judge's errors, which are rare, are hardly seen, and intervals cover too little.
MIN_LABELS = 20


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """`value` with its standard `error` and `interval`, beside the judge's own mean `raw`. It rests on `n` judged and
    `n_labels` labelled ones."""

    value: float
    error: float
    interval: Interval
    raw: float
    n: int
    n_labels: int


@dataclass(frozen=True, slots=True)
class CorrectionUnavailable:
    """There is no corrected value that could be trusted, and why, in words."""

    reason: str
    raw: float
    n_labels: int


def prediction_powered_mean(
    judged: Sequence[float], labels: Sequence[tuple[float, float, float]], level: float = CONFIDENCE_LEVEL
) -> CorrectedScore | CorrectionUnavailable:
    """Prediction-powered: the mean of all that the judge scored, plus the weighted mean of what people's labels differ
    from the judge's. `labels` are (judge, human, weight) of some of them, drawn at random within strata, and weighing
    as many as they stand for. Values are between 0 and 1; each is to be independent, so trials are averaged before.

    It needs no constant rate of error, and does not get worse with a bad judge than the labels alone are by much. The
    variance has two parts, that of people's scores over all items and that of labelling only some of them; the second
    takes weights for drawn by chance, so that strata make it too large, never too small. The quantile is Student's for
    the number of equally weighted labels that would tell as much.

    Withheld with too few labels, where none differs from the judge (how often it errs is then unknown), and where value
    or interval leave 0 to 1: then the normal approximation does not hold, and a value cut off would be biased."""
    scores = _values_in_unit_range(judged, "scores")
    raw, n = float(scores.mean()), len(labels)
    if n < MIN_LABELS:
        return CorrectionUnavailable(f"too few labels: {n} of at least {MIN_LABELS}", raw, n)
    judge, human = (_values_in_unit_range([label[at] for label in labels], "labels") for at in (0, 1))
    weights = finite_array([weight for _, _, weight in labels], "weights")
    if weights.min() < 0 or weights.sum() == 0:
        raise ValueError("expected weights of at least 0, and not all 0")
    weights /= weights.sum()
    differences = human - judge
    if not differences.any():
        return CorrectionUnavailable("no label differs from the judge, so how often it errs is not known", raw, n)
    shift = float(weights @ differences)
    effective = 1 / float(weights @ weights)
    of_labels = n / (n - 1) * float(weights**2 @ (differences - shift) ** 2)
    of_human, of_differences = (
        n / (n - 1) * float(weights @ (values - weights @ values) ** 2) for values in (human, differences)
    )
    error = math.sqrt(of_human / len(scores) + max(0.0, of_labels - of_differences / len(scores)))
    half = float(special.stdtrit(max(1.0, effective - 1), (1 + level) / 2)) * error
    value = raw + shift
    low, high = value - half, value + half
    for what, number in (
        ("corrected value", value),
        ("lower end of its interval", low),
        ("upper end of its interval", high),
    ):
        if not 0 <= number <= 1:
            return CorrectionUnavailable(f"the {what} leaves 0 to 1: {number:.3f}", raw, n)
    return CorrectedScore(value, error, (low, high), raw, len(scores), n)


def _values_in_unit_range(values: Sequence[float], what: str) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    found = finite_array(values, what)
    if found.min() < 0 or found.max() > 1:
        raise ValueError(f"expected {what} between 0 and 1, found {found.min()} to {found.max()}")
    return found
