"""What other packages add: each is named by an entry point of theirs, and loaded when it is first needed."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from affordance.core.errors import AffordanceError, UserError

# The groups of entry points; the name of an entry point is the name that users write.
TASKS = "affordance.tasks"  # a `suites.task.Task`
STRATEGIES = "affordance.strategies"  # a `suites.strategies.AddedStrategy`, for every task
DIALECTS = "affordance.dialects"  # a `grounding.dialects.Dialect`
FORMATS = "affordance.formats"  # a function from a path and a folder for pictures to a `datasets.reading.Reading`
MODELS = "affordance.models"  # a function from a `core.names.ModelName` and `models.base.Surroundings` to a model
GROUPS = (TASKS, STRATEGIES, DIALECTS, FORMATS, MODELS)

T = TypeVar("T")


@cache
def plugins(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name. Nothing is loaded: what is broken hurts nobody who does not use it."""
    found: dict[str, EntryPoint] = {}
    for one in _entries(group):
        found.setdefault(one.name, one)
    return found


def load(one: EntryPoint, check: Callable[[Any], T] = lambda found: found) -> T:
    """What an entry point names, as `check` finds it right; a `UserError` that tells whose it is where it is not."""
    if rivals := [other for other in _entries(one.group) if other.name == one.name and other.value != one.value]:
        raise UserError(
            f"the name {one.name!r} of {one.group} is given twice, by {whose(one)} and by {whose(rivals[0])}; "
            "uninstall one of them"
        )
    with blamed(one, "cannot be loaded"):
        return check(one.load())


@contextmanager
def blamed(one: EntryPoint, what: str) -> Iterator[None]:
    """In here, what goes wrong in other people's code is one line that names their package."""
    try:
        yield
    except AffordanceError:
        raise
    except Exception as error:
        why = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise UserError(f"{one.group}: {one.name!r} of {whose(one)} {what} ({why}); mend it or uninstall it") from error


def whose(one: EntryPoint) -> str:
    return f"{one.dist.name} {one.dist.version}" if one.dist is not None else one.value


class Registry(Mapping[str, T]):
    """What we have, then what other packages add, by name. Names are known without loading anything. `check` gives what
    an entry point of this name has loaded, or raises a `ValueError` that says what was expected."""

    def __init__(self, group: str, own: Mapping[str, T], check: Callable[[str, Any], T]) -> None:
        self.group = group
        self.own = own
        self._check = check
        self._loaded: dict[tuple[str, str], T] = {}  # by what an entry point says

    def __getitem__(self, name: str) -> T:
        if name in self.own:
            if name in plugins(self.group):
                taken = plugins(self.group)[name]
                raise UserError(
                    f"{self.group}: {name!r} of {whose(taken)} has the name of one of ours; "
                    "have it renamed, or uninstall it"
                )
            return self.own[name]
        one = plugins(self.group)[name]
        if (name, one.value) not in self._loaded:
            self._loaded[name, one.value] = load(one, lambda found: self._check(name, found))
        return self._loaded[name, one.value]

    def __contains__(self, name: object) -> bool:
        return name in self.own or name in plugins(self.group)

    @property
    def added(self) -> list[str]:
        """The names that are not ours."""
        return [name for name in plugins(self.group) if name not in self.own]

    def __iter__(self) -> Iterator[str]:
        return iter([*self.own, *self.added])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def working(self) -> tuple[dict[str, T], list[UserError]]:
        """Those that can be used, and what is wrong with the others: for lists of what there is."""
        found: dict[str, T] = {}
        wrong: list[UserError] = []
        for name in self:
            try:
                found[name] = self[name]
            except UserError as error:
                wrong.append(error)
        return found, wrong


@cache
def _entries(group: str) -> tuple[EntryPoint, ...]:
    return tuple(sorted(entry_points(group=group), key=lambda one: (one.name, one.value)))
