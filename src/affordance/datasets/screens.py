"""Screens with their elements, regions and targets; choice items; outcomes of actions."""

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import StrictModel
from affordance.datasets.items import BoxField, CapturedPage, Item, ItemLink, NonEmptyStr, RelativePath


class Element(StrictModel):
    """Something on a screen that can be operated. `point`, a box without area, is where pointing hits it; `locator`
    finds it again on the page."""

    id: NonEmptyStr  # unique on the screen
    box: BoxField
    role: str | None = None  # button, link...
    name: str | None = None  # its label
    functionality: str | None = None  # what it does
    description: str | None = None  # how it looks and where it is
    intent: str | None = None  # what somebody wants who uses it
    state: dict[str, str] = {}  # checked, expanded...
    point: BoxField | None = None  # where pointing hits it
    locator: str | None = None  # finds it again on the page
    links: list[ItemLink] = []


class Region(StrictModel):
    id: NonEmptyStr  # unique on the screen
    box: BoxField
    parent: str | None = None  # the id of the region around it
    type: str | None = None
    functionality: str | None = None  # what it is for
    description: str | None = None  # how it looks and where it is
    links: list[ItemLink] = []


class Target(StrictModel):
    """Something to be found on a screen by what is said of it: a box or a polygon (points in pixels), or `absent`,
    where there is no such thing. `alike` are the other members of its look-alike group; `tags` what the publisher
    says of it (density, area...)."""

    id: NonEmptyStr  # unique on the screen
    level: Literal["element", "region"]  # what it is
    box: BoxField | None = None
    polygon: Annotated[list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=3)] | None = (
        None
    )
    absent: bool = False  # there is no such thing on the screen
    functionality: str | None = None  # what it does
    description: str | None = None  # how it looks and where it is
    intent: str | None = None  # what somebody wants who uses it
    action: str | None = None  # that its words are about: click, hover...
    group: str | None = None  # the id of its look-alike group
    alike: list[BoxField] = []  # the others of that group
    tags: dict[str, str] = {}  # what the publisher says of it

    @model_validator(mode="after")
    def _check_location(self) -> "Target":
        if [self.box is not None, self.polygon is not None, self.absent].count(True) != 1:
            raise ValueError(f"target {self.id!r}: expected a box, a polygon or absent, and one of them only")
        return self

    @property
    def bounds(self) -> Box | None:
        """The box, or the one around the polygon; None for an absent target."""
        if self.polygon is None:
            return self.box
        xs, ys = zip(*self.polygon, strict=True)
        return Box(CoordinateSpace.PIXEL, min(xs), min(ys), max(xs), max(ys))


class Screen(Item):
    """A screenshot with its interactive elements and the tree of its functional regions. `targets` are what is to be
    found on it, where somebody has written that down; otherwise suites make them of elements and regions."""

    image: RelativePath  # the screenshot
    width: Annotated[int, Field(gt=0)]  # pixels of the image
    height: Annotated[int, Field(gt=0)]  # pixels of the image
    platform: str | None = None
    page: CapturedPage | None = None  # that it shows
    elements: list[Element] = []  # that can be operated
    regions: list[Region] = []  # a tree, by their parents
    targets: list[Target] = []  # what is to be found on it, where that is written down
    left_out: dict[str, int] = {}  # how many elements of the page are not among them, and why

    @model_validator(mode="after")
    def _check_ids_and_parents(self) -> "Screen":
        for what, ids in (
            ("element", [e.id for e in self.elements]),
            ("region", [r.id for r in self.regions]),
            ("target", [t.id for t in self.targets]),
        ):
            if twice := next((one for one, times in Counter(ids).items() if times > 1), None):
                raise ValueError(f"expected each {what} id once, found {twice!r} twice")
        parents = {region.id: region.parent for region in self.regions}
        for region in self.regions:
            if region.parent is not None and region.parent not in parents:
                raise ValueError(f"region {region.id!r}: expected a parent among the regions, found {region.parent!r}")
            above, steps = region.parent, 0
            while above is not None:
                above, steps = parents.get(above), steps + 1
                if steps > len(parents):
                    raise ValueError(f"region {region.id!r}: expected parents up to the screen, found a circle")
        return self

    def media_files(self) -> list[str]:
        return [self.image]


