import pytest

from affordance.core.errors import UnknownName
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.registry import TASKS, resolve_tasks
from affordance.tasks.task import Task
from errors import raises
from task_numbers import baselines_of

FORMS = {
    "a task": (["motion/effect"], ["motion/effect"]),
    "twice": (["motion/effect", "motion/effect"], ["motion/effect"]),
    "a suite and one of its tasks": (
        ["motion", "motion/effect"],
        [name for name in TASKS if name.startswith("motion/")],
    ),
    "none": ([], []),
}


@pytest.mark.parametrize(("names", "expected"), FORMS.values(), ids=FORMS.keys())
def test_names_stand_for_tasks(names: list[str], expected: list[str]) -> None:
    assert [task.name for task in resolve_tasks(names)] == expected


@pytest.mark.parametrize("name", ["", "motion/", "motion/efect", "effect", "MOTION", "motion/effect/zero-shot"])
def test_an_unknown_name_is_refused_with_a_hint(name: str) -> None:
    with raises(UnknownName, repr(name)) as unknown:
        resolve_tasks([name])
    assert set(TASKS) <= set(unknown.value.known)


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
def test_every_task_is_whole(task: Task) -> None:
    assert {"affordance", "paper"} <= set(task.protocols)
    assert "zero-shot" in task.strategies
    assert load_prompt_pack(task).texts
    assert all(protocol.trials > 0 for protocol in task.protocols.values())
    assert all(0 <= floor <= 1 for floor in baselines_of(task, ()).values())
    assert "?" in task.summary
    assert TASKS[task.name] is task
