"""`affordance study --task T`: the questions of a task, as models get them."""

from typing import TYPE_CHECKING, Any

from affordance.cli.places import absolute_spec, cache_dir
from affordance.console.progress import demo_progress

if TYPE_CHECKING:
    from affordance.author.study_records import Study


def study_from_task(
    name: str,
    task: str,
    data: str | None,
    per_item: int | None,
    seed: int,
    limit: int | None,
    options: tuple[str | None, str | None, str | None],
    wishes: dict[str, Any],
) -> "Study":
    from affordance.core.errors import UnknownName, UserError
    from affordance.datasets import load_collection
    from affordance.evaluation.run_config import RunConfig
    from affordance.studio.studies.sources.task import task_study
    from affordance.tasks.demo import demo_data
    from affordance.tasks.registry import TASKS, tasks_of_suite

    if of_suite := tasks_of_suite(task) - {task}:
        raise UserError(
            f"--task: a study asks one task, found the suite {task!r}; choose {', '.join(sorted(of_suite))}"
        )
    if task not in TASKS:
        raise UnknownName("task", task, TASKS)
    if per_item is None:
        raise UserError("expected --per-item N, how many people answer each item; found none")
    chosen = TASKS[task]
    cues, expression, goal = options
    for option, value in (("cues", cues), ("expression", expression), ("goal", goal)):
        if value is not None and option not in chosen.options:
            raise UserError(f"--{option} does not apply to {task}")
    settings = RunConfig(
        tasks=(chosen,),
        seed=seed,
        limit=limit,
        cues=cues,
        expression=expression,
        goal=goal,
    )
    if data is None:
        with demo_progress() as advance:
            found = demo_data(cache_dir(), chosen.dataset_kinds, advance)
        where = {"demo": str(cache_dir().absolute())}
        wishes = {"synthetic": False, **wishes}
    else:
        spec = absolute_spec(data)
        found, where = load_collection(spec, cache_dir()), {"spec": spec, "cache": str(cache_dir().absolute())}
    return task_study(name, settings, per_item, found, where, **wishes)
