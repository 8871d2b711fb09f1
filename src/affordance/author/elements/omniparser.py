"""Elements from the files that OmniParser v2 writes: one for each picture, named like it.

A file holds a list of `{type, bbox, interactivity, content, source}` with boxes in shares of width and height. An
element's id is its place in that list, whatever else is left out, so that it is the place in any matrix made of the
list too."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from affordance.author.numbers import four_numbers
from affordance.author.records import Detected, Shot
from affordance.author.tools import NotThere
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import parse_json

LARGEST = 64 * 2**20  # bytes of a file
_NAMED = 8  # entries that a note names


def find_file(folder: Path | None, shot: Shot) -> Path | None:
    """The file of a screen: named like where the picture is from, or like the picture."""
    if folder is None:
        return None
    stems = dict.fromkeys(Path(name).stem for name in (shot.source, shot.image))
    named = [folder / f"{stem}.json" for stem in stems if stem] if folder.is_dir() else [folder]
    return next((path for path in named if path.is_file() and path.stem in stems), None)


def read_elements(path: Path, size: tuple[int, int]) -> tuple[list[Detected], list[str]]:
    """The elements of a file on a screen of this size, and what was put right or left out. A file that cannot be read
    is the screen's failure."""
    entries = _entries(path)
    elements: list[Detected] = []
    done: dict[str, list[int]] = {}
    for index, entry in enumerate(entries):
        box, remarks = _box(entry, size)
        for remark in remarks:
            done.setdefault(remark, []).append(index)
        if box is not None:
            elements.append(_element(index, entry, box))
    if entries and not elements:
        first = next(iter(done))
        raise NotThere(
            f"{path}: expected entries with boxes in shares from 0 to 1, found none of {len(entries)}: {first}"
        )
    return elements, [f"{path.name}: {remark}: {_named(places)}" for remark, places in done.items()]


def _entries(path: Path) -> list[Any]:
    try:
        if (found := path.stat().st_size) > LARGEST:
            raise NotThere(f"{path}: expected at most {LARGEST} bytes, found {found}")
        entries = parse_json(path.read_bytes())
    except OSError as error:
        raise NotThere(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise NotThere(f"{path}: {error}") from None
    if not isinstance(entries, list):
        raise NotThere(
            f"{path}: expected a list of elements as OmniParser v2 writes it, found {type(entries).__name__}"
        )
    return entries


def _box(entry: Any, size: tuple[int, int]) -> tuple[Box | None, list[str]]:
    """The box in pixels, and what had to be done; None where nothing can be."""
    numbers = four_numbers(entry.get("bbox")) if isinstance(entry, dict) else None
    if numbers is None:
        return None, ["left out, no box of four numbers"]
    x1, y1, x2, y2 = numbers
    remarks = ["numbers were written as texts"] if any(isinstance(one, str) for one in entry["bbox"]) else []
    if x1 > x2 or y1 > y2:
        remarks.append("corners put in order")
        x1, x2, y1, y2 = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
    box = Box(CoordinateSpace.UNIT, x1, y1, x2, y2)
    inside = box.clip(1, 1)
    if inside is None:
        return None, ["left out, nothing of its box is on the screen"]
    if inside != box:
        remarks.append("cut to the screen")
    return inside.to_space(CoordinateSpace.PIXEL, *size), remarks


def _element(index: int, entry: dict[str, Any], box: Box) -> Detected:
    kind, content, interactive = entry.get("type"), entry.get("content"), entry.get("interactivity")
    return Detected(
        id=str(index),
        box=box,
        role=kind if isinstance(kind, str) else "",
        text=" ".join(content.split()) if isinstance(content, str) else "",
        interactive=interactive is not False,
    )


def _named(places: Sequence[int]) -> str:
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return ", ".join(map(str, places[:_NAMED])) + more
