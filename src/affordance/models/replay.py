"""`replay:FILE` scores predictions from a file: JSONL, or results of ScreenSpot-Pro (see `predictions`)."""

from collections.abc import Iterable
from pathlib import Path

from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.core.question import LocationFormat, Question
from affordance.core.requests import FinishReason, Request, Response
from affordance.grounding.location_parser import write_location_exactly
from affordance.models.model import LocalModel, ModelContext
from affordance.models.predictions import Prediction, count_unmatched, read_predictions


class ReplayModel(LocalModel):
    """Predictions by question or item and trial. A missing one is a failure, not a wrong answer."""

    answers_by_question = True

    def __init__(self, name: ModelName, context: ModelContext) -> None:
        path = Path(name.model)
        if not path.is_file():
            raise UserError(f"replay:FILE expects a file of predictions, there is none at {path}")
        super().__init__(f"replay:{path.name}", content=digest_file(path))
        self._find_question = context.question
        self._predictions = read_predictions(path)

    def unmatched_warning(self, questions: Iterable[Question]) -> str:
        """A warning if predictions match none of these questions; else empty."""
        count = count_unmatched(self._predictions, questions)
        return f"{count} predictions match no question of this run" if count else ""

    async def send(self, request: Request) -> Response:
        question = self._find_question(request.question)
        found = self._predictions.find(question, request.trial)
        if found is None:
            missing = f"no prediction for item {question.item!r}, trial {request.trial}, in {self.name}"
            return Response(finish=FinishReason.ERROR, error=missing, permanent=True)
        return _prediction_response(found, request)


def _prediction_response(prediction: Prediction, request: Request) -> Response:
    if prediction.location is None:
        # The tool that wrote the file found no location in it; without a number it may be a refusal.
        numbers = any(letter.isdigit() for letter in prediction.unparsed_text)
        return Response(
            prediction.response or ("" if numbers else prediction.unparsed_text), reasoning=prediction.unparsed_text
        )
    if not isinstance(request.answer_format, LocationFormat):
        problem = "the prediction is a location, but the question does not ask for one"
        return Response(finish=FinishReason.ERROR, error=problem, permanent=True)
    return Response(write_location_exactly(prediction.in_pixels(request.answer_format.size), request.answer_format))
