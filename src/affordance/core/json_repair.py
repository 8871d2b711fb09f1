"""Repair of nearly valid JSON in a model's response. Unambiguous mistakes are corrected and reported: comments, extra
and missing commas, other quotes, names without quotes, line breaks and quotes inside strings, and a list that ends in
the middle, of which the complete items are kept. Anything else is an error.

A text is scanned once, in linear time.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MAX_DEPTH = 64  # levels of JSON; pydantic writes no more than some two hundred
TOO_DEEP_MESSAGE = f"expected JSON of at most {MAX_DEPTH} levels, found more"
_SPACE = re.compile(r"[\s\u200b\ufeff]*")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.%+-])")
_WORD = re.compile(r"[A-Za-z_$][\w$-]*")
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_CLOSERS = {"[": "]", "{": "}"}
_QUOTES = {'"': '"', "'": "'", "“": "”"}
_PLAIN = {close: re.compile(rf"[^{close}\\\x00-\x1f]+") for close in _QUOTES.values()}
_AFTER_NO_COMMA = '{["'  # what begins a value beyond doubt
_CONSTANTS = {"true": "true", "false": "false", "null": "null", "none": "null"}


class BrokenJson(Exception):
    """A value that cannot be written as JSON; `at` is where that shows."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        self.text, self.position, self.expected = text, position, expected

    def __str__(self) -> str:
        found = (
            repr(self.text[self.position : self.position + 20])
            if self.position < len(self.text)
            else "the end of the response"
        )
        line = self.text.count("\n", 0, self.position) + 1
        return f"expected JSON: {self.expected} at line {line}, found {found}"


class _EndOfText(Exception):
    """The text ends inside of the value."""


