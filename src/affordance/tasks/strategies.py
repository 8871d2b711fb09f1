"""Strategies: pure generators that yield asks and receive replies; those that other packages add to every task."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from affordance.core import plugin_registry
from affordance.core.attempts import PromptTexts, RequestGenerator, Strategy
from affordance.core.errors import UserError
from affordance.core.plugin_registry import PluginRegistry
from affordance.core.prompts import fill
from affordance.core.question import Question
from affordance.core.requests import Message, Request
from affordance.tasks.prompts import prompts_of_task
from affordance.tasks.task import Task

ZERO_SHOT = "zero-shot"


@dataclass(frozen=True, slots=True)
class AddedStrategy:
    """A strategy for every task. `steps` is given a question, the prompts, and as `usual` the strategy by which the
    task is asked in one go: `yield from usual(question, prompts)`. Its own prompts are `texts`, by name; they are in
    the pack of each task that it is used with, and a folder of the user's may replace them."""

    run: Callable[[Question, PromptTexts, Strategy], RequestGenerator]  # how a question is asked, whatever the task
    prompts: Mapping[str, str] = field(default_factory=dict)  # prompts of its own, by name


def _validate_strategy(name: str, found: Any) -> AddedStrategy:
    if not isinstance(found, AddedStrategy):
        raise ValueError(f"expected an AddedStrategy, found {type(found).__name__}")
    return found


STRATEGIES: PluginRegistry[AddedStrategy] = PluginRegistry(plugin_registry.STRATEGIES, {}, _validate_strategy)


def add_plugin_strategies(task: Task, names: Iterable[str]) -> Task:
    """The task with those strategies of other packages that are named, and their prompts. What is not used is no part
    of it: installing a package changes no run that does without."""
    for name in names:
        if name != ZERO_SHOT and name in STRATEGIES and not isinstance(task.strategies.get(name), _BoundStrategy):
            task = _add_strategy(task, name, STRATEGIES[name])
    return task


@dataclass(frozen=True, slots=True)
class _BoundStrategy:
    """An added strategy as one of a task."""

    plugin: AddedStrategy
    default_strategy: Strategy

    def __call__(self, question: Question, prompts: PromptTexts) -> RequestGenerator:
        return self.plugin.run(question, prompts, self.default_strategy)


def _add_strategy(task: Task, name: str, plugin: AddedStrategy) -> Task:
    owner = plugin_registry.distribution_of(plugin_registry.entry_points_by_name(plugin_registry.STRATEGIES)[name])
    if name in task.strategies:
        raise UserError(f"the strategy {name!r} of {owner} has the name of one of {task.name}; have it renamed")
    if taken := sorted(plugin.prompts.keys() & prompts_of_task(task).keys()):
        raise UserError(f"the prompt {taken[0]!r} of {name!r} ({owner}) is one of {task.name} too; have it renamed")
    return replace(
        task,
        strategies={**task.strategies, name: _BoundStrategy(plugin, task.strategies[ZERO_SHOT])},
        prompts={**task.prompts, **plugin.prompts},
    )


def zero_shot(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One ask: the prompt, then the pictures in order."""
    text = fill(prompts["zero-shot"], question.prompt_fields)
    message = Message("user", (text, *question.media))
    (reply,) = yield [Request(question.id, (message,), question.answer_format, question.prompt_fields)]
    return reply


def request_judgement(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One ask of texts alone: what a judge is to compare is in the question's fields."""
    text = fill(prompts["judge"], question.prompt_fields)
    (reply,) = yield [Request(question.id, (Message("user", (text,)),), question.answer_format, question.prompt_fields)]
    return reply
