"""One record per kind of dataset. Strict at the border; fields we do not know survive a round trip."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.datasets.clips import Clip
from affordance.datasets.parts import BoxField, MediaPath, Name, Record, Strict
from affordance.datasets.screens import Outcome, Screen


class Rationale(Strict):
    reason: str
    law: str | None = None
    dimension: str | None = None


class Pair(Record):
    """Two designs of one page; `winner` is 0 or 1, or None where nobody knows."""

    images: Annotated[list[MediaPath], Field(min_length=2, max_length=2)]
    winner: Annotated[int, Field(ge=0, le=1)] | None = None
    goal: str | None = None
    context: str | None = None
    votes: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    rationales: list[Rationale] = []
    page_type: str | None = None
    industry: str | None = None
    device: str | None = None
    changes: dict[str, list[str]] = {}
    evidence: Literal["tested", "voted", "constructed"] | None = None  # why the winner is the winner

    def media(self) -> list[str]:
        return list(self.images)


class ChoiceOption(Strict):
    text: Name
    origin: str | None = None  # where a distractor comes from: hard, easy...


class ChoiceQuestion(Record):
    """A multiple-choice question about a picture; `answers` are positions in `options`, and `multiple` says that all
    which apply are asked for. `target` is drawn onto the picture; where it is None and the question speaks of a
    rectangle, that is in the picture already."""

    image: MediaPath
    target: BoxField | None = None
    level: Literal["element", "region"] | None = None
    action: str | None = None
    multiple: bool = False
    tags: dict[str, str] = {}  # what the publisher says of it (region type, density...)
    question: Name
    options: Annotated[list[ChoiceOption], Field(min_length=2)]
    answers: Annotated[list[int], Field(min_length=1)]

    @model_validator(mode="after")
    def _known(self) -> "ChoiceQuestion":
        if wrong := [answer for answer in self.answers if not 0 <= answer < len(self.options)]:
            raise ValueError(f"expected answers from 0 to {len(self.options) - 1}, found {wrong}")
        return self

    def media(self) -> list[str]:
        return [self.image]


KINDS: dict[str, type[Record]] = {
    "clip": Clip,
    "pair": Pair,
    "screen": Screen,
    "outcome": Outcome,
    "choice": ChoiceQuestion,
}


class Header(Strict):
    """`dataset.json`."""

    format: Literal[1]
    kind: Literal["clip", "pair", "screen", "outcome", "choice"]
    name: Name
    licence: str
    provenance: str
    synthetic: bool
