"""`motion/meaning`: what is asked, which replies interpret, and what they are judged against."""

from collections import Counter
from pathlib import Path

import pytest

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import UserError
from affordance.core.question import FreeText, Question
from affordance.core.requests import FinishReason, Response
from affordance.datasets import DatasetCollection
from affordance.tasks.motion import meaning
from affordance.tasks.motion.meaning import MEANING, correct_answer, describe_truth
from affordance.tasks.motion.meaning_judging import (
    MeaningReferences,
    held_out_response,
)
from errors import raises
from motion_data import (
    LESS,
    TEA,
    THINGS,
    WHOLE,
    WORDS,
    about,
    clip,
    expected_of,
    leaks,
    only_ask,
    outcome,
    prompt_of,
    questions_of,
    said,
    summed_up,
    write_clips,
    write_summaries,
)
from task_numbers import baselines_of, combined


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    return summed_up(tmp_path_factory.mktemp("summed"))


def test_clips_with_two_responses_are_asked_about(bare: DatasetCollection) -> None:
    found = questions_of(MEANING, bare, reference="individual")
    assert [question.item for question in found] == [f"item-{thing}" for thing in THINGS]
    assert {question.answer_format for question in found} == {FreeText()}
    assert len(questions_of(MEANING, bare, reference="individual", trials=2)) == 8
    assert len(questions_of(MEANING, bare, reference="individual", limit=3)) == 3


def test_what_is_asked(data: DatasetCollection) -> None:
    text = prompt_of(only_ask(MEANING, about(data, "tea")))
    assert text.index("Somebody buys tea.") < text.index("They tapped")
    assert "{" not in text


def test_what_people_said_stays_home(data: DatasetCollection) -> None:
    for question in questions_of(MEANING, data, reference="both"):
        expected = expected_of(question)
        hidden = [*expected.responses, expected.summary, expected.without, expected.foreign, question.item]
        assert None not in hidden
        assert leaks(only_ask(MEANING, question), *(text for text in hidden if text)) == []


def test_without_responses_there_is_nothing_to_ask(tmp_path: Path) -> None:
    data = write_clips(tmp_path, clip("few", meaning_responses=["Only one."]))
    with raises(UserError, "motion/meaning", 2, "meaning_responses", "'clips'"):
        questions_of(MEANING, data)


def test_a_missing_summary_is_the_users_to_get(bare: DatasetCollection) -> None:
    with raises(UserError, "'item-coal'", "--summarizer", "--reference individual"):
        questions_of(MEANING, bare)
    assert expected_of(about(bare, "tea", reference="individual")).summary is None


def test_the_latest_summary_counts_unless_a_summarizer_is_named(tmp_path: Path) -> None:
    data = write_clips(tmp_path, clip("tea"), clip("salt"), frames=6)
    write_summaries(data, "openai:m", "old {name}")
    write_summaries(data, "ollama:n", "other {name}")
    write_summaries(data, "openai:m", "new {name}")
    assert expected_of(about(data, "tea")).summary == "new tea"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meaning, "summary_prompt_digest", lambda prompts: prompts["summary"])
        of = {"prompts": {"summary": "pack"}}
        assert expected_of(about(data, "tea", summarizer="openai:m", **of)).without == "Less: new tea"
        assert expected_of(about(data, "tea", summarizer="ollama:n", **of)).summary == "other tea"
        with raises(UserError, "--summarizer"):
            questions_of(MEANING, data, summarizer="openai:m", prompts={"summary": "another prompt"})
    with raises(UserError, "--summarizer"):
        questions_of(MEANING, data, summarizer="openai:nobody")


def test_references_survive_being_text(data: DatasetCollection) -> None:
    for question in questions_of(MEANING, data, reference="both", judge_orders=2):
        expected = expected_of(question)
        assert MeaningReferences.from_text(expected.to_text()) == expected
        assert expected.to_text() == question.truth


ENDINGS = {
    "words": (Response("It was bought."), AttemptStatus.ANSWERED),
    "a word": (Response("Bought"), AttemptStatus.ANSWERED),
    "after thinking": (Response("<think>Hm</think>It was bought."), AttemptStatus.ANSWERED),
    "cut": (Response("It was bou", finish=FinishReason.LENGTH), AttemptStatus.ANSWERED),
    "an apology of the interface": (Response("Sorry, the password is wrong; try once more."), AttemptStatus.ANSWERED),
    "cut in thinking": (Response("<think>It was", finish=FinishReason.LENGTH), AttemptStatus.TRUNCATED),
    "thinking only": (Response("<think>It was bought."), AttemptStatus.UNPARSED),
    "empty": (Response(" \n"), AttemptStatus.UNPARSED),
    "refused": (Response("I'm sorry, but I can't help with that."), AttemptStatus.REFUSED),
    "does not see": (Response("Unfortunately I cannot see any images."), AttemptStatus.REFUSED),
    "refused by the provider": (Response(finish=FinishReason.REFUSAL), AttemptStatus.REFUSED),
    "failed": (Response(finish=FinishReason.ERROR, error="500"), AttemptStatus.FAILED),
    "unable": (Response(finish=FinishReason.UNSUPPORTED, error="no video"), AttemptStatus.SKIPPED),
}


