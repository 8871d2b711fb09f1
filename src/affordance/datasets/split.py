"""Pairs that are one picture of two designs: where to cut it is proposed, a person confirms, and then it is cut.

A proposal does not know which of the two designs won; nothing in the picture says so. The person does.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from affordance import media
from affordance.core.box import Box, Space
from affordance.core.complaints import first_complaint
from affordance.core.errors import DataError, UnknownName
from affordance.datasets.carry import carry, looking_at, moved, noted, pairs_to_carry, pixels_of, write_picture
from affordance.datasets.folder import filling, write_folder
from affordance.datasets.json_text import parse_object
from affordance.datasets.parts import BoxField, Strict
from affordance.datasets.reading import Dataset
from affordance.datasets.records import Cut, Pair

PROPOSALS = "proposals.json"
LINE = (220, 38, 127)

Side = Literal["first", "second"]
Advance = Callable[[int, int], None]


class Proposal(Strict):
    """`boxes` are the two designs, in pixels; `symmetry` says how alike their sizes are, and `note` what to look at. A
    person corrects the boxes, says which is the `winner`, and sets `confirmed`."""

    id: str
    picture: str
    boxes: Annotated[list[BoxField], Field(min_length=2, max_length=2)]
    symmetry: float | None = None
    note: str = ""
    winner: Side | None = None
    confirmed: bool = False


class Proposals(Strict):
    how: str = ""
    pairs: list[Proposal]


HOW = (
    "Look at the picture of each pair. Correct the boxes if need be, set winner to first or second, set confirmed to "
    "true, and cut with `affordance data split SPEC -o DIR --confirm THIS_FILE`."
)
HALVES = "no gutter was found: these are the halves of the picture, and somebody has to place the cut"
INTERRUPTED = "something stands in the gutter, as a badge or an arrow would: see whether it is one"


@dataclass(frozen=True, slots=True)
class Splitting:
    """Of how many pairs that are one picture, what became: proposed or cut; `without` are those with no gutter."""

    pairs: int
    single: int
    done: int
    without: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a picture of two designs may be cut. `symmetry` is None where no gutter was found."""

    boxes: tuple[Box, Box]
    symmetry: float | None
    note: str


def find_halves(pixels: NDArray[np.uint8]) -> Place:
    """At the gutter; in the middle where there is none."""
    gutter = media.find_gutter(pixels)
    if gutter is None:
        return Place(_halves(pixels), None, HALVES)
    return Place(gutter.boxes, round(gutter.symmetry, 4), INTERRUPTED if gutter.interrupted else "")


def propose(dataset: Dataset, folder: Path, advance: Advance = lambda done, planned: None) -> Splitting:
    """Write `proposals.json` and, for each pair that is one picture, that picture with the cut drawn in."""
    pairs = list(pairs_to_carry(dataset, "split"))
    found: list[Proposal] = []
    with filling(folder):
        (folder / "media").rmdir()  # a proposal is no dataset yet
        for number, (name, pair) in enumerate(pairs, 1):
            if _is_one(dataset, pair):
                found.append(_proposal(dataset, pair, name, folder))
            advance(number, len(pairs))
        value = Proposals(how=HOW, pairs=found).model_dump(mode="json")
        (folder / PROPOSALS).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    without = [one.id for one in found if one.symmetry is None]
    return Splitting(len(pairs), len(found), len(found), tuple(without))


def _proposal(dataset: Dataset, pair: Pair, name: str, folder: Path) -> Proposal:
    with looking_at(pair):
        pixels = pixels_of(dataset.file(pair.images[0]))
    where = find_halves(pixels)
    picture = write_picture(folder, f"pictures/{name}.png", _drawn(pixels, where.boxes))
    return Proposal(id=pair.id, picture=picture, boxes=list(where.boxes), symmetry=where.symmetry, note=where.note)


