"""Errors, and what each means for the exit code.

    AffordanceError            exit 1 unless said otherwise
    └── UserError              exit 2: the user's mistake, one line
        ├── UnknownName        a task, model, option... that does not exist
        ├── DataError          a dataset that does not keep its format; names file and line
        ├── MediaError         a picture or video that cannot be read; names the file
        ├── LedgerError        a ledger that cannot be opened or written
        │   └── EditConflict   a document that somebody else has changed in the meantime
        ├── MissingApiKey      a model whose key is not in the environment
        └── IncompleteError    exit 3: something is missing, and the same command again goes on

Every message says what was expected, what was found, where, and what to do. Messages never hold secrets:
URLs go through `affordance.core.http.public_url` first.
"""

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

MAX_LISTED_NAMES = 30  # that a message lists
_MIN_SIMILARITY = 0.7  # from 0 to 1: below, a suggestion is far-fetched


class AffordanceError(Exception):
    """Anything Affordance raises on purpose."""


class UserError(AffordanceError):
    """Something the user can put right."""


class UnknownName(UserError):
    """A name that is not in the list of those that exist; suggests the nearest.

    Attributes: `what` kind of name it is, the name `found`, and all that are `known`.
    """

    def __init__(self, what: str, found: str, known: Iterable[str]) -> None:
        self.what, self.found, self.known = what, found, tuple(sorted({str(name) for name in known}))
        super().__init__(f"unknown {what} {found!r}; {suggest(found, self.known)}")

    @property
    def suggested(self) -> str:
        """The known name that was probably meant; empty where there is none."""
        return closest_match(self.found, self.known)


def suggest(found: str, known: Iterable[str]) -> str:
    """What somebody may have meant who wrote a name that does not exist, or what there is."""
    names = sorted({str(name) for name in known})
    if near := closest_match(found, names):
        return f"did you mean {near!r}?"
    others = f" and {len(names) - MAX_LISTED_NAMES} more" if len(names) > MAX_LISTED_NAMES else ""
    return f"known: {', '.join(names[:MAX_LISTED_NAMES])}{others}" if names else "there are none yet"


def closest_match(found: str, known: Iterable[str]) -> str:
    """The name that was probably meant: one that is written much alike, has one other letter or its letters in another
    order, or is the only one of which this is a whole part. Empty where there is none."""
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


class DataError(UserError):
    """A dataset that does not keep its format. `path` and, where there is one, `line` or `row` say where."""

    def __init__(self, message: str, path: Path, line: int | None = None, row: int | None = None) -> None:
        self.path, self.line, self.row = path, line, row
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {message}" if row is None else f"{where}: row {row}: {message}")


class MediaError(UserError):
    """A picture or video that cannot be read to the end."""


class LedgerError(UserError):
    """A ledger that cannot be opened, read or written."""


class EditConflict(LedgerError):
    """A document that somebody else has changed in the meantime; nothing was written."""


class MissingApiKey(UserError):
    """A model whose API key is not in the environment."""


class IncompleteError(UserError):
    """Something is missing, and the same command again goes on: incomplete rather than the user's mistake."""
