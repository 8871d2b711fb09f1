"""What an expression says that can be seen: looks, places and names. Words in, weights out; no picture is needed."""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Final

from affordance.media.screen_layout import PartKind

_QUOTED: Final = re.compile(r"“([^”]*)”|\"([^\"]*)\"|‘([^’]+)’(?!\w)|(?<!\w)'([^']+)'(?!\w)")
_WITHIN: Final = re.compile(r"(?<=”) (?:in|of|on|within|inside|under) the\b")
_HOLE: Final = "“”"  # stands for a quoted name while the rest is searched

_PLAIN: Final[Mapping[PartKind, float]] = {
    PartKind.BUTTON: 0.8,
    PartKind.ICON: 0.7,
    PartKind.TEXT: 0.6,
    PartKind.FIELD: 0.4,
    PartKind.ROW: 0.3,
    PartKind.SWITCH: 0.3,
    PartKind.TICK: 0.3,
    PartKind.TRACK: 0.2,
    PartKind.AREA: -1.0,
}

# What a thing of this kind, or a thing that does this, tends to look like.
_LOOKS: Final[tuple[tuple[str, Mapping[PartKind, float]], ...]] = (
    (r"\bswitch\b|is switched|\btoggles?\b", {PartKind.SWITCH: 3.0, PartKind.TICK: 0.5}),
    (r"\bcheck ?box|is (?:un)?checked|\btick", {PartKind.TICK: 3.0}),
    (r"\bradio\b|\boption “”", {PartKind.TICK: 1.5, PartKind.ICON: 1.0, PartKind.BUTTON: 0.5}),
    (r"\bslider\b|value of the slider", {PartKind.TRACK: 3.0}),
    (
        r"\b(?:search|text|input|number) ?(?:field|box)|\btext ?box|\btype|\benter\b",
        {PartKind.FIELD: 3.0, PartKind.ROW: 0.5},
    ),
    (r"gets the focus", {PartKind.FIELD: 1.5, PartKind.ROW: 0.5}),
    (r"\bsearch", {PartKind.FIELD: 1.0}),
    (r"\bdrop-?down|\bcombo ?box|\bselect\b", {PartKind.BUTTON: 1.2, PartKind.FIELD: 1.0}),
    (r"\blink\b|\bpage “” opens|\bopens the\b|address changes|\bnavigates?\b", {PartKind.TEXT: 1.6, PartKind.ROW: 0.4}),
    (r"\btab\b", {PartKind.TEXT: 1.0, PartKind.BUTTON: 1.0}),
    (r"\bbutton\b", {PartKind.BUTTON: 1.0, PartKind.ICON: 1.0}),
    (r"\bicon\b|\bclose|\bdismiss|is gone|\bdisappears", {PartKind.ICON: 1.0}),
    (
        r"\b(?:menu|dialog|side panel|message)\b[^.]* appears|is (?:expanded|collapsed)",
        {PartKind.BUTTON: 0.8, PartKind.ICON: 0.8},
    ),
    (r"is turned (?:on|off)|is (?:not )?pressed", {PartKind.ICON: 1.0, PartKind.BUTTON: 0.4}),
    (r"\bheading\b(?! “”\.)|\btext\b|\bsorted\b", {PartKind.TEXT: 1.0}),
    (r"\brow\b|\bcard\b|\barticle\b|\bitem\b", {PartKind.ROW: 0.8, PartKind.TEXT: 0.4}),
)

# Where on a screen a thing of this kind tends to be: centre x and y and width and height, in shares of the screen.
_PLACES: Final[tuple[tuple[str, tuple[tuple[float, float, float, float], ...]], ...]] = (
    (r"\bpage “” opens|address changes|\bnavigation\b|\bsidebar\b", ((0.09, 0.4, 0.17, 0.6), (0.3, 0.04, 0.5, 0.07))),
    (r"\b(?:banner|header|top bar)\b", ((0.5, 0.04, 1.0, 0.08),)),
    (r"\btoolbar\b|\bmenu ?bar\b", ((0.5, 0.1, 0.6, 0.06),)),
    (r"\btab ?list\b|\btab bar\b", ((0.4, 0.15, 0.35, 0.06),)),
    (r"\bsearch\b", ((0.45, 0.04, 0.4, 0.06),)),
    (r"\bmain\b", ((0.58, 0.55, 0.83, 0.9),)),
    (r"\b(?:complementary|side panel|aside)\b", ((0.87, 0.5, 0.25, 0.85),)),
    (r"\b(?:contentinfo|footer|status bar)\b", ((0.5, 0.97, 1.0, 0.06),)),
    (r"\bform\b", ((0.5, 0.55, 0.6, 0.6),)),
    (r"\btable\b", ((0.55, 0.65, 0.6, 0.4),)),
    (r"\blist\b", ((0.4, 0.55, 0.35, 0.5),)),
    (r"\b(?:article|card)\b", ((0.55, 0.55, 0.3, 0.2),)),
    (r"\b(?:region|section|tab ?panel|figure)\b", ((0.58, 0.55, 0.45, 0.35),)),
    (r"\bgroup\b", ((0.55, 0.5, 0.35, 0.12),)),
)

