"""Sheets: what a person is shown for one slot, and what they fill in. Nothing in a sheet tells what is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Protocol

from affordance.core.geometry import Box
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.studio.studies.forms import AnswerForm


@dataclass(frozen=True, slots=True)
class Slot:
    """One item as it is shown to one person. `turn` counts the slots of an item from 0."""

    id: str
    item: str
    turn: int
    question: str = ""  # the id of the question of a task, and the trial
    trial: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """Shown as text, whoever wrote it. `folded`: it is opened by hand."""

    text: str
    label: str = ""
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Still:
    """One picture, of a file with the digest `picture.source`."""

    picture: ImageSpec
    size: tuple[int, int]
    label: str = ""


@dataclass(frozen=True, slots=True)
class Film:
    """Frames one after the other. With an `attend` box in unit space, the page draws it in green from the frame
    `drawn[0]` to `drawn[1]`; None where it is in the pictures already, or there is none."""

    frames: tuple[ImageSpec, ...]
    rate: Fraction
    size: tuple[int, int]
    label: str = ""
    attend: tuple[Box, ...] = ()
    drawn: tuple[int, int] | None = None


Block = Text | Still | Film


@dataclass(frozen=True, slots=True)
class Sheet:
    """`files` says where the sources of pictures lie, by content digest; the page never sees that."""

    slot: str
    heading: str
    instruction: str
    blocks: tuple[Block, ...]
    form: AnswerForm
    check: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)


class Source(Protocol):
    """What a study is made of. Built once when a study is opened; raises a `UserError` where what it is about is not
    there any more, or has changed."""

    def slots(self) -> Sequence[Slot]:
        """All of them, those of an item together."""
        ...

    def sheet(self, slot: Slot) -> Sheet: ...

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        """What agreement is counted on, by what is measured (`purpose`, `box`, `score`...): the answer in terms that do
        not depend on how it was shown (which design, not which side). Texts have none."""
        ...
