"""Which of two designs of one's own: what is asked, what the replies come to, and the laws in their reasons."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.attempts import AttemptStatus
from affordance.core.errors import UserError
from affordance.core.requests import FinishReason, Response
from affordance.datasets import Dataset, DatasetCollection, DatasetHeader, DesignPair
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.design_preference import (
    PREFERENCE,
    DesignLetter,
    DesignVote,
    chosen_design,
    design_pair,
    infer_preference,
)
from affordance.tasks.behavior.response_sentences import label_designs, split_sentences
from affordance.tasks.prompts import load_prompt_pack
from errors import raises
from task_numbers import design_of

DESIGN = design_of(PREFERENCE, trials=3)


def draw(path: Path, shade: int) -> Path:
    path.write_bytes(cv2.imencode(".png", np.full((20, 30, 3), shade, np.uint8))[1].tobytes())
    return path


@pytest.fixture
def designs(tmp_path: Path) -> tuple[Path, Path]:
    return draw(tmp_path / "old.png", 10), draw(tmp_path / "new.png", 200)


# What is asked


def test_both_orders_over_trials_without_a_truth(designs: tuple[Path, Path]) -> None:
    trials = list(PREFERENCE.questions(design_pair(*designs, None), DESIGN))
    assert [(one.question.tags["first"], one.trial) for one in trials] == [(d, t) for d in "AB" for t in range(3)]
    a_first, b_first = trials[0].question, trials[3].question
    assert a_first.media == b_first.media[::-1]
    assert {one.question.truth for one in trials} == {""}


@pytest.mark.parametrize("goal", [None, "More people sign up"])
def test_it_is_asked_in_the_words_of_the_benchmark(designs: tuple[Path, Path], goal: str | None) -> None:
    (own,) = {one.question.prompt_fields["goal"] for one in PREFERENCE.questions(design_pair(*designs, goal), DESIGN)}
    design = design_of(CHOICE, trials=3, goal="shown" if goal is not None else "hidden")
    (published,) = {one.question.prompt_fields["goal"] for one in CHOICE.questions(decided(designs, goal), design)}
    assert own == published
    assert load_prompt_pack(PREFERENCE).texts["zero-shot"] == load_prompt_pack(CHOICE).texts["zero-shot"]


def decided(designs: tuple[Path, Path], goal: str | None) -> DatasetCollection:
    header = DatasetHeader(format=1, kind="pair", name="pairs", licence="unknown", provenance="", synthetic=True)
    pair = DesignPair(id="1", images=["a", "b"], winner=0, goal=goal)
    return DatasetCollection.single(
        Dataset(designs[0].parent, header, (pair,), media_paths=dict(zip("ab", designs, strict=True)))
    )


def test_the_same_pictures_are_the_same_item_under_any_name(designs: tuple[Path, Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy.png"
    copy.write_bytes(designs[0].read_bytes())
    digests = [
        design_pair(one, designs[1], goal).to_record()["digest"]
        for one in (designs[0], copy)
        for goal in (None, "A goal")
    ]
    assert digests[:2] == digests[2:]
    assert digests[0] != digests[1], "the goal counts"


def test_what_cannot_be_chosen_between_is_told(designs: tuple[Path, Path], tmp_path: Path) -> None:
    words = tmp_path / "words.png"
    words.write_text("no picture")
    same = draw(tmp_path / "same.png", 10)
    for other in (tmp_path, tmp_path / "x.png", words, same):
        with raises(UserError, other):
            design_pair(designs[0], other, None)


# What the replies come to


def test_a_reply_is_read_and_not_scored(designs: tuple[Path, Path]) -> None:
    question = next(PREFERENCE.questions(design_pair(*designs, None), DESIGN)).question
    verdict = PREFERENCE.score(question, Response("It is plain.\nMore effective: Second"))
    assert (verdict.status, verdict.answer, verdict.score) == (AttemptStatus.ANSWERED, "Second", None)
    assert PREFERENCE.score(question, Response("Both are good.")).status is AttemptStatus.UNPARSED
    assert PREFERENCE.score(question, Response(finish=FinishReason.ERROR, error="down")).status is AttemptStatus.FAILED


def test_the_word_stands_for_the_design_in_that_place() -> None:
    assert [chosen_design("A", "First"), chosen_design("A", "Second")] == ["A", "B"]
    assert [chosen_design("B", "First"), chosen_design("B", "Second")] == ["B", "A"]
    assert chosen_design("A", None) is None


def replies(when_a_first: str, when_b_first: str) -> list[DesignVote]:
    """A letter for each trial: what was chosen; - where that cannot be read."""
    told: Sequence[tuple[DesignLetter, str]] = (("A", when_a_first), ("B", when_b_first))
    chosen: dict[str, DesignLetter | None] = {"A": "A", "B": "B", "-": None}
    return [DesignVote(first, trial, chosen[one]) for first, text in told for trial, one in enumerate(text)]


VERDICTS = {
    "always A": ("AAA", "AAA", "A", 0, 3),
    "always B": ("BBB", "BBB", "B", 0, 3),
    "always the first place": ("AAA", "BBB", None, 3, 3),
    "always the second place": ("BBB", "AAA", None, 3, 3),
    "A, and the first place": ("AAA", "AAB", "A", 1, 3),
    "evenly split, and all by place": ("AAB", "BBA", None, 3, 3),
    "one trial is never enough": ("A", "A", None, 0, 1),
    "two that agree are": ("AA", "AA", "A", 0, 2),
    "unreadable": ("---", "---", None, 0, 0),
    "one order only": ("AAA", "---", None, 0, 0),
    "nothing": ("", "", None, 0, 0),
}


@pytest.mark.parametrize(("one", "other", "verdict", "by_place", "both"), VERDICTS.values(), ids=VERDICTS.keys())
def test_the_verdict(one: str, other: str, verdict: DesignLetter | None, by_place: int, both: int) -> None:
    found = infer_preference(replies(one, other))
    assert (found.verdict, found.by_place, found.both) == (verdict, by_place, both)
    assert found.unread == (one + other).count("-")
    assert found.votes("A") + found.votes("B") == found.read == len(one + other) - found.unread


@settings(max_examples=40)
@given(st.text("AB-", max_size=6), st.text("AB-", max_size=6))
def test_renaming_the_designs_renames_the_verdict(one: str, other: str) -> None:
    swap = str.maketrans("AB", "BA")
    found, back = (
        infer_preference(replies(one, other)),
        infer_preference(replies(other.translate(swap), one.translate(swap))),
    )
    assert {found.verdict, back.verdict} in ({None}, {"A", "B"})
    assert found.probability == pytest.approx(1 - back.probability)
    assert (found.first_place, found.by_place) == (back.first_place, back.by_place)


# Reasons


def test_sentences_are_plain_and_without_the_answer() -> None:
    text = (
        "<think>The first is mine to take here.</think>## Main differences\n\n1. **Button**: it is *larger* now. "
        "It also stands out!\n- Colour\n- The header is\x1b[31m calmer here.\nWhy so:\n\nMore effective: First"
    )
    assert split_sentences(text) == [
        "Button: it is larger now.",
        "It also stands out!",
        "The header is [31m calmer here.",
    ]


LETTERED = {
    "The first version is larger.": "The first version [B] is larger.",
    "the Second design’s button": "the Second design’s [A] button",
    "Version 2 is calmer than version 1.": "Version 2 [A] is calmer than version 1 [B].",
    "Users first see the header.": "Users first see the header.",
}


@pytest.mark.parametrize(("sentence", "lettered"), LETTERED.items())
def test_places_get_the_letter_of_the_design_that_was_there(sentence: str, lettered: str) -> None:
    assert label_designs(sentence, "B", "A") == lettered


@settings(max_examples=40)
@given(st.text(max_size=300))
def test_any_reply_has_sentences_of_one_printable_line(text: str) -> None:
    assert all(sentence.isprintable() for sentence in split_sentences(text))
