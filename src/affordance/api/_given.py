"""What callers give, in the forms in which it is convenient, as the rooms below take it."""

from collections.abc import Iterable

from affordance.core.errors import UserError
from affordance.evaluation.execution_config import ExecutionConfig, load_execution_config
from affordance.models.providers import NO_KEY_VARIABLES, KeyVariables

Names = str | Iterable[str]


def names_of(given: Names) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    for one in names:
        if not isinstance(one, str):
            raise UserError(f"expected names that are strings, found one of type {type(one).__name__}")
    return names


def some_of(given: Names, what: str, example: str) -> list[str]:
    """Names, of which there must be one."""
    names = names_of(given)
    if not names:
        raise UserError(f"{what}: expected at least one, such as {example!r}, found none")
    return names


def means_given(
    concurrency: int, timeout: float, budget: float | None = None, key_env: KeyVariables = NO_KEY_VARIABLES
) -> ExecutionConfig:
    """With what to carry a run out, within the limits that the command line has."""
    for name, value, least in (("concurrency", concurrency, 1), ("timeout", timeout, 0.1), ("budget", budget, 0)):
        if value is not None and not value >= least:
            raise UserError(f"{name}: expected at least {least}, found {value}")
    return load_execution_config(concurrency, timeout, budget, key_env)


def how_to_resume(fresh: bool, over_budget: bool, name: str) -> str:
    """What to change in the same call so that it goes on with an incomplete run."""
    changes = [f"name={name!r} and without fresh"] if fresh else []
    changes = ["a higher budget", *changes] if over_budget else changes
    return f"make the same call{' with ' + ' and '.join(changes) if changes else ' again'} to resume"
