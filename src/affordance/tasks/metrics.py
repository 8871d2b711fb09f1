"""Metrics that many tasks share. Refused, unparsed and truncated responses count as wrong; failed and pending attempts
are left out."""

from collections import Counter
from collections.abc import Mapping, Sequence

from affordance.core.attempts import SCORED_STATUSES, AttemptResult, AttemptStatus
from affordance.stats import Interval, clustered_interval, macro_f1_interval

NO_ANSWER_COLUMN = ""  # the column of a confusion matrix for attempts without an answer


def choice_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    return {
        "accuracy": accuracy(outcomes),
        "macro_f1": macro_f1(outcomes),
        "first_try_accuracy": first_try_accuracy(outcomes),
    }


def accuracy_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    """At 95%, as all intervals: what was sampled together is not independent."""
    scored = scored_results(outcomes)
    if not scored:
        return {}
    clusters = [one.cluster for one in scored]
    found = {"accuracy": [one.verdict.counted_score or 0.0 for one in scored if one.verdict is not None]}
    if all(one.first_verdict is not None for one in scored):
        found["first_try_accuracy"] = [
            one.first_verdict.counted_score or 0.0 for one in scored if one.first_verdict is not None
        ]
    return {name: clustered_interval(values, clusters) for name, values in found.items()}


def choice_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    scored = scored_results(outcomes)
    answers = [one.verdict.answer if one.verdict is not None else None for one in scored]
    f1 = macro_f1_interval([one.truth for one in scored], answers, [one.cluster for one in scored])
    return {**accuracy_intervals(outcomes), "macro_f1": f1}


def first_try_accuracy(outcomes: Sequence[AttemptResult]) -> float | None:
    """Before any re-asking."""
    return _mean([o.first_verdict.counted_score for o in scored_results(outcomes) if o.first_verdict is not None])


def scored_results(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Those that are scored."""
    return [o for o in outcomes if o.verdict is not None and o.verdict.counted_score is not None]


def accuracy(outcomes: Sequence[AttemptResult]) -> float | None:
    return _mean([o.verdict.counted_score for o in outcomes if o.verdict is not None])


def accuracy_over_parsed(outcomes: Sequence[AttemptResult]) -> float | None:
    """As harnesses count that drop what they cannot read. Flatters models that fail to answer: never a headline."""
    answered = (o.verdict for o in outcomes if o.verdict is not None and o.verdict.status is AttemptStatus.ANSWERED)
    return _mean([verdict.score for verdict in answered])


def confusion(outcomes: Sequence[AttemptResult]) -> dict[tuple[str, str], int]:
    """How often each truth got each answer."""
    return Counter(
        (o.truth, o.verdict.answer or NO_ANSWER_COLUMN)
        for o in outcomes
        if o.verdict is not None and o.verdict.counted_score is not None
    )


def macro_f1(outcomes: Sequence[AttemptResult]) -> float | None:
    """The mean of F1 over the classes that occur as truth."""
    table = confusion(outcomes)
    truths = sorted({truth for truth, _ in table})
    scores = []
    for label in truths:
        hits = table.get((label, label), 0)
        said = sum(n for (_, answer), n in table.items() if answer == label)
        there = sum(n for (truth, _), n in table.items() if truth == label)
        scores.append(2 * hits / (said + there))
    return sum(scores) / len(scores) if scores else None


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None


HEADLINE_METRIC = "accuracy"


def is_complete(outcomes: Sequence[AttemptResult]) -> bool:
    """Whether nothing is missing: nothing is pending, and no attempt failed at the provider."""
    return all(one.verdict is not None and one.verdict.status is not AttemptStatus.FAILED for one in outcomes)


def accuracy_bounds(outcomes: Sequence[AttemptResult]) -> dict[str, Interval]:
    """What is missing counted as wrong, and as right; empty where nothing is missing."""
    if is_complete(outcomes):
        return {}
    asked = asked_results(outcomes)
    right = sum(score for _, score in result_scores(asked))
    missing = sum(one.verdict is None or one.verdict.status not in SCORED_STATUSES for one in asked)
    return {HEADLINE_METRIC: (right / len(asked), (right + missing) / len(asked))}


def asked_results(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Without those that the model could not be asked."""
    return [one for one in outcomes if one.verdict is None or one.verdict.status is not AttemptStatus.SKIPPED]


def result_scores(outcomes: Sequence[AttemptResult]) -> list[tuple[AttemptResult, float]]:
    return [
        (one, one.verdict.counted_score)
        for one in outcomes
        if one.verdict is not None and one.verdict.counted_score is not None
    ]


NO_ANSWER_KIND = "no answer"


def parsed_results(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    return [o for o in scored_results(outcomes) if o.verdict is not None and o.verdict.status is AttemptStatus.ANSWERED]


def error_kind_shares(outcomes: Sequence[AttemptResult], known: Sequence[str], key: str) -> dict[str, float]:
    scored = scored_results(outcomes)
    if not scored:
        return {}
    kinds = Counter(
        str(o.verdict.detail.get(key, "")) if o.verdict.status is AttemptStatus.ANSWERED else NO_ANSWER_KIND
        for o in scored
        if o.verdict is not None
    )
    names = [name for name in [*known, *sorted(kinds)] if kinds[name] and name != ""]
    return {name: kinds[name] / len(scored) for name in dict.fromkeys([*names, NO_ANSWER_KIND])}
