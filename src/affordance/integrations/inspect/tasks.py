"""Our tasks as tasks of Inspect: `affordance/function_ground_element` is function/ground-element."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from rich.markup import escape

from affordance.core.errors import UserError
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.requests import Message
from affordance.evaluation.plan import PlannedAttempt
from affordance.integrations.inspect._compat import PrerequisiteError
from affordance.integrations.inspect.log_schema import LOG_KEY
from affordance.integrations.inspect.scorer import affordance_metrics, verdict
from affordance.integrations.inspect.session import open_session
from affordance.integrations.inspect.solver import attempt
from affordance.integrations.inspect.task_arguments import normalize_arguments, task_signature
from affordance.tasks.registry import TASKS


def to_sample(name: str, planned: PlannedAttempt, format_truth: Callable[[str], str]) -> Sample:
    """An attempt as a sample, for people to read. The solver builds what models receive, which has no ground truth."""
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
    """The first requests of an attempt as text, with placeholders for images."""
    steps = planned.strategy(planned.question, planned.prompts)
    requests = next(steps)
    steps.close()
    return "\n\n".join(_message_text(message) for request in requests for message in request.messages)


def _message_text(message: Message) -> str:
    return "\n".join(part if isinstance(part, str) else _placeholder(part) for part in message.parts)


def _placeholder(spec: MediaSpec) -> str:
    return "[image]" if isinstance(spec, ImageSpec) else "[video]"


_LOGGER = logging.getLogger(__name__)


def inspect_name(name: str) -> str:
    """The name of a task in Inspect."""
    return name.replace("/", "_").replace("-", "_")


def register(name: str) -> Callable[..., Task]:
    """Register a task with Inspect."""

    def build(**arguments: Any) -> Task:
        with _user_errors_for_inspect():
            return _build_task(name, normalize_arguments(arguments))

    build.__signature__ = task_signature()  # type: ignore[attr-defined]
    return task(name=inspect_name(name))(build)


def _build_task(name: str, arguments: dict[str, Any]) -> Task:
    session = open_session(name, arguments, _LOGGER.warning)
    samples = [to_sample(id_, planned, session.task.views.describe_truth) for id_, planned in session.planned.items()]
    return _SingleEpochTask(
        dataset=MemoryDataset(samples, name=str(session.plan.dataset["name"])),
        solver=attempt(name, arguments),
        scorer=verdict(name, arguments),
        metrics=[affordance_metrics(name, arguments)],
        # A failed attempt is retried later and does not prevent the others.
        continue_on_fail=True,
        version=session.header.version,
        metadata={LOG_KEY: session.header.model_dump(mode="json")},
        description=session.task.summary,
    )


class _SingleEpochTask(Task):
    """A task whose trials are samples. Inspect sets `epochs` before it sends requests."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "epochs" and value not in (None, 1):
            raise PrerequisiteError("affordance: --epochs is not supported; use -T trials=N")
        super().__setattr__(name, value)


@contextmanager
def _user_errors_for_inspect() -> Iterator[None]:
    """Mistakes of the user as Inspect's one-line errors."""
    try:
        yield
    except UserError as error:
        message = error.describe(lambda option: f"-T {option}")
        raise PrerequisiteError(f"affordance: {escape(message)}") from None


for _name in TASKS:
    register(_name)
