"""What should have been pointed at, and how an answer is graded against it.

Everything is in pixels of the image as it is. Edges are inclusive. A polygon is right when the point (or the centre
of the box) is inside it; an absent target when the model says that it is absent, and in no other case."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from affordance.core.geometry import Box, CoordinateSpace, ImageSize, Point, union_area
from affordance.core.json_text import Json, canonical_json
from affordance.grounding.locations import ABSENT, Absent, Location

Corner = tuple[float, float]

MIN_REGION_IOU = 0.5  # IoU from which a box is taken to mean a region


class MissKind(StrEnum):
    """What a wrong answer points at instead."""

    LOOK_ALIKE = "look-alike"  # another member of the look-alike group
    ANCESTOR = "ancestor"  # the region that the target is in
    DESCENDANT = "descendant"  # a part of the target
    NEAR = "near miss"  # a box that overlaps the target, with its centre outside
    ELSEWHERE = "elsewhere"
    ANSWERED_ABSENT = "said absent"  # the model says that it is absent, but it is there
    LOCATED_ABSENT = "invented"  # the model points at something, but there is nothing to point at


@dataclass(frozen=True, slots=True)
class TargetTruth:
    """`boxes` are all that is right: the target first, then others of the same effect. With a polygon there are
    none, and with neither the target is absent."""

    size: ImageSize
    boxes: tuple[Box, ...] = ()
    polygon: tuple[Corner, ...] = ()
    alike: tuple[Box, ...] = ()
    around: tuple[Box, ...] = ()  # regions that it is in, the nearest first
    within: tuple[Box, ...] = ()  # its own parts

    @property
    def is_absent(self) -> bool:
        return not self.boxes and not self.polygon

    @property
    def area_share(self) -> float:
        """Of the image that is right: how often a random point would hit. What several boxes cover counts once."""
        area = _polygon_area(self.polygon) if self.polygon else union_area(self.boxes)
        return min(1.0, area / (self.size[0] * self.size[1]))

    def contains(self, x: float, y: float) -> bool:
        if self.polygon:
            return is_inside_polygon(self.polygon, x, y)
        return any(box.contains(x, y) for box in self.boxes)

    def to_text(self) -> str:
        """The target on the first line, what is about it on the second: scoring a run needs the first much more
        often."""
        target: dict[str, Json] = {"size": self.size}
        if self.boxes:
            target["boxes"] = [box.xyxy for box in self.boxes]
        if self.polygon:
            target["polygon"] = self.polygon
        about = {"alike": self.alike, "around": self.around, "within": self.within}
        named = {name: [box.xyxy for box in boxes] for name, boxes in about.items() if boxes}
        return canonical_json(target) + (f"\n{canonical_json(named)}" if named else "")

    @classmethod
    def from_text(cls, text: str) -> "TargetTruth":
        _, _, about = text.partition("\n")
        target = cls.target_from_text(text)
        if not about:
            return target
        found = json.loads(about)
        nearby = (_boxes(found.get(name, ())) for name in ("alike", "around", "within"))
        return cls(target.size, target.boxes, target.polygon, *nearby)

    @classmethod
    def target_from_text(cls, text: str) -> "TargetTruth":
        """Without what is about the target."""
        return _target(text)


@dataclass(frozen=True, slots=True)
class LocationScore:
    is_correct: bool
    iou: float | None  # None where a point was given, or the target is no box
    miss: MissKind | None = None


def score_location(location: Location, truth: TargetTruth) -> LocationScore:
    if isinstance(location, Absent):
        return (
            LocationScore(True, None)
            if truth.is_absent
            else LocationScore(False, None if truth.polygon else 0.0, MissKind.ANSWERED_ABSENT)
        )
    iou = None
    if isinstance(location, Box) and truth.boxes:
        iou = max(location.iou(box) for box in truth.boxes)
    if truth.is_absent:
        return LocationScore(False, None, MissKind.LOCATED_ABSENT)
    point = centre_of(location)
    if truth.contains(point.x, point.y):
        return LocationScore(True, iou)
    return LocationScore(False, iou, _miss_kind(location, point, truth))


def _miss_kind(location: Box | Point, point: Point, truth: TargetTruth) -> MissKind:
    if any(box.contains(point.x, point.y) for box in truth.alike):
        return MissKind.LOOK_ALIKE
    if isinstance(location, Box):
        if any(location.iou(box) >= MIN_REGION_IOU for box in truth.around):
            return MissKind.ANCESTOR
        if any(location.iou(box) >= MIN_REGION_IOU for box in truth.within):
            return MissKind.DESCENDANT
        if any(location.iou(box) > 0 for box in truth.boxes) or (truth.polygon and _touches(location, truth.polygon)):
            return MissKind.NEAR
    if truth.around and truth.around[0].contains(point.x, point.y):
        return MissKind.ANCESTOR
    return MissKind.ELSEWHERE


def centre_of(location: Box | Point) -> Point:
    return location if isinstance(location, Point) else location.centre


def is_inside_polygon(polygon: Sequence[Corner], x: float, y: float) -> bool:
    """Whether a point is inside a polygon (by the even-odd rule), or on its edge."""
    found = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        cross = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
        if cross == 0 and min(x1, x2) <= x <= max(x1, x2) and min(y1, y2) <= y <= max(y1, y2):
            return True
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            found = not found
    return found


def point_in_polygon(polygon: Sequence[Corner]) -> Point:
    """A point certain to be inside: the middle of the widest stretch on one of some level lines, the farther from
    the edges the better. The centroid of a ring or a crescent is not inside it."""
    levels = sorted({y for _, y in polygon})
    best = (-1.0, polygon[0])
    for low, high in pairwise(levels):
        y = (low + high) / 2
        crossings = sorted(
            (x2 - x1) * (y - y1) / (y2 - y1) + x1
            for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True)
            if (y1 > y) != (y2 > y)
        )
        for left, right in zip(crossings[::2], crossings[1::2], strict=False):
            room = min(right - left, high - low)
            if room > best[0]:
                best = (room, ((left + right) / 2, y))
    return Point(CoordinateSpace.PIXEL, *best[1])


def ideal_location(truth: TargetTruth) -> Location:
    """What a perfect model points at."""
    if truth.polygon:
        return point_in_polygon(truth.polygon)
    return truth.boxes[0] if truth.boxes else ABSENT


def _touches(box: Box, polygon: Sequence[Corner]) -> bool:
    """Whether a corner of one lies in the other: enough for a near miss."""
    corners = [(x, y) for x in (box.x1, box.x2) for y in (box.y1, box.y2)]
    return any(is_inside_polygon(polygon, *corner) for corner in corners) or any(
        box.contains(*corner) for corner in polygon
    )


def _polygon_area(polygon: Sequence[Corner]) -> float:
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


@lru_cache(maxsize=2**17)  # a report asks for the same targets once for each model, and for each table
def _target(text: str) -> TargetTruth:
    found = json.loads(text.partition("\n")[0])
    polygon = tuple((x, y) for x, y in found["polygon"]) if "polygon" in found else ()
    return TargetTruth((found["size"][0], found["size"][1]), _boxes(found.get("boxes", ())), polygon)


def _boxes(found: Sequence[Sequence[float]]) -> tuple[Box, ...]:
    return tuple([Box(CoordinateSpace.PIXEL, *box) for box in found])
