"""`baseline:first`: always the first option. Its score is what position alone is worth."""

from typing import Any

from affordance.core.question import MultipleChoice, PairChoice, SingleChoice
from affordance.core.requests import Request, Response
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.answers import FIRST, write_answer


class FirstBaseline(LocalModel):
    """Chooses the first option of every question that has options."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name)

    async def send(self, request: Request) -> Response:
        answer: Any
        match request.answer_format:
            case SingleChoice(options):
                answer = options[0]
            case MultipleChoice(options):
                answer = options[:1]
            case PairChoice():
                answer = FIRST
            case _:
                return unsupported_response(f"{self.name} answers questions with options only")
        return Response(write_answer(answer, request.answer_format, "Chosen without looking."))
