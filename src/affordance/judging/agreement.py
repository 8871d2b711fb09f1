"""What a judge is worth, measured against people: how often it says what they say, how often it says the same again,
and how much it minds the order of the texts. Sampling weights make it hold for all judgements that were drawn from;
alpha takes none."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from affordance.core.question import RatingScale
from affordance.stats import Interval, cohen_kappa, krippendorff_alpha

JudgedValue = float | None  # from 0 to 1; None could not be read


@dataclass(frozen=True, slots=True)
class LabelledJudgement:
    """A judgement that people labelled, with what the judge said of it."""

    model: str  # whose words were judged
    cluster: str  # judgements of one are not independent
    human: float  # from 0 to 1
    weight: float
    repeats: tuple[JudgedValue, ...]  # in the order of the texts that the run had
    swapped_repeats: tuple[
        JudgedValue, ...
    ] = ()  # in the other order: one, or none where the order is part of what is asked
    judged_text_first: bool = True  # whether the judged text came first in the run's order


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """Of judge and people, where the judge's reply can be read. Shares are weighted. Of yes and no there is a kappa, of
    scores alphas and differences in points of the scale; what does not apply is None."""

    n: int
    share: float | None  # of judgements on which both say the same; of scores: to the nearest point
    base: float | None  # the share of yes, or the mean score in points, as people have it
    judged: float | None  # the same, as the judge has it
    kappa: float | None = None
    kappa_interval: Interval | None = None
    chance: float | None = None  # the agreement that two of these base rates have by chance
    yes_found: float | None = None  # of what people call a yes, how much the judge does
    no_found: float | None = None  # of what people call a no
    alpha_interval: float | None = None
    alpha_ordinal: float | None = None
    difference: float | None = None  # mean absolute
    within_one: float | None = None  # share of scores at most one point apart


@dataclass(frozen=True, slots=True)
class Consistency:
    """Over repeats of the same ask. An unreadable reply is an answer of its own here."""

    repeats: int
    all_equal: float  # share of judgements whose repeats all say the same
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
    order: OrderBias | None  # None where the order is part of what is asked
    unread: float  # share of all replies that could not be read


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
