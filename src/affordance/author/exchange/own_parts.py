"""Elements and regions of a dataset as a project names them, and whose the boxes of questions are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from affordance.author.exchange.fit import Fit
from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import Element, Region, Screen


@dataclass(frozen=True, slots=True)
class Part:
    """An element or region: its box, and the one that look-alikes know it by, which a group may have put right."""

    box: Box
    alike: Box


def parts_of(item: Screen, level: str, nodes: Mapping[str, str]) -> dict[str, Part]:
    """By the names that they have in the project."""
    size = (item.width, item.height)
    places = places_of(item, level, size)
    alike = {
        places[box]: box
        for target in item.targets
        if target.level == level
        for box in (in_pixels(one, size) for one in target.look_alikes)
        if box in places
    }
    listed: Sequence[Element | Region] = item.elements if level == "element" else item.regions
    found = {one.id: in_pixels(one.box, size) for one in listed}
    return {named(name, level, nodes): Part(box, alike.get(name, box)) for name, box in found.items()}


def places_of(item: Screen, level: str, size: tuple[int, int]) -> dict[Box, str]:
    """Whose a box is: that of an element or region itself, or else of what a question is about."""
    listed: Sequence[Element | Region] = item.elements if level == "element" else item.regions
    places = {in_pixels(one.box, size): one.id for one in listed}
    for target in item.targets:
        of = (target.model_extra or {}).get("of")
        if target.level == level and target.box is not None and isinstance(of, str):
            places.setdefault(in_pixels(target.box, size), of)
    return places


def named(name: object, level: str, nodes: Mapping[str, str]) -> str:
    return nodes.get(str(name), str(name)) if level == "region" else str(name)


def in_pixels(box: Box, size: tuple[int, int]) -> Box:
    """As much of it as is on the screen, where there is anything."""
    pixels = box.to_space(CoordinateSpace.PIXEL, *size)
    found = Fit(size, []).box(list(pixels.xyxy))
    return pixels if isinstance(found, str) else found
