"""Attempts as samples of Inspect: what is asked and what is right, as people read it. What models are sent is made by
the solver, and has nothing of the truth."""

from collections.abc import Callable

from inspect_ai.dataset import Sample

from affordance.core.ask import Message
from affordance.core.picture import ImageSpec, MediaSpec
from affordance.evaluation.attempts import PlannedAttempt
from affordance.integrations.inspect.record import LOG_KEY


def to_sample(name: str, planned: PlannedAttempt, format_truth: Callable[[str], str]) -> Sample:
    attempt, question = planned.attempt, planned.question
    return Sample(
        id=name,
        input=_first_prompt(planned),
        target=format_truth(question.truth),
        metadata={
            LOG_KEY: {
                "task": question.task,
                "question": question.id,
                "item": question.item,
                "trial": attempt.trial,
                "strategy": attempt.strategy,
            }
        },
    )


def _first_prompt(planned: PlannedAttempt) -> str:
    """What is asked first, with words in place of the pictures."""
    steps = planned.strategy(planned.question, planned.prompts)
    asks = next(steps)
    steps.close()
    return "\n\n".join(_message_text(message) for ask in asks for message in ask.messages)


def _message_text(message: Message) -> str:
    return "\n".join(part if isinstance(part, str) else _placeholder(part) for part in message.parts)


def _placeholder(spec: MediaSpec) -> str:
    return "[picture]" if isinstance(spec, ImageSpec) else "[video]"
