"""The solver: makes an attempt by its strategy, with the model that Inspect evaluates, and records its requests."""

from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver

from affordance.core.requests import FinishReason, Request, Response
from affordance.evaluation.attempts import run_attempt, score_attempt
from affordance.integrations.inspect.conversion import RequestFailed, to_chat_messages, to_model_output
from affordance.integrations.inspect.log_schema import LOG_KEY, LoggedAttempt
from affordance.integrations.inspect.recorded_requests import RequestRecorder
from affordance.integrations.inspect.session import InspectSession, current_session


@solver(name="attempt")
def attempt(task: str, arguments: dict[str, Any]) -> Solver:
    """Make the attempt of a sample with the evaluated model. One that fails at the provider becomes an error of the
    sample, which is not scored and can be retried by Inspect."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = await current_session(task, arguments)
        planned = session.planned[str(state.sample_id)]
        recorder = RequestRecorder(session.model)
        responses = verdict = None
        try:
            responses = await run_attempt(planned, recorder.send)
            if responses.last.failed:
                verdict, _ = score_attempt(planned, responses)
        finally:
            state.store.set(LOG_KEY, LoggedAttempt.of(planned, recorder.requests, responses, verdict).to_json())
        if responses.last.finish is FinishReason.ERROR:
            raise RequestFailed(responses.last)
        if not responses.last.failed:
            await _set_conversation(state, session, responses.request, responses.last)
        return state

    return solve


async def _set_conversation(state: TaskState, session: InspectSession, request: Request, response: Response) -> None:
    """Show the last request and its response as the conversation of the sample."""
    images = await session.media_loader.load_base64(request.media) if request.media else []
    try:
        state.output = to_model_output(response)
        state.messages = [*to_chat_messages(request, images), state.output.message]
    finally:
        session.media_loader.release(images)