# What a name counts, by the words right before it and after it: the first row that fits.
_ROLES: Final[tuple[tuple[str, str, float], ...]] = (
    (r"\bpage $", r"", 0.3),
    (r"\bheading $", r"", 1.0),
    (r"", r"^ (?:is (?:shown|gone)|disappears)", 0.4),
    (r"\bbecomes $", r"", 0.5),
    (r"", r"^ appears", 0.7),
    (r"", r"", 1.0),
)

_TOWARDS: Final[Mapping[str, tuple[float, float]]] = {
    "left": (-1.0, 0.0),
    "right": (1.0, 0.0),
    "top": (0.0, -1.0),
    "upper": (0.0, -1.0),
    "above": (0.0, -0.5),
    "bottom": (0.0, 1.0),
    "lower": (0.0, 1.0),
    "below": (0.0, 0.5),
}

# With these begins the name of a control that shows a sign and no text, and they go on with what it is beside.
_LAST_ACTS: Final = frozenset({"remove", "delete", "close", "dismiss", "clear", "options", "more", "actions", "menu"})
_OTHER_ACTS: Final = frozenset(
    {"add", "collapse", "copy", "download", "drag", "edit", "expand", "hide", "move", "mute", "one", "open", "pin"}
    | {"play", "preview", "rename", "reply", "resize", "share", "show", "snooze", "star", "unpin", "unstar"}
)
ICON_ACTS: Final = _LAST_ACTS | _OTHER_ACTS
_LAST: Final = 0.4  # such a control tends to be the last one of its row

_COMMON: Final = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "in", "is", "it", "its", "of", "on", "or"}
    | {"that", "the", "this", "to", "was", "with", "which", "when", "you", "your"}
)


@dataclass(frozen=True, slots=True)
class Cues:
    """`looks` are weights, `names` the quoted ones of the thing or of what it brings about, with their weights,
    `around` those of what it is in; `words` are all that is not quoted; `frames` are the typical places of what it is
    or is in."""

    looks: Mapping[PartKind, float]
    names: tuple[tuple[str, float], ...]
    context_names: tuple[str, ...]
    words: frozenset[str]
    frames: tuple[tuple[float, float, float, float], ...]
    towards: tuple[float, float]


def read_cues(expression: str) -> Cues:
    """The cues of any text; without a cue the looks are those of a control of which nothing is known."""
    bare = _QUOTED.sub(_HOLE, expression)
    within = _WITHIN.search(bare)
    said = bare[: within.start()] if within else bare
    quoted = [next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(expression)]
    own = said.count(_HOLE)
    return Cues(
        looks=_looks(said.lower()),
        names=tuple(zip(quoted[:own], _weights(said.lower()), strict=True)),
        context_names=tuple(quoted[own:]),
        words=words_of(said),
        frames=_frames((bare[within.start() :] if within else bare).lower()),
        towards=_towards(bare.lower(), quoted[:1]),
    )


def words_of(text: str) -> frozenset[str]:
    """The words that say something, in lower case."""
    return frozenset(re.findall(r"[^\W_]+", text.lower())) - _COMMON


def _looks(text: str) -> Mapping[PartKind, float]:
    """Logarithms of shares, so that they can be compared between texts with few cues and with many."""
    weights: defaultdict[PartKind, float] = defaultdict(float)
    for pattern, looks in _LOOKS:
        if re.search(pattern, text):
            for look, weight in looks.items():
                weights[look] += weight
    raised = {look: plain + weights[look] for look, plain in _PLAIN.items()}
    all_of_them = math.log(sum(math.exp(weight) for weight in raised.values()))
    return {look: weight - all_of_them for look, weight in raised.items()}


def _weights(text: str) -> list[float]:
    pieces = text.split(_HOLE)
    return [
        next(weight for head, tail, weight in _ROLES if re.search(head, before) and re.search(tail, after))
        for before, after in pairwise(pieces)
    ]


def _frames(bare: str) -> tuple[tuple[float, float, float, float], ...]:
    for pattern, frames in _PLACES:
        if re.search(pattern, bare):
            return frames
    return ()


def _towards(bare: str, names: Sequence[str]) -> tuple[float, float]:
    steps = [_TOWARDS[word] for word in re.findall(r"[a-z]+", bare) if word in _TOWARDS]
    steps.extend((_LAST, 0.0) for name in names if _LAST_ACTS.intersection(name.lower().split()[:1]))
    return sum(x for x, _ in steps), sum(y for _, y in steps)


_MIN_LIKENESS: Final = 0.6  # below it letters agree by chance


def likeness(name: str, text: str) -> float:
    """How alike two texts are, 0 to 1, by letters where they are short and by words where one is long."""
    first, second = _plain(name), _plain(text)
    if not first or not second:
        return 0.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    letters = matcher.ratio() if matcher.quick_ratio() > _MIN_LIKENESS else 0.0
    a, b = words_of(name), words_of(text)
    shared = 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0
    return max(shared, letters if letters > _MIN_LIKENESS else 0.0)


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())
