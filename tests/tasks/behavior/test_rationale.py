"""`behavior/rationale`: what is asked, which replies explain, and what the judge is asked about them."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.errors import UserError
from affordance.core.question import FreeText, Question, YesNo
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import DatasetCollection
from affordance.datasets.taxonomies import UX_LAWS
from affordance.tasks.answers import parse_yes_no
from affordance.tasks.behavior.rationale import RATIONALE, correct_answer, describe_truth, questions
from affordance.tasks.behavior.rationale_judging import (
    ALL_LAWS_ANSWER,
    JUDGE_PLAN,
    RationaleJudgement,
    RationaleScores,
    RationaleTruth,
    comparisons,
    parse_as_published,
)
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.strategies import request_judgement
from behavior_data import because, pair, write_pairs
from errors import raises
from task_numbers import combined, design_of, judgements_of

PROMPTS = load_prompt_pack(RATIONALE).texts
LARGER = because("The button is larger.", "Fitts’s Law")
SIDED = because("The right version is simpler.", "Hick’s Law", "The better version is simpler.")
GROUPED = because("The cards have borders.", "Law of Common Region")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    return write_pairs(
        tmp_path_factory.mktemp("explained"),
        pair("alpha", 0, rationales=[LARGER, SIDED], goal="People sign up."),
        pair("beta", 1, rationales=[GROUPED]),
        pair("unexplained", 1),
        pair("open", None, rationales=[GROUPED]),
    )


@pytest.fixture(scope="module")
def alpha(data: DatasetCollection) -> Question:
    return next(question for question in found(data) if question.item == "alpha")


def found(data: DatasetCollection, **changes: Any) -> list[Question]:
    return [trial.question for trial in questions(data, design_of(RATIONALE, **changes))]


def test_pairs_with_a_winner_and_reasons_are_asked_about_once(data: DatasetCollection) -> None:
    assert [question.item for question in found(data)] == ["alpha", "beta"]
    trials = list(questions(data, design_of(RATIONALE, trials=2)))
    assert Counter((trial.question.item, trial.trial) for trial in trials) == Counter(
        (item, number) for item in ("alpha", "beta") for number in (0, 1)
    )
    assert {name: protocol.trials for name, protocol in RATIONALE.protocols.items()} == {"affordance": 1, "paper": 1}


def test_the_winner_is_shown_second(data: DatasetCollection) -> None:
    for question, winner in zip(found(data), ("alpha-0.png", "beta-1.png"), strict=True):
        assert question.source_paths[question.media[1].source].name == winner
        assert "winner" not in question.tags


def test_one_ask_for_any_words(alpha: Question) -> None:
    steps = RATIONALE.strategies["zero-shot"](alpha, PROMPTS)
    (ask,) = next(steps)
    (message,) = ask.messages
    assert ask.answer_format == FreeText()
    assert message.parts[1:] == alpha.media
    assert "SECOND" in str(message.parts[0])
    assert "FIRST" not in str(message.parts[0])


def test_golden_id(alpha: Question) -> None:
    assert (alpha.axes, alpha.id) == ({"order": [1, 0]}, "e7d68ef39042222ed020501b2908bf2f")


def test_a_goal_can_be_shown(data: DatasetCollection) -> None:
    shown = found(data, goal="shown")
    assert ["People sign up." in question.prompt_fields["goal"] for question in shown] == [True, False]


def test_a_limit_counts_pairs_that_can_be_asked_about(data: DatasetCollection) -> None:
    assert len(found(data, limit=2)) == 2
    assert len(found(data, limit=1)) == 1


def test_without_rationales_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with raises(UserError, "behavior/rationale", "'pairs'"):
        found(write_pairs(tmp_path, pair("bare")))


ENDINGS = {
    "words": (Response("The button is larger."), AttemptStatus.ANSWERED),
    "a word": (Response("Larger"), AttemptStatus.ANSWERED),
    "after thinking": (Response("<think>Hm</think>The button."), AttemptStatus.ANSWERED),
    "cut": (Response("The button is lar", finish=FinishReason.LENGTH), AttemptStatus.ANSWERED),
    "begins with regret": (Response("Unfortunately, the first version hides its button."), AttemptStatus.ANSWERED),
    "regret, then all reasons": (
        Response("I'm sorry, I can't be sure, but: " + "it is larger. " * 30),
        AttemptStatus.ANSWERED,
    ),
    "cut in thinking": (Response("<think>The button", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED),
    "thinking only": (Response("<think>The button is larger."), AttemptStatus.UNPARSED),
    "empty": (Response(" \n"), AttemptStatus.UNPARSED),
    "refused": (Response("I'm sorry, but I cannot help with that."), AttemptStatus.REFUSED),
    "does not see": (Response("Unfortunately I can't see any images."), AttemptStatus.REFUSED),
    "refused by the provider": (Response(finish=FinishReason.REFUSAL), AttemptStatus.REFUSED),
    "failed": (Response(finish=FinishReason.ERROR, error="500"), AttemptStatus.FAILED),
}


@pytest.mark.parametrize(("reply", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_which_replies_explain(alpha: Question, reply: Response, ended: AttemptStatus) -> None:
    assert RATIONALE.score(alpha, reply).status is ended


def planned(question: Question, explanation: str = "It is larger.") -> list[tuple[str, str, str]]:
    return [
        (str(one.kind), one.explanation, one.rationale)
        for one in comparisons(RationaleTruth.from_text(question.truth), explanation)
    ]


def test_one_judgement_for_each_rationale_and_the_controls(alpha: Question) -> None:
    """A rationale that names a side is judged without it, and once more with it."""
    assert planned(alpha) == [
        ("rationale", "It is larger.", LARGER.reason),
        ("rationale", "It is larger.", SIDED.neutral),
        ("written", "It is larger.", SIDED.reason),
        ("foreign", "It is larger.", GROUPED.reason),
        ("laws", ALL_LAWS_ANSWER, LARGER.reason),
        ("laws", ALL_LAWS_ANSWER, SIDED.neutral),
    ]


def asked(question: Question, reply: Response) -> list[tuple[Question, Request]]:
    return [(one, next(request_judgement(one, PROMPTS))[0]) for one in judgements_of(RATIONALE, question, reply)]


def test_what_the_judge_is_asked(alpha: Question) -> None:
    judgements = asked(alpha, Response("<think>Simpler?</think>\nIt is larger. {text_b}"))
    assert len({question.id for question, _ in judgements}) == len(judgements) == 6
    assert alpha.id not in {question.id for question, _ in judgements}
    _, ask = judgements[0]
    text = str(ask.messages[0].parts[0])
    assert ask.answer_format == YesNo()
    assert ask.prompt_fields == {"text_a": "It is larger. {text_b}", "text_b": LARGER.reason}
    assert text.index("It is larger. {text_b}") < text.index(LARGER.reason)
    assert ask.images == ()
    assert "Simpler?" not in text


def test_the_judge_is_asked_about_the_laws_in_the_same_words_whoever_is_judged(alpha: Question) -> None:
    """So it is asked once for all models."""
    for one, other in zip(asked(alpha, Response("One.")), asked(alpha, Response("Other.")), strict=True):
        same = one[1].messages == other[1].messages
        assert same is (one[0].tags["judged"] == RationaleJudgement.LAWS)
        assert one[0].id == other[0].id


JUDGEMENTS = {
    "Yes": ("Yes", True, True),
    "No": ("No", False, False),
    "with a stop": ("Yes.", True, True),
    "quoted": ("'No'", False, False),
    "bold": ("**Yes**", True, True),
    "lower case": ("yes", True, False),
    "upper case": ("NO", False, False),
    "a reason with the other word": ("Yes. There is no doubt.", True, True),
    "a reason with the other word, in capitals": ("Yes. Statement 2 says No icon.", True, None),
    "the other word at once": ("Yes. No.", None, None),
    "the other word at once, as a determiner": ("Yes. No doubt.", True, None),
    "at the end": ("The first one speaks of size.\nYes", True, True),
    "answer at the end": ("It has No icon.\nAnswer: Yes", True, None),
    "inside of words": ("None of this is Noted. Yes", True, None),
    "thinking": ("<think>No, not so. Or No?</think>Yes", True, None),
    "both": ("Yes and No", None, None),
    "both with a slash": ("Yes/No", None, None),
    "contradiction": ("Yes.\nNo.", None, None),
    "a change of mind": ("No\nHm, they do say the same.\nYes", True, None),
    "no as a determiner": ("No idea, honestly.", None, False),
    "JSON": ('{"answer": "Yes", "reason": "No difference."}', True, None),
    "an answer block": ("<answer>Yes</answer>", True, True),
    "neither": ("Partly.", None, False),
    "empty": ("", None, False),
}


@pytest.mark.parametrize(("text", "ours", "as_published"), JUDGEMENTS.values(), ids=JUDGEMENTS.keys())
def test_reading_the_judge(alpha: Question, text: str, ours: bool | None, as_published: bool | None) -> None:
    assert parse_yes_no(text) is ours
    assert parse_as_published(text) is as_published
    verdict = JUDGE_PLAN.score(replace(alpha, answer_format=YesNo()), Response(text))
    assert verdict.status is (AttemptStatus.UNPARSED if ours is None else AttemptStatus.ANSWERED)
    assert verdict.detail == {"published": as_published}


@settings(max_examples=40)
@given(st.text())
def test_a_judge_may_say_anything(text: str) -> None:
    assert parse_yes_no(text) in (True, False, None)


def said(*texts: str) -> list[Verdict]:
    question = Question("t", "i", {}, (), {}, YesNo(), "", {})
    return [JUDGE_PLAN.score(replace(question, answer_format=YesNo()), Response(text)) for text in texts]


def test_the_conclusion_keeps_what_was_judged(alpha: Question) -> None:
    verdict = combined(RATIONALE, alpha, Response("It is so much larger."), said("Yes", "No", "Yes", "No", "Hm", "Yes"))
    assert (verdict.status, verdict.answer, verdict.score) == (AttemptStatus.ANSWERED, "1 of 2 rationales", 0.5)
    judged = RationaleScores.from_detail(verdict.detail)
    assert judged is not None
    assert [one.law for one in judged.rationales] == ["Fitts’s Law", "Hick’s Law"]
    assert [one.dimension for one in judged.rationales] == ["Action", "Action"], "known by the law"
    assert [one.found for one in judged.rationales] == [True, False]
    assert [one.written for one in judged.rationales] == [True, True]
    assert [one.published for one in judged.rationales] == [True, True]
    assert [one.laws for one in judged.rationales] == [None, True]
    assert (judged.foreign, judged.words) == ((False,), 5)


def test_an_ambiguous_judgement_is_not_a_match(alpha: Question) -> None:
    verdict = combined(RATIONALE, alpha, Response("Larger."), said("Yes and No", "Yes", "Yes", "No", "No", "No"))
    judged = RationaleScores.from_detail(verdict.detail)
    assert judged is not None
    assert verdict.score == 0.5
    assert [(one.found, one.published) for one in judged.rationales] == [(None, None), (True, True)]


def test_what_experts_wrote_is_the_truth_and_the_ideal(alpha: Question) -> None:
    assert RationaleTruth.from_text(alpha.truth).rationales == (LARGER, SIDED)
    assert correct_answer(alpha) == "The button is larger.\nThe better version is simpler."
    assert (
        describe_truth(alpha.truth)
        == "The button is larger. (Fitts’s Law)\nThe better version is simpler. (Hick’s Law)"
    )


def test_the_answer_that_names_every_law() -> None:
    assert all(ALL_LAWS_ANSWER.count(law.name) == 1 for law in UX_LAWS)
    assert len(ALL_LAWS_ANSWER.splitlines()) == 13
