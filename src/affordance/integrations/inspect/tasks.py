"""Our tasks as tasks of Inspect: `affordance/function_ground_element` is function/ground-element."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from rich.markup import escape

from affordance.core.errors import UserError
from affordance.integrations.inspect.arguments import normalize_arguments
from affordance.integrations.inspect.measures import affordance_metrics
from affordance.integrations.inspect.record import LOG_KEY
from affordance.integrations.inspect.samples import to_sample
from affordance.integrations.inspect.scorer import verdict
from affordance.integrations.inspect.sitting import open_session
from affordance.integrations.inspect.solver import attempt
from affordance.tasks.registry import TASKS

_LOGGER = logging.getLogger(__name__)


def inspect_name(name: str) -> str:
    return name.replace("/", "_").replace("-", "_")


def register(name: str) -> Callable[..., Task]:
    """Make a task known to Inspect."""

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
    samples = [to_sample(id_, planned, session.task.describe_truth) for id_, planned in session.planned.items()]
    return _SingleEpochTask(
        dataset=MemoryDataset(samples, name=str(session.plan.dataset["name"])),
        solver=attempt(name, arguments),
        scorer=verdict(name, arguments),
        metrics=[affordance_metrics(name, arguments)],
        # One that failed is to be tried again, and no reason to leave the others unasked.
        continue_on_fail=True,
        version=session.header.version,
        metadata={LOG_KEY: session.header.model_dump(mode="json")},
        description=session.task.summary,
    )


class _SingleEpochTask(Task):
    """A task whose trials are samples. Inspect sets `epochs` before it asks anything."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "epochs" and value not in (None, 1):
            raise PrerequisiteError(
                "affordance: trials are samples of their own here: leave --epochs out, and give -T trials=N for more"
            )
        super().__setattr__(name, value)


@contextmanager
def _user_errors_for_inspect() -> Iterator[None]:
    """What the user can put right, as Inspect tells it: in one line."""
    try:
        yield
    except UserError as error:
        raise PrerequisiteError(f"affordance: {escape(str(error))}") from None


for _name in TASKS:
    register(_name)
