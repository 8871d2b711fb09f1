"""Captured screens: elements and regions with the outcomes that were verified on them, their look-alikes, and the same
screens drawn differently."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from affordance import media
from affordance.core.errors import UserError
from affordance.core.geometry import Box
from affordance.datasets import ActionOutcome, Dataset, DatasetCollection, Element, Region, Screen
from affordance.grounding.look_alikes import look_alike_groups
from affordance.tasks.function.targets import Screenshot, screenshot_of

ORIGINAL_LABEL = "original"  # what the others are variants of

# By the field of the render settings, in the order in which they are written.
_LABELS: Mapping[str, Callable[[Any], str]] = {
    "theme": lambda theme: f"theme-{theme}",
    "zoom": lambda zoom: f"zoom{100 * zoom:.0f}" if isinstance(zoom, float) else f"zoom{zoom}",
    "locale": str,
    "serif": lambda serif: "serif" if serif else "sans",
    "moved": lambda moved: "moved" if moved else "unmoved",
    "width": lambda width: f"width{width}",
    "height": lambda height: f"height{height}",
    "ratio": lambda ratio: f"{ratio}x",
}


def variant_labels(original: Screen, variants: Sequence[Screen]) -> list[str]:
    """For each variant what it differs in, such as `theme-dark`, `zoom125`, `de-DE`, `serif` or `moved`; its id where
    that is unknown, or the label of an earlier one."""
    found: list[str] = []
    for variant in variants:
        label = _difference_label(_render_settings(original), _render_settings(variant))
        found.append(variant.id if label in ("", ORIGINAL_LABEL, *found) else label)
    return found


def _render_settings(screen: Screen) -> Mapping[str, Any]:
    return {} if screen.page is None else screen.page.render_settings


def _difference_label(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    changed = (field for field in _LABELS if field in after and after[field] != before.get(field))
    return "-".join(_LABELS[field](after[field]) for field in changed)


MAX_SAME_OUTCOME = 3  # elements of one screen that may have one and the same outcome for it to be asked about
MIN_OVERLAP = 0.9  # of an element that must be in a region for it to belong there


@dataclass(frozen=True, slots=True)
class ScreenParts:
    """Where things are on a screenshot, by their ids."""

    screenshot: Screenshot
    elements: Mapping[str, Element]
    regions: Mapping[str, Region]

    def __contains__(self, name: object) -> bool:
        return name in self.elements or name in self.regions

    def box(self, name: str) -> Box:
        part: Element | Region = self.elements[name] if name in self.elements else self.regions[name]
        return self.screenshot.to_pixels(part.box)


@dataclass(frozen=True, slots=True)
class ScreenVariant(ScreenParts):
    """A screen drawn differently, with the same ids for the same things. What acting on them does was tried on the
    original."""

    rendering: str  # in what it differs


@dataclass(frozen=True, slots=True)
class CapturedScreen(ScreenParts):
    """One screen. Outcomes are the distinctive ones, by element and in the order of the dataset."""

    outcomes: Mapping[str, tuple[ActionOutcome, ...]]
    look_alikes: Mapping[str, tuple[str, ...]]  # the other members of an element's or region's look-alike group
    elements_inside: Mapping[str, tuple[str, ...]]  # the elements in a region
    variants: tuple[ScreenVariant, ...]

    def same_outcome(self, outcome: ActionOutcome) -> list[str]:
        """The elements on which the same action was seen to have the same outcome, that of this one first."""
        effect = _outcome_key(outcome)
        others = [
            name
            for name, found in self.outcomes.items()
            if name != outcome.element and any(_outcome_key(one) == effect for one in found)
        ]
        return [outcome.element or "", *others]

    def smallest_region(self, element: str) -> Region | None:
        """The smallest region that an element is in."""
        holding = [self.regions[name] for name, members in self.elements_inside.items() if element in members]
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


def has_outcomes(data: DatasetCollection) -> bool:
    """Whether there are screens without targets, and outcomes of acting on them."""
    return data.of_kind("outcome") is not None


def captured_screens(data: DatasetCollection, task: str) -> list[CapturedScreen]:
    screens, outcomes = data.of_kind("screen"), data.of_kind("outcome")
    if screens is None or outcomes is None:
        missing = "screens" if screens is None else "outcomes"
        raise UserError(
            f"{task} is made of screens and the outcomes verified on them; {data.name!r} has no {missing}: give "
            "--data a folder that holds both datasets"
        )
    by_screen: dict[str, list[ActionOutcome]] = {}
    for item in outcomes.items:
        if (
            isinstance(item, ActionOutcome)
            and item.screen is not None
            and item.element is not None
            and is_distinctive(item)
        ):
            by_screen.setdefault(item.screen, []).append(item)
    found = [item for item in screens.items if isinstance(item, Screen)]
    redrawn: dict[str, list[Screen]] = {}
    for screen in found:
        if screen.id not in by_screen and (original := _original_id(screen, by_screen)) is not None:
            redrawn.setdefault(original, []).append(screen)
    return [
        _captured_screen(screens, screen, by_screen[screen.id], redrawn.get(screen.id, ()))
        for screen in found
        if screen.id in by_screen
    ]


def _original_id(screen: Screen, originals: Container[str]) -> str | None:
    """The screen that this one is a variant of. One with outcomes of its own is asked about by these."""
    return next((link.to for link in screen.links if link.kind == "variant" and link.to in originals), None)


def is_distinctive(outcome: ActionOutcome) -> bool:
    """Whether a sentence can describe an outcome and no other: more happened than that something looks different
    or has the focus."""
    change = outcome.change
    return change is not None and any(
        (change.url, change.title, change.windows, change.dialogs, change.downloads, change.printed, change.states,
         change.added, change.removed, change.appeared, change.disappeared, change.scrolled)
    )  # fmt: skip


def _captured_screen(
    dataset: Dataset, screen: Screen, found: Sequence[ActionOutcome], variants: Sequence[Screen]
) -> CapturedScreen:
    on = screenshot_of(dataset, screen)
    elements, regions = _parts(screen)
    outcomes: dict[str, tuple[ActionOutcome, ...]] = {}
    for outcome in found:
        if outcome.element in elements:
            outcomes[outcome.element] = (*outcomes.get(outcome.element, ()), outcome)
    groups = _look_alike_groups(
        on.source,
        None if screen.image in dataset.missing_media else dataset.media_path(screen.image),
        tuple((element.id, element.role or "", on.to_pixels(element.box)) for element in screen.elements),
        tuple((region.id, region.type or "", on.to_pixels(region.box)) for region in screen.regions),
    )
    return CapturedScreen(
        screenshot=on,
        elements=elements,
        regions=regions,
        outcomes=outcomes,
        look_alikes={one: tuple(other for other in group if other != one) for group in groups for one in group},
        elements_inside={region.id: _elements_inside(on, region, screen.elements) for region in screen.regions},
        variants=tuple(_variants(dataset, on, variants)),
    )


@lru_cache(maxsize=4096)  # screens: every task that is made of them asks
def _look_alike_groups(
    _source: str, path: Path | None, *kinds: tuple[tuple[str, str, Box], ...]
) -> tuple[tuple[str, ...], ...]:
    """Groups among things of a kind. The digest stands for what is in the file now."""
    image = None if path is None else media.decode_image(path.read_bytes())
    return tuple(group for things in kinds for group in look_alike_groups(things, image))


def _variants(dataset: Dataset, original: Screenshot, variants: Sequence[Screen]) -> Iterator[ScreenVariant]:
    """Without those that look exactly like the original: they would be asked twice."""
    for screen, rendering in zip(variants, variant_labels(original.screen, variants), strict=True):
        on = screenshot_of(dataset, screen)
        if on.source != original.source:
            yield ScreenVariant(on, *_parts(screen), rendering)


def _parts(screen: Screen) -> tuple[dict[str, Element], dict[str, Region]]:
    return {element.id: element for element in screen.elements}, {region.id: region for region in screen.regions}


def _elements_inside(screenshot: Screenshot, region: Region, elements: Iterable[Element]) -> tuple[str, ...]:
    box = screenshot.to_pixels(region.box)
    return tuple(
        element.id for element in elements if _covered_share(screenshot.to_pixels(element.box), box) >= MIN_OVERLAP
    )


def _covered_share(inner: Box, outer: Box) -> float:
    return inner.intersection_area(outer) / inner.area if inner.area else 0.0


def _outcome_key(outcome: ActionOutcome) -> tuple[str, ...]:
    """What two outcomes must share to be the same: what is done, and what comes of it in the end."""
    return (outcome.action, outcome.sentence)


def names_target(screen: CapturedScreen, outcome: ActionOutcome) -> bool:
    """Whether the sentence holds the element's own name, so that reading is enough to find it."""
    name = screen.elements[outcome.element or ""].name or ""
    return len(name) > 2 and name.casefold() in outcome.sentence.casefold()
