"""What the words about a clip say of the purpose of its animation.

The tables were written from the definitions of the purposes, before any clip with a purpose was looked at.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_Table = tuple[tuple[str, str, float], ...]

# Words or words in a row, the purpose that they speak for, and how much: at 1.5 they all but name it.
_SAID: Final[_Table] = (
    (r"navigat\w*|go(?:es|ing)? (?:back|to)|return\w* to|mov\w* (?:to|between)", "Transition", 1.5),
    (r"open(?:s|ed|ing)?|clos(?:es|ed|ing)|dismiss\w*|expand\w*|collaps\w*|unfold\w*", "Transition", 1.0),
    (r"switch\w* (?:to|between|tabs?|pages?)|next (?:page|screen|view)|full ?screen", "Transition", 1.0),
    (r"menu|drawer|sidebar|modal|dialog\w*|pop-?up|tabs?|layout", "Transition", 0.5),
    (r"tutorial\w*|onboarding|walk-?through|tour|demonstrat\w*|explain\w*|how to|how it works", "Demonstration", 1.5),
    (r"shows? how|introduc\w*|instruct\w*|teach\w*|preview\w*", "Demonstration", 1.0),
    (r"learn\w*|example\w*|features?|help", "Demonstration", 0.5),
    (r"hint\w*|guid(?:e|es|ed|ing|ance)|nudg\w*|invit\w*|encourag\w*|call to action|next step", "Guidance", 1.5),
    (r"errors?|wrong|incorrect\w*|invalid|fail\w*|reject\w*|den(?:y|ied)|not accepted", "Feedback", 1.5),
    (r"success\w*|confirm\w*|acknowledg\w*|respon\w*|react\w*|feedback", "Feedback", 1.5),
    (r"lik(?:es|ed|ing)|favou?rit\w*|toggl\w*|submit\w*|delet\w*|select\w*|add(?:s|ed)? to", "Feedback", 1.0),
    (r"hover\w*|drag(?:s|ged|ging)|long press\w*|typ(?:es|ed|ing)|pull(?:s|ed|ing)", "Feedback", 1.0),
    (r"load\w*|progress\w*|download\w*|upload\w*|process(?:es|ed|ing)|sync\w*|buffer\w*", "Visualization", 1.5),
    (r"status|charts?|graphs?|data|statistic\w*|percent\w*|countdown|timer|weather|battery", "Visualization", 1.5),
    (r"charging|connect\w*|search(?:es|ing)|scan\w*|install\w*|updat(?:es|ing)|comput\w*", "Visualization", 1.0),
    (r"record\w*|listen\w*|speak\w*|voice|play(?:s|ing)|music|song|audio|volume|level", "Visualization", 1.0),
    (r"maps?|routes?|location|scores?|steps|heart rate|time|wait\w*|live", "Visualization", 0.5),
    (r"notif\w*|alert\w*|attention|highlight\w*|emphasi\w*|important|badge|reminder\w*", "Highlight", 1.5),
    (r"sale|offers?|promot\w*|discount\w*|deals?|advert\w*|ads?|banner\w*|recommend\w*", "Highlight", 1.0),
    (r"unread|new (?:message|item|mail|feature|post)s?|warn\w*|urgent|limited", "Highlight", 1.0),
    (r"celebrat\w*|congratulat\w*|confetti|fireworks?|balloons?|birthday|festiv\w*|holiday\w*", "Aesthetic", 1.5),
    (r"decorat\w*|ambient|wallpaper|screen ?saver|background|theme\w*|mood|delight\w*", "Aesthetic", 1.0),
    (r"splash|logo|brand\w*|mascot|character|cute|playful|fun|beaut\w*|greet\w*|welcom\w*", "Aesthetic", 1.0),
)
# Of the situation: what somebody is meant to do.
_MEANT: Final[_Table] = (
    (r"(?:swipe|tap|press|scroll|drag|slide|pull|click)(?: \w+)? to|prompt\w*|lead\w* the", "Guidance", 1.0),
    (r"should|needs? to|ha(?:s|ve) to|wait\w* for the (?:user|person)|where to", "Guidance", 0.5),
)
# Of the input: what somebody did. Alone it says little: most animations come after something of the kind.
_DONE: Final[_Table] = (
    (r"tap\w*|click\w*|press\w*|touch\w*|tick\w*|check(?:s|ed)?|enter(?:s|ed|ing)?", "Feedback", 0.5),
    (r"hold\w*|pinch\w*|shak\w*|draw\w*", "Feedback", 0.5),
    (r"swip\w*|scroll\w*|back button|launch\w*", "Transition", 0.5),
    (r"talk\w*|say(?:s|ing)?|ask\w*", "Visualization", 0.5),
)
_NOT_DONE: Final = re.compile(
    r"^\W*(?:none|no|nil|n/?a|nothing|nobody|without|not applicable|passive)\b"
    r"|\bno (?:\w+ ){0,2}(?:input|interaction|action|gesture)s?\b"
    r"|\b(?:does|did|do|doing) nothing\b"
    r"|\b(?:does|did|do|was|were|is|are)(?: not|n['’]t) (?:do|doing|interact\w*|perform\w*|act\w*)\b"
)


@dataclass(frozen=True, slots=True)
class PurposeHints:
    """`words` are those found in the tables, each with its purpose and weight; `acted` is whether somebody did
    something before or during the animation, None where that is not told."""

    words: tuple[tuple[str, str, float], ...]
    user_acted: bool | None


def read_purpose_hints(context: str, user_input: str) -> PurposeHints:
    """Of any two texts, in any case. A line of a table counts once, however often its words are said."""
    situation, done = _plain(context), _plain(user_input)
    acted = _NOT_DONE.search(done) is None if done else None
    if not acted:
        done = ""
    found = [*_find_hints(_SAID, f"{situation} | {done}"), *_find_hints(_MEANT, situation), *_find_hints(_DONE, done)]
    return PurposeHints(tuple(found), acted)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _find_hints(table: _Table, text: str) -> Iterator[tuple[str, str, float]]:
    for pattern, purpose, weight in table:
        match = re.search(rf"\b(?:{pattern})\b", text)
        if match:
            yield match.group(), purpose, weight