def cut(dataset: Dataset, folder: Path, confirmed: Path, advance: Advance = lambda done, planned: None) -> Splitting:
    """Write a new dataset with the confirmed pairs cut, and all others as they are."""
    proposals = _read(confirmed, dataset)
    pairs = list(pairs_to_carry(dataset, "split"))
    single = {pair.id: pair for _, pair in pairs if _is_one(dataset, pair)}
    for name, proposal in proposals.items():
        if name not in single:
            raise DataError(f"item {name!r}: expected a pair that is one picture, found two or none", confirmed)
        with looking_at(single[name]):
            clip = media.probe(dataset.file(single[name].images[0]))
        for box in proposal.boxes:
            x1, y1, x2, y2 = _corners(box, clip.width, clip.height)
            if min(x1, y1) < 0 or x2 > clip.width or y2 > clip.height or x2 <= x1 or y2 <= y1:
                expected = f"expected boxes inside its {clip.width}x{clip.height} picture"
                raise DataError(f"item {name!r}: {expected}, found {list(box.xyxy)}", confirmed)
    done: list[Pair] = []
    with filling(folder):
        for name, pair in pairs:
            taken = proposals.get(pair.id)
            with looking_at(pair):
                carried = carry(dataset, pair, name, folder)
                done.append(carried if taken is None else cut_apart(carried, taken.boxes, taken.winner, name, folder))
            advance(len(done), len(pairs))
        write_folder(folder, noted(dataset.header, "pictures of two designs cut"), done)
    left = tuple(name for name in single if name not in proposals)
    return Splitting(len(done), len(single), len(proposals), left)


def _is_one(dataset: Dataset, pair: Pair) -> bool:
    with looking_at(pair):
        return media.same_pixels(*(dataset.file(image) for image in pair.images))


def _read(path: Path, dataset: Dataset) -> Mapping[str, Proposal]:
    """Those that are confirmed."""
    try:
        found = Proposals.model_validate(parse_object(path.read_bytes()))
    except OSError as error:
        raise DataError(f"expected confirmed proposals, cannot read them: {error.strerror}", path) from None
    except ValidationError as error:
        raise DataError(first_complaint(error), path) from None
    except ValueError as error:
        raise DataError(str(error), path) from None
    known = {item.id: item for item in dataset.items if isinstance(item, Pair)}
    confirmed = [one for one in found.pairs if one.confirmed]
    for one in confirmed:
        if one.id not in known:
            raise DataError(str(UnknownName("item", one.id, known)), path)
        if one.winner is None and known[one.id].winner is not None:
            message = f"item {one.id!r}: expected winner 'first' or 'second', found none; only a person can tell which"
            raise DataError(message, path)
    if not confirmed:
        raise DataError("expected pairs with confirmed set to true, found none", path)
    return {one.id: one for one in confirmed}


def cut_apart(taken: Pair, boxes: Sequence[Box], winner: Side | None, name: str, folder: Path) -> Pair:
    """A pair that was carried into a folder, with both of its images cut from its one picture."""
    pixels = pixels_of(folder / taken.images[0])
    height, width = pixels.shape[:2]
    original = moved(folder, taken.images[0], f"media/original/{name}")
    (folder / taken.images[1]).unlink()
    images = []
    for place, box in enumerate(boxes):
        x1, y1, x2, y2 = _corners(box, width, height)
        part = np.ascontiguousarray(pixels[y1:y2, x1:x2])
        images.append(write_picture(folder, f"media/{name}-{place}.png", part))
    won = None if winner is None else ("first", "second").index(winner)
    record = Cut(original=original, boxes=list(boxes))
    given = {"votes": taken.votes, "urls": taken.urls}
    # In the order of the images: where the winner is on the other side now, so are its votes.
    turned = {name: two[::-1] for name, two in given.items() if two is not None and {won, taken.winner} == {0, 1}}
    return taken.model_copy(update={"images": images, "winner": won, "cut": record, **turned})


def _corners(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    pixels = box.to(Space.PIXEL, width, height)
    return round(pixels.x1), round(pixels.y1), round(pixels.x2), round(pixels.y2)


def _halves(pixels: NDArray[np.uint8]) -> tuple[Box, Box]:
    height, width = pixels.shape[:2]
    return Box(Space.PIXEL, 0, 0, width // 2, height), Box(Space.PIXEL, width // 2, 0, width, height)


def _drawn(pixels: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.uint8]:
    """The picture with the edges of both designs in a colour that pages seldom have."""
    drawn = pixels.copy()
    for box in boxes:
        x1, y1, x2, y2 = (int(side) for side in box.xyxy)
        thickness = max(2, drawn.shape[1] // 400)
        for edge in (drawn[y1 : y1 + thickness], drawn[max(y1, y2 - thickness) : y2]):
            edge[:, x1:x2] = LINE
        for edge in (drawn[y1:y2, x1 : x1 + thickness], drawn[y1:y2, max(x1, x2 - thickness) : x2]):
            edge[:] = LINE
    return drawn
