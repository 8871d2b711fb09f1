"""Our tasks as tasks of Inspect: `affordance/function_ground_element` is function/ground-element."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset
from rich.markup import escape

from affordance.bridge.inspect.measures import measures
from affordance.bridge.inspect.record import KEY
from affordance.bridge.inspect.samples import sample_of
from affordance.bridge.inspect.scorer import verdict
from affordance.bridge.inspect.sitting import sit_down
from affordance.bridge.inspect.solver import attempt
from affordance.core.errors import UserError
from affordance.suites.registry import TASKS

_LOGGER = logging.getLogger(__name__)


def inspect_name(name: str) -> str:
    return name.replace("/", "_").replace("-", "_")


def register(name: str) -> Callable[..., Task]:
    """Make a task known to Inspect."""

    @task(name=inspect_name(name))
    def made(
        data: str | None = None,
        limit: int | None = None,
        trials: int | None = None,
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
        given = {
            "data": data, "limit": limit, "trials": trials, "seed": seed, "protocol": protocol,
            "strategy": _listed(strategy), "cues": _joined(cues), "expression": _joined(expression), "goal": goal,
            "input": input, "fps": fps, "most_frames": most_frames, "prompts": prompts, "dialect": dialect,
            "reference": reference, "summarizer": summarizer, "judge": judge, "judge_orders": judge_orders,
        }  # fmt: skip
        with _told():
            _check_numbers(given)
            return _made(name, {key: value for key, value in given.items() if value is not None})

    return made


def _made(name: str, arguments: dict[str, Any]) -> Task:
    sitting = sit_down(name, arguments, _LOGGER.warning)
    samples = [sample_of(id_, planned, sitting.task.told) for id_, planned in sitting.planned.items()]
    return Task(
        dataset=MemoryDataset(samples, name=str(sitting.job.described["name"])),
        solver=attempt(name, arguments),
        scorer=verdict(name, arguments),
        metrics=[measures(name, arguments)],
        # One that failed is to be tried again, and no reason to leave the others unasked.
        continue_on_fail=True,
        version=sitting.header.version,
        metadata={KEY: sitting.header.model_dump(mode="json")},
        description=sitting.task.summary,
    )


def _check_numbers(given: Mapping[str, Any]) -> None:
    """Inspect takes what was typed for what it looks like."""
    for name in ("limit", "trials", "seed", "most_frames", "judge_orders"):
        if not isinstance(value := given[name], int | None) or isinstance(value, bool):
            raise UserError(f"-T {name}: expected a whole number, found {value!r}")


def _listed(value: str | Sequence[str] | None) -> list[str] | None:
    return [value] if isinstance(value, str) else None if value is None else list(value)


def _joined(value: str | Sequence[str] | None) -> str | None:
    """Inspect makes a list of what has commas."""
    return value if value is None or isinstance(value, str) else ",".join(value)


@contextmanager
def _told() -> Iterator[None]:
    """What the user can put right, as Inspect tells it: in one line."""
    try:
        yield
    except UserError as error:
        raise PrerequisiteError(f"affordance: {escape(str(error))}") from None


for _name in TASKS:
    register(_name)
