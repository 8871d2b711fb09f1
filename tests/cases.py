"""Many cases of one kind in one test: a failure names its case, and a message is split into what it carries."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def case(name: object) -> Iterator[None]:
    """What fails inside says in which case."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {name}")
        raise


def folder_names(cases: Mapping[str, T]) -> Iterator[tuple[str, str, T]]:
    """Name and value of each case, with a name for a folder of its own in front."""
    for number, (name, value) in enumerate(cases.items()):
        yield f"case-{number}", name, value


def numbers_in(text: str) -> list[float]:
    """The numbers that stand on their own in a text, in order; thousands may have commas."""
    found = re.findall(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?", text)
    return [float(one.rstrip(",").replace(",", "")) for one in found]


def wording(text: str, *names: str) -> str:
    """A sentence without its numbers and these names: two causes need two sentences."""
    for name in names:
        text = text.replace(name, "NAME")
    return re.sub(r"\d[\d,.]*", "0", text)
