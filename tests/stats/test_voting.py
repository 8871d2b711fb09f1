"""Majority votes: more than half of all voters, else an abstention."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.stats import Vote, vote
from errors import raises

# A letter is a voter's label, a dash an answer that cannot be read.
VOTES = {
    "one voter": ("a", Vote("a", 1, 1, True)),
    "one voter who says nothing": ("-", Vote(None, 0, 1, False)),
    "all alike": ("aaa", Vote("a", 3, 3, True)),
    "two of three": ("aba", Vote("a", 2, 3, False)),
    "half is not more than half": ("aabb", Vote(None, 2, 4, False)),
    "half, and the rest scattered": ("aabc", Vote(None, 2, 4, False)),
    "three ways": ("abc", Vote(None, 1, 3, False)),
    "five of nine": ("aaaaabbbb", Vote("a", 5, 9, False)),
    "four of nine, though most": ("aaaabbbcd", Vote(None, 4, 9, False)),
    # Of those that can be read all four say a, but they are not more than half of nine.
    "voters who say nothing are voters": ("aaaa-----", Vote(None, 4, 9, False)),
    "a majority with one that says nothing": ("aa-", Vote("a", 2, 3, False)),
    "nothing is not a label to win": ("---a", Vote(None, 1, 4, False)),
    "all say nothing": ("---", Vote(None, 0, 3, False)),
}


@pytest.mark.parametrize(("letters", "expected"), VOTES.values(), ids=[name.replace(" ", "-") for name in VOTES])
def test_votes(letters: str, expected: Vote) -> None:
    assert vote([None if letter == "-" else letter for letter in letters]) == expected


answers = st.lists(st.none() | st.sampled_from(["feedback", "hint", "mood"]), min_size=1, max_size=11)


@settings(max_examples=40)
@given(answers)
def test_against_counting_each_label(given_answers: list[str | None]) -> None:
    labels = sorted({answer for answer in given_answers if answer is not None})
    winners = [label for label in labels if given_answers.count(label) > len(given_answers) / 2]
    found = vote(given_answers)
    assert [found.label] == (winners or [None])
    assert found.votes == max((given_answers.count(label) for label in labels), default=0)
    assert found.unanimous == (len(set(given_answers)) == 1 and given_answers[0] is not None)


@settings(max_examples=40)
@given(answers, st.randoms(use_true_random=False))
def test_the_order_of_voters_does_not_matter(given_answers: list[str | None], shuffle: random.Random) -> None:
    mixed = list(given_answers)
    shuffle.shuffle(mixed)
    assert vote(mixed) == vote(given_answers)


@settings(max_examples=40)
@given(answers)
def test_one_more_voter_who_says_nothing_never_makes_a_majority(given_answers: list[str | None]) -> None:
    assert vote([*given_answers, None]).label in (vote(given_answers).label, None)


@pytest.mark.parametrize("nobody", [[], (), "", "feedback"])
def test_what_does_not_fit(nobody: list[str | None]) -> None:
    with raises(ValueError, repr(nobody)):
        vote(nobody)
