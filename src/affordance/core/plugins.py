"""What other packages add: each is named by an entry point of theirs, and loaded when it is first needed."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from affordance.core.errors import UserError

# The groups of entry points; the name of an entry point is the name that users write.
TASKS = "affordance.tasks"  # a `suites.task.Task`
STRATEGIES = "affordance.strategies"  # a `core.attempt.Strategy`, for every task
DIALECTS = "affordance.dialects"  # a `grounding.dialects.Dialect`
FORMATS = "affordance.formats"  # a function from a path and a folder for pictures to a `datasets.reading.Reading`
MODELS = "affordance.models"  # a function from a `core.names.ModelName` and `models.base.Surroundings` to a model


@cache
def plugins(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name. Two packages with the same name are a mistake that only people can solve."""
    found: dict[str, EntryPoint] = {}
    for one in sorted(entry_points(group=group), key=lambda each: (each.name, each.value)):
        if one.name in found and found[one.name].value != one.value:
            raise UserError(
                f"the name {one.name!r} of {group} is given twice, by {_whose(found[one.name])} and by {_whose(one)}; "
                "uninstall one of them"
            )
        found[one.name] = one
    return found


def load(one: EntryPoint) -> Any:
    """What an entry point names; a `UserError` that tells whose it is where it cannot be loaded."""
    try:
        return one.load()
    except UserError:
        raise
    except Exception as error:  # other people's code
        why = f"{type(error).__name__}: {error}"
        raise UserError(
            f"{one.group}: {one.name!r} of {_whose(one)} cannot be loaded ({why}); mend it or uninstall it"
        ) from error


def _whose(one: EntryPoint) -> str:
    return f"{one.dist.name} {one.dist.version}" if one.dist is not None else one.value
