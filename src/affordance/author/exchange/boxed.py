"""Regions and elements of a screen as boxes with labels, for formats that know nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass

from affordance.author.exchange.kept import elements, regions
from affordance.author.exchange.places import on_screen
from affordance.author.exchange.results import Exported
from affordance.author.records import ROOT
from affordance.author.state import ScreenState
from affordance.core.geometry import Box
from affordance.datasets.taxonomies import REGION_CATEGORY_OF, REGION_TYPES

ELEMENT, OTHER, UNCLASSIFIED = "element", "Other", "Unclassified"


@dataclass(frozen=True, slots=True)
class Boxed:
    level: str  # region or element
    id: str
    box: Box
    label: str
    parent_label: str
    parent: str = ""
    text: str = ""  # what is written on an element
    functionality: str = ""
    description: str = ""
    confidence: float | None = None

    @property
    def labelled(self) -> tuple[str, str]:
        return self.parent_label, self.label

    def told(self) -> dict[str, str]:
        """All that is known besides the label."""
        names = ("level", "id", "parent", "text", "functionality", "description")
        return {name: value for name in names if (value := getattr(self, name))}


def boxed(state: ScreenState, told: Exported) -> list[Boxed]:
    """Regions, without the root, before elements."""
    found = []
    for node, parent in regions(state, told).items():
        box = on_screen(state, state.regions[node].box)
        if node == ROOT or box is None:
            continue
        said = state.types.get(node)
        label = UNCLASSIFIED if said is None else said.type
        found.append(
            Boxed(
                "region",
                node,
                box,
                label,
                REGION_CATEGORY_OF.get(label, OTHER),
                parent=parent or "",
                functionality=state.functionality(node),
                description=state.description(node),
                confidence=None if said is None else said.confidence,
            )
        )
    for one, box in elements(state):
        found.append(Boxed("element", one.id, box, one.role or ELEMENT, ELEMENT, text=one.text))
    return found


def labels(found: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Parents and labels: the whole taxonomy in its order, so that numbers of labels mean the same in every export,
    and then what else was found, by name."""
    known = [(parent, leaf) for parent, leaves in REGION_TYPES.items() for leaf in leaves]
    known += [(OTHER, OTHER), (OTHER, UNCLASSIFIED)]
    return known + sorted(set(found) - set(known))
