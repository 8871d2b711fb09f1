"""Metrics of explanations that were judged: by rationale, by pair, by law, and what the controls say beside them.

An ambiguous judgement counts as not found and is shown apart. An attempt without an explanation found nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from affordance.core.attempt import Outcome
from affordance.stats import Interval, clustered_proportion
from affordance.suites.behavior.controls import length_concordance, neutral_words
from affordance.suites.behavior.judging import Checked, Expected, Found, Judged, dimension_of
from affordance.suites.behavior.texts import mean_scores, text_scores
from affordance.suites.metrics import accuracy, accuracy_intervals, counted

# The names of the controls.
SHUFFLED = "a rationale of another pair"
NAMING_LAWS = "an answer that names every law"

Metrics = Mapping[str, float | None]


def judged(outcome: Outcome) -> Judged | None:
    """None where there was nothing to judge."""
    return Judged.from_detail(outcome.verdict.detail) if outcome.verdict is not None else None


def rationale_metrics(outcomes: Sequence[Outcome]) -> Metrics:
    """`accuracy` is the mean share of a pair's rationales that were found, which intervals and bounds are about;
    `rationale_accuracy` weighs all rationales alike, as published."""
    checked = _checked(outcomes)
    return {
        "accuracy": accuracy(outcomes),
        "rationale_accuracy": _share(checked, lambda one: one.found is True),
        "instance_accuracy": _mean([float(any(one.found for one in pair)) for pair in checked]),
        "ambiguous": _share(checked, lambda one: one.found is None),
        "length_concordance": length_concordance(_lengths(outcomes)),
    }


def rationale_intervals(outcomes: Sequence[Outcome]) -> Mapping[str, Interval | None]:
    """At 95%; rationales of one pair, and pairs that share an image, are not independent."""
    scored = counted(outcomes)
    if not scored:
        return {}
    by_rationale, clusters = counted(by_rationales(scored)), [outcome.cluster for outcome in scored]
    return {
        **accuracy_intervals(outcomes),
        "rationale_accuracy": clustered_proportion(
            [one.verdict.counted or 0.0 for one in by_rationale if one.verdict is not None],
            [one.cluster for one in by_rationale],
        ),
        "instance_accuracy": clustered_proportion(
            [float(any(one.found for one in pair)) for pair in _checked(scored)], clusters
        ),
    }


def by_rationales(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """One outcome for each rationale, tagged with its law and dimension: what is broken down by them."""
    return [one for outcome in outcomes for one in _apart(outcome)]


def _apart(outcome: Outcome) -> Iterator[Outcome]:
    for one in _of(outcome):
        known = {"law": one.law, "dimension": one.dimension}
        tags = {**outcome.tags, **{name: value for name, value in known.items() if value}}
        verdict = outcome.verdict
        if verdict is not None and verdict.counted is not None:
            verdict = replace(verdict, score=float(one.found is True))
        yield replace(outcome, tags=tags, verdict=verdict)


def rationale_floors(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """What takes no look at the pictures: how often the judge finds what cannot be there, and what an answer scores
    that names every law."""
    found = [one for one in map(judged, outcomes) if one is not None]
    controls = {
        SHUFFLED: _mean([float(one is True) for pair in found for one in pair.foreign]),
        NAMING_LAWS: _mean([_share([pair.rationales], lambda one: one.laws is True) for pair in found]),
    }
    return {name: share for name, share in controls.items() if share is not None}


def rationale_shares(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """What is missing of an accuracy of one: not found, not decided by the judge, not explained at all."""
    scored = counted(outcomes)
    explained = [one.rationales for one in map(judged, scored) if one is not None]
    shares = {
        "not found": [_share([pair], lambda one: one.found is False) or 0.0 for pair in explained],
        "judged ambiguously": [_share([pair], lambda one: one.found is None) or 0.0 for pair in explained],
        "no explanation": [1.0] * (len(scored) - len(explained)),
    }
    return {name: sum(values) / len(scored) for name, values in shares.items()} if scored else {}


def rationale_compat(outcomes: Sequence[Outcome]) -> Metrics:
    """`published`: rationales in their own words, and ambiguous judgements left out. `written`: the former only."""
    checked = _checked(outcomes)
    if not checked:
        return {}
    found: dict[str, float | None] = {}
    readings: dict[str, Callable[[Checked], Found]] = {
        "published": lambda one: one.published,
        "written": lambda one: one.written or False,
    }
    for name, read in readings.items():
        results = [[read(one) for one in pair] for pair in checked]
        found[f"rationale_accuracy_{name}"] = _mean([float(one) for pair in results for one in pair if one is not None])
        found[f"instance_accuracy_{name}"] = _mean([float(any(pair)) for pair in results])
    return found


def wording_metrics(
    outcomes: Sequence[Outcome],
    explanations: Mapping[str, str],
    *,
    meteor: bool = False,
    weights: Path | None = None,
) -> Metrics:
    """How near explanations (by attempt) come to the rationales word by word, as means over rationales. Slow with
    METEOR or BERTScore: computed where it is asked for, and no part of the metrics."""
    couples = [
        (explanations[outcome.attempt], neutral_words(rationale))
        for outcome in outcomes
        if outcome.attempt in explanations
        for rationale in Expected.from_text(outcome.truth).rationales
    ]
    return mean_scores(text_scores(couples, meteor=meteor, weights=weights))


def _checked(outcomes: Sequence[Outcome]) -> list[tuple[Checked, ...]]:
    return [_of(outcome) for outcome in counted(outcomes)]


def _of(outcome: Outcome) -> tuple[Checked, ...]:
    """The rationales of a pair; none is found where there is no explanation."""
    found = judged(outcome)
    if found is not None:
        return found.rationales
    rationales = Expected.from_text(outcome.truth).rationales
    return tuple(Checked(one.law, dimension_of(one), False, False, False, None) for one in rationales)


def _lengths(outcomes: Sequence[Outcome]) -> Iterator[tuple[int, float]]:
    for outcome in outcomes:
        found = judged(outcome)
        if found is not None and outcome.verdict is not None and outcome.verdict.score is not None:
            yield found.words, outcome.verdict.score


def _share(pairs: Sequence[Sequence[Checked]], holds: Callable[[Checked], bool]) -> float | None:
    return _mean([float(holds(one)) for pair in pairs for one in pair])


def _mean(values: Sequence[float | None]) -> float | None:
    present = [value for value in values if value is not None]
    return sum(present) / len(present) if present else None
