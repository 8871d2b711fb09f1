"""Aims: what is to be found on a screen, with everything that the question, the grading and the breakdowns need.

They come from targets that somebody has written down (`written`), or are made of captured screens and the outcomes
that were verified on them (`made`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.box import Box, CoordinateSpace
from affordance.core.digest import digest, digest_file
from affordance.datasets import Dataset, Screen
from affordance.datasets.classes import Area, Density
from affordance.grounding.density import area_class, density_class
from affordance.grounding.truths import TargetTruth

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Screenshot:
    """A screenshot: where it is, and the digest that stands for it. A picture that is missing has one too, so that
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
        """What it has in common with the same aim on other renderings of its screen."""
        return (self.original or self).id

    @property
    def cluster(self) -> str:
        """The screen, or the one that it is a variant of: it is the same page that was sampled."""
        return (self.original or self).screenshot.screen.id


def screenshot_of(dataset: Dataset, screen: Screen) -> Screenshot:
    source, files = image_source(dataset, screen.image)
    return Screenshot(screen, source, files)


def image_source(dataset: Dataset, media: str) -> tuple[str, dict[str, Path]]:
    """The digest that stands for a picture, and where it lies, or should."""
    path = dataset.file(media)
    source = digest("missing", media) if media in dataset.missing else digest_file(path)
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
