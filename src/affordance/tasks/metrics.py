"""Metrics that many tasks share, and what all metrics are computed from.

Refused, unparsed and truncated responses count as wrong; failed, skipped and pending attempts are left out.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, overload

from affordance.core.attempts import SCORED_STATUSES, AttemptResult, AttemptStatus
from affordance.core.formatting import Unit
from affordance.core.json_text import Json
from affordance.stats import Interval, clustered_interval, macro_f1_interval

T = TypeVar("T")

AS_PUBLISHED = "as published"  # the section of metrics that count as other harnesses do
# Sections whose metrics are not among the numbers of a row.
SECTIONS_APART = (AS_PUBLISHED, "position patterns", "density")
NO_ANSWER_COLUMN = ""  # the column of a confusion matrix for attempts without an answer
NO_ANSWER_KIND = "no answer"  # the kind of error of attempts without an answer

Compute = Callable[["ResultSet"], float | None]


class ResultSet(Sequence[AttemptResult]):
    """The results of one row: one task, condition, model and strategy. It has the rule which of them count.

    Args:
        results: the results of all planned attempts, also of those that are pending.
        dialect: the dialect in which the model was asked for locations; empty where that does not apply.
    """

    def __init__(self, results: Iterable[AttemptResult], dialect: str = "") -> None:
        self._results = tuple(results)
        self._cache: dict[Callable[..., Any], Any] = {}
        self.dialect = dialect

    @overload
    def __getitem__(self, index: int) -> AttemptResult: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[AttemptResult]: ...
    def __getitem__(self, index: int | slice) -> AttemptResult | Sequence[AttemptResult]:
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    @cached_property
    def scored(self) -> Sequence[AttemptResult]:
        """Results that count: right, or wrong for whatever reason."""
        return [one for one in self._results if one.verdict is not None and one.verdict.counted_score is not None]

    @cached_property
    def scores(self) -> Sequence[float]:
        """Scores of the scored results, from 0 to 1."""
        return [one.verdict.counted_score or 0.0 for one in self.scored if one.verdict is not None]

    @cached_property
    def clusters(self) -> Sequence[str]:
        """Clusters of the scored results: results of one cluster are not independent."""
        return [one.cluster for one in self.scored]

    @cached_property
    def answered(self) -> Sequence[AttemptResult]:
        """Scored results with an answer."""
        return [one for one in self.scored if one.verdict and one.verdict.status is AttemptStatus.ANSWERED]

    @cached_property
    def asked(self) -> Sequence[AttemptResult]:
        """All results but skipped ones: the model cannot be asked those."""
        return [one for one in self._results if one.verdict is None or one.verdict.status is not AttemptStatus.SKIPPED]

    @cached_property
    def is_complete(self) -> bool:
        """Whether no attempt is pending or failed at the provider."""
        return all(one.verdict is not None and one.verdict.status is not AttemptStatus.FAILED for one in self._results)

    @property
    def bounds(self) -> Interval | None:
        """Accuracy with missing results counted as wrong, and as right; None for complete results."""
        if self.is_complete:
            return None
        missing = sum(one.verdict is None or one.verdict.status not in SCORED_STATUSES for one in self.asked)
        correct = sum(self.scores)
        return correct / len(self.asked), (correct + missing) / len(self.asked)

    @property
    def confusion(self) -> Mapping[tuple[str, str], int]:
        """How often each truth got each answer."""
        return self.cached(_count_confusion)

    def cached(self, function: Callable[["ResultSet"], T]) -> T:
        """What a function computes from these results, computed once."""
        if function not in self._cache:
            self._cache[function] = function(self)
        found: T = self._cache[function]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A number about a row, declared once and shown in every output.

    Attributes:
        name: its key in JSON and CSV, such as `macro_f1`.
        label: how it is shown, such as `macro F1`.
        compute: the value; None where the metric does not apply.
        interval: the 95% interval.
        count: over how many results the metric is, where it leaves some out.
        trials: statistics over trials in addition to those of the headline.
        section: the table that shows it. `as published` counts as other harnesses do.
        needs_complete: whether it is withheld while results are missing.
        in_breakdowns: whether it is computed for slices too.
    """

    name: str
    label: str
    compute: Compute
    interval: Callable[[ResultSet], Interval | None] | None = None
    count: Callable[[ResultSet], int] | None = None
    trials: Callable[[ResultSet], Mapping[str, Json] | None] | None = None
    unit: Unit = Unit.PERCENT
    higher_is_better: bool | None = True
    section: str = "main"
    needs_complete: bool = True
    in_breakdowns: bool = False


