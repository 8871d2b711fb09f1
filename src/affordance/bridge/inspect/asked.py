"""What was said in an attempt, for the record: as it is heard from a model, and as it is remembered."""

from affordance.bridge.inspect.record import Made, Said
from affordance.core.ask import Ask, Reply, request_key, transcript
from affordance.models.adaptation import reply_adapted
from affordance.models.base import Model, request_lookup_id
from affordance.run.driving import Planned, Replying


class Hearing:
    """An attempt at a model; what was `said` is in order of arrival."""

    def __init__(self, model: Model) -> None:
        self.said: list[Said] = []
        self._model = model

    async def reply(self, planned: Planned, ask: Ask) -> Reply:
        lookup_id = request_lookup_id(self._model, ask, planned.address)
        key = request_key(planned.address, transcript(ask), ask.trial, ask.step, lookup_id)
        reply = await reply_adapted(self._model, ask)
        self.said.append(Said.of(ask, key, reply))
        return reply


class Unfinished(Exception):
    """An attempt that was broken off: not everything was asked that it takes."""


def remembered(made: Made) -> Replying:
    """The replies of an attempt as they were recorded; raises `Unfinished` where one is not there."""
    replies = {said.step: said.reply for said in made.steps}

    async def reply(_: Planned, ask: Ask) -> Reply:
        if ask.step not in replies:
            raise Unfinished("the sample was stopped before everything was asked that its strategy asks")
        return replies[ask.step]

    return reply
