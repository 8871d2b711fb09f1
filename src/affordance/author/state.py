"""All that a project knows of one screen, as it stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from affordance.author.records import (
    ROOT,
    Elements,
    Groups,
    Kind,
    QuestionRecord,
    Region,
    RegionType,
    Retelling,
    Selection,
    Shot,
    Validation,
)
from affordance.core.validation import StrictModel
from affordance.datasets import Screen


@dataclass(frozen=True, slots=True)
class Change:
    """A document to be written: a new revision, unless it equals the current one."""

    kind: Kind
    subject: str
    document: StrictModel


@dataclass(frozen=True, slots=True)
class ScreenState:
    """Regions, types and so on are by node; questions by name. Only regions that are there, parents before children."""

    id: str
    shot: Shot
    path: Path  # of the image
    captured: Screen | None = None
    selection: Selection | None = None
    regions: Mapping[str, Region] = field(default_factory=dict)
    types: Mapping[str, RegionType] = field(default_factory=dict)
    retellings: Mapping[str, Retelling] = field(default_factory=dict)
    validations: Mapping[str, Validation] = field(default_factory=dict)
    elements: Elements | None = None
    candidates: Groups | None = None
    element_groups: Groups | None = None
    region_groups: Groups | None = None
    questions: Mapping[str, QuestionRecord] = field(default_factory=dict)
    corrected: frozenset[str] = frozenset()  # regions whose box a person has drawn, and is not the proposed one
    reshaped: bool = False  # whether a person has changed the tree, be it by deleting from it
    edited: frozenset[str] = frozenset()  # questions that a person wrote last
    told: frozenset[str] = frozenset()  # regions whose text a person wrote last

    @property
    def size(self) -> tuple[int, int]:
        return self.shot.width, self.shot.height

    def children(self, node: str) -> list[str]:
        return [name for name, region in self.regions.items() if region.parent == node]

    def ancestors(self, node: str) -> list[str]:
        """From the parent up to the root."""
        found: list[str] = []
        above = self.regions[node].parent
        while above is not None:
            found.append(above)
            above = self.regions[above].parent
        return found

    def level(self, node: str) -> int:
        return len(self.ancestors(node))

    def usable(self) -> list[str]:
        """Regions that may be asked about: not the screen itself, and not what people rejected."""
        return [
            node
            for node in self.regions
            if node != ROOT and not ((said := self.validations.get(node)) is not None and said.rejected)
        ]

    def functionality(self, node: str) -> str:
        """As it was told last."""
        told = self.retellings.get(node)
        return told.functionality if told is not None else self.regions[node].functionality.best

    def description(self, node: str) -> str:
        told = self.retellings.get(node)
        return told.description if told is not None else self.regions[node].description.best
