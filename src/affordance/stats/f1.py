"""The interval of macro F1."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.stats.bootstrap import bootstrap_interval
from affordance.stats.intervals import CONFIDENCE_LEVEL, Interval, cluster_indices

Values = NDArray[np.float64]


def macro_f1_interval(
    truths: Sequence[str],
    answers: Sequence[str | None],
    clusters: Sequence[Hashable],
    *,
    seed: int = 0,
    level: float = CONFIDENCE_LEVEL,
) -> Interval | None:
    """Of the mean of F1 over the classes that occur as truth, by resampling clusters; an answer that cannot be read
    (None) is none of the classes. Where a class is missing from a resample, that one has the mean over the others.

    Resamples of a class that was seen a few times, and always right, know nothing of its errors. So the interval is
    made twice, with and without a third of a cluster of right and one of wrong answers imagined for each class, and
    reaches from the lowest end to the highest. None with fewer than two clusters."""
    if not len(truths) == len(answers) == len(clusters):
        raise ValueError(
            f"expected an answer and a cluster for each truth, found {len(truths)}, {len(answers)}, {len(clusters)}"
        )
    labels = {label: number for number, label in enumerate(sorted(set(truths)))}
    index = cluster_indices(clusters)
    parts = np.zeros((len(set(clusters)), 3, len(labels)))
    # By label: how often it is right, said, and true.
    for cluster, truth, answer in zip(index, truths, answers, strict=True):
        parts[cluster, 2, labels[truth]] += 1
        if answer in labels:
            parts[cluster, 1, labels[answer]] += 1
            parts[cluster, 0, labels[truth]] += truth == answer
    if len(parts) < 2:
        return None
    value = float(_macro_f1(parts.sum(axis=0)[None])[0])
    found = (
        bootstrap_interval(one, _macro_f1, seed=seed, level=level)
        for one in (parts, np.concatenate([parts, _prior_clusters(len(labels), len(truths) / len(parts))]))
    )
    ends = [value, *(end for interval in found if interval is not None for end in interval)]
    return min(ends), max(ends)


def _prior_clusters(labels: int, size: float) -> Values:
    """For each label, a third of a cluster in which it is right, and one in which the next is said instead."""
    one = np.eye(labels)
    right = np.stack([one, one, one], axis=1)
    wrong = np.stack([0 * one, np.roll(one, 1, axis=1) * (labels > 1), one], axis=1)
    return size / 3 * np.concatenate([right, wrong])


def _macro_f1(sums: Values) -> Values:
    right, said, there = sums[:, 0], sums[:, 1], sums[:, 2]
    scores = 2 * right / np.maximum(said + there, 1)
    return np.asarray((scores * (there > 0)).sum(axis=1) / np.maximum((there > 0).sum(axis=1), 1))
