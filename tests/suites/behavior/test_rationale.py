"""`behavior/rationale`: what is asked, which replies explain, and what the judge is asked about them."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.attempt import Ended, Verdict
from affordance.core.errors import UserError
from affordance.core.grammar import Words, YesNo
from affordance.core.question import Question
from affordance.datasets import Collection
from affordance.datasets.laws import LAWS
from affordance.suites.behavior.controls import EVERY_LAW
from affordance.suites.behavior.judging import (
    Expected,
    Judged,
    Kind,
    conclude_judgements,
    judge_questions,
    plan,
    read_as_published,
    read_judgement,
    read_yes_no,
)
from affordance.suites.behavior.rationale import RATIONALE, ideal, questions, read, told
from affordance.suites.prompts import load_pack
from affordance.suites.strategies import put_to_judge
from affordance.suites.task import Design, Order
from behavior_data import because, pair, write_pairs
from errors import raises

DESIGN = Design(trials=1, order=Order.BOTH, seed=0, fps=Fraction(10))
PROMPTS = load_pack(RATIONALE).texts
LARGER = because("The button is larger.", "Fitts’s Law")
SIDED = because("The right version is simpler.", "Hick’s Law", "The better version is simpler.")
GROUPED = because("The cards have borders.", "Law of Common Region")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    return write_pairs(
        tmp_path_factory.mktemp("explained"),
        pair("alpha", 0, rationales=[LARGER, SIDED], goal="People sign up."),
        pair("beta", 1, rationales=[GROUPED]),
        pair("unexplained", 1),
        pair("open", None, rationales=[GROUPED]),
    )


@pytest.fixture(scope="module")
def alpha(data: Collection) -> Question:
    return next(question for question in found(data) if question.item == "alpha")


def found(data: Collection, **changes: Any) -> list[Question]:
    return [trial.question for trial in questions(data, replace(DESIGN, **changes))]


def test_pairs_with_a_winner_and_reasons_are_asked_about_once(data: Collection) -> None:
    assert [question.item for question in found(data)] == ["alpha", "beta"]
    trials = list(questions(data, replace(DESIGN, trials=2)))
    assert Counter((trial.question.item, trial.number) for trial in trials) == Counter(
        (item, number) for item in ("alpha", "beta") for number in (0, 1)
    )
    assert {name: protocol.trials for name, protocol in RATIONALE.protocols.items()} == {"affordance": 1, "paper": 1}


def test_the_winner_is_shown_second(data: Collection) -> None:
    for question, winner in zip(found(data), ("alpha-0.png", "beta-1.png"), strict=True):
        assert question.files[question.pictures[1].source].name == winner
        assert "winner" not in question.tags


def test_one_ask_for_any_words(alpha: Question) -> None:
    steps = RATIONALE.strategies["zero-shot"](alpha, PROMPTS)
    (ask,) = next(steps)
    (message,) = ask.messages
    assert ask.grammar == Words()
    assert message.parts[1:] == alpha.pictures
    assert "SECOND" in str(message.parts[0])
    assert "FIRST" not in str(message.parts[0])


def test_golden_id(alpha: Question) -> None:
    assert (alpha.axes, alpha.id) == ({"order": [1, 0]}, "e7d68ef39042222ed020501b2908bf2f")


def test_a_goal_can_be_shown(data: Collection) -> None:
    shown = found(data, goal=True)
    assert ["People sign up." in question.fields["goal"] for question in shown] == [True, False]


def test_a_limit_counts_pairs_that_can_be_asked_about(data: Collection) -> None:
    assert len(found(data, limit=2)) == 2
    assert len(found(data, limit=1)) == 1


def test_without_rationales_there_is_nothing_to_ask(tmp_path: Path) -> None:
    with raises(UserError, "behavior/rationale", "'pairs'"):
        found(write_pairs(tmp_path, pair("bare")))


ENDINGS = {
    "words": (Reply("The button is larger."), Ended.ANSWERED),
    "a word": (Reply("Larger"), Ended.ANSWERED),
    "after thinking": (Reply("<think>Hm</think>The button."), Ended.ANSWERED),
    "cut": (Reply("The button is lar", finish=Finish.LENGTH), Ended.ANSWERED),
    "begins with regret": (Reply("Unfortunately, the first version hides its button."), Ended.ANSWERED),
    "regret, then all reasons": (Reply("I'm sorry, I can't be sure, but: " + "it is larger. " * 30), Ended.ANSWERED),
    "cut in thinking": (Reply("<think>The button", finish=Finish.LENGTH), Ended.TRUNCATED),
    "thinking only": (Reply("<think>The button is larger."), Ended.UNPARSED),
    "empty": (Reply(" \n"), Ended.UNPARSED),
    "refused": (Reply("I'm sorry, but I cannot help with that."), Ended.REFUSED),
    "does not see": (Reply("Unfortunately I can't see any images."), Ended.REFUSED),
    "refused by the provider": (Reply(finish=Finish.REFUSAL), Ended.REFUSED),
    "failed": (Reply(finish=Finish.ERROR, error="500"), Ended.FAILED),
}


@pytest.mark.parametrize(("reply", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_which_replies_explain(alpha: Question, reply: Reply, ended: Ended) -> None:
    assert read(alpha, reply).ended is ended


def planned(question: Question, explanation: str = "It is larger.") -> list[tuple[str, str, str]]:
    return [
        (str(one.kind), one.explanation, one.rationale) for one in plan(Expected.from_text(question.truth), explanation)
    ]


def test_one_judgement_for_each_rationale_and_the_controls(alpha: Question) -> None:
    """A rationale that names a side is judged without it, and once more with it."""
    assert planned(alpha) == [
        ("rationale", "It is larger.", LARGER.reason),
        ("rationale", "It is larger.", SIDED.neutral),
        ("written", "It is larger.", SIDED.reason),
        ("foreign", "It is larger.", GROUPED.reason),
        ("laws", EVERY_LAW, LARGER.reason),
        ("laws", EVERY_LAW, SIDED.neutral),
    ]


def asked(question: Question, reply: Reply) -> list[tuple[Question, Ask]]:
    return [(one, next(put_to_judge(one, PROMPTS))[0]) for one in judge_questions(question, reply)]


def test_what_the_judge_is_asked(alpha: Question) -> None:
    judgements = asked(alpha, Reply("<think>Simpler?</think>\nIt is larger. {text_b}"))
    assert len({question.id for question, _ in judgements}) == len(judgements) == 6
    assert alpha.id not in {question.id for question, _ in judgements}
    _, ask = judgements[0]
    text = str(ask.messages[0].parts[0])
    assert ask.grammar == YesNo()
    assert ask.fields == {"text_a": "It is larger. {text_b}", "text_b": LARGER.reason}
    assert text.index("It is larger. {text_b}") < text.index(LARGER.reason)
    assert ask.pictures == ()
    assert "Simpler?" not in text


def test_the_judge_is_asked_about_the_laws_in_the_same_words_whoever_is_judged(alpha: Question) -> None:
    """So it is asked once for all models."""
    for one, other in zip(asked(alpha, Reply("One.")), asked(alpha, Reply("Other.")), strict=True):
        same = one[1].messages == other[1].messages
        assert same is (one[0].tags["judged"] == Kind.LAWS)
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
    assert read_yes_no(text) is ours
    assert read_as_published(text) is as_published
    verdict = read_judgement(alpha, Reply(text))
    assert verdict.ended is (Ended.UNPARSED if ours is None else Ended.ANSWERED)
    assert verdict.detail == {"published": as_published}


@settings(max_examples=40)
@given(st.text())
def test_a_judge_may_say_anything(text: str) -> None:
    assert read_yes_no(text) in (True, False, None)


def said(*texts: str) -> list[Verdict]:
    question = Question("t", "i", {}, (), {}, YesNo(), "", {})
    return [read_judgement(question, Reply(text)) for text in texts]


def test_the_conclusion_keeps_what_was_judged(alpha: Question) -> None:
    verdict = conclude_judgements(alpha, Reply("It is so much larger."), said("Yes", "No", "Yes", "No", "Hm", "Yes"))
    assert (verdict.ended, verdict.answer, verdict.score) == (Ended.ANSWERED, "1 of 2 rationales", 0.5)
    judged = Judged.from_detail(verdict.detail)
    assert judged is not None
    assert [one.law for one in judged.rationales] == ["Fitts’s Law", "Hick’s Law"]
    assert [one.dimension for one in judged.rationales] == ["Action", "Action"], "known by the law"
    assert [one.found for one in judged.rationales] == [True, False]
    assert [one.written for one in judged.rationales] == [True, True]
    assert [one.published for one in judged.rationales] == [True, True]
    assert [one.laws for one in judged.rationales] == [None, True]
    assert (judged.foreign, judged.words) == ((False,), 5)


def test_an_ambiguous_judgement_is_not_a_match(alpha: Question) -> None:
    verdict = conclude_judgements(alpha, Reply("Larger."), said("Yes and No", "Yes", "Yes", "No", "No", "No"))
    judged = Judged.from_detail(verdict.detail)
    assert judged is not None
    assert verdict.score == 0.5
    assert [(one.found, one.published) for one in judged.rationales] == [(None, None), (True, True)]


def test_what_experts_wrote_is_the_truth_and_the_ideal(alpha: Question) -> None:
    assert Expected.from_text(alpha.truth).rationales == (LARGER, SIDED)
    assert ideal(alpha, Words()) == "The button is larger.\nThe better version is simpler."
    assert ideal(alpha, YesNo()) is None
    assert told(alpha.truth) == "The button is larger. (Fitts’s Law)\nThe better version is simpler. (Hick’s Law)"


def test_the_answer_that_names_every_law() -> None:
    assert all(EVERY_LAW.count(law.name) == 1 for law in LAWS)
    assert len(EVERY_LAW.splitlines()) == 13
