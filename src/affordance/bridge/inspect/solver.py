"""The solver: makes an attempt by its strategy, with the model that Inspect evaluates."""

from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver

from affordance.bridge.inspect.asked import Hearing
from affordance.bridge.inspect.faults import Unanswered
from affordance.bridge.inspect.messages import chat_messages
from affordance.bridge.inspect.provider import output_of
from affordance.bridge.inspect.record import KEY, Made
from affordance.bridge.inspect.sitting import Sitting, sitting_of
from affordance.core.ask import Ask, Finish, Reply
from affordance.run.driving import drive, read_answer


@solver(name="attempt")
def attempt(task: str, arguments: dict[str, Any]) -> Solver:
    """Put the question of a sample to the model. An attempt that fails at the provider is an error of the sample: it is
    not scored, and Inspect can try it again."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sitting = sitting_of(task, arguments)
        planned = sitting.planned[str(state.sample_id)]
        hearing = Hearing(sitting.model)
        answer = verdict = None
        try:
            answer = await drive(planned, hearing.reply)
            if answer.last.failed:
                verdict, _ = read_answer(planned, answer)
        finally:
            state.store.set(KEY, Made.of(planned, hearing.said, answer, verdict).written())
        if answer.last.finish is Finish.ERROR:
            raise Unanswered(answer.last)
        if not answer.last.failed:
            await _show(state, sitting, answer.ask, answer.last)
        return state

    return solve


async def _show(state: TaskState, sitting: Sitting, ask: Ask, reply: Reply) -> None:
    """The ask that was answered, as a conversation to look at."""
    images = await sitting.gallery.base64(ask.visuals) if ask.visuals else []
    try:
        state.output = output_of(reply)
        state.messages = [*chat_messages(ask, images), state.output.message]
    finally:
        sitting.gallery.give_back(images)
