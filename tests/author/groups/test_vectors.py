"""Vectors of descriptions without a model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.groups.vectors import DIMENSIONS, similarity, vectors

ROWS = (
    "A row of the message list with a sender, a subject line and the time it arrived, with a star on the left.",
    "A row in the list of messages showing the sender, subject and time, with an outlined star at its left.",
)
CARDS = (
    "A product card with a picture, a name, a price and a heart icon.",
    "A card for a product: photo on top, title, rating, price and a heart.",
)


def test_texts_about_the_same_are_near_and_others_are_not() -> None:
    found = similarity(vectors([*ROWS, *CARDS]))
    alike, apart = found[[0, 2], [1, 3]], found[:2, 2:]
    assert alike.min() >= 40
    assert apart.max() <= 20


@settings(max_examples=40)
@given(st.lists(st.text(max_size=60), max_size=8))
def test_rows_of_length_one_or_of_zeros(texts: list[str]) -> None:
    matrix = vectors(texts)
    assert matrix.shape == (len(texts), DIMENSIONS)
    assert matrix.dtype == np.float32
    lengths = np.linalg.norm(matrix, axis=1)
    assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-6))
    found = similarity(matrix)
    assert ((found >= 0) & (found <= 100)).all()
    assert (found == found.T).all()
    assert np.diag(found).tolist() == [100 if length else 0 for length in lengths]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ([1, 0], [1, 0], 100),
        ([1, 0], [0, 1], 0),
        ([1, 0], [-1, 0], 0),
        ([1, 0], [0.6, 0.8], 60),
        ([1, 0], [0.5999, 0.80007], 59),
        ([1, 0], [0.999, 0.0447], 99),
    ],
)
def test_hundredths_are_cut_off(one: list[float], other: list[float], expected: int) -> None:
    found = similarity(np.array([one, other], np.float32))
    assert found[0, 1] == expected
    assert found.dtype == np.int64


def test_order_and_case_of_words_do_not_count() -> None:
    found = similarity(vectors(["Search field, logo", "LOGO search FIELD", "price"]))
    assert found[0, 1] == 100


def test_rare_words_weigh_more() -> None:
    common = ["a card with a price", "a card with a heart", "a card with a star", "a card with a logo"]
    alone = similarity(vectors(common[:2]))[0, 1]
    assert similarity(vectors([common[0], "a panel with a price", *common[1:]]))[0, 1] != alone
    matrix = vectors(["zebra card", "zebra panel", "card list", "card row", "card table", "card grid"])
    found = similarity(matrix)
    assert found[0, 1] > found[0, 2]


def test_nothing() -> None:
    assert vectors([]).shape == (0, DIMENSIONS)
    assert similarity(vectors([])).shape == (0, 0)
