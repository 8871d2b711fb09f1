"""Pairs that are one image of two designs: the split is proposed, confirmed by a person, and then applied.

A proposal does not state which of the two designs won, because nothing in the image shows it. The person does."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from affordance import media
from affordance.author.pair_files import (
    complete_pairs,
    copy_pair,
    move_media,
    with_provenance,
)
from affordance.core.errors import DataError, UnknownName
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.json_text import parse_json_object
from affordance.core.validation import StrictModel, format_validation_error
from affordance.datasets.dataset import Dataset
from affordance.datasets.folder import new_dataset_folder, write_folder
from affordance.datasets.items import BoxField
from affordance.datasets.pairs import DesignPair, ImageSplit, media_errors_of

PROPOSALS_FILE = "proposals.json"
OUTLINE_COLOUR = (220, 38, 127)

Side = Literal["first", "second"]
OnProgress = Callable[[int, int], None]


class SplitProposal(StrictModel):
    """One pair in `proposals.json`. A person corrects the boxes, sets the winner and confirms."""

    id: str
    picture: str  # the image with both designs outlined
    boxes: Annotated[list[BoxField], Field(min_length=2, max_length=2)]  # the two designs, in pixels
    symmetry: float | None = None  # similarity of their sizes
    note: str = ""  # what to check
    winner: Side | None = None
    confirmed: bool = False


class SplitProposals(StrictModel):
    """`proposals.json`."""

    how: str = ""
    pairs: list[SplitProposal]


INSTRUCTIONS = (
    "Check the image of each pair. Correct the boxes if necessary, set winner to first or second and confirmed to "
    "true, then split with `affordance data split SPEC -o DIR --confirm THIS_FILE`."
)
NO_GUTTER_NOTE = "No gap found between the designs. The proposed cut is the centre; adjust the boxes."
INTERRUPTED_NOTE = "An object stands between the designs. Check that it is a badge or an arrow and no part of a design."


@dataclass(frozen=True, slots=True)
class SplitReport:
    """What was done to the pairs of a dataset."""

    pairs: int
    single: int  # pairs that are one image
    done: int  # pairs proposed or split
    without: tuple[str, ...]  # ids of those without a gutter, or not split


@dataclass(frozen=True, slots=True)
class SplitSuggestion:
    """Where an image of two designs may be split. `symmetry` is None where no gutter was found."""

    boxes: tuple[Box, Box]
    symmetry: float | None
    note: str


def suggest_split(pixels: NDArray[np.uint8]) -> SplitSuggestion:
    """Suggest to split an image at the gutter, or in the middle where there is none."""
    gutter = media.find_gutter(pixels)
    if gutter is None:
        return SplitSuggestion(_halves(pixels), None, NO_GUTTER_NOTE)
    return SplitSuggestion(gutter.boxes, round(gutter.symmetry, 4), INTERRUPTED_NOTE if gutter.interrupted else "")


def propose_splits(dataset: Dataset, folder: Path, on_progress: OnProgress = lambda done, planned: None) -> SplitReport:
    """Write `proposals.json` and, for each pair that is one image, that image with the designs outlined."""
    pairs = list(complete_pairs(dataset, "split"))
    found: list[SplitProposal] = []
    with new_dataset_folder(folder):
        (folder / "media").rmdir()  # a proposal is no dataset yet
        for number, (name, pair) in enumerate(pairs, 1):
            if _has_one_image(dataset, pair):
                found.append(_proposal(dataset, pair, name, folder))
            on_progress(number, len(pairs))
        value = SplitProposals(how=INSTRUCTIONS, pairs=found).model_dump(mode="json")
        (folder / PROPOSALS_FILE).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    without = [one.id for one in found if one.symmetry is None]
    return SplitReport(len(pairs), len(found), len(found), tuple(without))


def _proposal(dataset: Dataset, pair: DesignPair, name: str, folder: Path) -> SplitProposal:
    with media_errors_of(pair):
        pixels = media.load_pixels(dataset.media_path(pair.images[0]))
    where = suggest_split(pixels)
    picture = media.write_image(folder, f"pictures/{name}.png", _draw_boxes(pixels, where.boxes))
    return SplitProposal(id=pair.id, picture=picture, boxes=list(where.boxes), symmetry=where.symmetry, note=where.note)


def apply_splits(
    dataset: Dataset, folder: Path, confirmed: Path, on_progress: OnProgress = lambda done, planned: None
) -> SplitReport:
    """Write a new dataset with the confirmed pairs split, and all others as they are."""
    proposals = _read_confirmed(confirmed, dataset)
    pairs = list(complete_pairs(dataset, "split"))
    single = {pair.id: pair for _, pair in pairs if _has_one_image(dataset, pair)}
    for name, proposal in proposals.items():
        if name not in single:
            raise DataError(f"item {name!r}: expected a pair that is one image, found two or none", confirmed)
        with media_errors_of(single[name]):
            clip = media.probe(dataset.media_path(single[name].images[0]))
        for box in proposal.boxes:
            x1, y1, x2, y2 = _corners(box, clip.width, clip.height)
            if min(x1, y1) < 0 or x2 > clip.width or y2 > clip.height or x2 <= x1 or y2 <= y1:
                expected = f"expected boxes inside its {clip.width}x{clip.height} image"
                raise DataError(f"item {name!r}: {expected}, found {list(box.xyxy)}", confirmed)
    done: list[DesignPair] = []
    with new_dataset_folder(folder):
        for name, pair in pairs:
            confirmed_split = proposals.get(pair.id)
            with media_errors_of(pair):
                copy = copy_pair(dataset, pair, name, folder)
                if confirmed_split is not None:
                    copy = split_pair(copy, confirmed_split.boxes, confirmed_split.winner, name, folder)
                done.append(copy)
            on_progress(len(done), len(pairs))
        write_folder(folder, with_provenance(dataset.header, "pictures of two designs cut"), done)
    left = tuple(name for name in single if name not in proposals)
    return SplitReport(len(done), len(single), len(proposals), left)


def _has_one_image(dataset: Dataset, pair: DesignPair) -> bool:
    with media_errors_of(pair):
        return media.same_pixels(*(dataset.media_path(image) for image in pair.images))


def _read_confirmed(path: Path, dataset: Dataset) -> Mapping[str, SplitProposal]:
    """The confirmed proposals, by item."""
    try:
        found = SplitProposals.model_validate(parse_json_object(path.read_bytes()))
    except OSError as error:
        raise DataError(f"expected confirmed proposals, cannot read them: {error.strerror}", path) from None
    except ValidationError as error:
        raise DataError(format_validation_error(error), path) from None
    except ValueError as error:
        raise DataError(str(error), path) from None
    known = {item.id: item for item in dataset.items if isinstance(item, DesignPair)}
    confirmed = [one for one in found.pairs if one.confirmed]
    for one in confirmed:
        if one.id not in known:
            raise DataError(str(UnknownName("item", one.id, known)), path)
        if one.winner is None and known[one.id].winner is not None:
            message = f"item {one.id!r}: expected winner 'first' or 'second', found none; set it"
            raise DataError(message, path)
    if not confirmed:
        raise DataError("expected pairs with confirmed set to true, found none", path)
    return {one.id: one for one in confirmed}


def split_pair(pair: DesignPair, boxes: Sequence[Box], winner: Side | None, name: str, folder: Path) -> DesignPair:
    """Cut both images of a pair that was copied to a folder from its one image."""
    pixels = media.load_pixels(folder / pair.images[0])
    height, width = pixels.shape[:2]
    original = move_media(folder, pair.images[0], f"media/original/{name}")
    (folder / pair.images[1]).unlink()
    images = []
    for place, box in enumerate(boxes):
        x1, y1, x2, y2 = _corners(box, width, height)
        part = np.ascontiguousarray(pixels[y1:y2, x1:x2])
        images.append(media.write_image(folder, f"media/{name}-{place}.png", part))
    won = None if winner is None else ("first", "second").index(winner)
    record = ImageSplit(original=original, boxes=list(boxes))
    by_image = {"votes": pair.votes, "urls": pair.urls}
    # They follow the order of the images: where the winner is the other one now, they are swapped.
    swapped = {name: two[::-1] for name, two in by_image.items() if two is not None and {won, pair.winner} == {0, 1}}
    return pair.model_copy(update={"images": images, "winner": won, "split": record, **swapped})


def _corners(box: Box, width: int, height: int) -> tuple[int, int, int, int]:
    pixels = box.to_space(CoordinateSpace.PIXEL, width, height)
    return round(pixels.x1), round(pixels.y1), round(pixels.x2), round(pixels.y2)


def _halves(pixels: NDArray[np.uint8]) -> tuple[Box, Box]:
    height, width = pixels.shape[:2]
    return Box(CoordinateSpace.PIXEL, 0, 0, width // 2, height), Box(
        CoordinateSpace.PIXEL, width // 2, 0, width, height
    )


def _draw_boxes(pixels: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.uint8]:
    """The image with both designs outlined in a colour that pages seldom have."""
    drawn = pixels.copy()
    for box in boxes:
        x1, y1, x2, y2 = (int(side) for side in box.xyxy)
        thickness = max(2, drawn.shape[1] // 400)
        for edge in (drawn[y1 : y1 + thickness], drawn[max(y1, y2 - thickness) : y2]):
            edge[:, x1:x2] = OUTLINE_COLOUR
        for edge in (drawn[y1:y2, x1 : x1 + thickness], drawn[y1:y2, max(x1, x2 - thickness) : x2]):
            edge[:] = OUTLINE_COLOUR
    return drawn
