"""Screens, targets and outcomes for the tests of the function suite: small, and with everything a question needs."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from affordance.core.geometry import Box, CoordinateSpace
from affordance.datasets import (
    AccessibleNode,
    ActionOutcome,
    Dataset,
    DatasetCollection,
    DatasetHeader,
    Element,
    OutcomeStep,
    PageChange,
    Region,
    Screen,
    Target,
    load_collection,
    write_folder,
)
from affordance.media import encode_image

SIZES = [(1280, 720), (1920, 1080), (3840, 2160), (1170, 2532)]
RING = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8), (0.2, 0.25), (0.25, 0.25), (0.25, 0.75), (0.75, 0.75)]
RING += [(0.75, 0.25), (0.2, 0.25)]
CRESCENT = [(0.5, 0.1), (0.8, 0.2), (0.9, 0.5), (0.8, 0.8), (0.5, 0.9), (0.75, 0.7), (0.82, 0.5), (0.75, 0.3)]

COLOURS = {"button": (40, 80, 200), "tab": (30, 150, 60), "link": (120, 120, 120)}


def pixel(x1: float, y1: float, x2: float, y2: float) -> Box:
    return Box(CoordinateSpace.PIXEL, x1, y1, x2, y2)


def header(kind: Any, name: str = "few") -> DatasetHeader:
    return DatasetHeader(format=1, kind=kind, name=name, licence="CC0-1.0", provenance="drawn here", synthetic=True)


def target(id_: str = "t", level: Any = "element", box: Box | None = None, **more: Any) -> Target:
    """With a functionality, unless something else is said of it."""
    if not {"functionality", "description", "intent"} & set(more):
        more["functionality"] = f"Which one does {id_}?"
    return Target(id=id_, level=level, box=box, **more)


def screen(id_: str, size: tuple[int, int], targets: Iterable[Target] = (), **more: Any) -> Screen:
    return Screen(id=id_, image=f"{id_}.png", width=size[0], height=size[1], targets=list(targets), **more)


def unseen(*screens: Screen, name: str = "few") -> DatasetCollection:
    """Screens whose pictures nobody has: enough for everybody who does not look."""
    missing = frozenset(one.image for one in screens)
    return DatasetCollection.single(Dataset(Path("nowhere"), header("screen", name), tuple(screens), missing))


def outline(shape: Sequence[tuple[float, float]], size: tuple[int, int]) -> list[list[float]]:
    return [[x * size[0], y * size[1]] for x, y in shape]


def of_every_kind(level: Any) -> DatasetCollection:
    """At every size of the benchmarks: large and tiny boxes, in corners too, a ring, a crescent and nothing."""
    screens = []
    for number, (width, height) in enumerate(SIZES):
        targets = [
            target("middle", level, pixel(width * 0.4, height * 0.4, width * 0.6, height * 0.5)),
            target("corner", level, pixel(width - 14, height - 14, width, height)),
            target("first", level, pixel(0, 0, 13, 17)),
            target("odd", level, Box(CoordinateSpace.MILLE, 333, 111, 347, 131)),
            target("ring", level, polygon=outline(RING, (width, height))),
            target("crescent", level, polygon=outline(CRESCENT, (width, height))),
            target("nothing", level, absent=True),
        ]
        screens.append(screen(f"s{number}", (width, height), targets))
    return unseen(*screens)


def opens(what: str) -> PageChange:
    return PageChange(url=f"https://example.org/{what}", title=what)


def outcome(on: str, element: Element, sentence: str, action: str = "click", **more: Any) -> ActionOutcome:
    return ActionOutcome(
        id=f"{on}/{element.id}/{more.pop('suffix', action)}",
        image="media/any.png",
        target=element.box,
        action=action,
        sentence=sentence,
        screen=on,
        element=element.id,
        **{"change": opens(element.id), **more},
    )


def row_of(role: str, prefix: str, count: int, at: tuple[int, int], size: tuple[int, int]) -> list[Element]:
    """Look-alikes side by side."""
    (x, y), (wide, high) = at, size
    return [
        Element(
            id=f"{prefix}{number}",
            box=pixel(x + number * (wide + 12), y, x + number * (wide + 12) + wide, y + high),
            role=role,
            name=f"{role.capitalize()} {prefix}{number}",
        )
        for number in range(count)
    ]


def captured_screen(id_: str = "page", changes: dict[str, dict[str, Any]] | None = None, **more: Any) -> Screen:
    """Four buttons in a toolbar, four tabs in a navigation, four links in the main area; all of it in one region."""
    elements = [
        *row_of("button", "b", 4, (20, 20), (40, 40)),
        *row_of("tab", "t", 4, (20, 120), (60, 24)),
        *row_of("link", "l", 4, (20, 220), (80, 16)),
    ]
    regions = [
        Region(id="all", box=pixel(0, 0, 480, 320), type="main", description="Everything"),
        Region(id="tools", box=pixel(10, 10, 300, 70), type="toolbar", description="Tools", parent="all"),
        Region(id="tabs", box=pixel(10, 110, 320, 150), type="navigation", description="Tabs", parent="all"),
    ]
    changed = [element.model_copy(update=(changes or {}).get(element.id, {})) for element in elements]
    return Screen(
        id=id_,
        image=f"media/{id_}.png",
        width=480,
        height=320,
        platform="web",
        elements=changed,
        regions=more.pop("regions", regions),
        **more,
    )


def plain_outcomes(on: Screen) -> list[ActionOutcome]:
    """Clicking an element opens a page of its own."""
    return [outcome(on.id, one, f"The page about {on.id} {one.id} opens.") for one in on.elements]


def drawn(on: Screen) -> bytes:
    image = np.full((on.height, on.width, 3), 250, np.uint8)
    image[: 1 + sum(on.id.encode()) % 5, :2] = 0  # so that no two screens are the same picture
    for element in on.elements:
        x1, y1, x2, y2 = (round(edge) for edge in element.box.xyxy)
        image[y1:y2, x1:x2] = COLOURS.get(element.role or "", (0, 0, 0))
    return encode_image(image)


def write_captured(root: Path, screens: Sequence[Screen], outcomes: Sequence[ActionOutcome]) -> DatasetCollection:
    """A folder with both datasets, all pictures being real."""
    for part in ("screens", "outcomes"):
        (root / part / "media").mkdir(parents=True)
    for one in screens:
        (root / "screens" / one.image).write_bytes(drawn(one))
    for path in {path for one in outcomes for path in one.media_files()}:
        shade = sum(path.encode()) % 256
        (root / "outcomes" / path).write_bytes(encode_image(np.full((20, 30, 3), shade, np.uint8)))
    write_folder(root / "screens", header("screen", "few screens"), screens)
    write_folder(root / "outcomes", header("outcome", "few outcomes"), outcomes)
    return load_collection(str(root))


def then_click(element: Element, sentence: str) -> OutcomeStep:
    return OutcomeStep(
        action="click",
        element=element.name or element.id,
        target=element.box,
        image="media/any.png",
        sentence=sentence,
        change=PageChange(appeared=[AccessibleNode(role="menu", name="More")]),
    )
