"""How elements look, and which of them look alike: by what their crops are made of, or by a model of the user's."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance.author.elements.dino import encoder
from affordance.author.elements.texts import alike_texts, words_of
from affordance.core.geometry import Box
from affordance.grounding.look_alikes import (
    MIN_SIMILARITY,
    NEAR_IDENTICAL,
    Descriptors,
    IndexPairs,
    about_equal,
    crop_similarity,
    descriptors,
    filter_similar,
    similar_pairs,
)

WRITTEN_WIDTHS = 0.5  # by how much of the larger one widths may differ where both are written on: words have lengths
TEXT = 60.0  # of 100, how much of two texts is the same, from which on they are alike
COSINE = 0.58  # of two crops to a DINO model, above which they are alike
SAME_COSINE = 0.9  # above which they are nearly the same picture

_AT_A_TIME = 256


@dataclass(frozen=True, slots=True)
class Sight:
    """The looks of elements. `by` says what they were measured by and from where on they are alike; `words` says to a
    person what alike means."""

    by: str
    words: str
    rows: Descriptors
    pairs: IndexPairs  # that are alike, in looks and in what is written on them
    unit: bool  # whether likeness is the cosine of rows

    def nearly_same(self, pairs: IndexPairs) -> IndexPairs:
        """Of pairs that look alike, those that are nearly the same picture."""
        if not self.unit:
            return filter_similar(self.rows, pairs, NEAR_IDENTICAL)
        cosines = np.einsum("ij,ij->i", self.rows[pairs[:, 0]], self.rows[pairs[:, 1]])
        same: IndexPairs = pairs[cosines > SAME_COSINE]
        return same

    def closeness(self, one: int, others: Sequence[int]) -> NDArray[np.float64]:
        """How alike one is to each of the others."""
        if self.unit:
            return np.asarray(self.rows[list(others)] @ self.rows[one], np.float64)
        return np.array([crop_similarity(self.rows[one], self.rows[other]) for other in others])


def look(
    image: NDArray[np.uint8],
    boxes: Sequence[Box],
    texts: Sequence[str],
    roles: Sequence[str] | None = None,
    model: Path | None = None,
    least: float | None = None,
) -> Sight:
    """The looks of these boxes of an RGB picture, with what is written on them: where something is on both, it must be
    much the same for two to be alike. Only those of one role are alike, where roles are known. `least` is from where on
    two are alike, in place of the usual."""
    if model is not None:
        return _by_model(image, boxes, texts, roles, model, COSINE if least is None else least)
    return _built_in(image, boxes, texts, roles, MIN_SIMILARITY if least is None else least)


def _built_in(
    image: NDArray[np.uint8],
    boxes: Sequence[Box],
    texts: Sequence[str],
    roles: Sequence[str] | None,
    least: float,
) -> Sight:
    rows = descriptors(image, boxes)
    wide = np.array([box.x2 - box.x1 for box in boxes])
    pairs = similar_pairs(boxes, None, roles, max_width_difference=WRITTEN_WIDTHS)
    both = _both_written(texts, pairs)
    pairs = pairs[both | about_equal(wide[pairs[:, 0]], wide[pairs[:, 1]])]
    pairs = filter_similar(rows, _much_the_same(texts, pairs), least)  # texts first: that is cheaper
    words = "about the same size, colours and coarse pattern"
    return Sight(f"built-in descriptor, likeness from {least:g}", words, rows, pairs, unit=False)


def _by_model(
    image: NDArray[np.uint8],
    boxes: Sequence[Box],
    texts: Sequence[str],
    roles: Sequence[str] | None,
    path: Path,
    least: float,
) -> Sight:
    model = encoder(path)
    rows = model.describe(image, boxes)
    kinds = np.array(roles if roles is not None else [""] * len(boxes))
    found = [np.empty((0, 2), np.intp)]
    for start in range(0, len(rows), _AT_A_TIME):
        some = slice(start, start + _AT_A_TIME)
        cosines = np.triu(rows[some] @ rows[start:].T, 1) * np.equal.outer(kinds[some], kinds[start:])
        found.append(np.argwhere(cosines > least) + start)
    words = f"alike to the image encoder {path.name}"
    pairs = _much_the_same(texts, np.concatenate(found))
    return Sight(f"{model.name}, cosine above {least:g}", words, rows, pairs, unit=True)


def _both_written(texts: Sequence[str], pairs: IndexPairs) -> NDArray[np.bool_]:
    written = np.array([bool(words_of(text)) for text in texts], bool)
    return np.asarray(written[pairs[:, 0]] & written[pairs[:, 1]], bool)


def _much_the_same(texts: Sequence[str], pairs: IndexPairs) -> IndexPairs:
    """Of pairs those that do not both have a text, or much the same one."""
    both = np.flatnonzero(_both_written(texts, pairs))
    kept = np.ones(len(pairs), bool)
    kept[both] = alike_texts(texts, pairs[both], TEXT)
    found: IndexPairs = pairs[kept]
    return found
