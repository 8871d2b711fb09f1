"""Pictures and footage: images and videos that are not rendered yet, by source and recipe.

The recipe is always carried out in the order of its fields: frame, blend, crop, resize, boxes, encode. Boxes and
crop are in the space of the source. The digest is portable: it depends on the source's content and the recipe,
never on a path, a library version or rendered bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from affordance.core.digest import digest
from affordance.core.geometry import Box
from affordance.core.json_text import Json

Rgb = tuple[int, int, int]

GREEN: Rgb = (0, 255, 0)
RED: Rgb = (255, 0, 0)


class ImageFormat(StrEnum):
    """How a picture is encoded; PNG is lossless."""

    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


@dataclass(frozen=True, slots=True)
class FrameBlend:
    """Mix the last `count` source frames, newest heaviest: weight proportional to decay ** age."""

    count: int = 6
    decay: float = 0.85

    def __post_init__(self) -> None:
        if self.count < 1 or self.decay < 0:
            raise ValueError(f"expected a blend with count >= 1 and decay >= 0, found {self}")


@dataclass(frozen=True, slots=True)
class BoxOutline:
    """A rectangle to draw. The thickness is in pixels of the resized picture."""

    box: Box  # in pixels, shares or thousandths of the source
    colour: Rgb = GREEN  # red, green and blue, 0 to 255
    thickness: int = 2  # pixels of the resized picture


@dataclass(frozen=True, slots=True)
class ImageEncoding:
    format: ImageFormat = ImageFormat.PNG
    quality: int | None = None  # for JPEG and WebP; PNG has none


@dataclass(frozen=True, slots=True)
class ImageSpec:
    source: str  # the digest of a file's content; where that file lies is not the picture's to say
    time: Fraction | None = None  # seconds into a clip; None for a still image
    blend: FrameBlend | None = None  # with the frames before it; None: the frame alone
    crop: Box | None = None  # what is kept, in the space of the source; None: all of it
    max_side: int | None = None  # shrink so that no side is longer; never enlarges
    outlines: tuple[BoxOutline, ...] = ()  # rectangles drawn onto it, in the space of the source
    encoding: ImageEncoding = ImageEncoding()  # as what it is sent
    digest: str = field(init=False, compare=False)  # of source and recipe: what the ledger keeps of it

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest("picture", self.source, self.to_recipe()))

    def to_recipe(self) -> dict[str, Json]:
        """The recipe as JSON, in the ledger and under the digest. Steps that are not taken are left out."""
        steps: dict[str, Json] = {"encode": [str(self.encoding.format), self.encoding.quality]}
        if self.time is not None:
            steps["frame"] = str(self.time)
        if self.blend is not None:
            steps["blend"] = [self.blend.count, self.blend.decay]
        if self.crop is not None:
            steps["crop"] = self.crop.to_json()
        if self.max_side is not None:
            steps["resize"] = self.max_side
        if self.outlines:
            steps["box"] = _outlines_to_json(self.outlines)
        return steps

    @classmethod
    def from_recipe(cls, source: str, recipe: Mapping[str, Any]) -> "ImageSpec":
        """The picture of a source and a recipe as `recipe()` wrote it."""
        kind, quality = recipe["encode"]
        return cls(
            source,
            time=Fraction(recipe["frame"]) if "frame" in recipe else None,
            blend=FrameBlend(*recipe["blend"]) if "blend" in recipe else None,
            crop=Box.from_json(recipe["crop"]) if "crop" in recipe else None,
            max_side=recipe.get("resize"),
            outlines=_outlines_from_recipe(recipe),
            encoding=ImageEncoding(ImageFormat(kind), quality),
        )


@dataclass(frozen=True, slots=True)
class VideoSpec:
    """A stretch of a clip, to be sent as a video: H.264 in MP4. Times are seconds on the clock of the source; the
    moment at which a range ends is not in it. Outlines are on the source's frames that begin while they are drawn."""

    source: str  # the digest of the clip's content
    start: Fraction = Fraction(0)  # seconds
    end: Fraction | None = None  # None for the end of the clip
    fps: Fraction | None = None  # frames by timestamp at this rate; None for the rate of the source
    blend: FrameBlend | None = None  # each frame with those before it
    max_side: int | None = None  # shrink so that no side is longer; never enlarges
    outlines: tuple[BoxOutline, ...] = ()  # rectangles drawn onto it, in the space of the source
    outlines_start: Fraction | None = None  # when the outlines are there; None for as early and as late as can be
    outlines_end: Fraction | None = None  # and until when
    digest: str = field(init=False, compare=False)  # of source and recipe: what the ledger keeps of it

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest("footage", self.source, self.to_recipe()))

    def to_recipe(self) -> dict[str, Json]:
        """The recipe as JSON, like that of a picture; `trim` is in no other recipe and in all of these."""
        steps: dict[str, Json] = {
            "encode": ["mp4", "h264"],
            "trim": [_format_fraction(self.start), _format_fraction(self.end)],
        }
        if self.fps is not None:
            steps["fps"] = str(self.fps)
        if self.blend is not None:
            steps["blend"] = [self.blend.count, self.blend.decay]
        if self.max_side is not None:
            steps["resize"] = self.max_side
        if self.outlines:
            steps["box"] = _outlines_to_json(self.outlines)
            steps["drawn"] = [_format_fraction(self.outlines_start), _format_fraction(self.outlines_end)]
        return steps

    @classmethod
    def from_recipe(cls, source: str, recipe: Mapping[str, Any]) -> "VideoSpec":
        """The footage of a source and a recipe as `recipe()` wrote it."""
        start, end = map(_parse_fraction, recipe["trim"])
        drawn_from, drawn_until = map(_parse_fraction, recipe.get("drawn", (None, None)))
        return cls(
            source,
            start=start or Fraction(0),
            end=end,
            fps=_parse_fraction(recipe.get("fps")),
            blend=FrameBlend(*recipe["blend"]) if "blend" in recipe else None,
            max_side=recipe.get("resize"),
            outlines=_outlines_from_recipe(recipe),
            outlines_start=drawn_from,
            outlines_end=drawn_until,
        )


MediaSpec = ImageSpec | VideoSpec  # what a model can be shown


def media_spec_from_recipe(source: str, recipe: Mapping[str, Any]) -> MediaSpec:
    """What a recipe is of, whichever of the two it is."""
    return VideoSpec.from_recipe(source, recipe) if "trim" in recipe else ImageSpec.from_recipe(source, recipe)


def _outlines_to_json(outlines: Sequence[BoxOutline]) -> Json:
    return [[o.box.to_json(), list(o.colour), o.thickness] for o in outlines]


def _outlines_from_recipe(recipe: Mapping[str, Any]) -> tuple[BoxOutline, ...]:
    return tuple(
        BoxOutline(Box.from_json(box), tuple(colour), thickness) for box, colour, thickness in recipe.get("box", [])
    )


def _format_fraction(time: Fraction | None) -> str | None:
    return None if time is None else str(time)


def _parse_fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)
