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


class Page(_Strict):
    """The page that a screen or clip shows, and how it was rendered."""

    name: Name
    url: str
    title: str = ""
    look: dict[str, Any] = {}
    settled: bool = True  # False where something kept moving


class Input(_Strict):
    """What the person did before or during an animation."""

    summary: str
    modality: list[str] = []
    type: list[str] = []


class Keyframe(_Strict):
    """What an animation makes of properties at a share of its duration, and how it goes on from there."""

    offset: Annotated[float, Field(ge=0, le=1)]
    easing: str
    values: dict[str, str]


class Animation(_Strict):
    """An animation as the page declares it. Times are milliseconds, the start counted from the first frame of the
    clip; `iterations` is None for one that never ends."""

    kind: Literal["css-animation", "css-transition", "web-animation", "svg-animation"]
    name: str = ""
    mover: Annotated[int, Field(ge=0)]  # its place among the movers
    start: float
    delay: float = 0.0
    duration: Annotated[float, Field(ge=0)]
    iterations: Annotated[float, Field(ge=0)] | None = 1.0
    direction: str = "normal"
    easing: str = "linear"
    fill: str = "none"
    keyframes: list[Keyframe] = []


class Mover(_Strict):
    """Part of a page that changes: how, and where it is in each frame from the first in which it is there. A box
    without area stands for a frame in which it is not."""

    locator: str
    tag: str
    text: str = ""
    kind: Literal["css-animation", "css-transition", "web-animation", "svg-animation", "script", "drawing"]
    effects: list[str] = []
    properties: list[str] = []
    first_frame: Annotated[int, Field(ge=0)] = 0
    space: Literal["pixel"] = "pixel"
    boxes: list[Annotated[list[float], Field(min_length=4, max_length=4)]] = []


class Motion(_Strict):
    """How a clip came about that was filmed under a held clock: everything in it is known."""

    trigger: Literal["load", "hover", "click", "script"]
    trigger_frame: Annotated[int, Field(ge=0)]
    frames: Annotated[int, Field(gt=0)]
    fps: Annotated[int, Field(gt=0)]
    duration: Annotated[float, Field(ge=0)]  # milliseconds
    ended: bool  # False: it was still going on when the clip was cut
    visible: bool  # False: nothing of it can be seen in the window
    easing: str | None = None  # where all that is animated has the same
    effects: list[str] = []
    digest: str  # of the pixels of all frames
    animations: list[Animation] = []
    movers: list[Mover] = []
    page: Page | None = None
    twin: Literal["reversed", "easing", "slower", "faster"] | None = None  # what tells it from the clip it links to

    @model_validator(mode="after")
    def _joined(self) -> "Motion":
        for animation in self.animations:
            if animation.mover >= len(self.movers):
                raise ValueError(f"expected a mover from 0 to {len(self.movers) - 1}, found {animation.mover}")
        return self


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
    motion: Motion | None = None

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
    evidence: Literal["tested", "voted", "constructed"] | None = None  # why the winner is the winner

    def media(self) -> list[str]:
        return list(self.images)


class Element(_Strict):
    """Something on a screen that can be operated. `point`, a box without area, is where pointing hits it; `locator`
    finds it again on the page."""

    id: Name
    box: BoxField
    role: str | None = None
    name: str | None = None
    functionality: str | None = None
    description: str | None = None
    intent: str | None = None
    state: dict[str, str] = {}
    point: BoxField | None = None
    locator: str | None = None
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
    page: Page | None = None
    elements: list[Element] = []
    regions: list[Region] = []
    left_out: dict[str, int] = {}  # how many elements of the page are not among them, and why

    @model_validator(mode="after")
    def _joined(self) -> "Screen":
        for what, ids in (("element", [e.id for e in self.elements]), ("region", [r.id for r in self.regions])):
            if twice := next((one for one in ids if ids.count(one) > 1), None):
                raise ValueError(f"expected each {what} id once, found {twice!r} twice")
        parents = {region.id: region.parent for region in self.regions}
        for region in self.regions:
            if region.parent is not None and region.parent not in parents:
                raise ValueError(f"region {region.id!r}: expected a parent among the regions, found {region.parent!r}")
            above = region.parent
            for _ in self.regions:
                above = parents.get(above) if above is not None else None
            if above is not None:
                raise ValueError(f"region {region.id!r}: expected parents up to the screen, found a circle")
        return self

    def media(self) -> list[str]:
        return [self.image]


class Named(_Strict):
    """Part of a page as a person would refer to it."""

    role: str
    name: str = ""


class StateChange(Named):
    """A state of a control (checked, expanded, its value...) before and after; None where there was none."""

    state: Name
    before: str | None = None
    after: str | None = None


class Dialog(_Strict):
    """A message box of the browser; capture turns down what it asks."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str = ""


class Change(_Strict):
    """All that an action changed."""

    url: str | None = None  # the new address
    title: str | None = None  # the new title
    heading: str | None = None  # what the new page is headed
    windows: list[str] = []  # addresses that were opened in new windows
    dialogs: list[Dialog] = []
    downloads: list[str] = []  # names of files offered; they are discarded
    printed: bool = False
    focus: Named | None = None  # what has the focus now, where that is something else than before
    states: list[StateChange] = []
    added: list[str] = []  # text
    removed: list[str] = []
    appeared: list[Named] = []  # regions
    disappeared: list[Named] = []
    scrolled: list[Named] = []
    pixels: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of the picture that looks different
    elsewhere: Annotated[float, Field(ge=0, le=1)] = 0.0  # and of that, what is not the control that was acted on


class Step(_Strict):
    """One action of a sequence, on what it was carried out, and what it changed. `to` is where a drag ended."""

    action: Name
    element: str
    target: BoxField
    to: BoxField | None = None
    typed: str | None = None
    image: MediaPath
    sentence: str
    change: Change


class Outcome(Record):
    """What really happened when an action was carried out on an element or region of a screen. With several steps,
    the first one's picture, target and action are the item's, and the sentence tells how it ended."""

    image: MediaPath
    target: BoxField
    action: Name
    sentence: Name
    screen: str | None = None
    element: str | None = None
    change: Change | None = None
    steps: list[Step] = []
    after: MediaPath | None = None  # what looks different afterwards, cut out
    after_box: BoxField | None = None  # where that is on the screen

    @model_validator(mode="after")
    def _cut(self) -> "Outcome":
        if (self.after is None) != (self.after_box is None):
            raise ValueError("expected after and after_box together, found one without the other")
        return self

    def media(self) -> list[str]:
        pictures = [self.image, *(step.image for step in self.steps), *([self.after] if self.after else [])]
        return list(dict.fromkeys(pictures))


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
