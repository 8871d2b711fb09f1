"""Metrics of choices between two designs, joined by pair: both orders of a pair belong together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from affordance.core.attempts import AttemptResult
from affordance.core.json_text import Json
from affordance.core.model_name import STUDY_PREFIX
from affordance.stats import (
    Interval,
    IntervalEstimate,
    OrderAccuracies,
    OrderAccuracy,
    OrderedChoice,
    Position,
    consistent_accuracy_by_chance,
    identical_pair_control,
    order_accuracies,
    pair_patterns,
    position_bias,
)
from affordance.tasks.metrics import accuracy, accuracy_intervals, first_try_accuracy, scored_results
from affordance.tasks.task import ValueWithInterval

CONTROL_TAG = "control"  # the tag of pairs that cannot be told apart
UX_LAW_TAG = "UX law"  # the tag of a breakdown
UX_LAWS_TAG = "UX laws"  # all of a pair
_SEPARATOR = "; "
_PLACES: dict[str, Position] = {"First": "first", "Second": "second"}


def ordered_choices(outcomes: Sequence[AttemptResult]) -> list[OrderedChoice]:
    """What is scored of outcomes, as the statistics of position take it."""
    return [
        OrderedChoice(
            outcome.item_id,
            outcome.cluster,
            "first" if outcome.truth == "First" else "second",
            outcome.trial,
            _chosen_position(outcome),
        )
        for outcome in scored_results(outcomes)
    ]


def _chosen_position(outcome: AttemptResult) -> Position | None:
    said = outcome.verdict.answer if outcome.verdict is not None else None
    return _PLACES.get(said or "")


def pair_choice_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    """Of two equal pictures neither is the right one: there is the preference for a place only."""
    whole = _in_both_orders(outcomes)
    if _is_control(outcomes):
        alone = identical_pair_control(whole) if whole else None
        return {"accuracy": None, "position_preference": None if alone is None else alone.value}
    metrics: dict[str, float | None] = {
        "accuracy": accuracy(outcomes),
        "first_try_accuracy": first_try_accuracy(outcomes),
    }
    if not whole:
        return metrics
    apart = position_bias(whole)
    return {
        **metrics,
        **{name: one.share.value for name, one in _order_accuracies(order_accuracies(whole), outcomes).items()},
        "position_preference": None if apart.first_share is None else apart.first_share.value,
        "noise": None if apart.noise is None else apart.noise.value,
    }


def pair_choice_intervals(outcomes: Sequence[AttemptResult]) -> Mapping[str, Interval | None]:
    """That of accuracy is that of the average over both orders, where every pair has both: it is the same number."""
    whole = _in_both_orders(outcomes)
    if _is_control(outcomes):
        alone = identical_pair_control(whole) if whole else None
        return {"accuracy": None, "position_preference": None if alone is None else alone.interval}
    if not whole:
        return accuracy_intervals(outcomes)
    of, preference = order_accuracies(whole), position_bias(whole).first_share
    named = _order_accuracies(of, outcomes) | (
        {"accuracy": of.average} if len(whole) == len(ordered_choices(outcomes)) else {}
    )
    return {
        **accuracy_intervals(outcomes),
        **{name: one.share.interval for name, one in named.items()},
        "position_preference": None if preference is None else preference.interval,
    }


def pair_choice_trial_statistics(outcomes: Sequence[AttemptResult]) -> Mapping[str, Json]:
    """Over trials, of each accuracy: mean and sample deviation, as shares and as counts, which is how the paper gives
    the deviation."""
    whole = [] if _is_control(outcomes) else _in_both_orders(outcomes)
    return {
        name: {
            "mean": one.share.value,
            "sd": one.deviation,
            "mean_count": one.count,
            "sd_count": one.count_deviation,
        }
        for name, one in (_order_accuracies(order_accuracies(whole), outcomes) if whole else {}).items()
    }


def one_result_per_law(outcomes: Sequence[AttemptResult]) -> list[AttemptResult]:
    """Outcomes as breakdowns count them: a pair once for each law that experts saw at work in it."""
    apart = [
        replace(outcome, tags={UX_LAW_TAG: law})
        for outcome in outcomes
        for law in outcome.tags.get(UX_LAWS_TAG, "").split(_SEPARATOR)
        if law
    ]
    return [*outcomes, *apart]


def laws_tag(laws: Iterable[str | None]) -> dict[str, str]:
    found = _SEPARATOR.join(dict.fromkeys(law for law in laws if law))
    return {UX_LAWS_TAG: found} if found else {}


def _is_control(outcomes: Sequence[AttemptResult]) -> bool:
    return bool(outcomes) and all(CONTROL_TAG in outcome.tags for outcome in outcomes)


def _order_accuracies(found: OrderAccuracies, outcomes: Sequence[AttemptResult]) -> dict[str, OrderAccuracy]:
    """Consistent is who says the same in both orders: in a study nobody sees both."""
    named = {
        "first_accuracy": found.first,
        "second_accuracy": found.second,
        "average_accuracy": found.average,
        "consistent_accuracy": found.consistent,
    }
    return {name: one for name, one in named.items() if name != "consistent_accuracy" or not _is_study(outcomes)}


def _is_study(outcomes: Sequence[AttemptResult]) -> bool:
    return any(outcome.model.startswith(STUDY_PREFIX) for outcome in outcomes)


def _in_both_orders(outcomes: Sequence[AttemptResult]) -> list[OrderedChoice]:
    """Answers of pairs that have one in each order; none where no trial has both, as a run may be interrupted."""
    found = ordered_choices(outcomes)
    by_trial = {(one.pair, one.trial, one.winner_position) for one in found}
    if not any({(one.pair, one.trial, "first"), (one.pair, one.trial, "second")} <= by_trial for one in found):
        return []
    both = {(one.pair, one.winner_position) for one in found}
    return [one for one in found if {(one.pair, "first"), (one.pair, "second")} <= both]


def pair_choice_position_bias(outcomes: Sequence[AttemptResult]) -> Mapping[str, ValueWithInterval]:
    """How much of the answer is position: skill, preference for the first place and noise, and the shares of pairs that
    are judged the same way in both orders, or by their place. Of two equal pictures there is the preference only. In a
    study nobody sees both orders."""
    whole = _in_both_orders(outcomes)
    if not whole or _is_study(outcomes):
        return {}
    if _is_control(outcomes):
        alone = identical_pair_control(whole)
        return {} if alone is None else {"preference": _value_with_interval(alone)}
    apart, kinds = position_bias(whole), pair_patterns(whole)
    named = {"skill": apart.skill, "preference": apart.first_share, "noise": apart.noise}
    shares = {
        "right": kinds.both_correct,
        "wrong": kinds.both_wrong,
        "first": kinds.first,
        "second": kinds.second,
        "unread": kinds.unparsed,
    }
    found = {name: _value_with_interval(one) for name, one in {**named, **shares}.items() if one is not None}
    if apart.first_share is not None:
        found["chance of both"] = consistent_accuracy_by_chance(apart.first_share.value), None, None
    return {**found, "flipping": (kinds.inconsistent, None, None)}


def _value_with_interval(one: IntervalEstimate) -> ValueWithInterval:
    low, high = one.interval or (None, None)
    return one.value, low, high


def pair_choice_baselines(outcomes: Sequence[AttemptResult]) -> Mapping[str, float]:
    return {} if _is_control(outcomes) else {"chance": 0.5}


def pair_choice_compatible_metrics(outcomes: Sequence[AttemptResult]) -> Mapping[str, float | None]:
    """As the released evaluator reads: the first marker and exactly the word; what differs is wrong."""
    whole = _in_both_orders([_as_published(outcome) for outcome in outcomes])
    found = _order_accuracies(order_accuracies(whole), outcomes) if whole else {}
    return {f"{name}_strict": one.share.value for name, one in found.items()}


def _as_published(outcome: AttemptResult) -> AttemptResult:
    verdict = outcome.verdict
    if verdict is None or "strict" not in verdict.detail:
        return outcome
    strict = verdict.detail["strict"]
    return replace(outcome, verdict=replace(verdict, answer=strict if isinstance(strict, str) else None))
