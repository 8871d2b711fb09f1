"""Screens with their elements, regions and targets; choice items; outcomes of actions."""

from collections import Counter
from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.validation import StrictModel, stored_as
from affordance.datasets.items import BoxField, CapturedPage, Item, ItemLink, NonEmptyStr, RelativePath


class Element(StrictModel):
    """An interactive element of a screen."""

    id: NonEmptyStr  # unique on the screen
    box: BoxField
    role: str | None = None  # button, link...
    name: str | None = None  # its label
    functionality: str | None = None  # what it does
    description: str | None = None  # how it looks and where it is
    intent: str | None = None  # the goal of a user who uses it
    state: dict[str, str] = {}  # checked, expanded...
    point: BoxField | None = None  # a box without area: where a click hits it
    locator: str | None = None  # identifies it on the page
    links: list[ItemLink] = []


class Region(StrictModel):
    """A functional region of a screen."""

    id: NonEmptyStr  # unique on the screen
    box: BoxField
    parent: str | None = None  # the id of the region around it
    type: str | None = None
    functionality: str | None = None  # what it is for
    description: str | None = None  # how it looks and where it is
    links: list[ItemLink] = []


class Target(StrictModel):
    """What an expression refers to: a box or a polygon, or `absent` where the screen has no such thing."""

    id: NonEmptyStr  # unique on the screen
    level: Literal["element", "region"]  # what it is
    box: BoxField | None = None
    polygon: Annotated[list[Annotated[list[float], Field(min_length=2, max_length=2)]], Field(min_length=3)] | None = (
        None
    )
    absent: bool = False  # the screen has no such thing
    functionality: str | None = None  # what it does
    description: str | None = None  # how it looks and where it is
    intent: str | None = None  # the goal of a user who uses it
    action: str | None = None  # that its expressions are about: click, hover...
    group: str | None = None  # the id of its look-alike group
    look_alikes: list[BoxField] = stored_as("alike", [])  # the other members of that group
    tags: dict[str, str] = {}  # classes stated by the publisher (density, area...)

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
    """A screenshot with its interactive elements and the tree of its functional regions. Without `targets`, tasks
    derive them from elements and regions."""

    image: RelativePath  # the screenshot
    width: Annotated[int, Field(gt=0)]  # pixels of the image
    height: Annotated[int, Field(gt=0)]  # pixels of the image
    platform: str | None = None
    page: CapturedPage | None = None  # shown on it
    elements: list[Element] = []  # interactive ones
    regions: list[Region] = []  # a tree, by their parents
    targets: list[Target] = []  # as published
    omitted_elements: dict[str, int] = stored_as("left_out", {})  # not listed, by reason

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
                    raise ValueError(f"region {region.id!r}: expected parents up to the screen, found a cycle")
        return self

    def media_files(self) -> list[str]:
        return [self.image]


class AccessibleNode(StrictModel):
    """Part of a page as a person refers to it."""

    role: str
    name: str = ""


class StateChange(AccessibleNode):
    """A state of a control (checked, expanded, its value...) before and after; None where it has none."""

    state: NonEmptyStr
    before: str | None = None
    after: str | None = None


class BrowserDialog(StrictModel):
    """A message box of the browser. Capture dismisses it."""

    kind: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str = ""


class PageChange(StrictModel):
    """What an action changed on a page."""

    url: str | None = None  # the new address
    title: str | None = None  # the new title
    heading: str | None = None  # of the new page
    windows: list[str] = []  # URLs opened in new windows
    dialogs: list[BrowserDialog] = []
    downloads: list[str] = []  # names of the files, which are discarded
    printed: bool = False
    focus: AccessibleNode | None = None  # the element that now has the focus, if it changed
    states: list[StateChange] = []
    added: list[str] = []  # text
    removed: list[str] = []
    appeared: list[AccessibleNode] = []  # regions
    disappeared: list[AccessibleNode] = []
    scrolled: list[AccessibleNode] = []
    pixels: Annotated[float, Field(ge=0, le=1)] = 0.0  # share of the image that looks different
    pixels_outside_target: Annotated[float, Field(ge=0, le=1)] = stored_as("elsewhere", 0.0)  # the same outside


class OutcomeStep(StrictModel):
    """One action of a sequence and what it changed. `to` is where a drag ended."""

    action: NonEmptyStr
    element: str
    target: BoxField
    to: BoxField | None = None
    typed: str | None = None
    image: RelativePath
    sentence: str
    change: PageChange


class ActionOutcome(Item):
    """What happened when an action was carried out on an element or region of a screen. With several steps, image,
    target and action are those of the first, and the sentence describes the end."""

    image: RelativePath
    target: BoxField
    action: NonEmptyStr
    sentence: NonEmptyStr
    screen: str | None = None
    element: str | None = None
    change: PageChange | None = None
    steps: list[OutcomeStep] = []
    after: RelativePath | None = None  # crop of what looks different afterwards
    after_box: BoxField | None = None  # where the crop is on the screen

    @model_validator(mode="after")
    def _check_after_image(self) -> "ActionOutcome":
        if (self.after is None) != (self.after_box is None):
            raise ValueError("expected after and after_box together, found one without the other")
        return self

    def media_files(self) -> list[str]:
        images = [self.image, *(step.image for step in self.steps), *([self.after] if self.after else [])]
        return list(dict.fromkeys(images))


class ChoiceOption(StrictModel):
    """An option of a choice item."""

    text: NonEmptyStr
    origin: str | None = None  # of a distractor: hard, easy...


class ChoiceItem(Item):
    """A multiple-choice question about an image. Where `target` is None and the question mentions a rectangle, the
    rectangle is part of the image."""

    image: RelativePath  # that it is about
    target: BoxField | None = None  # drawn onto the image
    level: Literal["element", "region"] | None = None  # of the target
    action: str | None = None  # carried out on it
    multiple: bool = False  # whether all right options are asked for
    tags: dict[str, str] = {}  # classes stated by the publisher (region type, density...)
    question: NonEmptyStr  # in words
    options: Annotated[list[ChoiceOption], Field(min_length=2)]  # as published, in this order
    answers: Annotated[list[int], Field(min_length=1)]  # indexes of the right options

    @model_validator(mode="after")
    def _check_answers(self) -> "ChoiceItem":
        if wrong := [answer for answer in self.answers if not 0 <= answer < len(self.options)]:
            raise ValueError(f"expected answers from 0 to {len(self.options) - 1}, found {wrong}")
        return self

    def media_files(self) -> list[str]:
        return [self.image]
