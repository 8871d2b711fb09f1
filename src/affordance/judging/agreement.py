"""Agreement of a judge with human labels: how often it says the same, how consistent it is, and how much the order of
the texts matters. Sampling weights make the numbers hold for all judgements that were sampled from; alpha uses none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from affordance.core.question import RatingScale
from affordance.stats import Interval, cohen_kappa, krippendorff_alpha

JudgedValue = float | None  # from 0 to 1; None could not be read


@dataclass(frozen=True, slots=True)
class LabelledJudgement:
    """A labelled judgement, with the judge's values."""

    model: str  # whose answer was judged
    cluster: str  # judgements of one are not independent
    human: float  # from 0 to 1
    weight: float
    repeats: tuple[JudgedValue, ...]  # in the order of the texts that the run had
    swapped_repeats: tuple[
        JudgedValue, ...
    ] = ()  # in the other order of the texts: one, or none if the order is part of the question
    judged_text_first: bool = True  # whether the judged text came first in the run's order


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Agreement of judge and labels, of parsed judgements. Shares are weighted. For yes and no there is a kappa, for
    scores alphas and differences in points of the scale; what does not apply is None."""

    n: int
    share: float | None  # share of equal judgements; of scores: to the nearest point
    base: float | None  # share of yes, or mean score in points, of the labels
    judged: float | None  # the same, of the judge
    kappa: float | None = None
    kappa_interval: Interval | None = None
    chance: float | None = None  # the agreement that two of these base rates have by chance
    yes_found: float | None = None  # share of labels yes that the judge finds
    no_found: float | None = None  # share of labels no that the judge finds
    alpha_interval: float | None = None
    alpha_ordinal: float | None = None
    difference: float | None = None  # mean absolute
    within_one: float | None = None  # share of scores at most one point apart


@dataclass(frozen=True, slots=True)
class Consistency:
    """Over repeats of the same request. Unparsed responses are equal to each other."""

    repeats: int
    all_equal: float  # share of judgements whose repeats are all equal
    pairs_equal: float  # share of pairs of repeats that do


@dataclass(frozen=True, slots=True)
class OrderBias:
    """Of judgements that could be read in both orders of the texts."""

    n: int
    changed: float  # share whose answer depends on the order
    shift: float  # in points of the scale: with the judged text first, less with it second


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    agreement: JudgeAgreement
    consistency: Consistency | None  # None with one repeat
    order: OrderBias | None  # None if the order is part of the question
    unread: float  # share of unparsed responses


def measure_judge(judgements: Sequence[LabelledJudgement], scale: RatingScale | None) -> JudgeMeasurement:
    replies = [value for one in judgements for value in (*one.repeats, *one.swapped_repeats)]
    return JudgeMeasurement(
        judge_agreement(judgements, scale),
        _repeat_consistency(judgements),
        _order_bias(judgements, scale),
        fmean(value is None for value in replies),
    )


def judge_agreement(judgements: Sequence[LabelledJudgement], scale: RatingScale | None) -> JudgeAgreement:
    """Of the first repeats."""
    read = [(one, judged) for one in judgements if (judged := one.repeats[0]) is not None]
    if not read:
        return JudgeAgreement(0, None, None, None)
    return _yes_no_agreement(read) if scale is None else _score_agreement(read, scale)


def _yes_no_agreement(read: Sequence[tuple[LabelledJudgement, float]]) -> JudgeAgreement:
    judged, human = [value for _, value in read], [one.human for one, _ in read]
    weights = [one.weight for one, _ in read]
    said, truth = ([_yes_or_no(value) for value in values] for values in (judged, human))
    kappa = cohen_kappa(said, truth, weights, clusters=[one.cluster for one, _ in read])
    same = [float(a == b) for a, b in zip(judged, human, strict=True)]
    return JudgeAgreement(
        n=len(judged),
        share=_weighted_mean(same, weights),
        base=_weighted_mean(human, weights),
        judged=_weighted_mean(judged, weights),
        kappa=kappa.kappa if kappa is not None else None,
        kappa_interval=kappa.interval if kappa is not None else None,
        chance=kappa.expected if kappa is not None else None,
        yes_found=_weighted_mean_where(lambda truth: truth == 1, same, human, weights),
        no_found=_weighted_mean_where(lambda truth: truth == 0, same, human, weights),
    )


def _score_agreement(read: Sequence[tuple[LabelledJudgement, float]], scale: RatingScale) -> JudgeAgreement:
    both = [(scale.score_of(value), scale.score_of(one.human)) for one, value in read]
    weights = [one.weight for one, _ in read]
    apart = [round(abs(judged - human), 9) for judged, human in both]
    return JudgeAgreement(
        n=len(both),
        share=_weighted_mean([float(one <= 0.5) for one in apart], weights),
        base=_weighted_mean([human for _, human in both], weights),
        judged=_weighted_mean([judged for judged, _ in both], weights),
        alpha_interval=krippendorff_alpha(both, "interval"),
        alpha_ordinal=krippendorff_alpha(both, "ordinal"),
        difference=_weighted_mean(apart, weights),
        within_one=_weighted_mean([float(one <= 1) for one in apart], weights),
    )


def _repeat_consistency(found: Sequence[LabelledJudgement]) -> Consistency | None:
    repeats = min((len(one.repeats) for one in found), default=0)
    if repeats < 2:
        return None
    weights = [one.weight for one in found]
    pairs = [fmean(a == b for a, b in combinations(one.repeats, 2)) for one in found]
    equal = [float(len(set(one.repeats)) == 1) for one in found]
    return Consistency(repeats, _weighted_mean(equal, weights) or 0.0, _weighted_mean(pairs, weights) or 0.0)


def _order_bias(found: Sequence[LabelledJudgement], scale: RatingScale | None) -> OrderBias | None:
    points = float(scale.high - scale.low) if scale is not None else 1.0
    shifts, weights = [], []
    for one in found:
        for other in one.swapped_repeats:
            if one.repeats[0] is not None and other is not None:
                shift = points * (one.repeats[0] - other)
                shifts.append(shift if one.judged_text_first else -shift)
                weights.append(one.weight)
    if not shifts:
        return None
    changed = _weighted_mean([float(shift != 0) for shift in shifts], weights)
    return OrderBias(len(shifts), changed or 0.0, _weighted_mean(shifts, weights) or 0.0)


def _yes_or_no(value: float) -> str:
    return "yes" if value == 1 else "no"


def _weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float | None:
    return fmean(values, weights) if values else None


def _weighted_mean_where(
    holds: Callable[[float], bool], values: Sequence[float], of: Sequence[float], weights: Sequence[float]
) -> float | None:
    kept = [(value, weight) for value, one, weight in zip(values, of, weights, strict=True) if holds(one)]
    return _weighted_mean([value for value, _ in kept], [weight for _, weight in kept])
