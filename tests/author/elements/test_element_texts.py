"""Which texts are much the same: by known ratios, and against a plain way to compute them."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.elements.texts import LETTERS, MOST_WORDS, alike_texts, is_numeric, words_of


def common(one: str, other: str) -> int:
    """The length of the longest common subsequence, row by row."""
    row = [0] * (len(other) + 1)
    for letter in one:
        above = row
        row = [0]
        for place, another in enumerate(other):
            row.append(above[place] + 1 if letter == another else max(above[place + 1], row[place]))
    return row[-1]


def plain(one: str, other: str) -> float:
    """The token set ratio as it is defined."""
    a, b = set(words_of(one)), set(words_of(other))
    if not a or not b:
        return 0.0
    both, rest_a, rest_b = (" ".join(sorted(words)) for words in (a & b, a - b, b - a))
    if both and not (rest_a and rest_b):
        return 100.0
    texts = [both, f"{both} {rest_a}".strip(), f"{both} {rest_b}".strip()]
    pairs = combinations(texts, 2) if both else [(texts[1], texts[2])]
    # What both begin with is left as it is, as the definition has it: only the rests are compared.
    found = []
    for first, second in pairs:
        left, right = first[len(both) :], second[len(both) :]
        same = len(both) + common(left, right)
        found.append(200 * same / (len(first) + len(second)))
    return max(found)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("Reply", "Reply", 100, id="the same"),
        pytest.param("Reply", "REPLY!", 100, id="case and signs do not count"),
        pytest.param("Reply", "Reply all", 100, id="all words of one in the other"),
        pytest.param("New message", "message new", 100, id="another order"),
        pytest.param("Save", "Cancel", 40, id="two letters of each in order"),
        pytest.param("abc", "xyz", 0, id="nothing in common"),
        pytest.param("", "Reply", 0, id="no text"),
        pytest.param("★ →", "★ →", 0, id="signs only"),
        pytest.param("Delete message 3", "Delete message 14", 2800 / 30, id="all but a number"),
        pytest.param("x" * 500, "x" * 500, 100, id="long words are cut"),
    ],
)
def test_ratios(one: str, other: str, expected: float) -> None:
    pairs = np.array([[0, 1], [1, 0]])
    assert plain(one, other) == pytest.approx(expected)
    assert alike_texts([one, other], pairs, expected - 0.001).all()
    assert not alike_texts([one, other], pairs, expected + 0.001).any()


WORDS = st.lists(st.sampled_from(["save", "cancel", "reply", "all", "to", "1", "12", "über", "rely", "a"]), max_size=6)
TEXTS = st.one_of(WORDS.map(" ".join), st.text("abc  ", max_size=70))


@settings(max_examples=40)
@given(st.lists(TEXTS, min_size=2, max_size=12), st.sampled_from([0.0, 30.0, 60.0, 85.0, 100.0]))
def test_all_pairs_at_once_are_as_one_by_one(texts: list[str], least: float) -> None:
    pairs = np.argwhere(np.triu(np.ones((len(texts),) * 2, bool), 1))
    ratios = [plain(texts[a], texts[b]) for a, b in pairs.tolist()]
    assert alike_texts(texts, pairs, least).tolist() == [ratio >= least - 1e-9 for ratio in ratios]


@settings(max_examples=25)
@given(st.lists(st.text(max_size=200), min_size=2, max_size=6))
def test_any_text(texts: list[str]) -> None:
    pairs = np.argwhere(np.triu(np.ones((len(texts),) * 2, bool), 1))
    assert alike_texts(texts, pairs, 0).all()
    assert not alike_texts(texts, pairs, 100.001).any()


def test_texts_that_come_again_and_again() -> None:
    texts = ["Reply", "Reply all", "Archive"] * 20
    pairs = np.argwhere(np.triu(np.ones((60, 60), bool), 1))
    expected = [plain(texts[a], texts[b]) >= 60 for a, b in pairs.tolist()]
    assert alike_texts(texts, pairs, 60).tolist() == expected


def test_no_pairs() -> None:
    assert alike_texts(["a", "b"], np.empty((0, 2), np.intp), 60).shape == (0,)
    assert alike_texts([], np.empty((0, 2), np.intp), 60).shape == (0,)


def test_words_are_bounded() -> None:
    assert words_of("b a B") == ("a", "b")
    many = words_of(" ".join(f"w{n}" for n in range(200)))
    assert len(many) <= MOST_WORDS
    assert sum(len(word) + 1 for word in words_of("long" * 100 + " x")) <= LETTERS


@pytest.mark.parametrize(
    ("text", "numeric"),
    [
        ("12", True),
        ("1,024.50 €", True),
        ("-3 %", True),
        ("12:30", True),
        ("12 days", False),
        ("", False),
        ("--", False),
    ],
)
def test_numbers(text: str, numeric: bool) -> None:
    assert is_numeric(text) is numeric
