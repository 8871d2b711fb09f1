"""Captured screens: elements and regions with the outcomes that were verified on them, and their look-alikes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from affordance import media
from affordance.core.box import Box
from affordance.core.errors import UserError
from affordance.datasets import Collection, Dataset, Element, Outcome, Region, Screen
from affordance.grounding.alike import look_alike_groups
from affordance.suites.function.aims import Sheet, sheet

MOST_SENSIBLE = 3  # elements of one screen that may have one and the same outcome for it to be asked about
OVERLAP = 0.9  # of an element that must be in a region for it to belong there


@dataclass(frozen=True, slots=True)
class View:
    """One screen. Outcomes are those that tell something, by element and in the order of the dataset."""

    sheet: Sheet
    elements: Mapping[str, Element]
    regions: Mapping[str, Region]
    outcomes: Mapping[str, tuple[Outcome, ...]]
    alike: Mapping[str, tuple[str, ...]]  # the other members of an element's or region's look-alike group
    inside: Mapping[str, tuple[str, ...]]  # the elements in a region

    def box(self, name: str) -> Box:
        part: Element | Region = self.elements[name] if name in self.elements else self.regions[name]
        return self.sheet.pixels(part.box)

    def same_outcome(self, outcome: Outcome) -> list[str]:
        """The elements on which the same action was seen to have the same outcome, that of this one first."""
        others = [
            name
            for name, found in self.outcomes.items()
            if name != outcome.element and any(_effect(one) == _effect(outcome) for one in found)
        ]
        return [outcome.element or "", *others]

    def home(self, element: str) -> Region | None:
        """The smallest region that an element is in."""
        holding = [self.regions[name] for name, members in self.inside.items() if element in members]
        return min(holding, key=lambda region: (self.box(region.id).area, region.id), default=None)

    def ancestors(self, region: str) -> list[str]:
        found: list[str] = []
        above = self.regions[region].parent
        while above is not None:
            found.append(above)
            above = self.regions[above].parent
        return found

    def descendants(self, region: str) -> list[str]:
        return [name for name in self.regions if region in self.ancestors(name)]


def is_captured(data: Collection) -> bool:
    """Whether there are screens without targets, and outcomes of acting on them."""
    return data.part("outcome") is not None


def views(data: Collection, task: str) -> list[View]:
    screens, outcomes = data.part("screen"), data.part("outcome")
    if screens is None or outcomes is None:
        missing = "screens" if screens is None else "outcomes"
        raise UserError(
            f"{task} is made of screens and the outcomes verified on them; {data.name!r} has no {missing}: give "
            "--data a folder that holds both datasets"
        )
    by_screen: dict[str, list[Outcome]] = {}
    for item in outcomes.items:
        if isinstance(item, Outcome) and item.screen is not None and item.element is not None and tells(item):
            by_screen.setdefault(item.screen, []).append(item)
    return [
        _view(screens, item, by_screen[item.id])
        for item in screens.items
        if isinstance(item, Screen) and item.id in by_screen
    ]


def tells(outcome: Outcome) -> bool:
    """Whether an outcome can be told from others by its sentence: more happened than that something looks different
    or has the focus."""
    change = outcome.change
    return change is not None and any(
        (change.url, change.title, change.windows, change.dialogs, change.downloads, change.printed, change.states,
         change.added, change.removed, change.appeared, change.disappeared, change.scrolled)
    )  # fmt: skip


def _view(dataset: Dataset, screen: Screen, found: Sequence[Outcome]) -> View:
    on = sheet(dataset, screen)
    elements = {element.id: element for element in screen.elements}
    regions = {region.id: region for region in screen.regions}
    outcomes: dict[str, tuple[Outcome, ...]] = {}
    for outcome in found:
        if outcome.element in elements:
            outcomes[outcome.element] = (*outcomes.get(outcome.element, ()), outcome)
    path = dataset.file(screen.image)
    image = media.decode_image(path.read_bytes()) if screen.image not in dataset.missing else None
    groups = [
        *look_alike_groups([(e.id, e.role or "", on.pixels(e.box)) for e in screen.elements], image),
        *look_alike_groups([(r.id, r.type or "", on.pixels(r.box)) for r in screen.regions], image),
    ]
    return View(
        sheet=on,
        elements=elements,
        regions=regions,
        outcomes=outcomes,
        alike={one: tuple(other for other in group if other != one) for group in groups for one in group},
        inside={region.id: _inside(on, region, screen.elements) for region in screen.regions},
    )


def _inside(on: Sheet, region: Region, elements: Iterable[Element]) -> tuple[str, ...]:
    box = on.pixels(region.box)
    return tuple(element.id for element in elements if _covered(on.pixels(element.box), box) >= OVERLAP)


def _covered(inner: Box, outer: Box) -> float:
    return inner.common(outer) / inner.area if inner.area else 0.0


def _effect(outcome: Outcome) -> tuple[str, ...]:
    """What two outcomes must share to be the same: what is done, and what comes of it in the end."""
    return (outcome.action, outcome.sentence)


def names_itself(view: View, outcome: Outcome) -> bool:
    """Whether the sentence holds the element's own name, so that reading is enough to find it."""
    name = view.elements[outcome.element or ""].name or ""
    return len(name) > 2 and name.casefold() in outcome.sentence.casefold()
