"""Statistics of evaluation: intervals, significance tests and agreement for clustered samples."""

from affordance.stats.agreement import KappaResult, cohen_kappa, fleiss_kappa, kappa_for_raters, krippendorff_alpha
from affordance.stats.annotator_agreement import AnnotatorAgreement, MajorityVote, annotator_agreement, majority_vote
from affordance.stats.bootstrap import macro_f1_interval
from affordance.stats.intervals import (
    Interval,
    IntervalEstimate,
    clustered_interval,
    clustered_mean,
    effective_count,
    wilson_interval,
)
from affordance.stats.judge_correction import CorrectedScore, CorrectionUnavailable, prediction_powered_mean
from affordance.stats.order_accuracy import (
    OrderAccuracies,
    OrderAccuracy,
    PairPatterns,
    PublishedPatterns,
    consistent_accuracy_by_chance,
    order_accuracies,
    pair_patterns,
    patterns_from_published,
)
from affordance.stats.paired_comparison import SCORE_RANGE, PairedComparison, PairedDifference, compare_paired
from affordance.stats.position_bias import (
    OrderedChoice,
    PairPreference,
    Position,
    PositionBias,
    identical_pair_control,
    pair_preference,
    position_bias,
)
from affordance.stats.power import minimum_detectable_difference, required_items
from affordance.stats.significance_tests import (
    RankCorrelation,
    TestResult,
    holm_adjust,
    mann_whitney_test,
    mcnemar_test,
    spearman,
    wilcoxon_test,
)

__all__ = [
    "SCORE_RANGE",
    "AnnotatorAgreement",
    "CorrectedScore",
    "CorrectionUnavailable",
    "Interval",
    "IntervalEstimate",
    "KappaResult",
    "MajorityVote",
    "OrderAccuracies",
    "OrderAccuracy",
    "OrderedChoice",
    "PairPatterns",
    "PairPreference",
    "PairedComparison",
    "PairedDifference",
    "Position",
    "PositionBias",
    "PublishedPatterns",
    "RankCorrelation",
    "TestResult",
    "annotator_agreement",
    "clustered_interval",
    "clustered_mean",
    "cohen_kappa",
    "compare_paired",
    "consistent_accuracy_by_chance",
    "effective_count",
    "fleiss_kappa",
    "holm_adjust",
    "identical_pair_control",
    "kappa_for_raters",
    "krippendorff_alpha",
    "macro_f1_interval",
    "majority_vote",
    "mann_whitney_test",
    "mcnemar_test",
    "minimum_detectable_difference",
    "order_accuracies",
    "pair_patterns",
    "pair_preference",
    "patterns_from_published",
    "position_bias",
    "prediction_powered_mean",
    "required_items",
    "spearman",
    "wilcoxon_test",
    "wilson_interval",
]
