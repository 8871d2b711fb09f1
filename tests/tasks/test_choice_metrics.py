"""Metrics of choices, worked by hand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.tasks.metrics import ACCURACY_OF_PARSED, CHOICE_METRICS, MACRO_F1, ResultSet, mean_score
from task_numbers import metrics_of


def outcome(truth: str, answer: str | None, ended: AttemptStatus | None = AttemptStatus.ANSWERED) -> AttemptResult:
    """An attempt that gave an answer, ended otherwise, or is pending (ended None)."""
    score = float(answer == truth) if answer is not None else None
    verdict = None if ended is None else Verdict(ended, answer, score)
    return AttemptResult(
        "attempt", "motion/effect", "m", "zero-shot", 0, "q", truth, truth, {}, truth, verdict, verdict
    )


RIGHT = outcome("a", "a")
WRONG = outcome("a", "b")
REFUSED = outcome("a", None, AttemptStatus.REFUSED)
UNPARSED = outcome("a", None, AttemptStatus.UNPARSED)
TRUNCATED = outcome("a", None, AttemptStatus.TRUNCATED)
FAILED = outcome("a", None, AttemptStatus.FAILED)
SKIPPED = outcome("a", None, AttemptStatus.SKIPPED)
PENDING = outcome("a", None, None)

ACCURACIES = {
    "nothing": ([], None, None),
    "all right": ([RIGHT, RIGHT], 1.0, 1.0),
    "one of two": ([RIGHT, WRONG], 0.5, 0.5),
    "refused counts as wrong": ([RIGHT, REFUSED], 0.5, 1.0),
    "unparsed counts as wrong": ([RIGHT, UNPARSED], 0.5, 1.0),
    "truncated counts as wrong": ([RIGHT, TRUNCATED], 0.5, 1.0),
    "failed does not count": ([RIGHT, FAILED], 1.0, 1.0),
    "skipped does not count": ([RIGHT, SKIPPED], 1.0, 1.0),
    "pending does not count": ([RIGHT, PENDING], 1.0, 1.0),
    "nothing to score": ([FAILED, SKIPPED, PENDING], None, None),
    "nothing but refusals": ([REFUSED, REFUSED], 0.0, None),
    "everything": ([RIGHT, RIGHT, WRONG, REFUSED, UNPARSED, TRUNCATED, FAILED, SKIPPED, PENDING], 2 / 6, 2 / 3),
}


@pytest.mark.parametrize(("outcomes", "headline", "flattering"), ACCURACIES.values(), ids=ACCURACIES.keys())
def test_accuracy(outcomes: list[AttemptResult], headline: float | None, flattering: float | None) -> None:
    assert mean_score(ResultSet(outcomes)) == headline
    assert ACCURACY_OF_PARSED.compute(ResultSet(outcomes)) == flattering


F1 = {
    "nothing": ([], None),
    "nothing to score": ([FAILED, SKIPPED, PENDING], None),
    "all right": ([outcome("a", "a"), outcome("b", "b")], 1.0),
    "all wrong": ([outcome("a", "b"), outcome("b", "a")], 0.0),
    # a: said 2, there 2, hit 1: 2/4. b: said 2, there 2, hit 1: 2/4.
    "half": ([outcome("a", "a"), outcome("a", "b"), outcome("b", "b"), outcome("b", "a")], 0.5),
    # a: said 3, there 3, hit 2: 4/6. b: said 1, there 2, hit 1: 2/3. c: said 1, there 1, hit 0: 0.
    "three classes": (
        [*[outcome("a", "a")] * 2, outcome("a", "c"), outcome("b", "b"), outcome("b", "a"), outcome("c", "")],
        (4 / 6 + 2 / 3 + 0) / 3,
    ),
    # A class that is never the truth has no F1, but it takes from the recall of the others: a: 2/(1+2).
    "an answer that is never true": ([outcome("a", "a"), outcome("a", "z")], 2 / 3),
    # Refusals are there but never said: a: 2/(1+2).
    "a refusal": ([RIGHT, REFUSED], 2 / 3),
    "failures change nothing": ([RIGHT, FAILED, SKIPPED, PENDING], 1.0),
}


@pytest.mark.parametrize(("outcomes", "expected"), F1.values(), ids=F1.keys())
def test_macro_f1(outcomes: list[AttemptResult], expected: float | None) -> None:
    assert MACRO_F1.compute(ResultSet(outcomes)) == (None if expected is None else pytest.approx(expected))


def test_confusion_has_a_column_for_no_answer() -> None:
    results = ResultSet([RIGHT, WRONG, WRONG, REFUSED, UNPARSED, TRUNCATED, FAILED, SKIPPED, PENDING])
    assert results.confusion == {
        ("a", "a"): 1,
        ("a", "b"): 2,
        ("a", ""): 3,
    }


def test_the_first_try_is_kept_apart_from_the_last() -> None:
    """A reply that was unreadable at first and right when asked again."""
    again = replace(RIGHT, first_verdict=Verdict(AttemptStatus.UNPARSED))
    metrics = metrics_of(CHOICE_METRICS, [again, RIGHT])
    assert metrics["accuracy"] == 1.0
    assert metrics["first_try_accuracy"] == 0.5


def test_nothing_to_score_is_none_and_not_nought() -> None:
    assert set(metrics_of(CHOICE_METRICS, [FAILED, PENDING]).values()) == {None}


some = st.sampled_from([RIGHT, WRONG, REFUSED, UNPARSED, TRUNCATED, FAILED, SKIPPED, PENDING, outcome("b", "b")])


@settings(max_examples=40)
@given(st.lists(some), st.randoms())
def test_shares_do_not_depend_on_the_order(outcomes: list[AttemptResult], random: object) -> None:
    mixed = list(outcomes)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    for one, other in zip(
        metrics_of(CHOICE_METRICS, outcomes).values(), metrics_of(CHOICE_METRICS, mixed).values(), strict=True
    ):
        assert one == (None if other is None else pytest.approx(other))
        assert one is None or 0 <= one <= 1
    headline, flattering = mean_score(ResultSet(outcomes)), ACCURACY_OF_PARSED.compute(ResultSet(outcomes))
    assert headline is None or flattering is None or headline <= flattering
