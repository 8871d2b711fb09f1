"""Media specs: images and videos that are not rendered yet, as a source and a recipe.

The steps of a recipe are applied in the order of its fields: frame, blend, crop, resize, boxes, encode. Boxes and crop
are in the space of the source. The digest is portable: it depends on the content of the source and the recipe, never on
a path, a library version or rendered bytes."""

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
    """Encodings of images; PNG is lossless."""

    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


@dataclass(frozen=True, slots=True)
class FrameBlend:
    """Blends the last `count` source frames with weights proportional to decay ** age."""

    count: int = 6
    decay: float = 0.85

    def __post_init__(self) -> None:
        if self.count < 1 or self.decay < 0:
            raise ValueError(f"expected a blend with count >= 1 and decay >= 0, found {self}")


@dataclass(frozen=True, slots=True)
class BoxOutline:
    """A rectangle to draw."""

    box: Box  # in the space of the source
    colour: Rgb = GREEN  # red, green and blue, 0 to 255
    thickness: int = 2  # in pixels of the resized image


@dataclass(frozen=True, slots=True)
class ImageEncoding:
    format: ImageFormat = ImageFormat.PNG
    quality: int | None = None  # for JPEG and WebP; PNG has none


@dataclass(frozen=True, slots=True)
class ImageSpec:
    source: str  # digest of a file's content; its path is not part of the spec
    time: Fraction | None = None  # seconds into a clip; None for a still image
    blend: FrameBlend | None = None  # with earlier frames; None for the frame alone
    crop: Box | None = None  # the part to keep, in the space of the source; None for all
    max_side: int | None = None  # the longest side is shrunk to this; never enlarged
    outlines: tuple[BoxOutline, ...] = ()  # drawn rectangles, in the space of the source
    encoding: ImageEncoding = ImageEncoding()  # in which it is sent
    digest: str = field(init=False, compare=False)  # of source and recipe; stored in the ledger

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest("picture", self.source, self.to_recipe()))

    def to_recipe(self) -> dict[str, Json]:
        """The recipe as JSON, as it is stored and hashed. Unused steps are left out."""
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
        """The spec of a source and a recipe that `to_recipe` returned."""
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
    """A section of a clip, to be sent as H.264 in MP4. Times are seconds of the source; the end of a range is
    exclusive. Outlines are on the source's frames that begin while they are shown."""

    source: str  # digest of the clip's content
    start: Fraction = Fraction(0)  # seconds
    end: Fraction | None = None  # None for the end of the clip
    fps: Fraction | None = None  # frames are sampled by timestamp at this rate; None for that of the source
    blend: FrameBlend | None = None  # of each frame with earlier ones
    max_side: int | None = None  # the longest side is shrunk to this; never enlarged
    outlines: tuple[BoxOutline, ...] = ()  # drawn rectangles, in the space of the source
    outlines_start: Fraction | None = None  # from when outlines are shown; None for the beginning
    outlines_end: Fraction | None = None  # until when; None for the end
    digest: str = field(init=False, compare=False)  # of source and recipe; stored in the ledger

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest("footage", self.source, self.to_recipe()))

    def to_recipe(self) -> dict[str, Json]:
        """The recipe as JSON, like that of an image; only recipes of videos have `trim`."""
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
        """The spec of a source and a recipe that `to_recipe` returned."""
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


MediaSpec = ImageSpec | VideoSpec


def media_spec_from_recipe(source: str, recipe: Mapping[str, Any]) -> MediaSpec:
    """The image or video of a source and a recipe."""
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
