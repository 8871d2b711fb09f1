"""What somebody typed, as members of an enum."""

from enum import StrEnum
from typing import TypeVar

from affordance.core.errors import UnknownName

E = TypeVar("E", bound=StrEnum)

ALL = "all"


def one_of(kind: type[E], text: str, what: str) -> E:
    if text not in list(kind):
        raise UnknownName(what, text, kind)
    return kind(text)


def several_of(kind: type[E], text: str, what: str) -> list[E]:
    """A list with commas, each once, or `all`."""
    if text == ALL:
        return list(kind)
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in list(kind):
            raise UnknownName(what, name, [*kind, ALL])
    return [kind(name) for name in names]
