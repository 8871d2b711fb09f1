"""Strategies: pure generators that yield requests and receive responses; strategies of plugins, for every task."""

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
    """A strategy of a plugin, for every task.

    Attributes:
        run: yields requests about a question. It gets the prompts, and the zero-shot strategy of the task as third
            argument: `yield from zero_shot(question, prompts)`.
        prompts: its own prompts, by name. They are in the pack of each task that it is used with, and a user's folder
            may replace them.
    """

    run: Callable[[Question, PromptTexts, Strategy], RequestGenerator]
    prompts: Mapping[str, str] = field(default_factory=dict)


def _validate_strategy(name: str, found: Any) -> AddedStrategy:
    if not isinstance(found, AddedStrategy):
        raise ValueError(f"expected an AddedStrategy, found {type(found).__name__}")
    return found


STRATEGIES: PluginRegistry[AddedStrategy] = PluginRegistry(plugin_registry.STRATEGIES, {}, _validate_strategy)


def add_plugin_strategies(task: Task, names: Iterable[str]) -> Task:
    """The task with the strategies of plugins that are named, and with their prompts. Installing a plugin changes no
    run that does not use it."""
    for name in names:
        if name != ZERO_SHOT and name in STRATEGIES and not isinstance(task.strategies.get(name), _BoundStrategy):
            task = _add_strategy(task, name, STRATEGIES[name])
    return task


@dataclass(frozen=True, slots=True)
class _BoundStrategy:
    """A strategy of a plugin, bound to a task."""

    plugin: AddedStrategy
    default_strategy: Strategy

    def __call__(self, question: Question, prompts: PromptTexts) -> RequestGenerator:
        return self.plugin.run(question, prompts, self.default_strategy)


def _add_strategy(task: Task, name: str, plugin: AddedStrategy) -> Task:
    owner = plugin_registry.distribution_of(plugin_registry.entry_points_by_name(plugin_registry.STRATEGIES)[name])
    if name in task.strategies:
        raise UserError(f"the strategy {name!r} of {owner} is a strategy of {task.name} already; rename it")
    if taken := sorted(plugin.prompts.keys() & prompts_of_task(task).keys()):
        raise UserError(f"the prompt {taken[0]!r} of {name!r} ({owner}) is a prompt of {task.name} already; rename it")
    return replace(
        task,
        strategies={**task.strategies, name: _BoundStrategy(plugin, task.strategies[ZERO_SHOT])},
        prompts={**task.prompts, **plugin.prompts},
    )


def zero_shot(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One request: the prompt, then the images in order."""
    text = fill(prompts["zero-shot"], question.prompt_fields)
    message = Message("user", (text, *question.media))
    (response,) = yield [Request(question.id, (message,), question.answer_format, question.prompt_fields)]
    return response


def request_judgement(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """One request of a judge, without images. The texts to compare are prompt fields of the question."""
    text = fill(prompts["judge"], question.prompt_fields)
    (response,) = yield [
        Request(question.id, (Message("user", (text,)),), question.answer_format, question.prompt_fields)
    ]
    return response
