"""The Python API: every public name of `affordance` and of `affordance.plugins`, for mkdocstrings to tell."""

import inspect
from dataclasses import is_dataclass
from types import ModuleType
from typing import Any

from pydantic import BaseModel

import affordance
from affordance import plugins
from affordance.evaluation.estimate import CostEstimate
from affordance.evaluation.run_config import run_options
from reference.fields import arguments_table, fields_table
from reference.markdown import code, table


def page() -> str:
    return "\n\n".join(
        [
            "# Python",
            "`from affordance import ...`: the [guide](../api.md) shows them at work. Functions first, then what they "
            "give.",
            *_names(affordance),
            "## Options",
            "What `run` and `estimate` take in addition, by name: the options of "
            "[`affordance run`](commands/run.md). None stands for the value of the protocol.",
            table(
                ("option", "default", "what it is"),
                [(code(info.name), code(info.default), info.help) for info in run_options().values()],
            ),
            "## Estimate",
            "What `estimate` gives for each model. Tokens are upper estimates; the cost is None where the model has no "
            "price.",
            fields_table(CostEstimate),
            "## Row",
            "`Results` is a sequence of rows: [its fields](report.md#a-row).",
        ]
    )


def extending_page() -> str:
    words = "`from affordance.plugins import ...`: what a task, dialect, format, strategy or model of your own is "
    return "\n\n".join(
        [
            "# For what you add",
            f"{words}made of. The [guide](../extending.md) has an example of each.",
            *_names(plugins),
        ]
    )


def _names(module: ModuleType) -> list[str]:
    """Functions and classes in full, the rest in a table."""
    found = {name: getattr(module, name) for name in module.__all__ if not name.startswith("_")}
    told = sorted((one for one in found.values() if _told(one)), key=inspect.isclass)
    said = [part for one in told for part in (_by_docstring(one), _fields(one)) if part]
    rest = [(code(name), code(inspect.formatannotation(one))) for name, one in found.items() if not _told(one)]
    return [*said, "## Values and types", table(("name", "what it is"), rest)] if rest else said


def _by_docstring(one: Any) -> str:
    return f"::: {one.__module__}.{one.__qualname__}"


def _fields(one: Any) -> str:
    """A record's fields and a function's arguments are told by the comments behind them."""
    if inspect.isfunction(one):
        more = "" if inspect.getfullargspec(inspect.unwrap(one)).varkw is None else "\n\nAnd the [options](#options)."
        return arguments_table(one, inspect.unwrap(one)) + more
    return fields_table(one) if is_dataclass(one) or issubclass(one, BaseModel) else ""


def _told(one: Any) -> bool:
    return (inspect.isclass(one) or inspect.isfunction(one)) and one.__module__.startswith("affordance")
