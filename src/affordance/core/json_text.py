"""JSON as text: the canonical form, and a strict parser with limits for JSON from outside."""

import codecs
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from affordance.core.errors import DataError
from affordance.core.json_repair import MAX_DEPTH, TOO_DEEP_MESSAGE

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


# Created once: `json.dumps` with options creates an encoder in each call, which takes as long as the encoding.
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_json(value: Json) -> str:
    """The canonical form of a JSON value: sorted keys, no white space, no NaN, non-ASCII unescaped."""
    return _ENCODER.encode(value)


json_string = json.encoder.encode_basestring  # the canonical form of a string


MAX_DIGITS = 300  # of an integer; a float has room for some more


def parse_json(text: bytes) -> Any:
    """The value of a JSON text; a ValueError of one line says what is wrong and where."""
    if not text.strip():
        raise ValueError("expected a JSON object, found nothing")
    if text.startswith(codecs.BOM_UTF8):
        raise ValueError("expected UTF-8 without a byte order mark, found one")
    try:
        found = _DECODER.decode(text.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"expected UTF-8, found byte {text[error.start]:#04x} at column {error.start + 1}") from None
    except json.JSONDecodeError as error:
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise ValueError(f"expected JSON: {error.msg.lower()} at {line}column {error.colno}") from None
    except RecursionError:
        raise ValueError(TOO_DEEP_MESSAGE) from None
    opened = text.count(b"[") + text.count(b"{")  # the depth is at most this
    if opened > MAX_DEPTH and not _is_within_depth(found, MAX_DEPTH):
        raise ValueError(TOO_DEEP_MESSAGE)
    if b"\\u" in text and any("\ud800" <= letter <= "\udfff" for letter in json.dumps(found, ensure_ascii=False)):
        raise ValueError("expected Unicode text, found half of a surrogate pair")
    return found


def parse_json_object(text: bytes) -> dict[str, Any]:
    found = parse_json(text)
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, found {str(found)[:80]!r}")
    return found


def read_jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects of a file with their line numbers.

    Raises:
        DataError: A line is not a JSON object; names the line.
    """
    for number, line in read_lines(path):
        try:
            yield number, parse_json_object(line)
        except ValueError as error:
            raise DataError(str(error), path, number) from None


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a UTF-8 file that are not blank, with their numbers. Only a line feed ends a line: U+2028 and other
    separators may be part of a text in JSON."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line


def _reject(constant: str) -> NoReturn:
    raise ValueError(f"expected JSON, found {constant}")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _reject(f"the number {text[:20]}, which is too large")


def _parse_int(text: str) -> int:
    return int(text) if len(text) <= MAX_DIGITS else _reject(f"a number of {len(text)} digits")


# Created once: `json.loads` with options creates a decoder in each call.
_DECODER = json.JSONDecoder(parse_constant=_reject, parse_float=_parse_float, parse_int=_parse_int)


def _is_within_depth(value: object, levels: int) -> bool:
    level = [value]
    for _ in range(levels):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return True
    return False
