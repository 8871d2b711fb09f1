"""A judge's scores corrected by labels: by hand, where it must be the plain mean, and when it is withheld."""

import math

import numpy as np
import pytest
from scipy import stats

from affordance.stats import CorrectedScore, CorrectionUnavailable, prediction_powered_mean
from errors import assert_carries, raises

# Forty answers; the judge calls 30 of them right. Of ten labelled among those, people call two wrong; of ten labelled
# among the other ten, three right.
JUDGED = [1.0] * 30 + [0.0] * 10
LABELS = [(1.0, 0.0, 3.0)] * 2 + [(1.0, 1.0, 3.0)] * 8 + [(0.0, 1.0, 1.0)] * 3 + [(0.0, 0.0, 1.0)] * 7


def test_by_hand() -> None:
    """Raw 0.75. The labelled stand for 30 and 10: the weighted mean difference is (2 * -3 + 3 * 1) / 40 = -0.075."""
    found = prediction_powered_mean(JUDGED, LABELS)
    assert isinstance(found, CorrectedScore)
    assert (found.raw, found.n, found.n_labels) == (0.75, 40, 20)
    assert found.value == pytest.approx(0.675)
    share = [weight / 40 for *_, weight in LABELS]
    off = [human - judge + 0.075 for judge, human, _ in LABELS]
    of_labels = 20 / 19 * sum(w * w * d * d for w, d in zip(share, off, strict=True))
    of_differences = 20 / 19 * sum(w * d * d for w, d in zip(share, off, strict=True)) / 40
    of_human = 20 / 19 * 0.675 * 0.325 / 40
    error = math.sqrt(of_human + of_labels - of_differences)
    assert found.error == pytest.approx(error)
    # Twenty labels of weights 3 and 1 tell as much as 40² / (10 * 9 + 10) = 16 equal ones.
    half = float(stats.t.ppf(0.975, 15)) * error
    assert found.interval == pytest.approx((0.675 - half, 0.675 + half))


def test_the_rationale_for_two_parts() -> None:
    """With far more judged than labelled, the error is that of the mean difference alone, as a t interval has it."""
    draw = np.random.default_rng(1)
    human = draw.beta(2, 2, 50)
    judge = np.clip(human + draw.normal(0, 0.1, 50), 0, 1)
    found = prediction_powered_mean(np.resize(judge, 1_000_000), list(zip(judge, human, np.ones(50), strict=True)))
    assert isinstance(found, CorrectedScore)
    assert found.error == pytest.approx(stats.sem(human - judge), rel=1e-3)


def test_all_labelled_is_the_mean_of_the_labels() -> None:
    draw = np.random.default_rng(2)
    human, judge = draw.beta(2, 2, 60), draw.beta(2, 2, 60)
    found = prediction_powered_mean(judge.tolist(), list(zip(judge, human, np.ones(60), strict=True)))
    assert isinstance(found, CorrectedScore)
    assert found.value == pytest.approx(human.mean())
    assert found.error == pytest.approx(stats.sem(human))


def test_an_equal_factor_in_all_weights_changes_nothing() -> None:
    assert prediction_powered_mean(JUDGED, [(j, h, 7 * w) for j, h, w in LABELS]) == prediction_powered_mean(
        JUDGED, LABELS
    )


WITHHELD = {
    "few": (LABELS[:19], ("19", "20")),
    "none": ([], ("0", "20")),
    "never differs": ([(1.0, 1.0, 1.0)] * 30, ()),
    "value above 1": ([(0.0, 1.0, 1.0)] * 20 + [(0.0, 0.0, 1.0)] * 3, ("1.620",)),
    "interval above 1": ([(1.0, 1.0, 1.0)] * 20 + [(0.0, 1.0, 1.0)] * 5, ("1.053",)),
    "interval below 0": ([(1.0, 0.0, 1.0)] * 18 + [(1.0, 1.0, 1.0)] * 7, ("-0.159",)),
}


@pytest.mark.parametrize(("labels", "data"), WITHHELD.values(), ids=WITHHELD.keys())
def test_withheld(labels: list[tuple[float, float, float]], data: tuple[str, ...]) -> None:
    found = prediction_powered_mean(JUDGED, labels)
    assert isinstance(found, CorrectionUnavailable)
    assert_carries(found.reason, *data)
    assert bool(data) == any(letter.isdigit() for letter in found.reason)
    assert (found.raw, found.n_labels) == (0.75, len(labels))


BAD = {
    "no scores": ([], LABELS, ("(0,)",)),
    "a score out of five": ([4.0], LABELS, ("4.0",)),
    "a label out of five": (JUDGED, [(1.0, 5.0, 1.0)] * 20, ("5.0",)),
    "a weight below 0": (JUDGED, [*LABELS, (1.0, 0.0, -1.0)], ()),
}


@pytest.mark.parametrize(("judged", "labels", "data"), BAD.values(), ids=BAD.keys())
def test_what_does_not_fit(
    judged: list[float], labels: list[tuple[float, float, float]], data: tuple[str, ...]
) -> None:
    with raises(ValueError, *data):
        prediction_powered_mean(judged, labels)
