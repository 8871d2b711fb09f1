"""`oracle:DIALECT` answers the truth, to prove the harness: whatever it does not score is our mistake."""

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.errors import UnknownName
from affordance.core.grammar import Choice
from affordance.core.names import ModelName
from affordance.models.base import LocalModel, Surroundings
from affordance.suites.choice import write_choice

DIALECTS = ("default",)


class Oracle(LocalModel):
    def __init__(self, name: ModelName, surroundings: Surroundings) -> None:
        dialect = name.model or "default"
        if dialect not in DIALECTS:
            raise UnknownName("dialect", dialect, DIALECTS)
        super().__init__(f"oracle:{dialect}")
        self._question = surroundings.question

    async def reply(self, ask: Ask) -> Reply:
        truth = self._question(ask.question).truth
        if isinstance(ask.grammar, Choice):
            for option in ask.grammar.options:
                if option.name == truth:
                    return Reply(write_choice(option, "This is the truth."))
        return Reply(finish=Finish.UNABLE, error="the oracle knows no truth for this question", permanent=True)
