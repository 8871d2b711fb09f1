"""Which outcome questions there are: targets, options and their order, settled by seeded draws before anything is
worded."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from affordance.author.groups.views import one_line
from affordance.author.questions.leaks import plain
from affordance.author.questions.subjects import Party, Subject, name_of, region_subject
from affordance.author.records import Choice
from affordance.author.state import ScreenState
from affordance.core.digest import digest
from affordance.tasks.function.captured_outcomes import TARGET, single_answer_options
from affordance.tasks.function.wording import action_words


@dataclass(frozen=True, slots=True)
class Poser:
    """A question before it is worded: everything is settled but the words of the options."""

    name: str
    subject: Subject
    group: str
    alike: tuple[Subject, ...]
    action: str | None
    options: tuple[Choice, ...]

    @property
    def right(self) -> int:
        return next(place for place, option in enumerate(self.options) if option.origin == TARGET)

    @property
    def question(self) -> str:
        if self.subject.level == "region":
            return "Which option says best what the region highlighted with a red rectangle is for?"
        if self.action is None:
            return "Which option says best what the element highlighted with a red rectangle does?"
        done = action_words(self.action).present
        return f"What will happen to the given screen if one {done} the element highlighted with a red rectangle?"


@dataclass(frozen=True, slots=True)
class Draw:
    """How options are drawn on a screen. `mixed`: functions of regions may be distractors for elements, which takes
    somebody to put them into one style."""

    screen: ScreenState
    parties: Sequence[Party]
    seed: int
    mixed: bool

    def which(self, party: Party, subject: Subject) -> list[str]:
        """What tells a question about a subject from those that other groups with it give; nothing where none has."""
        having = [one for one in self.parties if one.level == party.level and subject in one.members]
        return [f"group.{party.id}"] if len(having) > 1 else []


def posers(draw: Draw, every: bool) -> tuple[list[Poser], list[str]]:
    """One target of each group by a seeded draw, or every member, with each action that look-alikes share; and notes on
    groups of which none could be made."""
    made: list[Poser] = []
    notes: list[str] = []
    for party in draw.parties:
        candidates = [found for subject in party.members if (found := _of_subject(draw, party, subject))]
        if not candidates:
            notes.append(f"no outcome question about a group of {party.level}s: {_lacks(party)}")
        elif every:
            made += [one for several in candidates for one in several]
        else:
            seed = digest("outcome target", draw.seed, draw.screen.id, party.level, party.id)
            made += random.Random(int(seed, 16)).choice(candidates)
    return made, notes


def _of_subject(draw: Draw, party: Party, subject: Subject) -> list[Poser]:
    """By action; by what it is for, where look-alikes share no action with it."""
    by_action = [poser for action in subject.outcomes if (poser := _poser(draw, party, subject, action)) is not None]
    plainly = None if by_action else _poser(draw, party, subject, None)
    return by_action if plainly is None else [plainly]


def _poser(draw: Draw, party: Party, subject: Subject, action: str | None) -> Poser | None:
    right = _does(subject, action)
    if not right:
        return None
    hard = _distinct(((_does(one, action), one.id) for one in party.others(subject)), [right])
    easy = _distinct(_elsewhere(draw, party, subject, action), [right, *hard])
    name = name_of("outcome", party.level, subject.id, *([action] if action else []), *draw.which(party, subject))
    picks = single_answer_options(right, list(hard), list(easy), draw.seed, draw.screen.id, name)
    if picks is None:
        return None
    of = {right: subject.id, **hard, **easy}
    options = tuple(Choice.model_validate({"text": text, "origin": origin, "of": of[text]}) for text, origin in picks)
    return Poser(name, subject, party.id, party.others(subject), action, options)


def _does(subject: Subject, action: str | None) -> str:
    """What acting on it does; without an action, what it is for."""
    return subject.functionality if action is None else subject.outcomes.get(action, "")


def _elsewhere(draw: Draw, party: Party, subject: Subject, action: str | None) -> Iterator[tuple[str, str]]:
    """What other parts of the screen do: nothing of the group, and nothing that the target is in or a part of."""
    screen, group = draw.screen, {one.id for one in party.members}
    if party.level == "element":
        for other in draw.parties:
            if other.level == "element":
                yield from ((_first(one, action), one.id) for one in other.members if one.id not in group)
        captured = screen.captured.elements if screen.captured is not None else []
        yield from ((one_line(one.functionality or ""), one.id) for one in captured if one.id not in group)
        if not draw.mixed:
            return
    for node in screen.usable():
        if subject.box.intersection_area(screen.regions[node].box) == 0 and not (
            party.level == "region" and node in group
        ):
            yield region_subject(screen, node).functionality, node


def _first(subject: Subject, action: str | None) -> str:
    told = _does(subject, action) or next(iter(subject.outcomes.values()), "")
    return told or subject.functionality


def _distinct(told: Iterable[tuple[str, str]], besides: Iterable[str]) -> dict[str, str]:
    """Texts that say something else than others, with whose they are."""
    spelt = {plain(text) for text in besides} | {""}
    found: dict[str, str] = {}
    for text, of in told:
        if plain(text) not in spelt:
            spelt.add(plain(text))
            found[text] = of
    return found


def _lacks(party: Party) -> str:
    if not any(subject.known for subject in party.members):
        return "it is not known what its members do"
    return "look-alikes and the rest of the screen give too few different options"
