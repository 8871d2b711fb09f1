"""Goals that pages are written for: a text file with one in each line, or JSON lines with more about each."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.core.digest import digest_text
from affordance.core.errors import DataError
from affordance.core.json_text import parse_json_object
from affordance.core.validation import format_validation_error

LONGEST_NAME = 40  # characters of a goal in its id
_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$"  # it becomes part of file names


class Goal(BaseModel):
    """What a page is to achieve. `id` is made from the words where none is given."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, str_strip_whitespace=True)

    goal: Annotated[str, Field(min_length=1)]
    id: Annotated[str, Field(pattern=_ID)] = ""
    context: str | None = None
    page_type: str | None = None
    industry: str | None = None


def read_goals(path: Path) -> list[Goal]:
    """Empty lines and those that begin with # are left out. Raises a `DataError` that names the line."""
    found: dict[str, Goal] = {}
    for number, line in _lines(path):
        goal = _goal(line, path, number)
        if goal.id in found:
            raise DataError(f"expected each goal once, found {goal.id!r} again", path, number)
        found[goal.id] = goal
    if not found:
        raise DataError("expected a goal in each line, found none", path)
    return list(found.values())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    if not path.is_file():
        raise DataError("expected a file with a goal in each line, found no such file", path)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise DataError("expected UTF-8, found something else", path) from None
    for number, line in enumerate(text.split("\n"), 1):  # not at U+2028 and the like, which JSON may hold
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _goal(line: str, path: Path, number: int) -> Goal:
    if not line.startswith("{"):
        return Goal(goal=line, id=_name(line))
    try:
        goal = Goal.model_validate(parse_json_object(line.encode()))
    except ValidationError as error:
        raise DataError(format_validation_error(error), path, number) from None
    except ValueError as error:
        raise DataError(str(error), path, number) from None
    return goal if goal.id else goal.model_copy(update={"id": _name(goal.goal)})


def _name(goal: str) -> str:
    """The same goal has the same name wherever it stands in a file."""
    words = re.sub(r"[^a-z0-9]+", "-", goal.lower()).strip("-")[:LONGEST_NAME].strip("-")
    return f"{words}-{digest_text(goal)[:6]}" if words else f"goal-{digest_text(goal)[:6]}"
