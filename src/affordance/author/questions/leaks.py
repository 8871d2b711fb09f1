"""What gives an answer away: the target's own text in a question, or options that can be told by length, order or
wording without looking at the screen. Everything here is pure; a complaint is a line that a model can be told."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from affordance.author.records import QuestionRecord
from affordance.tasks.question_design import option_letters

FEWEST_LETTERS = 3  # of a text for it to count as said
FEWEST_SIGNS = 2  # of one in a script that is written without spaces
LONG = 5  # words from which on a part of so many is as telling as the whole text
MARGIN = 0.2  # by which the right option may be longer or shorter than any other
LEAST = 8  # letters that it may always be
SURE = 0.01  # below it a bias of a whole set is no chance

_SIGNS = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f"
_UNSPACED = re.compile(rf"[{_SIGNS}]")
_WORD = re.compile(rf"[{_SIGNS}]+|[^\W_]+")
# Only words that can hardly mean anything else: a type, a selection and a scroll may be on the screen.
_ACTS = {
    "click": r"(?:left[ -]?)?click(?:s|ed|ing)?|tap(?:s|ped|ping)?",
    "double click": r"double[ -]?(?:click|tap)\w*",
    "right click": r"right[ -]?click\w*",
    "middle click": r"middle[ -]?click\w*",
    "long press": r"long[ -]?press\w*|press(?:ing)? and hold(?:ing)?",
    "hover": r"hover(?:s|ed|ing)?",
    "drag": r"drag(?:s|ged|ging)?",
    "swipe": r"swip(?:e|es|ed|ing)",
    "type": r"typ(?:e|es|ed|ing) in(?:to)?",
    "scroll": r"scroll(?:ing)? (?:up|down|through)",
    "press key": r"press(?:ing)? (?:a|the) key",
}
_MARKING = re.compile(r"\bred[ -](?:rectangle|box|frame|outline|border)\b|\bbounding box\b|\bbbox\b", re.IGNORECASE)


def plain(text: str) -> str:
    """In one spelling: case, width, punctuation and space do not count."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def says_text(text: str, own: str) -> str:
    """The part of a target's own text that another text says, as whole words; empty where it says none."""
    said, words = f" {plain(text)} ", plain(own).split()
    unspaced = _UNSPACED.search(own) is not None
    if sum(map(len, words)) < (FEWEST_SIGNS if unspaced else FEWEST_LETTERS) or not any(c.isalpha() for c in own):
        return ""
    runs = [words] if len(words) <= LONG else [words[at : at + LONG] for at in range(len(words) - LONG + 1)]
    for run in map(" ".join, runs):
        if f" {run} " in said or (unspaced and run in said):
            return run
    return ""


def names_action(text: str, action: str | None) -> str:
    """The words with which a text names an action; empty where it does not."""
    pattern = _ACTS.get(action or "")
    found = re.search(rf"\b(?:{pattern})\b", text, re.IGNORECASE) if pattern else None
    return found[0] if found else ""


def complaint(text: str, own: str, action: str | None = None) -> str:
    """Why a wording gives its target away; empty where it does not."""
    if not plain(text):
        return "it says nothing"
    if own_words := says_text(text, own):
        return f"it contains what is written on the target itself (“{own_words}”)"
    if named := names_action(text, action):
        return f"it names the action (“{named}”)"
    if marking := _MARKING.search(text):
        return f"it speaks of the mark that is not on the screen (“{marking[0]}”)"
    return ""


def option_complaint(options: Sequence[str], right: int, own: str = "") -> str:
    """Why the right one of some options, shown in this order, can be told without the screen; empty where it cannot.
    Nobody learns from it which one that is."""
    spelt = [plain(option) for option in options]
    if "" in spelt:
        return f"option {_letter(spelt.index(''))} says nothing"
    if twice := [place for place, one in enumerate(spelt) if one in spelt[:place]]:
        return f"option {_letter(twice[0])} says the same as option {_letter(spelt.index(spelt[twice[0]]))}"
    saying = [place for place, option in enumerate(options) if says_text(option, own)]
    if saying and len(saying) < len(options):
        named = says_text(options[saying[0]], own)
        return f"“{named}” is in some of the options and not in all: it should be in none"
    return _length_complaint([len(option) for option in options], right)


@dataclass(frozen=True, slots=True)
class Guess:
    """How well the right options of a set are found by a rule that never looks: how often it is right, and the
    chance of that where the rule tells nothing."""

    rule: str
    right: float
    n: int
    chance: float
    p: float

    @property
    def sure(self) -> bool:
        return self.p < SURE

    def __str__(self) -> str:
        verdict = "better than chance" if self.sure else "no better than chance"
        return (
            f"{self.rule} is right for {self.right:.0%} of {self.n} questions, chance is {self.chance:.0%}: {verdict} "
            f"(p = {self.p:.2g})"
        )


def guesses(questions: Iterable[QuestionRecord]) -> list[Guess]:
    """What can be guessed over a whole set of outcome questions: by the longest option, by the shortest, and by where
    the right one stands. Only questions that are asked count, and of those with another number of options than most
    have, none."""
    asked = [one for one in questions if one.form == "outcome" and not one.dropped and not one.abandoned]
    sizes = Counter(len(one.options) for one in asked)
    if not sizes:
        return []
    size = min(sizes, key=lambda count: (-sizes[count], count))
    rows = [[(option.origin == "target", len(option.text)) for option in q.options] for q in asked]
    rows = [row for row in rows if len(row) == size and sum(right for right, _ in row) == 1]
    if not rows:
        return []
    lengths = [sorted((length, right) for right, length in row) for row in rows]
    longest = sum(row[-1][1] and row[-1][0] > row[-2][0] for row in lengths)
    shortest = sum(row[0][1] and row[0][0] < row[1][0] for row in lengths)
    places = Counter(next(place for place, (right, _) in enumerate(row) if right) for row in rows)
    return [
        _binomial("the longest option", longest, len(rows), size),
        _binomial("the shortest option", shortest, len(rows), size),
        _uniform([places[place] for place in range(size)]),
    ]


def _binomial(rule: str, hits: int, n: int, size: int) -> Guess:
    """Where lengths tie the rule says nothing, so that chance is a little less than assumed: the safe side."""
    from scipy import special

    p = float(special.bdtrc(hits - 1, n, 1 / size)) if hits else 1.0
    return Guess(rule, hits / n, n, 1 / size, p)


def _uniform(counts: Sequence[int]) -> Guess:
    from scipy import special

    n, size = sum(counts), len(counts)
    statistic = sum((count - n / size) ** 2 / (n / size) for count in counts)
    most = max(range(size), key=lambda place: (counts[place], -place))
    return Guess(f"always {_letter(most)}", counts[most] / n, n, 1 / size, float(special.chdtrc(size - 1, statistic)))


def _length_complaint(lengths: Sequence[int], right: int) -> str:
    """Tells all lengths: whoever words the options is not to know which of them is right."""
    own, others = lengths[right], [length for place, length in enumerate(lengths) if place != right]
    if not others:
        return ""
    longer = own - max(others) > max(LEAST, MARGIN * max(others))
    shorter = min(others) - own > max(LEAST, MARGIN * own)
    if not longer and not shorter:
        return ""
    first, *rest = (f"{length}{{}} in {_letter(place)}" for place, length in enumerate(lengths))
    found = ", ".join([first.format(" letters"), *(one.format("") for one in rest)])
    return f"the options should be about equally long, found {found}"


def _letter(place: int) -> str:
    return option_letters(place + 1)[place]
