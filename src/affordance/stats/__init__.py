"""Statistics of evaluation: intervals that know what was sampled."""

from affordance.stats.intervals import Interval, clustered_proportion, wilson
from affordance.stats.paired import paired_difference

__all__ = ["Interval", "clustered_proportion", "paired_difference", "wilson"]
