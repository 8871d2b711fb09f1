"""JSON in a model's response, repaired where it is nearly right. What is certain is corrected and reported: comments,
commas too many or missing, quotes of other kinds, names without quotes, line breaks and quotes inside of strings, and a
list that ends in the middle, of which the whole items stay. Anything else is broken.

A text is gone through once, in time that grows with its length and no faster, whatever it is."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

DEEPEST = 64  # levels of JSON; pydantic writes no more than some two hundred
TOO_DEEP = f"expected JSON of at most {DEEPEST} levels, found more"
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

    def __init__(self, text: str, at: int, expected: str) -> None:
        self.text, self.at, self.expected = text, at, expected

    def __str__(self) -> str:
        found = repr(self.text[self.at : self.at + 20]) if self.at < len(self.text) else "the end of the reply"
        line = self.text.count("\n", 0, self.at) + 1
        return f"expected JSON: {self.expected} at line {line}, found {found}"


class _End(Exception):
    """The text ends inside of the value."""


class JsonScan:
    """One value of a text, from its opening bracket on, written as strict JSON. Afterwards `at` is behind it."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.at = text, start
        self.written: list[str] = []
        self.repairs: dict[str, None] = {}
        self.cut = False  # whether something is missing that was begun
        self.named = False  # whether there was a name in an object
        self._open: list[str] = []  # the brackets that are to come
        self._list: int | None = None  # how many of them are around the outermost list
        self._items = self._kept = 0  # whole items of that list, and how much is written with the last of them
        self._rests = False  # whether a value ended last, and nothing was begun since

    def run(self) -> None:
        try:
            self._push()
            while self._open:
                self._step()
        except _End:
            self._cut()

    def _step(self) -> None:
        """The next value, or a closing bracket."""
        letter, follows = self._peek(), self.written[-1] not in _CLOSERS
        comma = follows and letter == ","
        if comma:
            self._rests = False
            self.at += 1
            letter = self._peek()
        if letter == self._open[-1]:
            if comma:
                self._repair("a comma before a closing bracket was left out")
            self._pop()
            return
        if follows and not comma:
            if letter not in _AFTER_NO_COMMA:
                raise self._broken(f"a comma or {self._open[-1]!r}")
            self._repair("a missing comma was put in")
        if follows:
            self.written.append(",")
        self._rests = False
        if self._open[-1] == "}":
            self._name(letter)
            letter = self._peek()
        self._value(letter)

    def _name(self, letter: str) -> None:
        if letter in _QUOTES:
            self._string(None)
        elif (word := _WORD.match(self.text, self.at)) is not None:
            self._write(f'"{word[0]}"', word.end())
            self._repair("names without quotes got them")
        else:
            raise self._broken("a name in quotes")
        self.named = True
        if self._peek() != ":":
            raise self._broken("a colon")
        self._write(":", self.at + 1)

    def _value(self, letter: str) -> None:
        """A value that has no parts, or the beginning of one that has."""
        if letter in _CLOSERS:
            self._push()
            return
        word = _WORD.match(self.text, self.at)
        if letter in _QUOTES:
            self._string(",]}")
        elif (number := _NUMBER.match(self.text, self.at)) is not None:
            self._write(number[0], number.end())
        elif word is not None and (constant := _CONSTANTS.get(word[0].lower())) is not None:
            if word[0] != constant:
                self._repair("true, false or null was spelt otherwise")
            self._write(constant, word.end())
        elif word is not None and word.end() == len(self.text):
            raise _End
        else:
            raise self._broken("a value")
        self._item()

    def _string(self, behind: str | None) -> None:
        """A string; `behind` are the letters that may come behind a value, None for a name."""
        close = _QUOTES[self.text[self.at]]
        if close != '"':
            self._repair("quotes of another kind were replaced")
        pieces = ['"']
        self.at += 1
        while True:
            if (plain := _PLAIN[close].match(self.text, self.at)) is not None:
                pieces.append(plain[0] if close == '"' else plain[0].replace('"', '\\"'))
                self.at = plain.end()
            if self.at == len(self.text):
                raise _End
            letter = self.text[self.at]
            if letter == close and self._closes(behind):
                break
            pieces.append(self._escaped(letter))
        self._write("".join((*pieces, '"')), self.at + 1)

    def _closes(self, behind: str | None) -> bool:
        """Whether the quote here ends its string: then something must come that can follow one."""
        start = self.at + 1
        end = _SPACE.match(self.text, start).end()  # type: ignore[union-attr]  # matches nothing, too
        if behind is None or end == len(self.text) or self.text[end] in behind or self._fence(end):
            return True
        if _COMMENT.match(self.text, end) is not None:
            return True
        if self.text[end] not in _QUOTES or end == start:
            return False
        if "\n" in self.text[start:end]:
            return True  # a comma is missing at the end of the line
        raise self._broken("a comma between strings")

    def _escaped(self, letter: str) -> str:
        """A letter of a string that cannot stand there by itself, as it is written."""
        if (escape := _ESCAPE.match(self.text, self.at)) is not None:
            self.at = escape.end()
            return escape[0]
        self.at += 1
        if self.text.startswith("\\'", self.at - 1):
            self.at += 1
            return "'"
        if letter == "\\":
            self._repair("a backslash that escapes nothing was doubled")
            return "\\\\"
        if letter in _PLAIN:
            self._repair("quotes inside of a string were escaped")
            return '\\"' if letter == '"' else letter
        self._repair("line breaks and the like inside of a string were escaped")
        return f"\\u{ord(letter):04x}"

    def _push(self) -> None:
        if len(self._open) >= DEEPEST:
            raise ValueError(TOO_DEEP)
        letter = self.text[self.at]
        if letter == "[" and self._list is None:
            self._list, self._items = len(self._open), 0
        self._open.append(_CLOSERS[letter])
        self.written.append(letter)
        self.at += 1

    def _pop(self) -> None:
        self.written.append(self._open.pop())
        self.at += 1
        if self._list == len(self._open):
            self._list = None
        self._item()

    def _item(self) -> None:
        self._rests = True
        if self._list is not None and len(self._open) == self._list + 1:
            self._items += 1
            self._kept = len(self.written)

    def _write(self, piece: str, end: int) -> None:
        """What touches the end of the text may have been cut, unless it closes itself."""
        if end == len(self.text) and not piece.endswith('"'):
            raise _End
        self.written.append(piece)
        self.at = end

    def _peek(self) -> str:
        """The next letter that is neither space nor comment."""
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches nothing, too
            if (comment := _COMMENT.match(self.text, self.at)) is None:
                break
            self._repair("comments were left out")
            self.at = comment.end()
        if self.at == len(self.text) or self._fence(self.at):
            raise _End
        return self.text[self.at]

    def _fence(self, at: int) -> bool:
        return self.text.startswith(("```", "~~~"), at)

    def _cut(self) -> None:
        """Close what is open: of a list the whole items are kept, an object must be whole."""
        if self._list is None:
            if not self._rests:
                raise self._broken("the rest of an object")
            kept, around = len(self.written), self._open
        elif self._items:
            kept, around = self._kept, self._open[: self._list + 1]
        else:
            raise self._broken("a list with one whole item at least")
        if self._rests and kept == len(self.written):
            self._repair("missing brackets at the end were put in")
        else:
            self.cut = True
            self._repair(f"the reply ends in the middle of a list, of which {self._items} whole items were kept")
        self.written[kept:] = reversed(around)

    def _broken(self, expected: str) -> BrokenJson:
        return BrokenJson(self.text, self.at, expected)

    def _repair(self, what: str) -> None:
        self.repairs[what] = None


@dataclass(frozen=True, slots=True)
class JsonValue:
    """A value in a text, from `start` to `end`."""

    value: Any
    start: int
    end: int


CONFLICT = object()  # the value of a key that an object has twice, with different values
_VALUE_START = re.compile(r"\{|\[(?=\s*+[{\"'“])")
_MOST_BROKEN = 500  # opening brackets without a value behind them


@lru_cache(maxsize=8)
def json_values(text: str) -> tuple[JsonValue, ...]:
    """All objects of a text, and lists of objects or strings, that are not inside another one. What cannot be repaired
    with certainty, and what the text's end cuts, is left out."""
    found: list[JsonValue] = []
    broken = at = 0
    while broken < _MOST_BROKEN and (opening := _VALUE_START.search(text, at)) is not None:
        start = opening.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            scan = JsonScan(text, start)
            try:
                scan.run()
                value, at = _DECODER.decode("".join(scan.written)), scan.at
            except BrokenJson as error:
                at, broken = max(error.at, opening.end()), broken + 1
                continue
            except (ValueError, RecursionError):
                break
            if scan.cut:
                continue
        found.append(JsonValue(value, start, at))
    return tuple(found)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        made[key] = CONFLICT if key in made and made[key] != value else value
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
