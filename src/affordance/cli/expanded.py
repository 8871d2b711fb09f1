"""Options that several commands have in common, written down once as a dataclass."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from functools import wraps
from typing import Any, get_type_hints


def with_options(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose last parameter is a dataclass of options has each of them as an option of its own, as typer wants
    them; the function gets them together."""
    hints = get_type_hints(function, include_extras=True)
    own = list(inspect.signature(function).parameters.values())
    together = own.pop()
    options: type[Any] = hints[together.name]
    of_options = get_type_hints(options, include_extras=True)
    names = [one.name for one in fields(options)]
    shared = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=of_options[one.name],
        )
        for one in fields(options)
    ]

    @wraps(function)
    def command(**given: Any) -> None:
        common = options(**{name: given.pop(name) for name in names})
        function(**given, **{together.name: common})

    mine = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]
    needed = [one for one in (*shared, *mine) if one.default is inspect.Parameter.empty]
    others = [one for one in (*mine, *shared) if one.default is not inspect.Parameter.empty]
    command.__signature__ = inspect.Signature([*needed, *others])  # type: ignore[attr-defined]  # what inspect looks at
    command.__annotations__ = {one.name: one.annotation for one in (*needed, *others)}
    return command
