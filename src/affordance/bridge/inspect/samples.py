"""Attempts as samples of Inspect: what is asked and what is right, as people read it. What models are sent is made by
the solver, and has nothing of the truth."""

from collections.abc import Callable

from inspect_ai.dataset import Sample

from affordance.bridge.inspect.record import KEY
from affordance.core.ask import Message
from affordance.core.picture import Picture, Visual
from affordance.run.driving import Planned


def sample_of(name: str, planned: Planned, told: Callable[[str], str]) -> Sample:
    attempt, question = planned.attempt, planned.question
    return Sample(
        id=name,
        input=_first_words(planned),
        target=told(question.truth),
        metadata={
            KEY: {
                "task": question.task,
                "question": question.id,
                "item": question.item,
                "trial": attempt.trial,
                "strategy": attempt.strategy,
            }
        },
    )


def _first_words(planned: Planned) -> str:
    """What is asked first, with words in place of the pictures."""
    steps = planned.strategy(planned.question, planned.prompts)
    asks = next(steps)
    steps.close()
    return "\n\n".join(_words(message) for ask in asks for message in ask.messages)


def _words(message: Message) -> str:
    return "\n".join(part if isinstance(part, str) else _stands_for(part) for part in message.parts)


def _stands_for(visual: Visual) -> str:
    return "[picture]" if isinstance(visual, Picture) else "[video]"
