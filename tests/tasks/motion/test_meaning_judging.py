"""`motion/meaning`: what the judge is asked, what comes of its judgements, and the metrics, worked by hand."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.question import Question, RatingScale
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import DatasetCollection
from affordance.evaluation.attempts import conclude_judged_attempt
from affordance.stats import wilson_interval
from affordance.tasks.answers import write_rating
from affordance.tasks.motion import meaning_judging
from affordance.tasks.motion.meaning import (
    MEANING,
)
from affordance.tasks.motion.meaning_judging import (
    PERSON_BASELINE,
    MeaningScores,
    mean_rating,
)
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.scoring import JudgedAnswer
from affordance.tasks.strategies import request_judgement
from errors import assert_carries
from motion_data import (
    WHOLE,
    WORDS,
    about,
    clip,
    expected_of,
    leaks,
    outcome,
    prompt_of,
    questions_of,
    said,
    summed_up,
    write_clips,
)
from task_numbers import baselines_of, combined, errors_of, intervals_of, judgements_of, metrics_of


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    return summed_up(tmp_path_factory.mktemp("summed"))


def judgements(question: Question, reply: Response) -> list[tuple[Question, Request]]:
    return [
        (one, next(request_judgement(one, load_prompt_pack(MEANING).texts))[0])
        for one in judgements_of(MEANING, question, reply)
    ]


def test_what_the_judge_is_asked(data: DatasetCollection) -> None:
    for one, ask in judgements(about(data, "tea"), Response(f"<think>Hm.</think> {WORDS}\n")):
        first, second = ask.prompt_fields["text_a"], ask.prompt_fields["text_b"]
        assert prompt_of(ask).rindex(first) < prompt_of(ask).rindex(second)
        assert "{text_" not in prompt_of(ask)
        assert '"score"' in prompt_of(ask)
        assert '"reason"' in prompt_of(ask)
        assert ask.answer_format == RatingScale(0, 5)
        assert ask.images == ()
        if one.tags["judged"] == "summary":
            assert {first, second} == {WORDS, WHOLE}, "without thinking"
        assert leaks(ask, "item-tea", "Hm.", "openai") == []


def test_sides_are_balanced_over_responses_and_random_over_clips(tmp_path: Path) -> None:
    ten = [f"Response {number}." for number in range(10)]
    clips = [clip(f"a{number:02}", meaning_responses=ten) for number in range(40)]
    data = write_clips(tmp_path, *clips, frames=1)
    firsts = Counter()  # type: Counter[int]
    for question in questions_of(MEANING, data, reference="individual"):
        sides = [
            one.axes["side"] for one, _ in judgements(question, Response(WORDS)) if one.tags["judged"] == "individual"
        ]
        assert sides in ([0, 1] * 5, [1, 0] * 5)
        firsts[int(str(sides[0]))] += 1
        for one, ask in judgements(question, Response(WORDS)):
            if one.tags["judged"] == "individual":
                assert ask.prompt_fields["text_a" if one.axes["side"] == 0 else "text_b"] == WORDS
    assert 8 <= firsts[0] <= 32


def test_both_orders_on_request(data: DatasetCollection) -> None:
    both = {"reference": "both"}
    once = judgements(about(data, "tea", **both), Response(WORDS))
    twice = judgements(about(data, "tea", judge_orders=2, **both), Response(WORDS))
    assert (len(once), len(twice)) == (5, 10)
    assert {one.id for one, _ in once} < {one.id for one, _ in twice}, "what was judged in one order need not be again"
    for (one, ask), (other, swapped) in zip(twice[::2], twice[1::2], strict=True):
        assert {one.axes["side"], other.axes["side"]} == {0, 1}
        assert (one.axes["judged"], one.axes["reference"]) == (other.axes["judged"], other.axes["reference"])
        assert (ask.prompt_fields["text_a"], ask.prompt_fields["text_b"]) == (
            swapped.prompt_fields["text_b"],
            swapped.prompt_fields["text_a"],
        )


def test_the_floor_is_judged_once_for_all_models_and_cues(data: DatasetCollection) -> None:
    """The judge is asked the same words, which is asked once."""
    floors = {
        prompt_of(ask)
        for cues in ((), ("context",))
        for words in ("One thing.", "Another.")
        for one, ask in judgements(about(data, "tea", cues=(cues,)), Response(words))
        if one.tags["judged"] == "floor"
    }
    assert len(floors) == 1


def test_reading_a_judgement(data: DatasetCollection) -> None:
    question = judgements_of(MEANING, about(data, "tea"), Response(WORDS))[0]
    verdict = meaning_judging.JUDGE_PLAN.score(question, Response('```json\n{"score": 4, "reason": "x"}\n```'))
    assert (verdict.status, verdict.answer, verdict.score) == (AttemptStatus.ANSWERED, "4", 0.8)
    broken = meaning_judging.JUDGE_PLAN.score(question, Response("They agree."))
    assert broken.status is AttemptStatus.UNPARSED
    assert_carries(broken.reason, '"score"', 0, 5)
    assert (
        meaning_judging.JUDGE_PLAN.score(question, Response(finish=FinishReason.ERROR, error="500")).status
        is AttemptStatus.FAILED
    )


def judged_of(verdict: Verdict) -> MeaningScores:
    found = MeaningScores.from_detail(verdict.detail)
    assert found is not None
    return found


def test_a_score_is_measured_from_the_lower_end(data: DatasetCollection, monkeypatch: pytest.MonkeyPatch) -> None:
    """A scale whose least is 1 has a share of 0 there."""
    monkeypatch.setattr(meaning_judging, "MEANING_SCALE", RatingScale(1, 5))
    question = about(data, "tea", reference="both")
    one = judgements_of(MEANING, question, Response(WORDS))[0]
    assert [meaning_judging.JUDGE_PLAN.score(one, Response(write_rating(score, "x"))).score for score in (1, 4, 5)] == [
        0.0,
        0.75,
        1.0,
    ]
    assert combined(MEANING, question, Response(WORDS), said(1, 5, 3, 1, 1)).score == 0.0


def test_the_conclusion_is_the_score_against_the_summary(data: DatasetCollection) -> None:
    question = about(data, "tea", reference="both")
    verdict = combined(MEANING, question, Response(WORDS), said(4, 5, 3, 0, 1))
    assert (verdict.status, verdict.answer, verdict.score) == (AttemptStatus.ANSWERED, "4.00 of 5", 0.8)
    assert judged_of(verdict) == MeaningScores(((4,),), ((5,), (3,), (0,)), ((1,),), words=5)


def test_without_a_summary_it_is_the_mean_over_responses(data: DatasetCollection) -> None:
    verdict = combined(MEANING, about(data, "tea", reference="individual"), Response(WORDS), said(5, 3, 0, 1))
    assert verdict.score == pytest.approx(8 / 3 / 5)
    assert verdict.answer == "2.67 of 5"


def test_two_orders_count_as_their_mean(data: DatasetCollection) -> None:
    verdict = combined(MEANING, about(data, "tea", judge_orders=2), Response(WORDS), said(4, 1, 0, 0))
    assert verdict.score == 0.5
    assert judged_of(verdict).summary == ((4, 1),)


def test_a_judgement_that_cannot_be_read_is_left_out(data: DatasetCollection) -> None:
    question = about(data, "tea", reference="individual", judge_orders=2)
    verdict = combined(MEANING, question, Response(WORDS), said(5, None, None, None, 2, 4, 0, None))
    assert judged_of(verdict).individual == ((5, None), (None, None), (2, 4))
    assert verdict.score == pytest.approx((5 + 3) / 2 / 5)


NOT_SCORED: dict[str, tuple[dict[str, Any], tuple[int | None, ...], bool]] = {
    "against the summary": ({}, (None, 3), True),
    "a floor": ({}, (3, None), False),
    "one order": ({"judge_orders": 2}, (3, None, 1, 1), True),
    "one response": ({"reference": "individual"}, (3, None, 4, 1), True),
    "one response next to a summary": ({"reference": "both"}, (3, 4, None, 4, 1), False),
}


@pytest.mark.parametrize(("changes", "scores", "is_missing"), NOT_SCORED.values(), ids=NOT_SCORED.keys())
def test_an_attempt_whose_score_cannot_be_read_is_not_scored(
    data: DatasetCollection, changes: dict[str, Any], scores: tuple[int | None, ...], is_missing: bool
) -> None:
    verdict = conclude_judged_attempt(
        about(data, "tea", **changes), meaning_judging.JUDGE_PLAN, JudgedAnswer(WORDS, "m"), said(*scores)
    )
    assert verdict.status is (AttemptStatus.FAILED if is_missing else AttemptStatus.ANSWERED)
    assert (verdict.counted_score is None) is is_missing
    assert (metrics_of(MEANING, [outcome(verdict)])["score"] is None) is is_missing


def test_a_person_is_concluded_about_by_their_own_plan(data: DatasetCollection) -> None:
    question = about(data, "tea", reference="both")
    reply = Response(expected_of(question).held_out_text)
    count = len(judgements_of(MEANING, question, reply, PERSON_BASELINE))
    assert count == 4
    verdict = combined(MEANING, question, reply, said(3, 1, 2, 0), PERSON_BASELINE)
    assert (judged_of(verdict).summary, judged_of(verdict).individual) == (((3,),), ((1,), (2,)))


MEANS: dict[str, tuple[tuple[tuple[int | None, ...], ...], float | None]] = {
    "one": (((4,),), 4.0),
    "over references": (((4,), (1,)), 2.5),
    "over orders first": (((4, 2), (5, None)), 4.0),
    "left out": (((None,), (2,)), 2.0),
    "all left out": (((None, None),), None),
    "none": ((), None),
}


@pytest.mark.parametrize(("scores", "mean"), MEANS.values(), ids=MEANS.keys())
def test_means(scores: tuple[tuple[int | None, ...], ...], mean: float | None) -> None:
    assert mean_rating(scores) == mean


def verdict_of(*scores: int | None, individual: tuple[tuple[int | None, ...], ...] = (), floor: int = 1) -> Verdict:
    """As `conclude_judgements` does, of scores against the summary in each order."""
    judged = MeaningScores((scores,), individual, ((floor,),), words=3)
    mean = mean_rating(judged.headline_ratings())
    assert mean is not None
    return Verdict(AttemptStatus.ANSWERED, f"{mean:.2f} of 5", mean / 5, detail=judged.to_detail())


def test_metrics_by_hand() -> None:
    """Scores 5, 3.5, 0 and an unparsed 0; one failed."""
    verdicts = [
        verdict_of(5, 5, individual=((4, 4), (2, 2)), floor=0),
        verdict_of(3, 4, individual=((1, 2), (None, 2)), floor=2),
        verdict_of(0, 0, floor=1),
        Verdict(AttemptStatus.UNPARSED),
        Verdict(AttemptStatus.FAILED),
        None,
    ]
    outcomes = [outcome(verdict, item=str(number)) for number, verdict in enumerate(verdicts)]
    found = metrics_of(MEANING, outcomes)
    mean = (5 + 3.5 + 0 + 0) / 4
    assert found == {
        "accuracy": pytest.approx(mean / 5),
        "score": pytest.approx(mean),
        "score_sd": pytest.approx(((5 - mean) ** 2 + (3.5 - mean) ** 2 + 2 * mean**2) ** 0.5 / 3**0.5),
        "score_individual": pytest.approx(((4 + 2) / 2 + (1.5 + 2) / 2) / 2),
        "unrelated": pytest.approx(1 / 3),  # of those that were judged
        "judge_disagreement": pytest.approx(2 / 6),  # of six in both orders that were read, 3/4 and 1/2 differ
        "judge_unread": pytest.approx(1 / 14),
    }
    assert [one.name for one in MEANING.metrics if one.in_breakdowns] == ["accuracy", "score", "unrelated"]
    assert baselines_of(MEANING, outcomes) == {"another clip's summary": pytest.approx(1 / 5)}
    assert errors_of(MEANING, outcomes) == {
        "scored 4": 0.25,  # 3.5, half upwards
        "scored 3": 0.0,
        "scored 2": 0.0,
        "scored 1": 0.0,
        "scored 0": 0.5,
    }


def test_the_interval_is_that_of_graded_scores() -> None:
    """Scores of 3 and 4 of 5 vary less than right and wrong would with the same mean: less than half as much here."""
    scores = [3, 3, 4] * 20
    found = intervals_of(MEANING, [outcome(verdict_of(score, score), item=str(n)) for n, score in enumerate(scores)])
    low, high = found["accuracy"] or (1.0, 0.0)
    mean = sum(scores) / len(scores) / 5
    alike = wilson_interval(mean, len(scores))
    assert low < mean < high
    assert high - low < (alike[1] - alike[0]) / 2
    assert found["score"] == (5 * low, 5 * high)


def test_metrics_of_nothing() -> None:
    assert set(metrics_of(MEANING, []).values()) == {None}
    assert metrics_of(MEANING, [outcome(verdict_of(3))])["score_sd"] is None
    assert metrics_of(MEANING, [outcome(verdict_of(3))])["judge_disagreement"] is None, "in one order nobody can tell"
    assert errors_of(MEANING, []) == {}
    assert baselines_of(MEANING, []) == {}


@pytest.mark.parametrize("scores", [(5, 5, 5), (0, 1, 2, 3, 4, 5), (4,), (0,)])
def test_the_histogram_adds_up(scores: tuple[int, ...]) -> None:
    shares = errors_of(MEANING, [outcome(verdict_of(score), item=str(n)) for n, score in enumerate(scores)])
    assert 1 - sum(shares.values()) == pytest.approx(scores.count(5) / len(scores)), "what is left is right"
    for score in range(5):
        assert shares[f"scored {score}"] == pytest.approx(scores.count(score) / len(scores))
