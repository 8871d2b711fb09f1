"""How much texts of many elements have in common, all pairs at once.

The measure is the token set ratio, 0 to 100: the words that two texts share count fully, the others by the letters that
they have in common in order; a text whose words are all in the other is 100. Order, case and punctuation do not count.
Common letters are counted in the bits of one number, for thousands of pairs in a step: a word at a time would take
minutes for the elements of a full screen."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affordance.grounding.look_alikes import IndexPairs

LETTERS = 64  # of a text that are looked at, a space before each word included: the bits of a number
MOST_WORDS = 16

_ALPHABET = 2048  # letters that are told apart; more than that on one screen share places
_BUCKETS = 48  # in which letters are counted
_AT_A_TIME = 8192  # pairs; what is at work fits a cache

_WORD = re.compile(r"\w+")
_NUMERIC = re.compile(r"(?=.*\d)[\d\s.,:;/%+\-−–()#$€£¥]+")

_ONES = np.unpackbits(np.arange(2**16, dtype=np.uint16).view(np.uint8).reshape(-1, 2), axis=1).sum(
    axis=1, dtype=np.uint8
)

Bits = NDArray[np.uint64]
Ints = NDArray[np.intp]
Ratios = NDArray[np.float64]


@lru_cache(maxsize=2**13)
def words_of(text: str) -> tuple[str, ...]:
    """The different words of a text, sorted, as far as they are looked at. None for a text that is all signs."""
    words: list[str] = []
    left = LETTERS
    for word in sorted(set(_WORD.findall(text[: 4 * LETTERS].casefold())))[:MOST_WORDS]:
        if left < 2:
            break
        words.append(word[: left - 1])
        left -= len(words[-1]) + 1
    return tuple(words)


def is_numeric(text: str) -> bool:
    """Whether there is nothing in a text but numbers, with what is written about them."""
    return _NUMERIC.fullmatch(text[: 4 * LETTERS].strip()) is not None


def alike_texts(texts: Sequence[str], pairs: IndexPairs, least: float) -> NDArray[np.bool_]:
    """For each pair of indices whether the ratio of two texts is at least this. Letters are compared only where words
    leave it open and the letters that there are would do."""
    different = list(dict.fromkeys(map(words_of, texts)))
    if len(different) ** 2 < len(pairs):  # the same texts over and over
        places = {words: place for place, words in enumerate(different)}
        which = np.array([places[words_of(text)] for text in texts], np.intp)
        every = np.argwhere(np.ones((len(different),) * 2, bool))
        table = alike_texts([" ".join(words) for words in different], every, least).reshape(len(different), -1)
        found: NDArray[np.bool_] = table[which[pairs[:, 0]], which[pairs[:, 1]]]
        return found
    book, ones, others, shared = _opened(texts, pairs)
    alike: NDArray[np.bool_] = _by_words(book, ones, others, shared) >= least
    differ = _letters_apart(book)
    left = np.flatnonzero(~alike)
    most = _ratio(book, ones[left], others[left], differ[ones[left], others[left]].astype(np.intp))
    left = left[most >= least]
    alike[left] = _by_letters(book, ones[left], others[left], shared[left]) >= least
    return alike


def _opened(texts: Sequence[str], pairs: IndexPairs) -> "tuple[_Book, Ints, Ints, Bits]":
    """The texts as numbers, which of them the pairs are, the longer one first, and the letters, of that one, of the
    words that both have."""
    words = [words_of(text) for text in texts]
    places = {one: place for place, one in enumerate(dict.fromkeys(words))}
    book = _written(list(places))
    which = np.array([places[one] for one in words], np.intp)
    ones, others = which[pairs[:, 0]], which[pairs[:, 1]]
    shorter = book.length[ones] < book.length[others]
    ones, others = np.where(shorter, others, ones), np.where(shorter, ones, others)
    shared = np.zeros(len(ones), np.uint64)
    for numbers, bits in zip(book.words, book.bits, strict=True):
        both = book.has[others, numbers[ones]]
        shared[both] |= bits[ones[both]]
    return book, ones, others, shared


@dataclass(frozen=True, slots=True)
class _Book:
    """Texts as numbers, in rows. A word is written with a space before it; 0 is no letter, and no word that any other
    text has."""

    length: Ints
    letters: Ints  # (LETTERS, texts)
    word_of: Ints  # the same for the word that a letter is in
    words: Ints  # (as many as a text has, texts)
    bits: Bits  # the letters of each of these words
    where: Bits  # (texts, alphabet): where a letter is in a text
    has: NDArray[np.bool_]  # (texts, words)


def _written(texts: Sequence[tuple[str, ...]]) -> _Book:
    counts = Counter(word for words in texts for word in words)
    known = {word: place for place, word in enumerate((w for w, n in counts.items() if n > 1), start=1)}
    alphabet: dict[str, int] = {}
    letters, word_of = np.zeros((len(texts), LETTERS), np.intp), np.zeros((len(texts), LETTERS), np.intp)
    words, bits = np.zeros((len(texts), MOST_WORDS), np.intp), np.zeros((len(texts), MOST_WORDS), np.uint64)
    length = np.zeros(len(texts), np.intp)
    for row, some in enumerate(texts):
        at = 0
        for place, word in enumerate(some):
            end = at + len(word) + 1
            letters[row, at:end] = [alphabet.setdefault(letter, len(alphabet)) for letter in f" {word}"]
            word_of[row, at:end] = words[row, place] = known.get(word, 0)
            bits[row, place] = ((1 << end) - (1 << at)) & (2**64 - 1)
            at = end
        length[row] = at
    filled = np.arange(LETTERS) < length[:, None]
    letters = np.where(filled, 1 + letters % (_ALPHABET - 1), 0)
    where = np.zeros((len(texts), int(letters.max(initial=0)) + 1), np.uint64)
    for place in range(LETTERS):
        rows = np.flatnonzero(filled[:, place])
        where[rows, letters[rows, place]] |= np.uint64(1 << place)
    has = np.zeros((len(texts), len(known) + 1), bool)
    np.put_along_axis(has, words, True, axis=1)
    has[:, 0] = False
    most = max((len(some) for some in texts), default=0)
    return _Book(length, _columns(letters), _columns(word_of), _columns(words)[:most], bits.T[:most], where, has)


def _columns(table: Ints) -> Ints:
    return np.ascontiguousarray(table.T)


def _by_words(book: _Book, ones: Ints, others: Ints, shared: Bits) -> Ratios:
    """The ratio of the words that both have to either text; 0 where there are none."""
    both = _ones_in(shared)
    longest = np.minimum(book.length[ones], book.length[others])  # the rest of the shorter one weighs less
    ratios: Ratios = np.where(longest == both, 100.0, 100 - 100 * (longest - both) / np.maximum(both + longest - 2, 1))
    return np.where(both > 0, ratios, 0.0)


def _by_letters(book: _Book, ones: Ints, others: Ints, shared: Bits) -> Ratios:
    """The ratio of two texts, with the words that both have put first, by the letters they have in common in order."""
    ratios = np.empty(len(ones))
    # Steps are as many as letters in the longest of the others: short ones with short ones.
    order = np.argsort(book.length[others] + 2 * LETTERS * (shared > 0), kind="stable")
    for start in range(0, len(order), _AT_A_TIME):
        some = order[start : start + _AT_A_TIME]
        one, other, hidden = ones[some], others[some], shared[some]
        left = book.length[one] + book.length[other] - 2 * _ones_in(hidden)
        ratios[some] = _ratio(book, one, other, left - 2 * _common(book, one, other, hidden))
    return ratios


def _ratio(book: _Book, ones: Ints, others: Ints, apart: Ints) -> Ratios:
    """The ratio of two texts that so many letters are to be taken from and added to, to make one of the other."""
    one, other = book.length[ones], book.length[others]
    # A text is joined with a space between words and none before the first; what is shared has one after it.
    ratios = 100 - 100 * apart / np.maximum(one + other - 2, 1)
    return np.where((one > 0) & (other > 0), ratios, 0.0)


def _letters_apart(book: _Book) -> NDArray[np.uint8]:
    """For any two texts by how many letters they differ at least: by how many of each there are."""
    from scipy.spatial import distance

    counts = np.zeros((len(book.length), _BUCKETS))
    for letters in book.letters:
        counts[np.arange(len(counts)), np.where(letters > 0, 1 + letters % (_BUCKETS - 1), 0)] += 1
    apart = np.empty((len(counts), len(counts)), np.uint8)
    for start in range(0, len(counts), 64):
        apart[start : start + 64] = distance.cdist(counts[start : start + 64, 1:], counts[:, 1:], "cityblock")
    return apart


def _common(book: _Book, ones: Ints, others: Ints, hidden: Bits) -> Ints:
    """The length of the longest common subsequence of what both do not have in common as words (Hyyrö's bit vectors,
    2004): a bit of `state` is cleared for each letter of the first text that is in it."""
    state = np.full(len(ones), 2**64 - 1, np.uint64)
    rows, where = ones * book.where.shape[1], book.where.ravel()
    any_hidden = bool(hidden.any())
    for letters, words in zip(book.letters[: book.length[others].max(initial=0)], book.word_of, strict=False):
        matches = where[rows + letters[others]]
        if any_hidden:
            matches &= ~hidden
            matches[book.has[ones, words[others]]] = 0
        matches &= state
        state = (state + matches) | (state - matches)
    return _ones_in(~state)


def _ones_in(numbers: Bits) -> Ints:
    quarters = np.ascontiguousarray(numbers).view(np.uint16).reshape(len(numbers), 4)
    counts: Ints = _ONES[quarters].sum(axis=1, dtype=np.intp)
    return counts
