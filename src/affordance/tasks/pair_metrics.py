"""Metrics of choices between two things that are shown in both orders, joined by pair.

Position bias, accuracy by order, and the shares of pairs by how both orders were answered."""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    PairPatterns,
    Position,
    PositionBias,
    consistent_accuracy_by_chance,
    identical_pair_control,
    order_accuracies,
    pair_patterns,
    position_bias,
)
from affordance.tasks.metrics import (
    ACCURACY,
    AS_PUBLISHED,
    FIRST_TRY_ACCURACY,
    Metric,
    ResultSet,
    TrivialBaseline,
    mean_score,
    score_interval,
)

CONTROL_TAG = "control"  # the tag of pairs with identical images
UX_LAW_TAG = "UX law"  # the tag of a breakdown
UX_LAWS_TAG = "UX laws"  # all of a pair
POSITION = "position"  # the section of metrics of both orders
PATTERNS = "position patterns"  # the section of shares of pairs, and of what answers are made of
_SEPARATOR = "; "
_POSITIONS: dict[str, Position] = {"First": "first", "Second": "second", "A": "first", "B": "second"}
_ORDERS = ("first", "second", "average", "consistent")  # of OrderAccuracies


def ordered_choices(results: Iterable[AttemptResult]) -> list[OrderedChoice]:
    """Scored results as the statistics of position take them."""
    return [
        OrderedChoice(one.item_id, one.cluster, _POSITIONS.get(one.truth, "second"), one.trial, _chosen_position(one))
        for one in results
    ]


def _chosen_position(result: AttemptResult) -> Position | None:
    answer = result.verdict.answer if result.verdict is not None else None
    return _POSITIONS.get(answer or "")


def is_control(results: ResultSet) -> bool:
    """Whether all pairs have identical images. Neither of two is right: only the position bias means something."""
    return bool(results) and all(CONTROL_TAG in one.tags for one in results)


def _is_study(results: ResultSet) -> bool:
    """Whether people answered: none of them sees both orders of a pair."""
    return any(one.model.startswith(STUDY_PREFIX) for one in results)


def choices_in_both_orders(results: ResultSet) -> list[OrderedChoice]:
    """Choices of pairs that have one in each order; none where no trial has both, as in an interrupted run."""
    found = ordered_choices(results.scored)
    by_trial = {(one.pair, one.trial, one.winner_position) for one in found}
    if not any({(one.pair, one.trial, "first"), (one.pair, one.trial, "second")} <= by_trial for one in found):
        return []
    both = {(one.pair, one.winner_position) for one in found}
    return [one for one in found if {(one.pair, "first"), (one.pair, "second")} <= both]


def _order_accuracies(results: ResultSet) -> OrderAccuracies | None:
    choices = results.cached(choices_in_both_orders)
    return None if not choices or results.cached(is_control) else order_accuracies(choices)


def _bias(results: ResultSet) -> PositionBias | None:
    choices = results.cached(choices_in_both_orders)
    return None if not choices or results.cached(is_control) else position_bias(choices)


def _patterns(results: ResultSet) -> PairPatterns | None:
    if results.cached(is_control) or results.cached(_is_study):
        return None
    choices = results.cached(choices_in_both_orders)
    return pair_patterns(choices) if choices else None


def _control_bias(results: ResultSet) -> IntervalEstimate | None:
    if not results.cached(is_control):
        return None
    choices = results.cached(choices_in_both_orders)
    return identical_pair_control(choices) if choices else None


def _first_share(results: ResultSet) -> IntervalEstimate | None:
    if results.cached(is_control):
        return results.cached(_control_bias)
    bias = results.cached(_bias)
    return None if bias is None else bias.first_share


def _accuracy(results: ResultSet) -> float | None:
    return None if results.cached(is_control) else mean_score(results)


def _accuracy_interval(results: ResultSet) -> Interval | None:
    """That of the average over both orders where every pair has both: it is the same number."""
    found = results.cached(_order_accuracies)
    if found is not None and len(results.cached(choices_in_both_orders)) == len(results.scored):
        return found.average.share.interval
    return score_interval(results)


def _unless_control(metric: Metric) -> Metric:
    compute = metric.compute
    return replace(metric, compute=lambda results: None if results.cached(is_control) else compute(results))


def _order_accuracy(order: str) -> Callable[[ResultSet], OrderAccuracy | None]:
    """Consistent means the same answer in both orders: people in a study see one order only."""

    def find(results: ResultSet) -> OrderAccuracy | None:
        found = results.cached(_order_accuracies)
        if found is None or (order == "consistent" and results.cached(_is_study)):
            return None
        accuracy: OrderAccuracy = getattr(found, order)
        return accuracy

    return find


def _order_metric(order: str, label: str) -> Metric:
    find = _order_accuracy(order)

    def trials(results: ResultSet) -> Mapping[str, Json] | None:
        """Mean and sample deviation, as shares and as counts, which is how the paper gives the deviation."""
        one = find(results)
        if one is None:
            return None
        return {
            "mean": one.share.value,
            "sd": one.deviation,
            "mean_count": one.count,
            "sd_count": one.count_deviation,
        }

    return Metric(
        name=f"{order}_accuracy",
        label=label,
        compute=lambda results: _value(one.share if (one := find(results)) is not None else None),
        interval=lambda results: _interval(one.share if (one := find(results)) is not None else None),
        trials=trials,
        section=POSITION,
    )