class AccessibleNode(StrictModel):
    """Part of a page as a person would refer to it."""

    role: str
    name: str = ""


class StateChange(AccessibleNode):
    """A state of a control (checked, expanded, its value...) before and after; None where there was none."""

    state: NonEmptyStr
    before: str | None = None
    after: str | None = None


class BrowserDialog(StrictModel):
    """A message box of the browser; capture turns down what it asks."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str = ""


class PageChange(StrictModel):
    """All that an action changed."""

    url: str | None = None  # the new address
    title: str | None = None  # the new title
    heading: str | None = None  # what the new page is headed
    windows: list[str] = []  # addresses that were opened in new windows
    dialogs: list[BrowserDialog] = []
    downloads: list[str] = []  # names of files offered; they are discarded
    printed: bool = False
    focus: AccessibleNode | None = None  # what has the focus now, where that is something else than before
    states: list[StateChange] = []
    added: list[str] = []  # text
    removed: list[str] = []
    appeared: list[AccessibleNode] = []  # regions
    disappeared: list[AccessibleNode] = []
    scrolled: list[AccessibleNode] = []
    pixels: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of the picture that looks different
    elsewhere: Annotated[float, Field(ge=0, le=1)] = 0.0  # and of that, what is not the control that was acted on


class OutcomeStep(StrictModel):
    """One action of a sequence, on what it was carried out, and what it changed. `to` is where a drag ended."""

    action: NonEmptyStr
    element: str
    target: BoxField
    to: BoxField | None = None
    typed: str | None = None
    image: RelativePath
    sentence: str
    change: PageChange


class ActionOutcome(Item):
    """What really happened when an action was carried out on an element or region of a screen. With several steps,
    the first one's picture, target and action are the item's, and the sentence tells how it ended."""

    image: RelativePath
    target: BoxField
    action: NonEmptyStr
    sentence: NonEmptyStr
    screen: str | None = None
    element: str | None = None
    change: PageChange | None = None
    steps: list[OutcomeStep] = []
    after: RelativePath | None = None  # what looks different afterwards, cut out
    after_box: BoxField | None = None  # where that is on the screen

    @model_validator(mode="after")
    def _check_after_image(self) -> "ActionOutcome":
        if (self.after is None) != (self.after_box is None):
            raise ValueError("expected after and after_box together, found one without the other")
        return self

    def media_files(self) -> list[str]:
        pictures = [self.image, *(step.image for step in self.steps), *([self.after] if self.after else [])]
        return list(dict.fromkeys(pictures))


class ChoiceOption(StrictModel):
    text: NonEmptyStr
    origin: str | None = None  # where a distractor comes from: hard, easy...


class ChoiceItem(Item):
    """A multiple-choice question about a picture; `answers` are positions in `options`, and `multiple` says that all
    which apply are asked for. `target` is drawn onto the picture; where it is None and the question speaks of a
    rectangle, that is in the picture already."""

    image: RelativePath  # what it is about
    target: BoxField | None = None  # drawn onto the picture
    level: Literal["element", "region"] | None = None  # of the target
    action: str | None = None  # that is carried out on it
    multiple: bool = False  # whether all that apply are asked for
    tags: dict[str, str] = {}  # what the publisher says of it (region type, density...)
    question: NonEmptyStr  # in words
    options: Annotated[list[ChoiceOption], Field(min_length=2)]  # as published, in this order
    answers: Annotated[list[int], Field(min_length=1)]  # positions in the options, from 0

    @model_validator(mode="after")
    def _check_answers(self) -> "ChoiceItem":
        if wrong := [answer for answer in self.answers if not 0 <= answer < len(self.options)]:
            raise ValueError(f"expected answers from 0 to {len(self.options) - 1}, found {wrong}")
        return self

    def media_files(self) -> list[str]:
        return [self.image]
