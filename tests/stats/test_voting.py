"""Majority votes: more than half of all voters, else an abstention."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.stats import MajorityVote, majority_vote
from errors import raises

# A letter is a voter's label, a dash an answer that cannot be read.
VOTES = {
    "one voter": ("a", MajorityVote("a", 1, 1, True)),
    "one voter who says nothing": ("-", MajorityVote(None, 0, 1, False)),
    "all alike": ("aaa", MajorityVote("a", 3, 3, True)),
    "two of three": ("aba", MajorityVote("a", 2, 3, False)),
    "half is not more than half": ("aabb", MajorityVote(None, 2, 4, False)),
    "half, and the rest scattered": ("aabc", MajorityVote(None, 2, 4, False)),
    "three ways": ("abc", MajorityVote(None, 1, 3, False)),
    "five of nine": ("aaaaabbbb", MajorityVote("a", 5, 9, False)),
    "four of nine, though most": ("aaaabbbcd", MajorityVote(None, 4, 9, False)),
    # Of those that can be read all four say a, but they are not more than half of nine.
    "voters who say nothing are voters": ("aaaa-----", MajorityVote(None, 4, 9, False)),
    "a majority with one that says nothing": ("aa-", MajorityVote("a", 2, 3, False)),
    "nothing is not a label to win": ("---a", MajorityVote(None, 1, 4, False)),
    "all say nothing": ("---", MajorityVote(None, 0, 3, False)),
}


@pytest.mark.parametrize(("letters", "expected"), VOTES.values(), ids=[name.replace(" ", "-") for name in VOTES])
def test_votes(letters: str, expected: MajorityVote) -> None:
    assert majority_vote([None if letter == "-" else letter for letter in letters]) == expected


answers = st.lists(st.none() | st.sampled_from(["feedback", "hint", "mood"]), min_size=1, max_size=11)


@settings(max_examples=40)
@given(answers)
def test_against_counting_each_label(given_answers: list[str | None]) -> None:
    labels = sorted({answer for answer in given_answers if answer is not None})
    winners = [label for label in labels if given_answers.count(label) > len(given_answers) / 2]
    found = majority_vote(given_answers)
    assert [found.label] == (winners or [None])
    assert found.votes == max((given_answers.count(label) for label in labels), default=0)
    assert found.unanimous == (len(set(given_answers)) == 1 and given_answers[0] is not None)


@settings(max_examples=40)
@given(answers, st.randoms(use_true_random=False))
def test_the_order_of_voters_does_not_matter(given_answers: list[str | None], shuffle: random.Random) -> None:
    mixed = list(given_answers)
    shuffle.shuffle(mixed)
    assert majority_vote(mixed) == majority_vote(given_answers)


@settings(max_examples=40)
@given(answers)
def test_one_more_voter_who_says_nothing_never_makes_a_majority(given_answers: list[str | None]) -> None:
    assert majority_vote([*given_answers, None]).label in (majority_vote(given_answers).label, None)


@pytest.mark.parametrize("nobody", [[], (), "", "feedback"])
def test_what_does_not_fit(nobody: list[str | None]) -> None:
    with raises(ValueError, repr(nobody)):
        majority_vote(nobody)
