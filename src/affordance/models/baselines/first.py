"""`baseline:first`: always the first option. Its score is what position alone is worth."""

from affordance.core.question import MultipleChoice, PairChoice, SingleChoice
from affordance.core.requests import Request, Response
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.choice_answers import write_multiple_choice, write_single_choice
from affordance.tasks.pair_answers import write_pair_choice

_REASON = "Chosen without looking."


class FirstBaseline(LocalModel):
    """Chooses the first option of every question that has options."""

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name)

    async def send(self, request: Request) -> Response:
        match request.answer_format:
            case SingleChoice(options):
                return Response(write_single_choice(options[0], _REASON))
            case MultipleChoice(options):
                return Response(write_multiple_choice(options[:1], _REASON))
            case PairChoice(first, _):
                return Response(write_pair_choice(first, _REASON))
        return unsupported_response(f"{self.name} answers questions with options only")
