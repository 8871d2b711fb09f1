"""Requests and responses of an attempt: recorded as they are sent, and replayed from the record."""

from affordance.core.requests import Request, Response, request_key, transcript
from affordance.evaluation.attempts import Responder
from affordance.evaluation.plan import PlannedAttempt
from affordance.integrations.inspect.log_schema import LoggedAttempt, LoggedRequest
from affordance.models.adaptation import send_adapted
from affordance.models.model import Model, request_lookup_id


class RequestRecorder:
    """Sends the requests of an attempt, and records them in the order of their responses."""

    def __init__(self, model: Model) -> None:
        self.requests: list[LoggedRequest] = []
        self._model = model

    async def send(self, planned: PlannedAttempt, request: Request) -> Response:
        lookup_id = request_lookup_id(self._model, request, planned.call_settings)
        key = request_key(planned.call_settings, transcript(request), request.trial, request.step, lookup_id)
        response = await send_adapted(self._model, request)
        self.requests.append(LoggedRequest.of(request, key, response))
        return response


class IncompleteAttempt(Exception):
    """An attempt that was interrupted: some of its requests have no response."""


def replay_responses(logged: LoggedAttempt) -> Responder:
    """A responder with the recorded responses of an attempt. Raises `IncompleteAttempt` where one is missing."""
    responses = {request.step: request.reply for request in logged.steps}

    async def respond(_: PlannedAttempt, request: Request) -> Response:
        if request.step not in responses:
            raise IncompleteAttempt("the sample was interrupted before all requests of its strategy were sent")
        return responses[request.step]

    return respond
