"""Targets: what should be found on a screen, with everything that question, score and breakdowns need. They are written
in a dataset, or made from captured screens (`captured_targets`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from affordance.core.digest import digest, digest_file
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Dataset, DatasetCollection, Screen, Target
from affordance.datasets.taxonomies import Area, Density, group_size_class
from affordance.grounding.density import area_class, area_cuts, density_class
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.choice_specs import ChoiceSpec
from affordance.tasks.question_design import SOURCE_TAG

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot: where it is, and the digest that stands for it. A image that is missing has one too, so that
    answers which others got to it can be scored."""

    screen: Screen
    source: str
    files: Mapping[str, Path]

    @property
    def size(self) -> tuple[int, int]:
        return self.screen.width, self.screen.height

    def to_pixels(self, box: Box) -> Box:
        return box.to_space(CoordinateSpace.PIXEL, *self.size)


@dataclass(frozen=True, slots=True)
class GroundingTarget:
    id: str
    screenshot: Screenshot
    level: str  # element or region
    truth: TargetTruth
    expressions: Mapping[str, str]  # functionality, description, intent: those that there are
    tags: Mapping[str, str]
    original: "GroundingTarget | None" = None  # the same on the screen that this one is a variant of

    @property
    def original_id(self) -> str:
        """What it has in common with the same target on other renderings of its screen."""
        return (self.original or self).id

    @property
    def cluster(self) -> str:
        """The screen, or the one that it is a variant of: it is the same page that was sampled."""
        return (self.original or self).screenshot.screen.id


def screenshot_of(dataset: Dataset, screen: Screen) -> Screenshot:
    source, files = image_source(dataset, screen.image)
    return Screenshot(screen, source, files)


def image_source(dataset: Dataset, media: str) -> tuple[str, dict[str, Path]]:
    """The digest that stands for a image, and where it lies, or should."""
    path = dataset.media_path(media)
    source = digest("missing", media) if media in dataset.missing_media else digest_file(path)
    return source, {source: path}


def density_label(score: float, cuts: tuple[float, float]) -> str:
    """The class with its cut points, which are those of the whole dataset, so that it says what it means."""
    found = density_class(score, cuts)
    limits = dict(zip((Density.SPARSE, Density.MEDIUM), cuts, strict=True))
    return f"{found} ({f'to {limits[found]:.3g}' if found in limits else f'over {cuts[-1]:.3g}'})"


def area_label(truth: TargetTruth, cuts: tuple[float, float, float]) -> str:
    percent = 100 * truth.boxes[0].area / (truth.size[0] * truth.size[1])
    found = area_class(percent, cuts)
    limits = dict(zip((Area.TINY, Area.SMALL, Area.MEDIUM), cuts, strict=True))
    within = f"to {limits[found]:.2g}%" if found in limits else f"over {cuts[-1]:.2g}%"
    return f"{found} ({within} of the screen)"


def publisher_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """What the publisher says of a target, with the classes that it computed named as its own."""
    names = {"density_shipped": "density, as shipped", "area_shipped": "area, as shipped"}
    return {names.get(name, name): value for name, value in tags.items() if name != "group_size"}


def has_targets(data: DatasetCollection, level: str) -> bool:
    dataset = data.of_kind("screen")
    screens = [item for item in dataset.items if isinstance(item, Screen)] if dataset is not None else []
    return any(target.level == level for screen in screens for target in screen.targets)


def dataset_targets(data: DatasetCollection, level: str) -> list[GroundingTarget]:
    """The targets of a dataset that has them, in its order."""
    dataset = data.of_kind("screen")
    if dataset is None:
        return []
    screens = [item for item in dataset.items if isinstance(item, Screen)]
    wanted = [(screen, [t for t in screen.targets if t.level == level]) for screen in screens]
    boxes = [(screen, target.box) for screen, targets in wanted for target in targets if target.box is not None]
    shares = [100 * box.to_space(CoordinateSpace.UNIT, screen.width, screen.height).area for screen, box in boxes]
    cuts = area_cuts(shares) if shares else None
    found = []
    for screen, targets in wanted:
        if targets:
            on = screenshot_of(dataset, screen)
            found += [_dataset_target(on, target, cuts) for target in targets]
    return found


def _dataset_target(screenshot: Screenshot, target: Target, cuts: tuple[float, float, float] | None) -> GroundingTarget:
    said = {"functionality": target.functionality, "description": target.description, "intent": target.intent}
    boxes = () if target.box is None else (screenshot.to_pixels(target.box),)
    truth = TargetTruth(
        screenshot.size,
        boxes,
        tuple((x, y) for x, y in target.polygon or ()),
        alike=tuple(screenshot.to_pixels(box) for box in target.look_alikes),
    )
    tags = {
        "platform": screenshot.screen.platform or UNKNOWN,
        "target": "absent" if target.absent else "polygon" if target.polygon else "box",
        "area": area_label(truth, cuts) if boxes and cuts else UNKNOWN,
        "group size": group_size_class(
            target.tags.get("group_size") or (len(target.look_alikes) + 1 if target.look_alikes else None)
        ),
        **({"action": target.action} if target.action else {}),
        **publisher_tags(target.tags),
    }
    return GroundingTarget(
        f"{screenshot.screen.id}/{target.id}",
        screenshot,
        target.level,
        truth,
        {name: text for name, text in said.items() if text},
        tags,
    )


DATASET_SOURCE, CAPTURED_SOURCE = "written", "captured"

TargetOrSpec = TypeVar("TargetOrSpec", GroundingTarget, ChoiceSpec)


def tag_source(one: TargetOrSpec, source: str) -> TargetOrSpec:
    return replace(one, tags={**one.tags, SOURCE_TAG: source})
