"""A walk through an object: what somebody who holds it could get at."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from types import FunctionType, MethodType, ModuleType


def reachable(start: object) -> Iterable[object]:
    """Everything that can be got at from an object: fields, items, attributes, slots, closures, bound arguments."""
    seen: dict[int, object] = {}
    todo = [start]
    while todo:
        value = todo.pop()
        if id(value) in seen or isinstance(value, type | ModuleType):
            continue
        seen[id(value)] = value
        yield value
        todo += _inside(value)


def _inside(value: object) -> list[object]:
    if isinstance(value, str | bytes | int | float | Fraction | None):
        return []
    found: list[object] = []
    if is_dataclass(value):
        found += [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        found += [*value.keys(), *value.values()]
    elif isinstance(value, Iterable):
        found += list(value)
    if isinstance(value, FunctionType):
        found += [cell.cell_contents for cell in value.__closure__ or ()]
        found += [*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    if isinstance(value, MethodType):
        found += [value.__self__, value.__func__]
    if isinstance(value, partial):
        found += [value.func, *value.args, *value.keywords.values()]
    found += vars(value).values() if hasattr(value, "__dict__") else []
    for kind in type(value).__mro__:
        names = kind.__dict__.get("__slots__", ())
        names = (names,) if isinstance(names, str) else names
        found += [getattr(value, name) for name in names if hasattr(value, name)]
    return found
