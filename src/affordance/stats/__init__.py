"""Statistics of evaluation: intervals that know what was sampled."""

from affordance.stats.agreement import krippendorff_alpha
from affordance.stats.intervals import Interval, clustered_proportion, wilson
from affordance.stats.paired import paired_difference
from affordance.stats.paired_tests import Test, holm, mann_whitney, mcnemar, wilcoxon
from affordance.stats.position import (
    Answer,
    Decomposition,
    Estimate,
    Place,
    Preferred,
    decompose,
    null_control,
    preferred,
)
from affordance.stats.shares import (
    Accuracies,
    Accuracy,
    Derived,
    PairShares,
    accuracies,
    chance_of_consistency,
    derive,
    pair_shares,
)
from affordance.stats.voting import Vote, vote

__all__ = [
    "Accuracies",
    "Accuracy",
    "Answer",
    "Decomposition",
    "Derived",
    "Estimate",
    "Interval",
    "PairShares",
    "Place",
    "Preferred",
    "Test",
    "Vote",
    "accuracies",
    "chance_of_consistency",
    "clustered_proportion",
    "decompose",
    "derive",
    "holm",
    "krippendorff_alpha",
    "mann_whitney",
    "mcnemar",
    "null_control",
    "pair_shares",
    "paired_difference",
    "preferred",
    "vote",
    "wilcoxon",
    "wilson",
]
