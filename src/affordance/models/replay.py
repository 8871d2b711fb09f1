"""`replay:FILE` scores what somebody else's model said.

FILE is JSONL, or a result file of ScreenSpot-Pro (see `predictions`)."""

from collections.abc import Iterable
from pathlib import Path

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.digest import digest_file
from affordance.core.errors import UserError
from affordance.core.grammar import Locate
from affordance.core.names import ModelName
from affordance.core.question import Question
from affordance.grounding.location_parser import write_location_exactly
from affordance.models.base import LocalModel, Surroundings
from affordance.models.predictions import Prediction, read_predictions, unmatched


class Replay(LocalModel):
    """Predictions by (question or item, trial). One that is missing is a failure, never a wrong answer."""

    by_question = True

    def __init__(self, name: ModelName, surroundings: Surroundings) -> None:
        path = Path(name.model)
        if not path.is_file():
            raise UserError(f"replay:FILE expects a file of predictions, found no file at {path}")
        super().__init__(f"replay:{path.name}", content=digest_file(path))
        self._question = surroundings.question
        self._predictions = read_predictions(path)

    def remark(self, questions: Iterable[Question]) -> str:
        """What is odd about the file, beside these questions."""
        count = unmatched(self._predictions, questions)
        return f"{count} predictions are for nothing that is asked here" if count else ""

    async def reply(self, ask: Ask) -> Reply:
        question = self._question(ask.question)
        found = self._predictions.find(question, ask.trial)
        if found is None:
            missing = f"no prediction for item {question.item!r}, trial {ask.trial}, in {self.name}"
            return Reply(finish=Finish.ERROR, error=missing, permanent=True)
        return _said(found, ask)


def _said(found: Prediction, ask: Ask) -> Reply:
    if found.place is None:
        # Others could read no place out of it, so none is read here; without a number in it, it may be a refusal.
        numbers = any(letter.isdigit() for letter in found.unread)
        return Reply(found.reply or ("" if numbers else found.unread), reasoning=found.unread)
    if not isinstance(ask.grammar, Locate):
        wrong = "the prediction is a place, and the question is not about one"
        return Reply(finish=Finish.ERROR, error=wrong, permanent=True)
    return Reply(write_location_exactly(found.in_pixels(ask.grammar.size), ask.grammar))
