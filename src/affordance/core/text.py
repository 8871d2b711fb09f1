"""Text: members of an enum as users write them, shortened text."""

from enum import StrEnum
from typing import TypeVar

from affordance.core.errors import UnknownName

E = TypeVar("E", bound=StrEnum)

ALL_CHOICES = "all"


def parse_choice(choices: type[E], text: str, what: str) -> E:
    if text not in list(choices):
        raise UnknownName(what, text, choices)
    return choices(text)


def parse_choices(choices: type[E], text: str, what: str) -> list[E]:
    """A list with commas, each once, or `all`."""
    if text == ALL_CHOICES:
        return list(choices)
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in list(choices):
            raise UnknownName(what, name, [*choices, ALL_CHOICES])
    return [choices(name) for name in names]