def _estimate_metric(
    name: str, label: str, find: Callable[[ResultSet], IntervalEstimate | None], section: str = PATTERNS
) -> Metric:
    return Metric(
        name=name,
        label=label,
        compute=lambda results: _value(find(results)),
        interval=lambda results: _interval(find(results)),
        section=section,
        higher_is_better=None,
        needs_complete=section != PATTERNS,
    )


def _pattern(field: str) -> Callable[[ResultSet], IntervalEstimate | None]:
    def find(results: ResultSet) -> IntervalEstimate | None:
        found = results.cached(_patterns)
        share: IntervalEstimate | None = None if found is None else getattr(found, field)
        return share

    return find


def _skill(results: ResultSet) -> IntervalEstimate | None:
    bias = results.cached(_bias)
    return None if bias is None or results.cached(_is_study) else bias.skill


def _noise(results: ResultSet) -> IntervalEstimate | None:
    bias = results.cached(_bias)
    return None if bias is None else bias.noise


def _chance_of_both(results: ResultSet) -> float | None:
    first = results.cached(_first_share)
    applies = first is not None and results.cached(_patterns) is not None
    return consistent_accuracy_by_chance(first.value) if applies and first is not None else None


def _inconsistent_share(results: ResultSet) -> float | None:
    found = results.cached(_patterns)
    return None if found is None else found.inconsistent


def _value(found: IntervalEstimate | None) -> float | None:
    return None if found is None else found.value


def _interval(found: IntervalEstimate | None) -> Interval | None:
    return None if found is None else found.interval


def _published_accuracies(results: ResultSet) -> OrderAccuracies | None:
    choices = choices_in_both_orders(ResultSet(map(_as_published, results)))
    return order_accuracies(choices) if choices else None


def _as_published(result: AttemptResult) -> AttemptResult:
    verdict = result.verdict
    if verdict is None or "strict" not in verdict.detail:
        return result
    strict = verdict.detail["strict"]
    return replace(result, verdict=replace(verdict, answer=strict if isinstance(strict, str) else None))


def _published_metric(order: str) -> Metric:
    """As the released evaluator reads: the first marker and exactly the word; what differs is wrong."""

    def compute(results: ResultSet) -> float | None:
        found = results.cached(_published_accuracies)
        if found is None or (order == "consistent" and results.cached(_is_study)):
            return None
        accuracy: OrderAccuracy = getattr(found, order)
        return accuracy.share.value

    return Metric(
        name=f"{order}_accuracy_strict",
        label=f"{order} accuracy, read as published",
        compute=compute,
        section=AS_PUBLISHED,
        needs_complete=False,
    )


def one_result_per_law(results: ResultSet) -> Sequence[AttemptResult]:
    """Results of pairs in whose rationales experts named laws: one for each law of a pair."""
    return [
        replace(one, tags={UX_LAW_TAG: law})
        for one in results
        for law in one.tags.get(UX_LAWS_TAG, "").split(_SEPARATOR)
        if law
    ]


def laws_tag(laws: Iterable[str | None]) -> dict[str, str]:
    found = _SEPARATOR.join(dict.fromkeys(law for law in laws if law))
    return {UX_LAWS_TAG: found} if found else {}


PAIR_CHANCE = TrivialBaseline("chance", "guessing", lambda results: None if is_control(results) else 0.5)
ORDER_ACCURACIES = (
    _order_metric("first", "winner first"),
    _order_metric("second", "winner second"),
    _order_metric("average", "average of both orders"),
    _order_metric("consistent", "both orders"),
)
POSITION_BIAS = _estimate_metric("position_preference", "position bias", _first_share, POSITION)
NOISE = _estimate_metric("noise", "trials differ", _noise, POSITION)
PAIR_PATTERNS = (
    _estimate_metric("skill", "skill", _skill),
    _estimate_metric("right_in_both", "right in both orders", _pattern("both_correct")),
    _estimate_metric("wrong_in_both", "wrong in both orders", _pattern("both_wrong")),
    _estimate_metric("first_in_both", "the first one in both orders", _pattern("first")),
    _estimate_metric("second_in_both", "the second one in both orders", _pattern("second")),
    _estimate_metric("unparsed_in_one", "not parsed in one of them", _pattern("unparsed")),
    Metric(
        name="both_by_chance",
        label="both by chance",
        compute=_chance_of_both,
        section=PATTERNS,
        higher_is_better=None,
        needs_complete=False,
    ),
    Metric(
        name="inconsistent",
        label="by position",
        compute=_inconsistent_share,
        section=PATTERNS,
        higher_is_better=False,
        needs_complete=False,
    ),
)
PAIR_METRICS = (
    replace(ACCURACY, compute=_accuracy, interval=_accuracy_interval),
    _unless_control(FIRST_TRY_ACCURACY),
    *ORDER_ACCURACIES,
    POSITION_BIAS,
    NOISE,
    *PAIR_PATTERNS,
    *(_published_metric(order) for order in _ORDERS),
)
