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
    """Put the question of a sample to the model. An attempt that fails at the provider is an error of the sample: it is
    not scored, and Inspect can try it again."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = await current_session(task, arguments)
        planned = session.planned[str(state.sample_id)]
        recorder = RequestRecorder(session.model)
        answer = verdict = None
        try:
            answer = await run_attempt(planned, recorder.reply)
            if answer.last.failed:
                verdict, _ = score_attempt(planned, answer)
        finally:
            state.store.set(LOG_KEY, LoggedAttempt.of(planned, recorder.requests, answer, verdict).to_json())
        if answer.last.finish is FinishReason.ERROR:
            raise RequestFailed(answer.last)
        if not answer.last.failed:
            await _show(state, session, answer.request, answer.last)
        return state

    return solve


async def _show(state: TaskState, session: InspectSession, request: Request, response: Response) -> None:
    """The ask that was answered, as a conversation to look at."""
    images = await session.media_loader.load_base64(request.media) if request.media else []
    try:
        state.output = to_model_output(response)
        state.messages = [*to_chat_messages(request, images), state.output.message]
    finally:
        session.media_loader.release(images)
