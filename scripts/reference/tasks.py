"""The tasks: what is asked, how by either protocol, with which options, and what is measured."""

from affordance.tasks.metrics import AS_PUBLISHED
from affordance.tasks.prompts import prompts_of_task
from affordance.tasks.question_design import OptionOrder
from affordance.tasks.registry import TASKS
from affordance.tasks.task import Preset, Task
from reference.markdown import codes, plain, table

_ORDERS = {
    OptionOrder.BALANCED: "balanced: the right option in every place equally often",
    OptionOrder.CAPTURED: "balanced on captured screens; as published elsewhere",
    OptionOrder.BOTH_ORDERS: "balanced: each of the two in both places",
    OptionOrder.FIXED: "as published, throughout",
    OptionOrder.SHUFFLED: "a seeded shuffle for each trial",
}


def page() -> str:
    said = ["# Tasks", "`affordance tasks` lists them; a suite's name means all of its tasks."]
    rows = [(f"[{task.name}](#{_anchor(task)})", plain(task.summary), task.views.item_noun) for task in TASKS.values()]
    said.append(table(("task", "asks", "about a"), rows))
    for suite in dict.fromkeys(task.suite for task in TASKS.values()):
        said.append(f"## {suite}")
        for task in TASKS.values():
            if task.suite == suite:
                said += _told(task)
    return "\n\n".join(part for part in said if part)


def _told(task: Task) -> list[str]:
    protocols = ("affordance", "paper")
    rows = [
        (what, *(tell(task.protocols[name]) for name in protocols))
        for what, tell in {
            "trials": lambda one: str(one.trials),
            "order of options": lambda one: _ORDERS[one.option_order],
            "asked again where no answer can be read": lambda one: (
                f"up to {one.parse_retries} times" if one.parse_retries else "no"
            ),
            "sampling": _sampling,
        }.items()
    ]
    expressions = getattr(task.params, "expressions", ())
    facts = [
        ("datasets of the kinds", codes(task.dataset_kinds)),
        ("options of `affordance run`", codes(f"--{option}" for option in sorted(task.options))),
        ("strategies", codes(task.strategies)),
        ("expressions", codes(str(one) for one in expressions)),
        ("metrics", codes(one.name for one in task.metrics if one.section != AS_PUBLISHED)),
        ("`compat`: as others count", codes(one.name for one in task.metrics if one.section == AS_PUBLISHED)),
        ("rows are kept apart by", task.views.split.tag),
        ("breakdowns by", ", ".join(one.tag for one in task.views.breakdowns)),
        ("prompts of a pack", codes(prompts_of_task(task))),
        ("judged by a model", "" if task.judge is None else "yes: give `--judge`"),
    ]
    return [
        f"### {task.name} {{ #{_anchor(task)} }}",
        plain(task.summary),
        table(("", "`--protocol affordance`", "`--protocol paper`"), rows),
        table(("", ""), [fact for fact in facts if fact[1]]),
    ]


def _sampling(protocol: Preset) -> str:
    sent = ", ".join(f"{name} {value}" for name, value in protocol.sampling.items())
    return sent.replace("_", " ") or "the provider's defaults"


def _anchor(task: Task) -> str:
    return task.name.replace("/", "-")