class JsonRepairer:
    """One value of a text, from its opening bracket on, written as strict JSON. Afterwards `at` is behind it."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.position = text, start
        self.output: list[str] = []
        self.repairs: dict[str, None] = {}
        self.is_truncated = False  # whether something is missing that was begun
        self.has_keys = False  # whether there was a name in an object
        self._closing_brackets: list[str] = []  # the brackets that are to come
        self._list_depth: int | None = None  # how many of them are around the outermost list
        self._complete_items = self._complete_length = (
            0  # whole items of that list, and how much is written with the last of them
        )
        self._value_ended = False  # whether a value ended last, and nothing was begun since

    def run(self) -> None:
        try:
            self._open_bracket()
            while self._closing_brackets:
                self._step()
        except _EndOfText:
            self._close_truncated()

    def _step(self) -> None:
        """The next value, or a closing bracket."""
        letter, follows = self._peek(), self.output[-1] not in _CLOSERS
        comma = follows and letter == ","
        if comma:
            self._value_ended = False
            self.position += 1
            letter = self._peek()
        if letter == self._closing_brackets[-1]:
            if comma:
                self._note_repair("a comma before a closing bracket was left out")
            self._close_bracket()
            return
        if follows and not comma:
            if letter not in _AFTER_NO_COMMA:
                raise self._error(f"a comma or {self._closing_brackets[-1]!r}")
            self._note_repair("a missing comma was put in")
        if follows:
            self.output.append(",")
        self._value_ended = False
        if self._closing_brackets[-1] == "}":
            self._read_key(letter)
            letter = self._peek()
        self._read_value(letter)

    def _read_key(self, letter: str) -> None:
        if letter in _QUOTES:
            self._read_string(None)
        elif (word := _WORD.match(self.text, self.position)) is not None:
            self._write(f'"{word[0]}"', word.end())
            self._note_repair("names without quotes got them")
        else:
            raise self._error("a name in quotes")
        self.has_keys = True
        if self._peek() != ":":
            raise self._error("a colon")
        self._write(":", self.position + 1)

    def _read_value(self, letter: str) -> None:
        """A value that has no parts, or the beginning of one that has."""
        if letter in _CLOSERS:
            self._open_bracket()
            return
        word = _WORD.match(self.text, self.position)
        if letter in _QUOTES:
            self._read_string(",]}")
        elif (number := _NUMBER.match(self.text, self.position)) is not None:
            self._write(number[0], number.end())
        elif word is not None and (constant := _CONSTANTS.get(word[0].lower())) is not None:
            if word[0] != constant:
                self._note_repair("true, false or null was spelt otherwise")
            self._write(constant, word.end())
        elif word is not None and word.end() == len(self.text):
            raise _EndOfText
        else:
            raise self._error("a value")
        self._end_value()

    def _read_string(self, followers: str | None) -> None:
        """A string; `behind` are the letters that may come behind a value, None for a name."""
        close = _QUOTES[self.text[self.position]]
        if close != '"':
            self._note_repair("quotes of another kind were replaced")
        pieces = ['"']
        self.position += 1
        while True:
            if (plain := _PLAIN[close].match(self.text, self.position)) is not None:
                pieces.append(plain[0] if close == '"' else plain[0].replace('"', '\\"'))
                self.position = plain.end()
            if self.position == len(self.text):
                raise _EndOfText
            letter = self.text[self.position]
            if letter == close and self._is_closing_quote(followers):
                break
            pieces.append(self._escape(letter))
        self._write("".join((*pieces, '"')), self.position + 1)

    def _is_closing_quote(self, followers: str | None) -> bool:
        """Whether the quote here ends its string: then something must come that can follow one."""
        start = self.position + 1
        end = _SPACE.match(self.text, start).end()  # type: ignore[union-attr]  # matches nothing, too
        if followers is None or end == len(self.text) or self.text[end] in followers or self._is_code_fence(end):
            return True
        if _COMMENT.match(self.text, end) is not None:
            return True
        if self.text[end] not in _QUOTES or end == start:
            return False
        if "\n" in self.text[start:end]:
            return True  # a comma is missing at the end of the line
        raise self._error("a comma between strings")

    def _escape(self, letter: str) -> str:
        """A letter of a string that cannot stand there by itself, as it is written."""
        if (escape := _ESCAPE.match(self.text, self.position)) is not None:
            self.position = escape.end()
            return escape[0]
        self.position += 1
        if self.text.startswith("\\'", self.position - 1):
            self.position += 1
            return "'"
        if letter == "\\":
            self._note_repair("a backslash that escapes nothing was doubled")
            return "\\\\"
        if letter in _PLAIN:
            self._note_repair("quotes inside of a string were escaped")
            return '\\"' if letter == '"' else letter
        self._note_repair("line breaks and the like inside of a string were escaped")
        return f"\\u{ord(letter):04x}"

    def _open_bracket(self) -> None:
        if len(self._closing_brackets) >= MAX_DEPTH:
            raise ValueError(TOO_DEEP_MESSAGE)
        letter = self.text[self.position]
        if letter == "[" and self._list_depth is None:
            self._list_depth, self._complete_items = len(self._closing_brackets), 0
        self._closing_brackets.append(_CLOSERS[letter])
        self.output.append(letter)
        self.position += 1

    def _close_bracket(self) -> None:
        self.output.append(self._closing_brackets.pop())
        self.position += 1
        if self._list_depth == len(self._closing_brackets):
            self._list_depth = None
        self._end_value()

    def _end_value(self) -> None:
        self._value_ended = True
        if self._list_depth is not None and len(self._closing_brackets) == self._list_depth + 1:
            self._complete_items += 1
            self._complete_length = len(self.output)

    def _write(self, piece: str, end: int) -> None:
        """What touches the end of the text may have been cut, unless it closes itself."""
        if end == len(self.text) and not piece.endswith('"'):
            raise _EndOfText
        self.output.append(piece)
        self.position = end

    def _peek(self) -> str:
        """The next letter that is neither space nor comment."""
        while True:
            self.position = _SPACE.match(self.text, self.position).end()  # type: ignore[union-attr]  # matches nothing, too
            if (comment := _COMMENT.match(self.text, self.position)) is None:
                break
            self._note_repair("comments were left out")
            self.position = comment.end()
        if self.position == len(self.text) or self._is_code_fence(self.position):
            raise _EndOfText
        return self.text[self.position]

    def _is_code_fence(self, at: int) -> bool:
        return self.text.startswith(("```", "~~~"), at)

    def _close_truncated(self) -> None:
        """Close what is open: of a list the whole items are kept, an object must be whole."""
        if self._list_depth is None:
            if not self._value_ended:
                raise self._error("the rest of an object")
            kept, around = len(self.output), self._closing_brackets
        elif self._complete_items:
            kept, around = self._complete_length, self._closing_brackets[: self._list_depth + 1]
        else:
            raise self._error("a list with one whole item at least")
        if self._value_ended and kept == len(self.output):
            self._note_repair("missing brackets at the end were put in")
        else:
            self.is_truncated = True
            self._note_repair(
                f"the response ends in the middle of a list; its {self._complete_items} complete items were kept"
            )
        self.output[kept:] = reversed(around)

    def _error(self, expected: str) -> BrokenJson:
        return BrokenJson(self.text, self.position, expected)

    def _note_repair(self, what: str) -> None:
        self.repairs[what] = None


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value in a text, from `start` to `end`."""

    value: Any
    start: int
    end: int


CONFLICTING_VALUES = object()  # the value of a key that an object has twice, with different values
_VALUE_START = re.compile(r"\{|\[(?=\s*+[{\"'“])")
_MAX_BROKEN = 500  # opening brackets without a value behind them


@lru_cache(maxsize=8)
def json_values(text: str) -> tuple[JsonValue, ...]:
    """All objects of a text, and lists of objects or strings, that are not inside another one. What cannot be repaired
    with certainty, and what the text's end cuts, is left out."""
    found: list[JsonValue] = []
    broken = at = 0
    while broken < _MAX_BROKEN and (opening := _VALUE_START.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            scan = JsonRepairer(text, start)
            try:
                scan.run()
                value, at = _DECODER.decode("".join(scan.output)), scan.position
            except BrokenJson as error:
                at, broken = max(error.position, opening.end()), broken + 1
                continue
            except (ValueError, RecursionError):
                break
            if scan.is_truncated:
                continue
        found.append(JsonValue(value, start, at))
    return tuple(found)


def _merge_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        made[key] = CONFLICTING_VALUES if key in made and made[key] != value else value
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_merge_pairs)
