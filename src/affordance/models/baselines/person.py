"""`baseline:people`: the response of one person, as the row that models are compared with."""

from affordance.core.requests import Request, Response
from affordance.models.model import LocalModel, ModelContext, unsupported_response
from affordance.tasks.motion.meaning_judging import NAME, MeaningJudgement, MeaningReferences


class PersonBaseline(LocalModel):
    """Answers with the response that is held out from the references it is judged against."""

    answers_by_question = True

    def __init__(self, name: str, context: ModelContext) -> None:
        super().__init__(name, seed=context.seed)
        self._find_question = context.question

    async def send(self, request: Request) -> Response:
        question = self._find_question(request.question)
        if question.task != NAME:
            return unsupported_response(f"baseline:people answers {NAME} only")
        expected = MeaningReferences.from_text(question.truth)
        if MeaningJudgement.SUMMARY in expected.kinds and expected.without is None:
            return unsupported_response(
                "the summary contains the response of this person; give --summarizer M for one without it"
            )
        return Response(expected.held_out_text)
