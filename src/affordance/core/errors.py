"""Errors, and what each means for the exit code.

    AffordanceError                exit 1
    └── UserError                  exit 2: a mistake that the user can correct
        ├── UnknownName            a task, model, option... that does not exist
        ├── InvalidOption          an option whose value is not valid; `option` names it
        ├── DataError              a dataset that does not keep its format; names file and line
        ├── MediaError             an image or video that cannot be read; names the file
        ├── LedgerError            a ledger that cannot be opened or written
        │   ├── LedgerNotFound     no ledger at a path; `location` is the path
        │   └── EditConflict       a document that another author has changed in the meantime
        ├── MissingApiKey          a model whose API key is not in the environment
        └── IncompleteError        exit 3: results are missing; the same command resumes the run

An error carries its data: the command line writes `option` as a flag, the Python API as an argument, and either may
replace the `hint`. Messages never hold secrets: URLs go through `affordance.core.http.public_url` first.
"""

import difflib
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

MAX_LISTED_NAMES = 30  # in one message
_MIN_SIMILARITY = 0.7  # of a suggestion, from 0 to 1


class AffordanceError(Exception):
    """Base of all errors that Affordance raises on purpose."""


class UserError(AffordanceError):
    """A mistake that the user can correct.

    Attributes:
        message: What is wrong and where, in one line.
        option: The option or argument it is about, by its Python name; empty if it is about none.
        hint: What to do, if that depends on whether the caller is the command line or Python.
    """

    def __init__(self, message: str = "", *, option: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.option, self.hint = option, hint

    @property
    def message(self) -> str:
        return str(self.args[0]) if self.args else ""

    def describe(self, format_option: Callable[[str], str] = str) -> str:
        """The whole error in one line; `format_option` spells the option, as `--limit` for the command line."""
        about = f"{format_option(self.option)}: " if self.option else ""
        return f"{about}{self.message}{'; ' if self.hint else ''}{self.hint}"

    def __str__(self) -> str:
        return self.describe()


class UnknownName(UserError):
    """A name that does not exist; suggests the closest one that does.

    Attributes: `what` kind of name it is, the name `found`, and all that are `known`.
    """

    def __init__(self, what: str, found: str, known: Iterable[str]) -> None:
        self.what, self.found, self.known = what, found, tuple(sorted({str(name) for name in known}))
        super().__init__(f"unknown {what} {found!r}; {suggest(found, self.known)}")

    @property
    def suggested(self) -> str:
        """The known name that was probably meant; empty if there is none."""
        return closest_match(self.found, self.known)


class InvalidOption(UserError):
    """An option whose value is not valid: the command line writes `--limit: ...`, Python `limit: ...`."""

    def __init__(self, option: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, option=option, hint=hint)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.option, self.message), self.__dict__


class DataError(UserError):
    """A dataset that does not keep its format. `path` and, if known, `line` or `row` say where."""

    def __init__(self, message: str, path: Path, line: int | None = None, row: int | None = None) -> None:
        self.path, self.line, self.row = path, line, row
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {message}" if row is None else f"{where}: row {row}: {message}")


class MediaError(UserError):
    """An image or video that cannot be read to the end."""


class LedgerError(UserError):
    """A ledger that cannot be opened, read or written."""


class LedgerNotFound(LedgerError):
    """There is no ledger at `location`. The caller's hint says how to create one."""

    def __init__(self, location: str, *, hint: str = "run `affordance run` first or name one with --ledger") -> None:
        self.location = location
        super().__init__(f"no ledger at {location}", hint=hint)


class EditConflict(LedgerError):
    """A document that another author has changed in the meantime; nothing was written."""


class MissingApiKey(UserError):
    """A model whose API key is not in the environment."""


class IncompleteError(UserError):
    """Results are missing, and the same command resumes the run: incomplete rather than the user's mistake."""


def suggest(found: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown name: the name that was probably meant, or those that exist."""
    names = sorted({str(name) for name in known})
    if near := closest_match(found, names):
        return f"did you mean {near!r}?"
    others = f" and {len(names) - MAX_LISTED_NAMES} more" if len(names) > MAX_LISTED_NAMES else ""
    return f"known: {', '.join(names[:MAX_LISTED_NAMES])}{others}" if names else "there are none yet"


def closest_match(found: str, known: Iterable[str]) -> str:
    """The name that was probably meant: one with a similar spelling, with one other letter or the same letters in
    another order, or the only one of which `found` is a whole part. Empty if there is none."""
    folded = {name.casefold().lstrip("-"): name for name in known}
    wanted = found.casefold().lstrip("-")
    if near := difflib.get_close_matches(wanted, folded, n=1, cutoff=_MIN_SIMILARITY):
        return folded[near[0]]
    for text, name in folded.items():
        if len(text) == len(wanted) > 2 and (_count_differences(text, wanted) == 1 or sorted(text) == sorted(wanted)):
            return name
    parts = [name for text, name in folded.items() if wanted and wanted in re.split("[/-]", text)]
    return parts[0] if len(parts) == 1 else ""


def _count_differences(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))
