"""The reasons in a reply, and the laws of UX they map to: by name, or by words that people use for them.

Words are a guess: a sentence with "stands out" in it may say that something does not. So the sentence is always shown
beside the law, and whether the law was named."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from affordance.core.answer_text import strip_thinking
from affordance.datasets.taxonomies import UX_LAWS, UX_LAWS_BY_NAME, UXLaw

MIN_WORDS = 4  # fewer are a heading
MAX_LENGTH = 300  # characters of a sentence that are kept

# By which names a law is called, and by which words its idea; matched at the beginning of a word, without accents.
_CALLED: dict[str, tuple[str, ...]] = {
    "Law of Common Region": (r"common region",),
    "Law of Proximity": (r"(?:law|principle) of proximity",),
    "Law of Prägnanz": (r"pra?e?gnanz", r"law of simplicity"),
    "Law of Similarity": (r"(?:law|principle) of similarity",),
    "Von Restorff Effect": (r"(?:von )?restorff", r"isolation effect"),
    "Serial Position Effect": (r"serial[- ]position", r"(?:primacy|recency) effect"),
    "Miller’s Law": (r"miller'?s?'? law",),
    "Jakob’s Law": (r"ja[ck]ob'?s?'? law",),
    "Hick’s Law": (r"hick'?s?'?(?:[- ]hyman)? law",),
    "Pareto Principle": (r"pareto", r"80/20"),
    "Fitts’s Law": (r"fitt'?s?'?s?'? law",),
    "Goal-Gradient Effect": (r"goal[- ]gradient",),
}
_WORDS: dict[str, tuple[str, ...]] = {
    "Law of Common Region": (r"border", r"enclos", r"cards?\b", r"panels?\b", r"framed\b", r"boxed\b"),
    "Law of Proximity": (r"proximity", r"group(?:ed|ing|s)\b", r"spacing", r"close(?:r)? to", r"next to", r"adjacent"),
    "Law of Prägnanz": (r"simpl", r"clean(?:er)?\b", r"(?:un)?clutter", r"minimal", r"visual noise", r"bus(?:y|ier)\b"),
    "Law of Similarity": (r"consisten", r"uniform", r"look alike", r"same (?:style|look|colou?r)"),
    "Von Restorff Effect": (
        *(r"(?:stand|stands|standing|stood) out", r"contrast", r"prominen", r"salien", r"eye-catching", r"highlight"),
        *(r"(?:draw|draws|catch|catches|grab|grabs) (?:the )?(?:attention|eye)", r"noticeabl", r"distinct", r"emphasi"),
    ),
    "Serial Position Effect": (r"(?:first|last) (?:item|entry|option|in the list)", r"(?:begin|start) or (?:the )?end"),
    "Miller’s Law": (r"chunk", r"working memory", r"memor", r"digestible", r"information overload"),
    "Jakob’s Law": (r"familiar", r"convention", r"(?:users|people|visitors) expect", r"expectation", r"used to seeing"),
    "Hick’s Law": (
        r"choices?\b",
        r"too many",
        r"decisions?\b",
        r"decid",
        r"overwhelm",
        r"fewer (?:options|fields|steps)",
    ),
    "Pareto Principle": (r"prioriti[sz]", r"most important", r"what matters", r"key (?:features?|benefits?|points?)\b"),
    "Fitts’s Law": (
        *(r"(?:larg|bigg)er (?:\w+ )?(?:button|target|area)", r"(?:tap|click|touch) (?:target|area)", r"within reach"),
        *(r"(?:easier|easy|faster|hard|harder) to (?:click|tap|reach|hit|press)", r"full[- ]width button"),
    ),
    "Goal-Gradient Effect": (
        r"progress",
        r"step \d",
        r"steps? (?:left|remaining)",
        r"(?:almost|nearly) (?:done|there)",
    ),
}


def _any_of(table: dict[str, tuple[str, ...]]) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{'|'.join(patterns)})") for name, patterns in table.items()}


_NAMES, _IDEAS = _any_of(_CALLED), _any_of(_WORDS)
_THING = r"(?:version|variant|design|screenshot|screen|page|image|picture|option|layout|interface|one|ui)"
_PLACE = re.compile(rf"\b(first|second)(?:\s+{_THING})(?:['’]s)?\b(?!\s*\[)", re.IGNORECASE)
_NUMBER = re.compile(rf"\b{_THING}\s+(1|2|one|two)\b(?:['’]s)?(?!\s*\[)", re.IGNORECASE)
_IS_FIRST = {"first": True, "1": True, "one": True, "second": False, "2": False, "two": False}
_ANSWER = re.compile(r"^\W*more\s+effective\b[^:=]*[:=]", re.IGNORECASE)
_BULLET = re.compile(r"^(?:[-*•–+>#\s]+|\(?\d{1,2}[.)]\s+)+")
_MARKUP = re.compile(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)")
_END = re.compile(r"(?<=[.!?])[\"”’)]*\s+(?=[\"“‘(]?[A-Z0-9])")


@dataclass(frozen=True, slots=True)
class LawMention:
    """A law, in how many replies it is, in how many of those by name, and the sentences, those that name it first."""

    law: UXLaw
    response_count: int
    named_count: int
    sentences: tuple[str, ...]


def split_sentences(text: str) -> list[str]:
    """What a reply says, sentence by sentence: plain text in one line each, without headings and the line that
    answers."""
    found: list[str] = []
    for line in strip_thinking(text).splitlines():
        plain = _MARKUP.sub("", _BULLET.sub("", "".join(c if c.isprintable() else " " for c in line))).strip()
        if _ANSWER.match(plain):
            continue
        for sentence in _END.split(plain):
            words = sentence.split()
            if len(words) >= MIN_WORDS and not sentence.endswith(":"):
                found.append(_truncate(" ".join(words)))
    return found


def label_designs(sentence: str, first: str, second: str) -> str:
    """The sentence with the letter of a design behind each mention of its place, for whoever did not see the order."""

    def with_letter(match: re.Match[str]) -> str:
        return f"{match[0]} [{first if _IS_FIRST[match[1].lower()] else second}]"

    return _NUMBER.sub(with_letter, _PLACE.sub(with_letter, sentence))


def laws_in(sentence: str) -> dict[str, bool]:
    """The names of the laws in a sentence, each with whether it is called by its name."""
    plain = _plain(sentence)
    return {
        law.name: bool(_NAMES[law.name].search(plain))
        for law in UX_LAWS
        if _NAMES[law.name].search(plain) or _IDEAS[law.name].search(plain)
    }


def law_mentions(replies: Iterable[Sequence[str]]) -> tuple[list[LawMention], list[str]]:
    """The laws in replies, given as their sentences, those in most replies first; and sentences without any."""
    seen: dict[str, list[dict[str, bool]]] = {}
    silent: dict[str, None] = {}
    for reply in replies:
        of_reply: dict[str, dict[str, bool]] = {}
        for sentence in reply:
            found = laws_in(sentence)
            for name, named in found.items():
                of_reply.setdefault(name, {})[sentence] = named
            if not found:
                silent.setdefault(sentence)
        for name, said in of_reply.items():
            seen.setdefault(name, []).append(said)
    found_grounds = [_law_mention(UX_LAWS_BY_NAME[name], said) for name, said in seen.items()]
    order = [law.name for law in UX_LAWS]
    found_grounds.sort(key=lambda ground: (-ground.response_count, -ground.named_count, order.index(ground.law.name)))
    return found_grounds, list(silent)


def _law_mention(law: UXLaw, mentions: Sequence[dict[str, bool]]) -> LawMention:
    every = {sentence: named for one in mentions for sentence, named in one.items()}
    ordered = sorted(every, key=lambda sentence: not every[sentence])
    return LawMention(law, len(mentions), sum(any(one.values()) for one in mentions), tuple(ordered))


def _plain(text: str) -> str:
    apart = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    return " ".join("".join(letter for letter in apart if not unicodedata.combining(letter)).split())


def _truncate(sentence: str) -> str:
    return sentence if len(sentence) <= MAX_LENGTH else f"{sentence[: MAX_LENGTH - 1].rstrip()}…"
