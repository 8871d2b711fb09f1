"""Metrics of judged explanations, computed by hand."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.tasks.answers import Contained
from affordance.tasks.behavior.rationale import (
    RATIONALE,
    one_result_per_rationale,
    wording_metrics,
)
from affordance.tasks.behavior.rationale_judging import (
    RationaleCheck,
    RationaleScores,
    RationaleTruth,
    length_concordance,
)
from affordance.tasks.behavior.text_similarity import text_scores
from affordance.tasks.metrics import ResultSet, mean_score
from behavior_data import because, outcome
from task_numbers import baselines_of, errors_of, intervals_of, metrics_of, present, published_of

FITTS, PROXIMITY = ("Fitts’s Law", "Action"), ("Law of Proximity", "Perception")


def checked(found: Contained, law: tuple[str, str] = FITTS, **changes: Any) -> RationaleCheck:
    return RationaleCheck(*law, **{"found": found, "written": found, "published": found, "laws": False, **changes})


def judged(
    item: str, *rationales: RationaleCheck, foreign: tuple[Contained, ...] = (False,), words: int = 10
) -> AttemptResult:
    score = sum(one.found is True for one in rationales) / len(rationales)
    verdict = Verdict(AttemptStatus.ANSWERED, "", score, detail=RationaleScores(rationales, foreign, words).to_detail())
    return outcome(item, verdict, truth(len(rationales)))


def truth(rationales: int) -> str:
    return RationaleTruth(tuple(because(f"Reason {n}.", FITTS[0]) for n in range(rationales))).to_text()


def ended(item: str, how: AttemptStatus | None, rationales: int = 2) -> AttemptResult:
    return outcome(item, None if how is None else Verdict(how), truth(rationales))


# Of four pairs: three of three, one of two, none of one, and one ambiguous of one.
PAIRS = [
    judged("a", checked(True), checked(True), checked(True, PROXIMITY), foreign=(True,), words=90),
    judged("b", checked(True, laws=True), checked(False, PROXIMITY, written=True, published=True), words=50),
    judged("c", checked(False, laws=True), foreign=(), words=70),
    judged("d", checked(None, PROXIMITY, laws=None), foreign=(None,), words=50),
]


def test_accuracies_by_hand() -> None:
    assert metrics_of(RATIONALE, PAIRS) == {
        "accuracy": pytest.approx((1 + 1 / 2 + 0 + 0) / 4),
        "rationale_accuracy": pytest.approx(4 / 7),
        "instance_accuracy": 2 / 4,
        "ambiguous": pytest.approx(1 / 7),
        "length_concordance": pytest.approx((3 + (0 + 0.5)) / 5),
    }


def test_what_was_not_explained_found_nothing() -> None:
    refused = [
        ended("e", AttemptStatus.REFUSED, 3),
        ended("f", AttemptStatus.UNPARSED, 1),
        ended("g", AttemptStatus.TRUNCATED, 1),
    ]
    metrics = metrics_of(RATIONALE, [*PAIRS, *refused])
    assert metrics["rationale_accuracy"] == pytest.approx(4 / 12)
    assert metrics["instance_accuracy"] == pytest.approx(2 / 7)
    assert metrics["ambiguous"] == pytest.approx(1 / 12)


@pytest.mark.parametrize("how", [AttemptStatus.FAILED, AttemptStatus.SKIPPED, None], ids=str)
def test_what_was_not_scored_counts_nowhere(how: AttemptStatus | None) -> None:
    more = [*PAIRS, ended("e", how)]
    assert metrics_of(RATIONALE, more) == metrics_of(RATIONALE, PAIRS)
    assert published_of(RATIONALE, more) == published_of(RATIONALE, PAIRS)
    assert errors_of(RATIONALE, more) == errors_of(RATIONALE, PAIRS)
    assert baselines_of(RATIONALE, more) == baselines_of(RATIONALE, PAIRS)
    assert intervals_of(RATIONALE, more) == intervals_of(RATIONALE, PAIRS)


def test_as_published_ambiguous_judgements_are_dropped_and_sides_are_named() -> None:
    assert published_of(RATIONALE, PAIRS) == {
        "rationale_accuracy_published": pytest.approx(5 / 6),
        "instance_accuracy_published": 2 / 4,
        "rationale_accuracy_written": pytest.approx(5 / 7),
        "instance_accuracy_written": 2 / 4,
    }


def test_the_controls() -> None:
    """An ambiguous judgement of a control is no match either."""
    assert baselines_of(RATIONALE, PAIRS) == {
        "a rationale of another pair": pytest.approx(1 / 3),
        "an answer that names every law": pytest.approx((0 + 1 / 2 + 1 + 0) / 4),
    }


def test_what_is_missing_of_one_is_told() -> None:
    outcomes = [*PAIRS, ended("e", AttemptStatus.REFUSED)]
    shares = errors_of(RATIONALE, outcomes)
    assert shares == {
        "not found": pytest.approx((0 + 1 / 2 + 1 + 0) / 5),
        "judged ambiguously": pytest.approx(1 / 5),
        "no explanation": pytest.approx(1 / 5),
    }
    assert sum(shares.values()) + (mean_score(ResultSet(outcomes)) or 0) == pytest.approx(1)


def test_by_law_and_dimension() -> None:
    apart = one_result_per_rationale(
        ResultSet([*PAIRS, ended("e", AttemptStatus.REFUSED, 1), ended("f", AttemptStatus.FAILED, 1)])
    )
    assert len(apart) == 9
    by_law = {law: [one for one in apart if one.tags["law"] == law] for law, _ in (FITTS, PROXIMITY)}
    assert {law: mean_score(ResultSet(group)) for law, group in by_law.items()} == {
        FITTS[0]: pytest.approx(3 / 5),
        PROXIMITY[0]: 1 / 3,
    }
    assert [one.tags["dimension"] for one in by_law[PROXIMITY[0]]] == ["Perception"] * 3


def test_intervals_hold_their_values_and_know_the_clusters() -> None:
    found, metrics = intervals_of(RATIONALE, PAIRS), metrics_of(RATIONALE, PAIRS)
    assert {"accuracy", "rationale_accuracy", "instance_accuracy"} <= set(found)
    for name in set(found) & set(metrics):
        low, high = found[name] or (1.0, 0.0)
        assert low < (metrics[name] or 0) < high


def test_of_nothing() -> None:
    assert set(metrics_of(RATIONALE, []).values()) == {None}
    assert (
        intervals_of(RATIONALE, [])
        == present(published_of(RATIONALE, []))
        == errors_of(RATIONALE, [])
        == baselines_of(RATIONALE, [])
        == {}
    )


def test_wording_is_compared_with_every_rationale() -> None:
    one, other = ended("a", AttemptStatus.ANSWERED, 2), ended("b", AttemptStatus.ANSWERED, 1)
    said = {one.attempt_id: "Reason 0.", other.attempt_id: "Nothing."}
    scores = text_scores([("Reason 0.", "Reason 0."), ("Reason 0.", "Reason 1."), ("Nothing.", "Reason 0.")])
    found = wording_metrics([one, other, ended("c", AttemptStatus.FAILED)], said)
    assert found["rouge_l"] == pytest.approx(sum(score.rouge_l for score in scores) / 3)
    assert found["bleu_2"] == pytest.approx(sum(score.bleu_2 for score in scores) / 3)
    assert found["meteor"] is None


LENGTHS = {
    "the longer the better": ([(1, 0.0), (2, 0.5), (3, 1.0)], 1.0),
    "the shorter the better": ([(3, 0.0), (2, 0.5), (1, 1.0)], 0.0),
    "equally long": ([(2, 0.0), (2, 1.0)], 0.5),
    "equal scores say nothing": ([(1, 0.5), (2, 0.5)], None),
    "none": ([], None),
}


@pytest.mark.parametrize(("couples", "expected"), LENGTHS.values(), ids=LENGTHS.keys())
def test_length_and_score(couples: list[tuple[int, float]], expected: float | None) -> None:
    assert length_concordance(couples) == expected


COUPLES = st.lists(st.tuples(st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 1.0])), max_size=20)


@settings(max_examples=40)
@given(COUPLES, st.randoms(use_true_random=False))
def test_length_and_score_by_counting(couples: list[tuple[int, float]], chance: random.Random) -> None:
    compared = [(a, b) for a, score in couples for b, less in couples if score > less]
    agreeing = sum((a > b) + (a == b) / 2 for a, b in compared)
    expected = agreeing / len(compared) if compared else None
    assert length_concordance(chance.sample(couples, len(couples))) == pytest.approx(expected)
