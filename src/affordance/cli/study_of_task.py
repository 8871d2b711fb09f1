"""`affordance study --task T`: the questions of a task, as models get them."""

from typing import TYPE_CHECKING, Any

from affordance.cli.places import absolute, cache_folder
from affordance.cli.progress import demo_steps

if TYPE_CHECKING:
    from affordance.author.study_records import Study


def of_task(
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
    from affordance.datasets import read_collection
    from affordance.run.options import expressions_of
    from affordance.run.settings import Settings
    from affordance.studio.studies.sources.task import task_study
    from affordance.suites.demo import demo_data
    from affordance.suites.motion.cues import read_cues
    from affordance.suites.registry import TASKS, tasks_of_suite

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
    settings = Settings(
        tasks=(chosen,),
        seed=seed,
        limit=limit,
        cues=read_cues(cues) if cues is not None else (),
        expressions=expressions_of(expression),
        goal=goal,
    )
    if data is None:
        with demo_steps() as advance:
            found = demo_data(cache_folder(), chosen.kinds, advance)
        where = {"demo": str(cache_folder().absolute())}
        wishes = {"synthetic": False, **wishes}
    else:
        spec = absolute(data)
        found, where = read_collection(spec, cache_folder()), {"spec": spec, "cache": str(cache_folder().absolute())}
    return task_study(name, settings, per_item, found, where, **wishes)
