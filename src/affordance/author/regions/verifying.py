"""What a checker says of a proposed region: how complete it is, 0 to 3, and whether its border holds nothing else; and
whether that is good enough."""

import re
from collections.abc import Sequence

from affordance.author.records import Scores
from affordance.author.regions.checks import TINY, too_small
from affordance.core.answer_text import strip_thinking
from affordance.core.geometry import Box

COMPLETENESS, BOUNDED = 2.5, 0.8  # the least mean and the least share that are accepted
HIGHEST = 3
_LONGEST = 600  # characters of a reason

_MARKUP = re.compile(r"[*_`\"'“”\[\]{}<>]")
_COMPLETENESS = re.compile(r"\bcompleteness\b[^:=\n]{0,40}[:=]\s*([^\n]*)", re.IGNORECASE)
_SCORE = re.compile(r"\bscore\b[^:=\n]{0,40}[:=]\s*([^\n]*)", re.IGNORECASE)
_BOUNDED = re.compile(r"\bbounded(?:ness)?\b[^:=\n]{0,40}[:=]\s*([^\n]*)", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_YES_NO = re.compile(r"\b(?:(yes|true)|no|false)\b", re.IGNORECASE)
_STATED = (_COMPLETENESS, _SCORE, _BOUNDED)
_EMPHASIS = re.compile(r"[*`#]+")
_REASON = re.compile(r"\s*(?:reason(?:ing)?|analysis|explanation)\s*:\s*", re.IGNORECASE)


def read_scores(text: str, lenient: bool = False) -> Scores | str:
    """The scores of a reply, or in one line why there are none. Of several the last counts. A lenient reading takes a
    region of whose border nothing is said as one that is not bounded."""
    said = _MARKUP.sub("", strip_thinking(text))
    scores = list(_COMPLETENESS.finditer(said)) or list(_SCORE.finditer(said))
    if not scores:
        return "expected a line 'Completeness Score: ', found none"
    number = _NUMBER.search(scores[-1][1])
    if number is None or number[0] not in map(str, range(HIGHEST + 1)):
        found = scores[-1][1].strip()[:40] or "nothing"
        return f"expected a completeness score of 0 to {HIGHEST}, found {found!r}"
    lines = [yes_no for line in _BOUNDED.finditer(said) if (yes_no := _YES_NO.search(line[1])) is not None]
    if not lines and not lenient:
        return "expected a line 'Boundedness: ' with Yes or No, found none"
    bounded = bool(lines) and lines[-1][1] is not None
    return Scores(completeness=int(number[0]), bounded=bounded, reason=_reason(text))


def taken_for_good(child: Box) -> Scores | None:
    """The scores of a child that is too small to be shown to anybody."""
    return Scores(completeness=HIGHEST, bounded=True) if too_small(child, TINY) else None


def unread(reason: str) -> Scores:
    """The scores of a child of which no reply could be read: the lowest, so that it is not accepted unseen."""
    return Scores(completeness=0, bounded=False, reason=f"the checker's reply could not be read: {reason}")


def means(scores: Sequence[Scores]) -> tuple[float, float]:
    """Mean completeness, and the share that is bounded."""
    count = len(scores)
    return sum(one.completeness for one in scores) / count, sum(one.bounded for one in scores) / count


def accepted(scores: Sequence[Scores], completeness: float = COMPLETENESS, bounded: float = BOUNDED) -> bool:
    """Whether children are good enough: both limits are inclusive. Where there are none, nothing can be wrong."""
    if not scores:
        return True
    mean, share = means(scores)
    return mean >= completeness and share >= bounded


def _reason(text: str) -> str:
    """What was said but the scores, in one line."""
    lines = [_EMPHASIS.sub("", line).strip() for line in strip_thinking(text).splitlines()]
    words = " ".join(line for line in lines if line and not any(one.search(line) for one in _STATED))
    return _REASON.sub("", words, count=1).strip()[:_LONGEST]
