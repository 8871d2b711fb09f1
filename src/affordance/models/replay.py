"""`replay:FILE` scores replies that somebody else's model made.

FILE is JSONL. A line is `{"item": ..., "trial": 0, "reply": "..."}`, or with "question" and a question's id in place
of "item" where an item is asked about in several ways; "trial" is 0 if left out.
"""

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from affordance.core.ask import Ask, Finish, Reply
from affordance.core.complaints import first_complaint
from affordance.core.digest import digest_file
from affordance.core.errors import DataError, UserError
from affordance.core.names import ModelName
from affordance.models.base import LocalModel, Surroundings


class Prediction(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    item: str | None = None
    question: str | None = None
    trial: int = 0
    reply: str


class Replay(LocalModel):
    """Predictions by (question or item, trial). One that is missing is a failure, never a wrong answer."""

    def __init__(self, name: ModelName, surroundings: Surroundings) -> None:
        path = Path(name.model)
        if not path.is_file():
            raise UserError(f"replay:FILE expects a JSONL file of predictions, found no file at {path}")
        super().__init__(f"replay:{path.name}", content=digest_file(path))
        self._question = surroundings.question
        self._predictions = _read(path)

    async def reply(self, ask: Ask) -> Reply:
        item = self._question(ask.question).item
        for key in (("question", ask.question, ask.trial), ("item", item, ask.trial)):
            if key in self._predictions:
                return Reply(self._predictions[key])
        missing = f"no prediction for item {item!r}, trial {ask.trial}, in {self.name}"
        return Reply(finish=Finish.ERROR, error=missing, permanent=True)


def _read(path: Path) -> dict[tuple[str, str, int], str]:
    found: dict[tuple[str, str, int], str] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                prediction = Prediction.model_validate(json.loads(line))
            except ValidationError as error:
                raise DataError(first_complaint(error), path, number) from None
            except (ValueError, RecursionError):
                raise DataError('expected a JSON object {"item", "trial", "reply"}', path, number) from None
            kind, value = ("question", prediction.question) if prediction.question else ("item", prediction.item)
            if not value:
                raise DataError('expected "item" or "question"', path, number)
            if (kind, value, prediction.trial) in found:
                raise DataError(f"{kind} {value!r}, trial {prediction.trial}, is there twice", path, number)
            found[kind, value, prediction.trial] = prediction.reply
    return found
