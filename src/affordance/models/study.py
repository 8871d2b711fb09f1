"""`study:NAME` is people: what they answered in a study, as replies to the same questions."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.box import Box, Point, Space
from affordance.core.errors import UserError
from affordance.core.grammar import Choice, Either, Grammar, Locate, Scale, Several, Words, YesNo
from affordance.core.names import ModelName
from affordance.grounding.location_parser import write_location_exactly
from affordance.grounding.places import ABSENT, Place
from affordance.models.answers import UNANSWERED
from affordance.models.base import LocalModel, Surroundings
from affordance.suites.behavior.picks import write_pick
from affordance.suites.choice import write_choice, write_several
from affordance.suites.scale import write_score

Given = Mapping[str, Any]


class People(LocalModel):
    """One answer for each question and trial, by one person. What nobody has answered yet is a failure, which is asked
    again when the run goes on, and never a wrong answer."""

    by_question = True

    def __init__(self, name: ModelName, surroundings: Surroundings) -> None:
        if surroundings.people is None:
            raise UserError(f"{name} answers in a run of the task that it was made for; it cannot be asked here")
        super().__init__(str(name))
        self._question = surroundings.question
        self._answers = surroundings.people(name.model)

    @property
    def seats(self) -> frozenset[str]:
        return frozenset(answer.seat for _, answer in self._answers.values())

    def edition(self, question: str, trial: int) -> str:
        """SEAT/VERSION."""
        if (question, trial) not in self._answers:
            return ""
        version, answer = self._answers[question, trial]
        return f"{answer.seat}/{version}"

    async def reply(self, ask: Ask) -> Reply:
        edition = self.edition(ask.question, ask.trial)
        answer = self._answers[ask.question, ask.trial][1] if edition else None
        said = None if answer is None else written(answer.given, ask.grammar)
        if answer is None or said is None:
            item = self._question(ask.question).item
            missing = f"{UNANSWERED}: item {item!r}, trial {ask.trial}"
            return Reply(finish=Finish.ERROR, error=missing, permanent=True)
        # A reason is kept apart, as an answer could be read out of it.
        reason = str(answer.given.get("reason", ""))
        return Reply(said, reasoning=reason, seconds=answer.seconds, served_by=edition)


def written(given: Given, grammar: Grammar) -> str | None:
    """An answer as a model would write it; None where nothing was answered."""
    return _WRITERS[type(grammar)](given, grammar)


def _choice(given: Given, grammar: Choice) -> str | None:
    chosen = next((option for option in grammar.options if option.name == given.get("option")), None)
    return None if chosen is None else write_choice(chosen, "")


def _several(given: Given, grammar: Several) -> str | None:
    chosen = [option for option in grammar.options if option.name in given.get("options", ())]
    return write_several(chosen, "") if chosen else None


def _either(given: Given, grammar: Either) -> str | None:
    word = {"first": grammar.first, "second": grammar.second}.get(given.get("side", ""))
    return None if word is None else write_pick(word, "")


def _locate(given: Given, grammar: Locate) -> str | None:
    place = _place(given)
    return None if place is None else write_location_exactly(place, grammar)


def _place(given: Given) -> Place | None:
    if given.get("absent"):
        return ABSENT
    if "point" in given:
        return Point(Space.PIXEL, *given["point"]["xy"])
    return Box.from_json(given["box"]) if "box" in given else None


def _words(given: Given, _: Words) -> str | None:
    return "\n".join(text.strip() for text in given.values() if text.strip()) or None


def _scale(given: Given, _: Scale) -> str | None:
    return write_score(given["score"], "") if "score" in given else None


def _yes_no(given: Given, _: YesNo) -> str | None:
    return None if "yes" not in given else "Yes" if given["yes"] else "No"


_WRITERS: Mapping[type[Grammar], Callable[[Given, Any], str | None]] = {
    Choice: _choice,
    Several: _several,
    Either: _either,
    Locate: _locate,
    Words: _words,
    Scale: _scale,
    YesNo: _yes_no,
}
