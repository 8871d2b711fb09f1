"""Small pages for the tests of the room `capture`: written into a folder and captured with a real browser."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from affordance.capture.looks import Look
from affordance.capture.screens import Counts, capture_screens, plan
from affordance.capture.sources import Site, open_site
from affordance.datasets import Dataset, Element, Region, Screen, load_folder
from affordance.media import decode_image

SMALL = Look(width=400, height=300)
Pages = Mapping[str, str | bytes]


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

    def names(self, look: Look, page: str) -> set[str]:
        return {element.name or "" for element in self.screen(look, page).elements}

    def pixels(self, screen: Screen) -> NDArray[np.uint8]:
        """The picture of a screen, RGB."""
        return decode_image(self.dataset.media_path(screen.image).read_bytes())


def write_pages(folder: Path, pages: str | Pages) -> Path:
    """`pages` by file name; a string is the body of the only one. HTML may be only what goes into the body. Returns
    the folder."""
    for name, content in ({"page.html": pages} if isinstance(pages, str) else pages).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif "<html" in content or not name.endswith((".html", ".htm")):
            path.write_text(content, encoding="utf-8")
        else:
            head = f"<!doctype html><html lang=en><meta charset=utf-8><title>{path.stem}</title>"
            path.write_text(f"{head}<body style='margin:0'>{content}", encoding="utf-8")
    return folder


def capture(
    tmp_path: Path,
    pages: str | Pages,
    looks: Sequence[Look] = (SMALL,),
    *,
    allow: Sequence[str] = (),
    **options: Any,
) -> Captured:
    """Write pages into `tmp_path`/site and their screens into `tmp_path`/screens. Options go to `capture_screens`."""
    site = open_site(str(write_pages(tmp_path / "site", pages)), list(allow))
    wanted = plan(site, looks)
    counts = asyncio.run(capture_screens(site, wanted, tmp_path / "screens", **options))
    return Captured(load_folder(tmp_path / "screens"), site, counts)


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


def painted(pixels: NDArray[np.uint8], colour: tuple[int, int, int]) -> tuple[int, int, int, int]:
    """The box around everything in the picture that has exactly this colour."""
    rows, columns = np.nonzero((pixels == colour).all(axis=2))
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1
