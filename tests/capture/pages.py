"""Small pages for the tests of the room `capture`: written into a folder and captured with a real browser."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affordance.capture.looks import Look, Variation
from affordance.capture.outcomes import Counts as OutcomeCounts
from affordance.capture.outcomes import capture_outcomes
from affordance.capture.screens import Counts, capture_screens, plan
from affordance.capture.sources import Site, open_site
from affordance.core.box import Box
from affordance.datasets import Dataset, Element, Outcome, Region, Screen, read_folder
from affordance.media import decode_image

SMALL = Look(width=400, height=300)


@dataclass(frozen=True, slots=True)
class Captured:
    """A captured dataset, and what it was captured from."""

    dataset: Dataset
    site: Site
    counts: Counts

    @property
    def screens(self) -> dict[str, Screen]:
        return {item.id: item for item in self.dataset.items if isinstance(item, Screen)}

    def screen(self, look: Look = SMALL, page: str = "page") -> Screen:
        return self.screens[f"{page}-{look.name}"]

    def pixels(self, screen: Screen) -> NDArray[np.uint8]:
        """The picture of a screen, RGB."""
        return decode_image(self.dataset.file(screen.image).read_bytes())


def write_pages(folder: Path, pages: str | Mapping[str, str]) -> Path:
    """`pages` by file name; a string is the body of the only one. Returns the folder."""
    for name, html in ({"page.html": pages} if isinstance(pages, str) else pages).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<!doctype html><meta charset=utf-8><body style='margin:0'>{html}", encoding="utf-8")
    return folder


def capture(
    tmp_path: Path,
    pages: str | Mapping[str, str],
    looks: Sequence[Look] = (SMALL,),
    *,
    vary: Sequence[Variation] = (),
    other_locale: str = "de-DE",
    allow: Sequence[str] = (),
) -> Captured:
    site = open_site(str(write_pages(tmp_path / "site", pages)), list(allow))
    counts = asyncio.run(capture_screens(site, plan(site, looks, vary, other_locale), tmp_path / "screens"))
    return Captured(read_folder(tmp_path / "screens"), site, counts)


def captured(tmp_path: Path, html: str, look: Look = SMALL) -> Screen:
    """The screen of a page with nothing but this body."""
    return capture(tmp_path, html, [look]).screen(look)


def outcomes(
    tmp_path: Path,
    pages: str | Mapping[str, str],
    look: Look = SMALL,
    *,
    allow: Sequence[str] = (),
    **options: Any,
) -> tuple[dict[tuple[str, str], Outcome], OutcomeCounts]:
    """Outcomes by action and name of the element, and what was left out. Options go to `capture_outcomes`."""
    shown = capture(tmp_path, pages, [look], allow=allow)
    counts = asyncio.run(capture_outcomes(shown.dataset, shown.site, tmp_path / "outcomes", **options))
    found = [item for item in read_folder(tmp_path / "outcomes").items if isinstance(item, Outcome)]
    return {(one.action, one.steps[0].element): one for one in found if len(one.steps) == 1}, counts


def names(screen: Screen) -> list[str]:
    """The names of the elements that were kept, in the order of the page."""
    return [element.name or element.role or "" for element in screen.elements]


def element(screen: Screen, name: str) -> Element:
    """The only element of this name."""
    (found,) = [one for one in screen.elements if one.name == name]
    return found


def region(screen: Screen, name: str) -> Region:
    """The only region of this name."""
    (found,) = [one for one in screen.regions if one.description == name]
    return found


def xyxy(box: Box) -> tuple[float, float, float, float]:
    return box.xyxy


def painted(pixels: NDArray[np.uint8], colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """The box around everything in the picture that has exactly this colour."""
    rows, columns = np.nonzero((pixels == colour).all(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1
