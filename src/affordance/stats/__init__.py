"""Statistics of evaluation: intervals, tests and agreement that know what was sampled."""

from affordance.stats.agreement import Kappa, cohen_kappa, fleiss_kappa, krippendorff_alpha
from affordance.stats.bootstrap import bootstrap_interval, resample
from affordance.stats.comparing import SPAN_OF_SCORES, Paired, Pairing, compare_paired
from affordance.stats.consensus import Consensus, consensus
from affordance.stats.correction import Corrected, Withheld, corrected
from affordance.stats.correlation import Correlation, spearman
from affordance.stats.f1 import macro_f1_interval
from affordance.stats.intervals import Estimate, Interval, clustered_mean, clustered_proportion, wilson
from affordance.stats.paired_tests import Test, holm, mann_whitney, mcnemar, wilcoxon
from affordance.stats.position import (
    Answer,
    Decomposition,
    Place,
    Preferred,
    decompose,
    null_control,
    preferred,
)
from affordance.stats.power import detectable, items_needed
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
    "SPAN_OF_SCORES",
    "Accuracies",
    "Accuracy",
    "Answer",
    "Consensus",
    "Corrected",
    "Correlation",
    "Decomposition",
    "Derived",
    "Estimate",
    "Interval",
    "Kappa",
    "PairShares",
    "Paired",
    "Pairing",
    "Place",
    "Preferred",
    "Test",
    "Vote",
    "Withheld",
    "accuracies",
    "bootstrap_interval",
    "chance_of_consistency",
    "clustered_mean",
    "clustered_proportion",
    "cohen_kappa",
    "compare_paired",
    "consensus",
    "corrected",
    "decompose",
    "derive",
    "detectable",
    "fleiss_kappa",
    "holm",
    "items_needed",
    "krippendorff_alpha",
    "macro_f1_interval",
    "mann_whitney",
    "mcnemar",
    "null_control",
    "pair_shares",
    "preferred",
    "resample",
    "spearman",
    "vote",
    "wilcoxon",
    "wilson",
]
