"""Our tasks as tasks of Inspect: `affordance/function_ground_element` is function/ground-element."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from rich.markup import escape

from affordance.core.errors import UserError
from affordance.core.http import public_url
from affordance.core.media_spec import ImageSpec, MediaSpec
from affordance.core.model_name import ModelName
from affordance.core.requests import Message
from affordance.evaluation.plan import PlannedAttempt
from affordance.integrations.inspect._compat import PrerequisiteError
from affordance.integrations.inspect.log_schema import LOG_KEY
from affordance.integrations.inspect.scorer import affordance_metrics, verdict
from affordance.integrations.inspect.session import open_session
from affordance.integrations.inspect.solver import attempt
from affordance.tasks.registry import TASKS

# What is no text, with the types that Inspect may make of it.
_ARGUMENT_TYPES: Mapping[str, tuple[str, tuple[type, ...]]] = {
    **dict.fromkeys(("limit", "trials", "reasks", "seed", "most_frames", "judge_orders"), ("a whole number", (int,))),
    "fps": ("a number", (str, int, float)),
}
_LIST_ARGUMENTS = ("strategy", "cues", "expression")


def normalize_arguments(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as a job takes them; raises where one is not what it is to be. Inspect takes words for what they look
    like, and makes a list of what has commas."""
    for name, value in arguments.items():
        several = value if name in _LIST_ARGUMENTS and isinstance(value, list | tuple) else [value]
        expected, kinds = _ARGUMENT_TYPES.get(name, ("text", (str,)))
        if not all(isinstance(one, kinds) and not isinstance(one, bool) for one in several):
            raise UserError(f"-T {name}: expected {expected}, found {value!r}")
    _check_secrets("judge", arguments, "give --model-role judge=affordance/MODEL@BASE_URL")
    _check_secrets("summarizer", arguments, "leave them out, as what it wrote is kept by its name without them")
    found = dict(arguments)
    if isinstance(strategy := arguments.get("strategy"), str):
        found["strategy"] = [strategy]
    return found | {
        name: ",".join(value)
        for name in ("cues", "expression")
        if isinstance(value := arguments.get(name), list | tuple)
    }


def _check_secrets(name: str, given: Mapping[str, Any], instead: str) -> None:
    url = ModelName.parse(given[name]).base_url if name in given else None
    if url is not None and public_url(url) != url:
        raise UserError(f"-T {name}: a log has it, so no user, password or query may be in its URL; {instead}")


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

    @task(name=inspect_name(name))
    def build(
        data: str | None = None,
        limit: int | None = None,
        trials: int | None = None,
        reasks: int | None = None,
        seed: int = 0,
        protocol: str = "affordance",
        strategy: str | Sequence[str] | None = None,
        cues: str | Sequence[str] | None = None,
        expression: str | Sequence[str] | None = None,
        goal: str | None = None,
        input: str | None = None,  # noqa: A002  # as it is called with `affordance run`
        fps: str | float | None = None,
        most_frames: int | None = None,
        prompts: str | None = None,
        dialect: str | None = None,
        reference: str | None = None,
        summarizer: str | None = None,
        judge: str | None = None,
        judge_orders: int | None = None,
    ) -> Task:
        typed = {
            "data": data, "limit": limit, "trials": trials, "reasks": reasks, "seed": seed, "protocol": protocol,
            "strategy": strategy, "cues": cues, "expression": expression, "goal": goal,
            "input": input, "fps": fps, "most_frames": most_frames, "prompts": prompts, "dialect": dialect,
            "reference": reference, "summarizer": summarizer, "judge": judge, "judge_orders": judge_orders,
        }  # fmt: skip
        with _user_errors_for_inspect():
            return _build_task(
                name, normalize_arguments({key: value for key, value in typed.items() if value is not None})
            )

    return build


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
        raise PrerequisiteError(f"affordance: {escape(str(error))}") from None


for _name in TASKS:
    register(_name)
