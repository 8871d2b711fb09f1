"""Statistics of evaluation: intervals that know what was sampled."""

from affordance.stats.intervals import Interval, clustered_proportion, wilson

__all__ = ["Interval", "clustered_proportion", "wilson"]
