"""Strategies: pure generators that yield asks and receive replies; those that other packages add to every task."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from affordance.core import plugins
from affordance.core.ask import Ask, Message
from affordance.core.attempt import Prompts, Steps, Strategy
from affordance.core.errors import UserError
from affordance.core.plugins import Registry
from affordance.core.question import Question
from affordance.suites.prompts import PLACEHOLDER, fill
from affordance.suites.task import Task

ZERO_SHOT = "zero-shot"


@dataclass(frozen=True, slots=True)
class AddedStrategy:
    """A strategy for every task. `steps` is given a question, the prompts, and as `usual` the strategy by which the
    task is asked in one go: `yield from usual(question, prompts)`. Its own prompts are `texts`, by name; they are in
    the pack of each task that it is used with, and a folder of the user's may replace them."""

    steps: Callable[[Question, Prompts, Strategy], Steps]  # how a question is asked, whatever the task
    texts: Mapping[str, str] = field(default_factory=dict)  # prompts of its own, by name


def _checked(name: str, found: Any) -> AddedStrategy:
    if not isinstance(found, AddedStrategy):
        raise ValueError(f"expected an AddedStrategy, found {type(found).__name__}")
    return found


STRATEGIES: Registry[AddedStrategy] = Registry(plugins.STRATEGIES, {}, _checked)


def with_strategies(task: Task, names: Iterable[str]) -> Task:
    """The task with those strategies of other packages that are named, and their prompts. What is not used is no part
    of it: installing a package changes no run that does without."""
    for name in names:
        if name != ZERO_SHOT and name in STRATEGIES and not isinstance(task.strategies.get(name), _Bound):
            task = _with(task, name, STRATEGIES[name])
    return task


@dataclass(frozen=True, slots=True)
class _Bound:
    """An added strategy as one of a task."""

    added: AddedStrategy
    usual: Strategy

    def __call__(self, question: Question, prompts: Prompts) -> Steps:
        return self.added.steps(question, prompts, self.usual)


def _with(task: Task, name: str, added: AddedStrategy) -> Task:
    owner = plugins.whose(plugins.plugins(plugins.STRATEGIES)[name])
    if name in task.strategies:
        raise UserError(f"the strategy {name!r} of {owner} has the name of one of {task.name}; have it renamed")
    if taken := sorted(added.texts.keys() & task.prompts.keys()):
        raise UserError(f"the prompt {taken[0]!r} of {name!r} ({owner}) is one of {task.name} too; have it renamed")
    placeholders = {prompt: frozenset(PLACEHOLDER.findall(text)) for prompt, text in added.texts.items()}
    return replace(
        task,
        strategies={**task.strategies, name: _Bound(added, task.strategies[ZERO_SHOT])},
        prompts={**task.prompts, **placeholders},
        texts={**task.texts, **added.texts},
    )


def zero_shot(question: Question, prompts: Prompts) -> Steps:
    """One ask: the prompt, then the pictures in order."""
    text = fill(prompts["zero-shot"], question.fields)
    message = Message("user", (text, *question.pictures))
    (reply,) = yield [Ask(question.id, (message,), question.grammar, question.fields)]
    return reply


def put_to_judge(question: Question, prompts: Prompts) -> Steps:
    """One ask of texts alone: what a judge is to compare is in the question's fields."""
    text = fill(prompts["judge"], question.fields)
    (reply,) = yield [Ask(question.id, (Message("user", (text,)),), question.grammar, question.fields)]
    return reply
