"""`study:NAME`: the answers of people in a study, as responses to the same questions."""

from collections.abc import Mapping
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
from affordance.tasks.answers import FIRST, SECOND, write_answer

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
        text = None if answer is None else write_content(answer.given, request.answer_format)
        if answer is None or text is None:
            item = self._find_question(request.question).item
            missing = f"{UNANSWERED}: item {item!r}, trial {request.trial}"
            return Response(finish=FinishReason.ERROR, error=missing, permanent=True)
        # A reason is kept separate: a parser could read an answer in it.
        reason = str(answer.given.get("reason", ""))
        return Response(text, reasoning=reason, seconds=answer.seconds, served_by=revision)


def write_content(content: AnswerContent, answer_format: AnswerFormat) -> str | None:
    """The content of an answer as a model would write it; None if it has none for this format."""
    if isinstance(answer_format, LocationFormat):
        location = _location(content)
        return None if location is None else write_location_exactly(location, answer_format)
    answer = _answer(content, answer_format)
    return None if answer is None else write_answer(answer, answer_format)


def _answer(content: AnswerContent, answer_format: AnswerFormat) -> Any:
    """The answer, as parsers return it."""
    match answer_format:
        case SingleChoice(options):
            return next((option for option in options if option.name == content.get("option")), None)
        case MultipleChoice(options):
            return [option for option in options if option.name in content.get("options", ())] or None
        case PairChoice():
            return {"first": FIRST, "second": SECOND}.get(content.get("side", ""))
        case RatingScale():
            return content.get("score")
        case YesNo():
            return content.get("yes")
        case FreeText():
            return "\n".join(text.strip() for text in content.values() if text.strip()) or None
    raise AssertionError(f"no answers of people in the format {answer_format}")


def _location(content: AnswerContent) -> Location | None:
    if content.get("absent"):
        return ABSENT
    if "point" in content:
        return Point(CoordinateSpace.PIXEL, *content["point"]["xy"])
    return Box.from_json(content["box"]) if "box" in content else None
