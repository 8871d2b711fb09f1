"""The one reader and the one writer of scores: a JSON object with a whole number and a reason.

Fences, words around the object, single quotes, a trailing comma, a number in quotes, markup and a missing end are put
right; a score that is off the scale, broken or given twice differently is none. What the reason of a whole object says
about scores is not read: it may quote one that is on the screen.
"""

import json
import re

from affordance.core.grammar import Scale
from affordance.core.thinking import without_thinking

_KEY = "score"
_QUOTES = r"[\"'“”‘’*`_\s]*"
# Possessive, so that neither 10 nor 3.5 is cut down to a number that the lookahead lets through.
_SCORE = re.compile(
    rf"(?<![^\W_]){_KEY}{_QUOTES}[:=]{_QUOTES}(-?\d++(?:\.\d++)?+)(?!,?\d|\w|%|\s*(?:[|/]|or\b|to\b|[-–—]\s*\d))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*")


def read_score(text: str, grammar: Scale) -> int | None:
    """The score a reply gives, or None where it gives none."""
    said = without_thinking(text)
    start, end = said.find("{"), said.rfind("}") + 1
    given = _whole(said[start:end]) if 0 <= start < end else None
    found = set(_scores(said) if given is None else [given, *_scores(said[:start]), *_scores(said[end:])])
    if len(found) != 1:
        return None
    (score,) = found
    return int(score) if score.is_integer() and grammar.low <= score <= grammar.high else None


def _scores(text: str) -> list[float]:
    return [float(number) for number in _SCORE.findall(text)]


def _whole(text: str) -> float | None:
    """The score of a text that is nothing but one JSON object."""
    try:
        pairs = json.loads(text, object_pairs_hook=list)
    except (ValueError, RecursionError):
        return None
    values = [value for key, value in pairs if key == _KEY]
    number = _NUMBER.fullmatch(str(values[0])) if len(values) == 1 else None
    return float(number[1]) if number is not None else None


def write_score(score: int, because: str) -> str:
    return json.dumps({"score": score, "reason": because}, ensure_ascii=False)
