"""Metrics of choices between two designs, joined by pair: both orders of a pair belong together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from affordance.core.attempt import Outcome
from affordance.core.digest import Json
from affordance.core.names import STUDIES
from affordance.stats import (
    Accuracies,
    Accuracy,
    Answer,
    Estimate,
    Interval,
    Place,
    accuracies,
    chance_of_consistency,
    decompose,
    null_control,
    pair_shares,
)
from affordance.suites.metrics import accuracy, accuracy_intervals, counted, first_try_accuracy
from affordance.suites.task import Measured

CONTROL = "control"  # the tag of pairs that cannot be told apart
LAW = "UX law"  # the tag of a breakdown
LAWS = "UX laws"  # all of a pair
_BETWEEN = "; "
_PLACES: dict[str, Place] = {"First": "first", "Second": "second"}


def answers(outcomes: Sequence[Outcome]) -> list[Answer]:
    """What is scored of outcomes, as the statistics of position take it."""
    return [
        Answer(
            outcome.item,
            outcome.cluster,
            "first" if outcome.truth == "First" else "second",
            outcome.trial,
            _place(outcome),
        )
        for outcome in counted(outcomes)
    ]


def _place(outcome: Outcome) -> Place | None:
    said = outcome.verdict.answer if outcome.verdict is not None else None
    return _PLACES.get(said or "")


def pick_metrics(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    """Of two equal pictures neither is the right one: there is the preference for a place only."""
    whole = _in_both_orders(outcomes)
    if _is_control(outcomes):
        alone = null_control(whole) if whole else None
        return {"accuracy": None, "position_preference": None if alone is None else alone.value}
    metrics: dict[str, float | None] = {
        "accuracy": accuracy(outcomes),
        "first_try_accuracy": first_try_accuracy(outcomes),
    }
    if not whole:
        return metrics
    apart = decompose(whole)
    return {
        **metrics,
        **{name: one.share.value for name, one in _by_order(accuracies(whole), outcomes).items()},
        "position_preference": None if apart.preference is None else apart.preference.value,
        "noise": None if apart.noise is None else apart.noise.value,
    }


def pick_intervals(outcomes: Sequence[Outcome]) -> Mapping[str, Interval | None]:
    """That of accuracy is that of the average over both orders, where every pair has both: it is the same number."""
    whole = _in_both_orders(outcomes)
    if _is_control(outcomes):
        alone = null_control(whole) if whole else None
        return {"accuracy": None, "position_preference": None if alone is None else alone.interval}
    if not whole:
        return accuracy_intervals(outcomes)
    of, preference = accuracies(whole), decompose(whole).preference
    named = _by_order(of, outcomes) | ({"accuracy": of.average} if len(whole) == len(answers(outcomes)) else {})
    return {
        **accuracy_intervals(outcomes),
        **{name: one.share.interval for name, one in named.items()},
        "position_preference": None if preference is None else preference.interval,
    }


def pick_trials(outcomes: Sequence[Outcome]) -> Mapping[str, Json]:
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
        for name, one in (_by_order(accuracies(whole), outcomes) if whole else {}).items()
    }


def by_law(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes as breakdowns count them: a pair once for each law that experts saw at work in it."""
    apart = [
        replace(outcome, tags={LAW: law})
        for outcome in outcomes
        for law in outcome.tags.get(LAWS, "").split(_BETWEEN)
        if law
    ]
    return [*outcomes, *apart]


def laws_tag(laws: Iterable[str | None]) -> dict[str, str]:
    found = _BETWEEN.join(dict.fromkeys(law for law in laws if law))
    return {LAWS: found} if found else {}


def _is_control(outcomes: Sequence[Outcome]) -> bool:
    return bool(outcomes) and all(CONTROL in outcome.tags for outcome in outcomes)


def _by_order(found: Accuracies, outcomes: Sequence[Outcome]) -> dict[str, Accuracy]:
    """Consistent is who says the same in both orders: in a study nobody sees both."""
    named = {
        "first_accuracy": found.first,
        "second_accuracy": found.second,
        "average_accuracy": found.average,
        "consistent_accuracy": found.consistent,
    }
    return {name: one for name, one in named.items() if name != "consistent_accuracy" or not _are_people(outcomes)}


def _are_people(outcomes: Sequence[Outcome]) -> bool:
    return any(outcome.model.startswith(STUDIES) for outcome in outcomes)


def _in_both_orders(outcomes: Sequence[Outcome]) -> list[Answer]:
    """Answers of pairs that have one in each order; none where no trial has both, as a run may be interrupted."""
    found = answers(outcomes)
    by_trial = {(one.pair, one.trial, one.winner) for one in found}
    if not any({(one.pair, one.trial, "first"), (one.pair, one.trial, "second")} <= by_trial for one in found):
        return []
    both = {(one.pair, one.winner) for one in found}
    return [one for one in found if {(one.pair, "first"), (one.pair, "second")} <= both]


def pick_positions(outcomes: Sequence[Outcome]) -> Mapping[str, Measured]:
    """How much of the answer is position: skill, preference for the first place and noise, and the shares of pairs that
    are judged the same way in both orders, or by their place. Of two equal pictures there is the preference only. In a
    study nobody sees both orders."""
    whole = _in_both_orders(outcomes)
    if not whole or _are_people(outcomes):
        return {}
    if _is_control(outcomes):
        alone = null_control(whole)
        return {} if alone is None else {"preference": _measured(alone)}
    apart, kinds = decompose(whole), pair_shares(whole)
    named = {"skill": apart.skill, "preference": apart.preference, "noise": apart.noise}
    shares = {name: getattr(kinds, name) for name in ("right", "wrong", "first", "second", "unread")}
    found = {name: _measured(one) for name, one in {**named, **shares}.items() if one is not None}
    if apart.preference is not None:
        found["chance of both"] = chance_of_consistency(apart.preference.value), None, None
    return {**found, "flipping": (kinds.flipping, None, None)}


def _measured(one: Estimate) -> Measured:
    low, high = one.interval or (None, None)
    return one.value, low, high


def pick_floors(outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    return {} if _is_control(outcomes) else {"chance": 0.5}


def pick_compat(outcomes: Sequence[Outcome]) -> Mapping[str, float | None]:
    """As the released evaluator reads: the first marker and exactly the word; what differs is wrong."""
    whole = _in_both_orders([_strictly(outcome) for outcome in outcomes])
    found = _by_order(accuracies(whole), outcomes) if whole else {}
    return {f"{name}_strict": one.share.value for name, one in found.items()}


def _strictly(outcome: Outcome) -> Outcome:
    verdict = outcome.verdict
    if verdict is None or "strict" not in verdict.detail:
        return outcome
    strict = verdict.detail["strict"]
    return replace(outcome, verdict=replace(verdict, answer=strict if isinstance(strict, str) else None))
