"""What people write beside a page: how to set its animation off, what it is for and what it means."""

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from affordance.capture.looks import read_size
from affordance.core.errors import DataError, UnknownName, UserError
from affordance.core.text import parse_choice
from affordance.core.validation import format_validation_error
from affordance.datasets import Rationale
from affordance.datasets.taxonomies import EFFECTS, PURPOSES


class Trigger(StrEnum):
    """What sets an animation off."""

    LOAD = "load"  # it begins with the page
    HOVER = "hover"  # the mouse comes over the target
    CLICK = "click"  # the target is clicked
    SCRIPT = "script"  # a line of JavaScript


def read_trigger(text: str) -> Trigger:
    return parse_choice(Trigger, text, "trigger")


def _known(what: str, names: tuple[str, ...]) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names:
            raise ValueError(str(UnknownName(what, name, names)))
        return name

    return AfterValidator(check)


def _size(text: str) -> str:
    try:
        read_size(text)
    except UserError as error:
        raise ValueError(str(error)) from None
    return text


class _Note(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AnimationNote(_Note):
    """`NAME.toml` beside `NAME.html`. Whatever is left out is as the command line says."""

    trigger: Trigger | None = None
    target: str | None = None  # CSS selector
    script: str | None = None
    platform: str | None = None
    size: Annotated[str, AfterValidator(_size)] | None = None
    seconds: Annotated[float, Field(gt=0, le=60)] | None = None
    still: Annotated[float, Field(gt=0, le=60)] | None = None
    context: str | None = None
    input: str | None = None
    modality: list[str] = []
    type: list[str] = []
    purpose: Annotated[str, _known("purpose", PURPOSES)] | None = None
    effects: list[Annotated[str, _known("effect", EFFECTS)]] | None = None  # what was meant; the measured ones count
    effect_responses: list[str] = []
    meaning_responses: list[str] = []


class PairNote(_Note):
    """`pair.toml` in a folder with the two designs `a.html` and `b.html`."""

    winner: Annotated[str, _known("design", ("a", "b"))]
    size: Annotated[str, AfterValidator(_size)] = "1280x800"
    goal: str
    context: str
    page_type: str
    industry: str
    device: str
    changes: dict[str, list[str]]
    evidence: Literal["tested", "voted", "constructed"] = "constructed"
    rationales: Annotated[list[Rationale], Field(min_length=1)]


Note = TypeVar("Note", bound=_Note)


def read_note(path: Path, kind: type[Note]) -> Note:
    """A note, or the default where there is no file. What is wrong is said with the file's name."""
    try:
        return kind.model_validate(tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {})
    except ValidationError as error:
        raise DataError(format_validation_error(error), path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"expected TOML: {error}", path) from None
