"""Plugins: entry points of other packages, each loaded when it is first used."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from affordance.core.errors import AffordanceError, UserError

# Groups of entry points; the name of an entry point is the name that users write.
TASKS = "affordance.tasks"  # a `tasks.task.Task`
STRATEGIES = "affordance.strategies"  # a `tasks.strategies.AddedStrategy`, for every task
DIALECTS = "affordance.dialects"  # a `grounding.dialects.Dialect`
FORMATS = "affordance.formats"  # a function from a path and a folder for pictures to a `datasets.reading.Reading`
MODELS = "affordance.models"  # a function from a `ModelName` and a `models.model.ModelContext` to a model
PLUGIN_GROUPS = (TASKS, STRATEGIES, DIALECTS, FORMATS, MODELS)

T = TypeVar("T")


@cache
def entry_points_by_name(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name. Nothing is loaded, so a broken plugin affects only those who use it."""
    found: dict[str, EntryPoint] = {}
    for one in _entry_points(group):
        found.setdefault(one.name, one)
    return found


def load_plugin(entry_point: EntryPoint, check: Callable[[Any], T] = lambda found: found) -> T:
    """Loads an entry point and validates it with `check`. Errors name the package."""
    if rivals := [
        other
        for other in _entry_points(entry_point.group)
        if other.name == entry_point.name and other.value != entry_point.value
    ]:
        raise UserError(
            f"two packages define {entry_point.name!r} of {entry_point.group}: {distribution_of(entry_point)} and "
            f"{distribution_of(rivals[0])}; uninstall one of them"
        )
    with plugin_errors(entry_point, "could not be loaded"):
        return check(entry_point.load())


@contextmanager
def plugin_errors(entry_point: EntryPoint, problem: str) -> Iterator[None]:
    """Turns errors of a plugin's code into a `UserError` of one line that names its package."""
    try:
        yield
    except AffordanceError:
        raise
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise UserError(
            f"plugin {distribution_of(entry_point)}: {entry_point.name!r} of {entry_point.group} {problem} ({why}); "
            "fix or uninstall the package"
        ) from error


def distribution_of(entry_point: EntryPoint) -> str:
    return f"{entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist is not None else entry_point.value


class PluginRegistry(Mapping[str, T]):
    """Built-in values, then those of plugins, by name. Names are known without loading a plugin.

    Args:
        check: Takes a name and what its entry point loaded; returns the value, or raises ValueError.
    """

    def __init__(self, group: str, builtin: Mapping[str, T], check: Callable[[str, Any], T]) -> None:
        self.group = group
        self.builtin = builtin
        self._check = check
        self._loaded: dict[tuple[str, str], T] = {}  # by name and value of the entry point

    def __getitem__(self, name: str) -> T:
        if name in self.builtin:
            if name in entry_points_by_name(self.group):
                taken = entry_points_by_name(self.group)[name]
                raise UserError(
                    f"{distribution_of(taken)} defines {name!r} of {self.group}, which is a built-in name; rename it "
                    "or uninstall the package"
                )
            return self.builtin[name]
        one = entry_points_by_name(self.group)[name]
        if (name, one.value) not in self._loaded:
            self._loaded[name, one.value] = load_plugin(one, lambda found: self._check(name, found))
        return self._loaded[name, one.value]

    def __contains__(self, name: object) -> bool:
        return name in self.builtin or name in entry_points_by_name(self.group)

    @property
    def plugin_names(self) -> list[str]:
        """The names that plugins define."""
        return [name for name in entry_points_by_name(self.group) if name not in self.builtin]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.builtin, *self.plugin_names])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def load_all(self) -> tuple[dict[str, T], list[UserError]]:
        """All values that can be loaded, and the errors of the others."""
        found: dict[str, T] = {}
        wrong: list[UserError] = []
        for name in self:
            try:
                found[name] = self[name]
            except UserError as error:
                wrong.append(error)
        return found, wrong


@cache
def _entry_points(group: str) -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=group), key=lambda one: (one.name, one.value)))
