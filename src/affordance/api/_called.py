"""How functions of the interface are called: arguments of the right kinds, and mistakes told in the words of Python."""

import inspect
import re
import reprlib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from affordance.core.errors import UserError
from affordance.core.json_text import canonical_json
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.options import RunOptions

F = TypeVar("F", bound=Callable[..., Any])

_USUAL: RunOptions = {"seed": 0, "protocol": "affordance", "parameters": {}}
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?![\w-])")
_COMMAND_FIRST = "run `affordance run` first"
_CALL_FIRST = "call `affordance.evaluate` first"
_IN_WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    str: "a string",
    Path: "a path",
    DatasetCollection: "a Collection",
    Dataset: "a Dataset",
    Iterable: "a list of strings",
    Sequence: "a list of strings",
    Mapping: "a dictionary with strings as keys",
    types.NoneType: "None",
}


def validate_arguments(function: F) -> F:
    """A function of the interface. Whoever asks for its signature (help, and what completes names) sees the options
    that it takes one by one."""
    signature, hints = inspect.signature(function), get_type_hints(function)
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    kinds = {one.name: hints[one.name] for one in own}
    shown = own
    if len(own) < len(signature.parameters):
        kinds |= RunOptions.__annotations__
        shown = [*own, *(_keyword(name, kind) for name, kind in RunOptions.__annotations__.items())]
    names = {*kinds, "set"}

    @wraps(function)
    def checked(*given: Any, **named: Any) -> Any:
        bound = {**dict(zip(signature.parameters, given, strict=False)), **named}
        with _in_python(names):
            for name, value in bound.items():
                if name in kinds:
                    _check(name, value, kinds[name])
            return function(*given, **named)

    checked.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    return checked  # type: ignore[return-value]


def _keyword(name: str, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_USUAL.get(name), annotation=kind)


@contextmanager
def _in_python(names: Iterable[str]) -> Iterator[None]:
    """In here, a mistake that is told by the options of a command is told by the arguments of these names."""

    def argument(found: re.Match[str]) -> str:
        name = found[1].replace("-", "_")
        return {"set": "parameters"}.get(name, name) if name in names else found[0]

    try:
        yield
    except UserError as error:
        error.args = (_OPTION.sub(argument, error.message).replace(_COMMAND_FIRST, _CALL_FIRST),)
        error.hint = _OPTION.sub(argument, error.hint).replace(_COMMAND_FIRST, _CALL_FIRST)
        raise


def _check(name: str, value: Any, kind: Any) -> None:
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    origins = [get_origin(one) or one for one in kinds]
    if not any(_is(value, one) for one in origins):
        words = list(dict.fromkeys(_IN_WORDS[one] for one in origins))
        listed = " or ".join([part for part in (", ".join(words[:-1]), words[-1]) if part])
        raise UserError(f"{name}: expected {listed}, found {_short_repr(value)}")
    if isinstance(value, Mapping):
        _check_json(name, value)


def _is(value: Any, kind: type) -> bool:
    """Whether a value is of a kind. Of what is read only once, the contents are seen later."""
    if kind in (Iterable, Sequence):
        listed = isinstance(value, kind) and not isinstance(value, str | bytes | Mapping)
        return listed and (isinstance(value, Iterator) or all(isinstance(one, str) for one in value))
    if kind is Mapping:
        return isinstance(value, Mapping) and all(isinstance(one, str) for one in value)
    if kind in (int, float):
        return isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
    return isinstance(value, kind)


def _check_json(name: str, value: Mapping[str, Any]) -> None:
    for key, one in value.items():
        try:
            canonical_json(one)
        except (TypeError, ValueError, RecursionError):
            raise UserError(f"{name}: expected for {key!r} a value that JSON has, found {_short_repr(one)}") from None


def _short_repr(value: Any) -> str:
    """What was found; of anything but plain values no more than the type."""
    return reprlib.repr(value) if value is None or isinstance(value, str | int | float) else type(value).__name__
