"""`oracle:DIALECT` answers the truth, to prove the harness: whatever it does not score is our mistake."""

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.names import ModelName
from affordance.grounding.selection import dialect_named
from affordance.models.base import LocalModel, Surroundings
from affordance.suites.registry import task_asked


class Oracle(LocalModel):
    """It speaks any dialect, and answers in the one it is asked in."""

    by_question = True

    def __init__(self, name: ModelName, surroundings: Surroundings) -> None:
        dialect = dialect_named(name.model or "default").name
        super().__init__(f"oracle:{dialect}", dialect)
        self._question = surroundings.question

    async def reply(self, ask: Ask) -> Reply:
        question = self._question(ask.question)
        said = task_asked(question.task).ideal(question, ask.grammar)
        if said is None:
            return Reply(finish=Finish.UNABLE, error="the oracle knows no truth for this question", permanent=True)
        return Reply(said)
