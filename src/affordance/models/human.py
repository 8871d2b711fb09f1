"""`study:NAME`: the answers of people in a study, as responses to the same questions."""

from collections.abc import Callable, Mapping
from typing import Any

from affordance.core.errors import UserError
from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.core.model_name import ModelName
from affordance.core.question import (
    AnswerFormat,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.requests import FinishReason, Request, Response
from affordance.grounding.location_parser import write_location_exactly
from affordance.grounding.locations import ABSENT, Location
from affordance.models.model import LocalModel, ModelContext
from affordance.models.study_answers import UNANSWERED
from affordance.tasks.answers import write_rating
from affordance.tasks.choice_answers import write_multiple_choice, write_single_choice
from affordance.tasks.pair_answers import write_pair_choice

AnswerContent = Mapping[str, Any]


class StudyModel(LocalModel):
    """One answer for each question and trial, by one participant. An unanswered question is a failure, which is asked
    again when the run is resumed, and not a wrong answer."""

    answers_by_question = True

    def __init__(self, name: ModelName, context: ModelContext) -> None:
        if context.study_answers is None:
            raise UserError(f"{name} has answers to the questions of its task only, in a run of that task")
        super().__init__(str(name))
        self._find_question = context.question
        self._answers = context.study_answers(name.model)

    @property
    def participants(self) -> frozenset[str]:
        return frozenset(answer.seat for _, answer in self._answers.values())

    def answer_revision(self, question: str, trial: int) -> str:
        """PARTICIPANT/VERSION."""
        if (question, trial) not in self._answers:
            return ""
        version, answer = self._answers[question, trial]
        return f"{answer.seat}/{version}"

    async def send(self, request: Request) -> Response:
        revision = self.answer_revision(request.question, request.trial)
        answer = self._answers[request.question, request.trial][1] if revision else None
        text = None if answer is None else write_answer(answer.given, request.answer_format)
        if answer is None or text is None:
            item = self._find_question(request.question).item
            missing = f"{UNANSWERED}: item {item!r}, trial {request.trial}"
            return Response(finish=FinishReason.ERROR, error=missing, permanent=True)
        # A reason is kept separate: a parser could read an answer in it.
        reason = str(answer.given.get("reason", ""))
        return Response(text, reasoning=reason, seconds=answer.seconds, served_by=revision)


def write_answer(content: AnswerContent, answer_format: AnswerFormat) -> str | None:
    """An answer as a model would write it; None if it has no content for this format."""
    return _WRITERS[type(answer_format)](content, answer_format)


def _write_choice(content: AnswerContent, answer_format: SingleChoice) -> str | None:
    chosen = next((option for option in answer_format.options if option.name == content.get("option")), None)
    return None if chosen is None else write_single_choice(chosen, "")


def _write_several(content: AnswerContent, answer_format: MultipleChoice) -> str | None:
    chosen = [option for option in answer_format.options if option.name in content.get("options", ())]
    return write_multiple_choice(chosen, "") if chosen else None


def _write_either(content: AnswerContent, answer_format: PairChoice) -> str | None:
    word = {"first": answer_format.first, "second": answer_format.second}.get(content.get("side", ""))
    return None if word is None else write_pair_choice(word, "")


def _write_location(content: AnswerContent, answer_format: LocationFormat) -> str | None:
    place = _answer_location(content)
    return None if place is None else write_location_exactly(place, answer_format)


def _answer_location(content: AnswerContent) -> Location | None:
    if content.get("absent"):
        return ABSENT
    if "point" in content:
        return Point(CoordinateSpace.PIXEL, *content["point"]["xy"])
    return Box.from_json(content["box"]) if "box" in content else None


def _write_words(content: AnswerContent, _: FreeText) -> str | None:
    return "\n".join(text.strip() for text in content.values() if text.strip()) or None


def _write_score(content: AnswerContent, _: RatingScale) -> str | None:
    return write_rating(content["score"], "") if "score" in content else None


def _write_yes_no(content: AnswerContent, _: YesNo) -> str | None:
    return None if "yes" not in content else "Yes" if content["yes"] else "No"


_WRITERS: Mapping[type[AnswerFormat], Callable[[AnswerContent, Any], str | None]] = {
    SingleChoice: _write_choice,
    MultipleChoice: _write_several,
    PairChoice: _write_either,
    LocationFormat: _write_location,
    FreeText: _write_words,
    RatingScale: _write_score,
    YesNo: _write_yes_no,
}
