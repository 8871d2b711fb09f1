"""Vectors of texts without a model: which words and pieces of words are in them, the rarer the heavier.

Texts with the same words in other forms and orders are near each other; synonyms are not. What is rare is told from the
given texts alone, so vectors of one call are comparable with each other and with no others."""

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

DIMENSIONS = 4096
PIECES = (3, 4, 5)  # letters of a piece of a word, its borders counted
LONGEST = 20_000  # characters of a text that are looked at

_WORD = re.compile(r"\w+")
_WHOLE = 2.0  # how much a word weighs against a piece of one


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """A row of length one for each text; of zeros for a text without a word."""
    counts = [_features(text) for text in texts]
    found_in = Counter(feature for one in counts for feature in one)
    matrix = np.zeros((len(texts), DIMENSIONS), np.float64)
    for row, one in zip(matrix, counts, strict=True):
        for feature, count in one.items():
            # A word that is said thrice does not say three times as much; one that all texts have still says a little.
            rarity = math.log((1 + len(texts)) / (1 + found_in[feature])) + 1
            sign, place = _place(feature)
            row[place] += sign * (1 + math.log(count)) * rarity * (_WHOLE if feature.startswith("=") else 1.0)
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(lengths > 0, lengths, 1), np.float32)


def similarity(matrix: NDArray[np.float32]) -> NDArray[np.int64]:
    """The cosines of rows of length one, in whole hundredths from 0 to 100, cut off as published."""
    exact = np.asarray(matrix, np.float64)
    cosines = exact @ exact.T
    # Rows are rounded to 32 bits: without this, one and the same text would be 99.
    return np.asarray(np.clip(np.floor(100 * cosines + 1e-4), 0, 100), np.int64)


def _features(text: str) -> Counter[str]:
    return Counter(feature for word in _WORD.findall(text[:LONGEST].casefold()) for feature in _of_word(word))


def _of_word(word: str) -> Iterator[str]:
    yield f"={word}"
    bordered = f"<{word[:40]}>"
    for length in PIECES:
        for start in range(len(bordered) - length + 1):
            yield bordered[start : start + length]


def _place(feature: str) -> tuple[int, int]:
    """Where a feature is counted, and with which sign: features that meet by chance cancel out as often as not."""
    code = zlib.crc32(feature.encode("utf-8", "surrogatepass"))
    return (1 if code & 1 else -1), (code >> 1) % DIMENSIONS
