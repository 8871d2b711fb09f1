"""`baseline:people`: what one person said, where people were asked: the row that models are compared with."""

from affordance.core.ask import Ask, Finish, Reply
from affordance.models.base import LocalModel, Surroundings
from affordance.suites.motion.meaning import NAME
from affordance.suites.motion.references import PERSON, Kind, References


class PeopleBaseline(LocalModel):
    """Answers with the response that is left out of what it is then judged against."""

    by_question = True

    def __init__(self, name: str, surroundings: Surroundings) -> None:
        super().__init__(name, seed=surroundings.seed)
        self._question = surroundings.question

    async def reply(self, ask: Ask) -> Reply:
        question = self._question(ask.question)
        if question.task != NAME:
            return _unable(f"baseline:people answers {NAME} and nothing else")
        expected = References.from_text(question.truth)
        if Kind.SUMMARY in expected.kinds and expected.without is None:
            return _unable("the summary holds what this person said; give --summarizer M for one without it")
        return Reply(expected.response, reasoning=PERSON)


def _unable(why: str) -> Reply:
    return Reply(finish=Finish.UNABLE, error=why, permanent=True)
