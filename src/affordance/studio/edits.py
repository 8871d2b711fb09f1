"""What a person may change of a document, and the document that comes of it."""

import math
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from affordance.author.records import (
    DOCUMENTS,
    REGION_NAME,
    ROOT,
    Choice,
    Kind,
    QuestionRecord,
    Region,
)
from affordance.core.geometry import Box
from affordance.core.json_text import Json
from affordance.core.validation import StrictModel, format_validation_error
from affordance.studio.edit_rules import RULES, Changed, check_box
from affordance.studio.grounds import Ground
from affordance.studio.refused import Refused

LONGEST_TEXT = 20_000  # characters
_DEEPEST = 6  # of values in values
EXPRESSIONS = frozenset({"functionality", "description", "intent"})

FIELDS: Mapping[Kind, frozenset[str]] = {
    Kind.REGION: frozenset({"box", "parent", "type", "dividable", "gone"}),
    Kind.TYPE: frozenset({"type", "subtype", "box", "gone"}),
    Kind.RETELLING: frozenset({"description", "functionality", "rationale", "box", "gone"}),
    Kind.VALIDATION: frozenset({"contextual", "purposeful", "truthful", "rejected", "note", "told", "box", "gone"}),
    Kind.QUESTION: frozenset({"expressions", "question", "options", "box", "abandoned", "dropped"}),
    Kind.REVIEWED: frozenset({"done", "note"}),
    Kind.CLIP: frozenset(
        {"start_frame", "end_frame", "regions", "context", "inputs", "platform", "flags", "aside", "note", "done"}
    ),
    Kind.PAIR: frozenset({"goal", "context", "page_type", "industry", "device", "changes", "aside", "note"}),
    Kind.RATIONALE: frozenset({"reason", "law", "neutral", "place", "meets", "gone"}),
    Kind.REVIEW: frozenset({"round", "seen", "irrelevant", "missing", "note", "done"}),
    Kind.MASK: frozenset({"found", "brushes", "accepted", "clean"}),
    Kind.HALVES: frozenset({"boxes", "winner", "confirmed", "single"}),
}


class Edit(BaseModel):
    """New values for fields of a document of which the version `after` was seen; 0: there was none."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    kind: Annotated[Kind, Field(strict=False)]
    name: Annotated[str, Field(max_length=200)]
    after: Annotated[int, Field(ge=0, lt=1 << 31)]
    set: Annotated[dict[str, Any], Field(min_length=1, max_length=16)]


def edited(edit: Edit, before: Mapping[str, Json] | None, ground: Ground, author: str) -> StrictModel:
    """The document after an edit whose values were checked, of what belongs to that ground. Raises `Refused`."""
    where = _where(edit)
    allowed = FIELDS.get(edit.kind, frozenset())
    if unknown := sorted(set(edit.set) - allowed):
        may = f"may set {', '.join(sorted(allowed))}" if allowed else "people may not change it here"
        raise Refused(f"{where}: {may}; found {unknown[0][:40]!r}")
    values = {**(before or {}), **edit.set}
    try:
        document = DOCUMENTS[edit.kind].model_validate(_signed(edit.kind, values, author))
    except ValidationError as error:
        raise Refused(f"{where}: {format_validation_error(error)}") from None
    except ValueError as error:
        raise Refused(f"{where}: {error}") from None
    box = getattr(document, "box", None)
    if isinstance(box, Box):
        check_box(where, box, ground.size)
    if (check := _CHECKS.get(edit.kind)) is not None:
        check(Changed(where, edit.name, document, before, ground, author))
    return document


def _signed(kind: Kind, values: dict[str, Any], author: str) -> dict[str, Any]:
    """With who wrote it, where a document says that itself; a person is certain and inherits nothing."""
    if kind is Kind.TYPE:
        return {key: value for key, value in values.items() if key not in ("confidence", "inherited")} | {"by": author}
    return values | {"by": author} if kind is Kind.RETELLING else values


def check_values(edit: Edit) -> None:
    """No text is endless, none has what no text has, every number is one, and nothing is nested for ever. Raises
    `Refused`, before anything is made of the values."""
    _check_value(_where(edit), edit.set, 0)


def _where(edit: Edit) -> str:
    return f"the {edit.kind} {edit.name[:80]}".rstrip()


def _check_value(where: str, value: Any, depth: int) -> None:
    if depth > _DEEPEST:
        raise Refused(f"{where}: expected values of fields, found them nested more than {_DEEPEST} deep")
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise Refused(f"{where}: expected a text of at most {LONGEST_TEXT:,} characters, found {len(value):,}")
        if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
            raise Refused(f"{where}: expected a text, found characters in it that no text has")
    elif isinstance(value, float) and not math.isfinite(value):
        raise Refused(f"{where}: expected a number, found {value}")
    elif isinstance(value, Mapping):
        for key, part in value.items():
            _check_value(where, key, depth)
            _check_value(where, part, depth + 1)
    elif isinstance(value, list):
        for part in value:
            _check_value(where, part, depth + 1)


def _check_region(changed: Changed) -> None:
    where, document = changed.where, changed.document
    assert isinstance(document, Region)
    if changed.name == ROOT:
        raise Refused(f"{where}: it is the whole screen; expected an edit of a region in it")
    if changed.before is None and REGION_NAME.fullmatch(changed.name) is None:
        raise Refused(f"{where}: expected a name of letters, digits, dots and dashes for a new region")
    if document.parent is None:
        raise Refused(f"{where}: expected the region that it is in, found none; the screen itself is {ROOT!r}")


def _check_question(changed: Changed) -> None:
    where, document = changed.where, changed.document
    assert isinstance(document, QuestionRecord)
    if changed.before is None:
        raise Refused(f"{where}: there is no such question; questions are made with `affordance author ask`")
    was = QuestionRecord.model_validate(dict(changed.before))
    if unknown := sorted(set(document.expressions) - EXPRESSIONS - set(was.expressions)):
        raise Refused(f"{where}: expected wording of {', '.join(sorted(EXPRESSIONS))}, found {unknown[0][:40]!r}")
    if [_role(one) for one in document.options] != [_role(one) for one in was.options]:
        raise Refused(f"{where}: the texts of options may change, not which there are, nor their order")
    if document.dropped and document.dropped != was.dropped:
        raise Refused(f"{where}: a person keeps a dropped question or abandons one; expected an empty reason")


def _role(option: Choice) -> tuple[str, str]:
    return option.origin, option.of


_CHECKS: Mapping[Kind, Callable[[Changed], None]] = {
    Kind.REGION: _check_region,
    Kind.QUESTION: _check_question,
    **RULES,
}
