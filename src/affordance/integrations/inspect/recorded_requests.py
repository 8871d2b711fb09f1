"""Requests and responses of an attempt: recorded as they are sent, and replayed from the record."""

from affordance.core.requests import Request, Response, request_key, transcript
from affordance.evaluation.attempts import Responder
from affordance.evaluation.plan import PlannedAttempt
from affordance.integrations.inspect.log_schema import LoggedAttempt, LoggedRequest
from affordance.models.adaptation import send_adapted
from affordance.models.model import Model, request_lookup_id


class RequestRecorder:
    """An attempt at a model; what was `said` is in order of arrival."""

    def __init__(self, model: Model) -> None:
        self.requests: list[LoggedRequest] = []
        self._model = model

    async def reply(self, planned: PlannedAttempt, request: Request) -> Response:
        lookup_id = request_lookup_id(self._model, request, planned.call_settings)
        key = request_key(planned.call_settings, transcript(request), request.trial, request.step, lookup_id)
        reply = await send_adapted(self._model, request)
        self.requests.append(LoggedRequest.of(request, key, reply))
        return reply


class IncompleteAttempt(Exception):
    """An attempt that was broken off: not everything was asked that it takes."""


def replay_responses(logged: LoggedAttempt) -> Responder:
    """The replies of an attempt as they were recorded; raises `Unfinished` where one is not there."""
    replies = {said.step: said.reply for said in logged.steps}

    async def reply(_: PlannedAttempt, ask: Request) -> Response:
        if ask.step not in replies:
            raise IncompleteAttempt("the sample was stopped before everything was asked that its strategy asks")
        return replies[ask.step]

    return reply
