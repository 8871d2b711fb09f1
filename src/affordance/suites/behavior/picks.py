"""Reading which of two versions a reply picks: after the marker `More effective:`.

The headline reads the last marker, in any case, with or without markup, punctuation or the word "version"; a negation
or both words are no pick, and a marker with nothing or with the bare template after it is none. `read_strictly` is as
published, for comparison: the first marker, and exactly the word.
"""

import re

from affordance.core.grammar import Either
from affordance.core.thinking import without_thinking

MARKER = "More effective:"
# As asked it may stand anywhere; in other words only at the beginning of a line, or prose would be taken for it.
_MARKERS = re.compile(
    r"(?:More effective:|^\W*(?i:more\s+effective\s*(?:version|variant|design|one)?\s*(?:is)?\s*[:=：]))\s*",
    re.MULTILINE,
)
_MARKUP = re.compile(r"[*_`<>\"'“”‘’\[\]{}()#]")
_ASIDE = re.compile(r"(?<=\w)[ \t*_`.]*\([^)\n]*\)")  # what stands in brackets after the pick is no part of it
_NOT_BEFORE = re.compile(r"\b(?:no|not|neither|cannot)\b", re.IGNORECASE)
_NOT_AFTER = re.compile(r"\W*(?:(?:version|variant|design|one)\W+)?(?:is\s+not|isn['’]?t|is\s+no)\b", re.IGNORECASE)


def read_pick(text: str, grammar: Either) -> str | None:
    """The word of the version that a reply picks, as the grammar has it; None where it picks none."""
    plain = _MARKUP.sub("", _ASIDE.sub("", without_thinking(text)))
    template = f"{grammar.first}/{grammar.second}".lower()
    for marker in reversed(list(_MARKERS.finditer(plain))):
        line = plain[marker.end() :].strip().partition("\n")[0].strip()
        if line and line.lower() != template:
            return _word(line, grammar)
    return None


def _word(line: str, grammar: Either) -> str | None:
    found = [
        (word, match)
        for word in (grammar.first, grammar.second)
        if (match := re.search(rf"\b{re.escape(word)}\b", line, re.IGNORECASE))
    ]
    if len(found) != 1:
        return None
    ((word, match),) = found
    denied = _NOT_BEFORE.search(line[: match.start()]) or _NOT_AFTER.match(line[match.end() :])
    return None if denied else word


def no_pick(grammar: Either) -> str:
    """Why a reply has no answer."""
    return f"no line `{MARKER} {grammar.first}` or `{MARKER} {grammar.second}`"


def read_strictly(text: str, grammar: Either) -> str | None:
    """As the released evaluator reads, which strips letters of `Version`: other words than First and Second would lose
    some of theirs, so they are put in the place of those."""
    words = {grammar.first: "First", grammar.second: "Second"}
    text = re.sub("|".join(rf"\b{re.escape(word)}\b" for word in words), lambda match: words[match[0]], text)
    _, marker, rest = text.partition(MARKER)
    if not marker:
        return None
    line = rest.partition(MARKER)[0].strip().partition("\n")[0].partition("(")[0]
    for letters in ("* ", "<> ", "Version ", "version "):
        line = line.strip(letters)
    return {name: word for word, name in words.items()}.get(line)


def write_pick(word: str, because: str) -> str:
    return f"{because}\n{MARKER} {word}"
