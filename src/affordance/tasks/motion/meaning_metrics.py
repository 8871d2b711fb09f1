"""Metrics of interpretations that were judged from 0 to 5. Attempts without an interpretation count as 0."""

from collections.abc import Mapping, Sequence
from statistics import stdev

from affordance.core.attempt import AttemptResult
from affordance.stats import Interval
from affordance.tasks.metrics import accuracy, accuracy_intervals, scored_results
from affordance.tasks.motion.meaning_judging import MEANING_SCALE, MeaningScores, Scores, mean_score

BASELINE_LABELS = {True: "another clip's summary", False: "another clip's response"}  # by whether there are summaries

Metrics = Mapping[str, float | None]


def meaning_scores(outcome: AttemptResult) -> MeaningScores | None:
    """None where there was nothing to judge."""
    return MeaningScores.from_detail(outcome.verdict.detail) if outcome.verdict is not None else None


def meaning_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """`accuracy` is the mean score as a share of five, `score` the same from 0 to 5 with its deviation over clips."""
    scores = clip_scores(outcomes)
    found = [one for one in map(meaning_scores, scored_results(outcomes)) if one is not None]
    every = [scores for one in found for scores in (*one.summary, *one.individual)]
    return {
        "accuracy": accuracy(outcomes),
        "score": _mean(scores),
        "score_sd": stdev(scores) if len(scores) > 1 else None,
        "score_individual": _mean([mean for one in found if (mean := mean_score(one.individual)) is not None]),
        "unrelated": _mean([float(mean_score(one.headline_scores()) == MEANING_SCALE.low) for one in found]),
        "judge_disagreement": _disagreement(every),
        "judge_unread": _mean([float(score is None) for one in every for score in one]),
    }


def meaning_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    found = accuracy_intervals(outcomes)
    share = found.get("accuracy")
    return {
        **found,
        "score": None if share is None else (MEANING_SCALE.score_of(share[0]), MEANING_SCALE.score_of(share[1])),
    }


def clip_scores(outcomes: Sequence[AttemptResult]) -> list[float]:
    """On the judge's scale; what was not answered has its lower end."""
    return [
        MEANING_SCALE.score_of(one.verdict.counted_score or 0.0)
        for one in scored_results(outcomes)
        if one.verdict is not None
    ]


def meaning_score_shares(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """The histogram: scores rounded to whole ones, half upwards, but for the best."""
    scores = clip_scores(outcomes)
    rounded = [int(score + 0.5) for score in scores]
    kinds = range(MEANING_SCALE.high - 1, MEANING_SCALE.low - 1, -1)
    return {f"scored {n}": rounded.count(n) / len(scores) for n in kinds} if scores else {}


def meaning_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    """What takes no look at the clip: what people understood of another one."""
    found = [mean_score(one.floor) for one in map(meaning_scores, outcomes) if one is not None]
    mean = _mean([score for score in found if score is not None])
    summed_up = any(one.summary for one in map(meaning_scores, outcomes) if one is not None)
    return {} if mean is None else {BASELINE_LABELS[summed_up]: MEANING_SCALE.share_of(mean)}


def meaning_breakdown_metrics(outcomes: Sequence[AttemptResult]) -> Metrics:
    """What a breakdown tells of its part."""
    found = meaning_metrics(outcomes)
    return {name: found[name] for name in ("accuracy", "score", "unrelated")}


def _disagreement(scores: Sequence[Scores]) -> float | None:
    """How often the judge's score depends on the order of the texts, where it was asked in both."""
    both = [one for one in scores if len(one) > 1 and None not in one]
    return _mean([float(len(set(one)) > 1) for one in both])


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
