"""Files of an export or import: names that are safe, paths that stay in their folder, and JSON that is always the
same bytes."""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from affordance import media
from affordance.author.exchange.results import CACHED
from affordance.author.state import ScreenState
from affordance.core.digest import digest_text
from affordance.core.errors import DataError, MediaError
from affordance.core.files import create_empty_folder
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import parse_json
from affordance.core.media_spec import ImageSpec
from affordance.datasets.items import check_relative_path
from affordance.media import MediaInfo

_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 120  # letters of a part of a path; file systems take 255 bytes
_DECIMALS = 4  # of pixels, and no more: what is converted to shares and back stays the same number


def file_name(name: str) -> str:
    """A name for a file that tells the given one, and is another for every other."""
    plain = _UNSAFE.sub("-", name).strip("-.") or "screen"
    if plain == name and len(name) <= _LONGEST:
        return name
    return f"{plain[:_LONGEST]}-{digest_text(name)[:8]}"


def folder_path(name: str) -> str:
    """The path of a folder for an id in which slashes are folders, none of which leads out."""
    return "/".join(file_name(part) for part in name.split("/") if part) or file_name(name)


def image_id(state: ScreenState) -> str:
    """The path of a screen in the cache layout: as it was published, or else its id."""
    source = state.shot.source
    return folder_path(source.removeprefix(CACHED) if source.startswith(CACHED) else state.id)


def within(folder: Path, path: str) -> Path:
    """A path that was read somewhere, in a folder. Raises a ValueError for one that leaves it, through links too."""
    found = folder / check_relative_path(path)
    if not found.resolve().is_relative_to(folder.resolve()):
        raise ValueError(f"expected a path inside the folder, found {path!r}, which leads out of it")
    return found


def write_json(path: Path, value: object, indent: int | None = 2) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")


def write_listed(path: Path, before: str, items: Iterable[object], after: str, depth: int) -> None:
    """A JSON file with a list of which never more than one item is in memory: what comes before its items, which are
    at this depth, and after them. Indented by one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = "\n" + " " * depth
    with path.open("w", encoding="utf-8") as file:
        file.write(before)
        for place, item in enumerate(items):
            text = json.dumps(item, ensure_ascii=False, indent=1)
            file.write(("," if place else "") + line + text.replace("\n", line))
        file.write(after)


def read_json(folder: Path, path: Path) -> Any:
    """The content of a JSON file that lies in a folder; a ValueError of one line says what is wrong."""
    return parse_json(within(folder, path.relative_to(folder).as_posix()).read_bytes())


def number(value: float) -> int | float:
    rounded = round(value, _DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def numbers(box: Box) -> list[int | float]:
    """The corners; whole numbers as such."""
    return [number(edge) for edge in box.xyxy]


def pixels(x1: float, y1: float, x2: float, y2: float) -> Box:
    return Box(CoordinateSpace.PIXEL, number(x1), number(y1), number(x2), number(y2))


def mille(state: ScreenState, box: Box) -> list[int | float]:
    """Thousandths of the screen; in full, so that pixels come back as they were."""
    return [int(edge) if edge == int(edge) else edge for edge in box.to_space(CoordinateSpace.MILLE, *state.size).xyxy]


def plain_id(name: str) -> int | str:
    """An id as a number where it is one, as others write them."""
    return int(name) if name.isascii() and name.isdecimal() and len(name) < 10 and str(int(name)) == name else name


def seen(state: ScreenState) -> MediaInfo:
    """The picture of a screen. Raises a `MediaError` where it is not what the project knows."""
    if not state.path.is_file():
        raise MediaError(f"expected its picture {state.shot.image}, found no such file")
    clip = media.probe(state.path)
    if (clip.width, clip.height) != state.size:
        known = "x".join(map(str, state.size))
        raise MediaError(f"expected a picture of {known}, found {clip.width}x{clip.height}")
    return clip


def picture_path(state: ScreenState, stem: str) -> str:
    """With the ending that the content of the picture has."""
    return f"{stem}{seen(state).format.suffix or state.path.suffix.lower()}"


def copy_picture(state: ScreenState, folder: Path, stem: str) -> str:
    """Copies the picture into a folder; the path in it."""
    path = picture_path(state, stem)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(state.path, folder / path)
    return path


def drawn(state: ScreenState, *pictures: ImageSpec) -> list[bytes]:
    return media.render(list(pictures), {state.shot.digest: state.path})


def empty_folder(folder: Path) -> Path:
    """A folder to export into: new, or empty."""
    create_empty_folder(folder)
    return folder


def given_folder(folder: Path) -> Path:
    """A folder to import from."""
    if not folder.is_dir():
        raise DataError("expected a folder to import, found none there; is the path right?", folder)
    return folder