@dataclass(frozen=True, slots=True)
class TrivialBaseline:
    """A score without understanding: guessing, the most frequent class, the screen centre."""

    name: str  # its key in JSON
    label: str  # how it is shown
    compute: Compute


def compute_metrics(metrics: Iterable[Metric], results: ResultSet) -> dict[str, float | None]:
    """Values by name. While results are missing, those that would hide it are None."""
    return {
        one.name: one.compute(results) if results.is_complete or not one.needs_complete else None for one in metrics
    }


def compute_intervals(
    metrics: Iterable[Metric], values: Mapping[str, float | None], results: ResultSet
) -> dict[str, Interval]:
    """95% intervals by name, of the metrics that have a value and an interval."""
    found = {
        one.name: one.interval(results)
        for one in metrics
        if one.interval is not None and values.get(one.name) is not None
    }
    return {name: interval for name, interval in found.items() if interval is not None}


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are not None; None where there are none."""
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


def mean_score(results: ResultSet) -> float | None:
    return mean(results.scores)


def score_interval(results: ResultSet) -> Interval | None:
    """Clustered: what was sampled together is not independent."""
    return clustered_interval(results.scores, results.clusters) if results.scored else None


def _first_try_interval(results: ResultSet) -> Interval | None:
    scores = [one.first_verdict.counted_score or 0.0 for one in results.scored if one.first_verdict is not None]
    complete = bool(scores) and len(scores) == len(results.scored)
    return clustered_interval(scores, results.clusters) if complete else None


def _count_confusion(results: ResultSet) -> Mapping[tuple[str, str], int]:
    return Counter((one.truth, (one.verdict and one.verdict.answer) or NO_ANSWER_COLUMN) for one in results.scored)


def _first_try_accuracy(results: ResultSet) -> float | None:
    return mean(one.first_verdict.counted_score for one in results.scored if one.first_verdict is not None)


def _macro_f1(results: ResultSet) -> float | None:
    """The mean of F1 over the classes that occur as truth."""
    table = results.confusion
    scores = []
    for label in sorted({truth for truth, _ in table}):
        hits = table.get((label, label), 0)
        answered = sum(n for (_, answer), n in table.items() if answer == label)
        occurring = sum(n for (truth, _), n in table.items() if truth == label)
        scores.append(2 * hits / (answered + occurring))
    return mean(scores)


def _macro_f1_interval(results: ResultSet) -> Interval | None:
    answers = [one.verdict.answer if one.verdict is not None else None for one in results.scored]
    return macro_f1_interval([one.truth for one in results.scored], answers, results.clusters)


def _accuracy_of_parsed(results: ResultSet) -> float | None:
    return mean(one.verdict.counted_score for one in results.answered if one.verdict is not None)


def error_kinds(detail: str, known: Sequence[str]) -> Callable[[ResultSet], Mapping[str, float]]:
    """Shares of errors by kind, of all results that count.

    Args:
        detail: the key of the kind in a verdict's detail.
        known: the kinds in the order in which they are shown; others follow.
    """

    def shares(results: ResultSet) -> Mapping[str, float]:
        if not results.scored:
            return {}
        kinds = Counter(
            str(one.verdict.detail.get(detail, "")) if one.verdict.status is AttemptStatus.ANSWERED else NO_ANSWER_KIND
            for one in results.scored
            if one.verdict is not None
        )
        names = [name for name in [*known, *sorted(kinds)] if kinds[name] and name != ""]
        return {name: kinds[name] / len(results.scored) for name in dict.fromkeys([*names, NO_ANSWER_KIND])}

    return shares


def chance(share: float) -> TrivialBaseline:
    """Guessing among options with a fixed share of correct ones."""
    return TrivialBaseline("chance", "guessing", lambda _: share)


ACCURACY = Metric(
    name="accuracy",
    label="accuracy",
    compute=mean_score,
    interval=score_interval,
    needs_complete=False,
    in_breakdowns=True,
)
FIRST_TRY_ACCURACY = Metric(
    name="first_try_accuracy",
    label="accuracy on the first try",
    compute=_first_try_accuracy,
    interval=_first_try_interval,
)
MACRO_F1 = Metric(name="macro_f1", label="macro F1", compute=_macro_f1, interval=_macro_f1_interval)
# As harnesses count that drop what they cannot parse. It flatters models that fail to answer, so it is no headline.
ACCURACY_OF_PARSED = Metric(
    name="accuracy_parsed",
    label="accuracy of parsed responses",
    compute=_accuracy_of_parsed,
    section=AS_PUBLISHED,
    needs_complete=False,
)
CHOICE_METRICS = (ACCURACY, MACRO_F1, FIRST_TRY_ACCURACY, ACCURACY_OF_PARSED)
