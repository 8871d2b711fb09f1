"""`oracle:DIALECT` gives the correct answer, to check questions, parsers and scoring: it must score 100%."""

from affordance.core.model_name import ModelName
from affordance.core.question import FreeText
from affordance.core.requests import Request, Response
from affordance.grounding.dialects import get_dialect
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.answers import write_answer
from affordance.tasks.registry import get_task


class Oracle(LocalModel):
    """Answers in the dialect of the question, whatever its own."""

    answers_by_question = True

    def __init__(self, name: ModelName, context: ModelContext) -> None:
        dialect = get_dialect(name.model or "default").name
        super().__init__(f"oracle:{dialect}", dialect)
        self._find_question = context.question

    async def send(self, request: Request) -> Response:
        question = self._find_question(request.question)
        answer = get_task(question.task).scorer.correct(question)
        if answer is None or not isinstance(request.answer_format, (type(question.answer_format), FreeText)):
            return unsupported_response(f"{self.name} knows no answer to this question")
        return Response(write_answer(answer, request.answer_format, "This is the truth."))
