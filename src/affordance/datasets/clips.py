"""Clips: animations, and the exact motion of those captured with a controlled clock."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from affordance.core.validation import StrictModel, stored_as
from affordance.datasets.items import BoxField, CapturedPage, Item, RelativePath


class UserInput(StrictModel):
    """What the person did before or during an animation."""

    summary: str
    modality: list[str] = []
    type: list[str] = []


class Keyframe(StrictModel):
    """Values of properties at a share of the duration of an animation, and the easing to the next keyframe."""

    offset: Annotated[float, Field(ge=0, le=1)]
    easing: str
    values: dict[str, str]


class DeclaredAnimation(StrictModel):
    """An animation as the page declares it. Times are milliseconds; the start counts from the first frame of the
    clip."""

    kind: Literal["css-animation", "css-transition", "web-animation", "svg-animation"]
    name: str = ""
    mover: Annotated[int, Field(ge=0)]  # index of its animated element
    start: float
    delay: float = 0.0
    duration: Annotated[float, Field(ge=0)]
    iterations: Annotated[float, Field(ge=0)] | None = 1.0  # None for one that never ends
    direction: str = "normal"
    easing: str = "linear"
    fill: str = "none"
    keyframes: list[Keyframe] = []


class AnimatedElement(StrictModel):
    """Part of a page that changes: how, and where it is in each frame from its first. A box without area stands for a
    frame in which it is not displayed."""

    locator: str
    tag: str
    text: str = ""
    kind: Literal["css-animation", "css-transition", "web-animation", "svg-animation", "script", "drawing"]
    effects: list[str] = []
    properties: list[str] = []
    first_frame: Annotated[int, Field(ge=0)] = 0
    space: Literal["pixel"] = "pixel"
    boxes: list[Annotated[list[float], Field(min_length=4, max_length=4)]] = []


class CapturedMotion(StrictModel):
    """The motion of a clip that was captured with a controlled clock, known exactly."""

    trigger: Literal["load", "hover", "click", "script"]
    trigger_frame: Annotated[int, Field(ge=0)]
    frames: Annotated[int, Field(gt=0)]
    fps: Annotated[int, Field(gt=0)]
    duration: Annotated[float, Field(ge=0)]  # milliseconds
    finished: bool = stored_as("ended")  # False: it continued when the clip was cut
    visible: bool  # False: it is outside the window
    easing: str | None = None  # where all animations have the same
    effects: list[str] = []
    digest: str  # of the pixels of all frames
    animations: list[DeclaredAnimation] = []
    movers: list[AnimatedElement] = []
    page: CapturedPage | None = None
    twin: Literal["reversed", "easing", "slower", "faster"] | None = None  # the difference from the clip it links to

    @model_validator(mode="after")
    def _check_animated_elements(self) -> "CapturedMotion":
        for animation in self.animations:
            if animation.mover >= len(self.movers):
                raise ValueError(f"expected a mover from 0 to {len(self.movers) - 1}, found {animation.mover}")
        return self


class Clip(Item):
    """An animation: a video, where and when it moves, what it is for and how people describe it."""

    video: RelativePath  # the animation
    platform: str | None = None  # web, mobile...
    context: str | None = None  # the situation in which it occurs
    inputs: list[UserInput] = []  # what the person did
    effect: str | None = None  # its primitive effect
    purpose: str | None = None  # what it is for
    regions: list[BoxField] = []  # where it moves
    start_frame: Annotated[int, Field(ge=0)] | None = None  # where the animation begins in the video
    end_frame: Annotated[int, Field(ge=0)] | None = None  # where it ends
    effect_responses: list[str] = []  # people's descriptions of what they saw
    meaning_responses: list[str] = []  # people's descriptions of what it means
    motion: CapturedMotion | None = None  # of captured clips

    @model_validator(mode="after")
    def _check_frame_order(self) -> "Clip":
        if self.start_frame is not None and self.end_frame is not None and self.start_frame > self.end_frame:
            raise ValueError(f"expected start_frame <= end_frame, found {self.start_frame} > {self.end_frame}")
        return self

    def media_files(self) -> list[str]:
        return [self.video]