@pytest.mark.parametrize(("reply", "ended"), ENDINGS.values(), ids=ENDINGS.keys())
def test_which_replies_interpret(data: DatasetCollection, reply: Response, ended: AttemptStatus) -> None:
    assert MEANING.score(about(data, "tea"), reply).status is ended


def plan(question: Question, *, own: bool = False) -> list[tuple[str, int, str, str]]:
    text = expected_of(question).held_out_text if own else WORDS
    return [
        (str(one.kind), one.index, one.answer, one.reference)
        for one in expected_of(question).comparisons(text, is_held_out=own)
    ]


def test_what_is_judged(data: DatasetCollection) -> None:
    question = about(data, "tea", reference="both")
    floor = ("floor", 0, expected_of(question).foreign, WHOLE)
    whole, each = ("summary", 0, WORDS, WHOLE), [("individual", n, WORDS, text) for n, text in enumerate(TEA)]
    assert plan(question) == [whole, *each, floor]
    assert plan(about(data, "tea")) == [whole, floor]
    found = plan(about(data, "tea", reference="individual"))
    assert found[:-1] == each
    assert found[-1][0] == "floor"
    assert found[-1][3] == TEA[0], "against what the headline is about, not against a summary"


@pytest.mark.parametrize("seed", range(6))
def test_a_person_is_judged_against_the_others_only(tmp_path: Path, seed: int) -> None:
    data = write_clips(tmp_path, clip("tea"), clip("salt"), frames=6)
    write_summaries(data, seed=seed)
    question = about(data, "tea", reference="both", seed=seed)
    place = expected_of(question).left_out
    own = expected_of(question).held_out_text
    assert own == TEA[place]
    found = plan(question, own=True)
    assert found[0] == ("summary", 0, own, LESS)
    assert found[1:-1] == [("individual", n, own, text) for n, text in enumerate(TEA) if n != place]
    assert found[-1][0] == "floor"
    assert not any(one[3] in (own, WHOLE) for one in found[:-1])


def test_every_response_is_left_out_for_some_clip_or_seed() -> None:
    places = Counter(held_out_response(clip(f"a{number}"), seed) for number in range(50) for seed in range(4))
    assert set(places) == {0, 1, 2}
    assert min(places.values()) > 40


def test_the_floor_is_another_clips_summary(data: DatasetCollection) -> None:
    for question in questions_of(MEANING, data):
        thing = question.item.removeprefix("item-")
        foreign = expected_of(question).foreign
        assert foreign in {f"{other} was put into the cart." for other in THINGS if other != thing}
    one, other = questions_of(MEANING, data, limit=2)
    assert expected_of(one).foreign == expected_of(other).summary, "of the clips that are asked about, and so summed up"


def test_the_floor_without_summaries_is_another_clips_response(bare: DatasetCollection) -> None:
    found = plan(about(bare, "tea", reference="individual"))
    assert found[-1][0] == "floor"
    assert found[-1][2] in {f"The {thing} is in the cart." for thing in THINGS if thing != "tea"}
    assert found[-1][3] == TEA[0]


def test_a_clip_alone_has_no_floor(tmp_path: Path) -> None:
    data = write_clips(tmp_path, clip("tea"), frames=6)
    (question,) = questions_of(MEANING, data, reference="individual")
    assert [one[0] for one in plan(question)] == ["individual"] * 3
    verdict = combined(MEANING, question, Response(WORDS), said(5, 4, 3))
    assert baselines_of(MEANING, [outcome(verdict)]) == {}


def test_the_ideal_is_what_it_is_judged_against(data: DatasetCollection, bare: DatasetCollection) -> None:
    assert correct_answer(about(data, "tea")) == WHOLE
    assert correct_answer(about(bare, "tea", reference="individual")) == TEA[0]
    assert describe_truth(about(data, "tea").truth) == WHOLE
    assert describe_truth(about(bare, "tea", reference="individual").truth) == "\n".join(TEA)
