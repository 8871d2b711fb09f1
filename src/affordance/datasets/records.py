"""One record per kind of dataset. Strict at the border; fields we do not know survive a round trip."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator

from affordance.core.box import Box


def _read_box(value: Any) -> Box:
    return value if isinstance(value, Box) else Box.from_json(value)


def _relative(path: str) -> str:
    """A path inside the dataset folder, with forward slashes. Anything that could leave the folder is refused."""
    parts = path.split("/")
    if not path or path.startswith("/") or "\\" in path or "\0" in path or any(p in ("", ".", "..") for p in parts):
        raise ValueError(f"expected a relative path inside the dataset folder, found {path!r}")
    return path


BoxField = Annotated[
    Box,
    BeforeValidator(_read_box),
    PlainSerializer(lambda box: box.to_json(), return_type=dict[str, Any]),
]
MediaPath = Annotated[str, AfterValidator(_relative)]
Name = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow", frozen=True, arbitrary_types_allowed=True)


class Link(_Strict):
    """Joins an item to another: `variant` (re-rendered), `twin` (counterfactual), `group` (look-alikes)."""

    kind: Literal["variant", "twin", "group"]
    to: Name


class Record(_Strict):
    """What every item has. `media()` lists the files it needs, relative to the dataset folder."""

    id: Name
    links: list[Link] = []

    def media(self) -> list[str]:
        return []


class Input(_Strict):
    """What the person did before or during an animation."""

    summary: str
    modality: list[str] = []
    type: list[str] = []


class Clip(Record):
    """An animation: a video, where and when it happens, what it is for and how people describe it."""

    video: MediaPath
    platform: str | None = None
    context: str | None = None
    inputs: list[Input] = []
    effect: str | None = None
    purpose: str | None = None
    regions: list[BoxField] = []
    start_frame: Annotated[int, Field(ge=0)] | None = None
    end_frame: Annotated[int, Field(ge=0)] | None = None
    effect_responses: list[str] = []
    meaning_responses: list[str] = []

    @model_validator(mode="after")
    def _ordered(self) -> "Clip":
        if self.start_frame is not None and self.end_frame is not None and self.start_frame > self.end_frame:
            raise ValueError(f"expected start_frame <= end_frame, found {self.start_frame} > {self.end_frame}")
        return self

    def media(self) -> list[str]:
        return [self.video]


class Rationale(_Strict):
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

    def media(self) -> list[str]:
        return list(self.images)


class Element(_Strict):
    id: Name
    box: BoxField
    role: str | None = None
    name: str | None = None
    functionality: str | None = None
    description: str | None = None
    intent: str | None = None
    links: list[Link] = []


class Region(_Strict):
    id: Name
    box: BoxField
    parent: str | None = None
    type: str | None = None
    functionality: str | None = None
    description: str | None = None
    links: list[Link] = []


class Screen(Record):
    """A screenshot with its interactive elements and the tree of its functional regions."""

    image: MediaPath
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    platform: str | None = None
    elements: list[Element] = []
    regions: list[Region] = []

    def media(self) -> list[str]:
        return [self.image]


class Outcome(Record):
    """What really happened when an action was carried out on an element or region of a screen."""

    image: MediaPath
    target: BoxField
    action: Name
    sentence: Name

    def media(self) -> list[str]:
        return [self.image]


class ChoiceOption(_Strict):
    text: Name
    origin: str | None = None  # where a distractor comes from: hard, easy...


class ChoiceQuestion(Record):
    """A multiple-choice question about a picture; `answers` are positions in `options`."""

    image: MediaPath
    target: BoxField | None = None
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


class Header(_Strict):
    """`dataset.json`."""

    format: Literal[1]
    kind: Literal["clip", "pair", "screen", "outcome", "choice"]
    name: Name
    licence: str
    provenance: str
    synthetic: bool
