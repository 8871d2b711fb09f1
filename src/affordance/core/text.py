"""Text: choices in prose, control characters, truncation, wrapping, slugs."""

import re
import unicodedata
from enum import StrEnum
from typing import TypeVar

from affordance.core.errors import UnknownName

# Controls, lone surrogates, and marks that change the direction of what follows.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe\uffff]"
)
_NAME_PIECE = re.compile(r"[^\s/@+-]*[\s/@+-]+|[^\s/@+-]+")  # a line may end after it


E = TypeVar("E", bound=StrEnum)

ALL_CHOICES = "all"


def parse_choice(choices: type[E], text: str, what: str) -> E:
    """The member of that name; `what` names its kind in an error."""
    if text not in list(choices):
        raise UnknownName(what, text, choices)
    return choices(text)


def parse_choices(choices: type[E], text: str, what: str) -> list[E]:
    """The members in a list with commas, each once; `all` stands for all of them."""
    if text == ALL_CHOICES:
        return list(choices)
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in list(choices):
            raise UnknownName(what, name, [*choices, ALL_CHOICES])
    return [choices(name) for name in names]


def strip_control(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """The text on one line, with invisible and control characters replaced."""
    return _CONTROL.sub(instead, " ".join(re.split(r"[\t\n\r]+", text)))


def truncate(text: str, length: int) -> str:
    """The text on one line, at most `length` characters long; a cut text ends with an ellipsis."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def truncate_middle(text: str, length: int) -> str:
    """The text without its middle: names differ at their ends."""
    half = (length - 1) // 2
    return text if len(text) <= length else f"{text[:half]}…{text[-half:]}"


def make_slug(text: str, length: int) -> str:
    """Lower-case letters, digits and hyphens for file names and anchors; empty where nothing is left."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:length].strip("-")


def wrap_name(text: str, width: int) -> str:
    """In lines of at most `width` characters that end after spaces, slashes, hyphens and the like, or else anywhere."""
    return "\n".join(line for row in text.split("\n") for line in _wrap_row(row, width))


def _wrap_row(text: str, width: int) -> list[str]:
    lines = [""]
    for piece in _NAME_PIECE.findall(text):
        rest = piece
        if lines[-1] and len(lines[-1]) + len(rest.rstrip()) > width:
            lines.append("")
        while len(rest.rstrip()) > width:
            lines[-1], rest = rest[:width], rest[width:]
            lines.append("")
        lines[-1] += rest
    return [line.rstrip() for line in lines]
