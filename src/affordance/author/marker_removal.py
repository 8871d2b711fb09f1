"""A dataset of pairs without the markers that were drawn onto the screenshots. The originals are kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.author.pair_files import (
    complete_pairs,
    copy_pair,
    move_media,
    with_provenance,
)
from affordance.core.http import url_host
from affordance.datasets.dataset import Dataset
from affordance.datasets.folder import new_dataset_folder, write_folder
from affordance.datasets.pairs import DesignPair, MarkerRemoval, media_errors_of

Mask = NDArray[np.uint8]  # 255 where the image is filled in

MARKER_HOSTS = {"goodui.org", "www.goodui.org"}  # sources that draw markers
LARGE_MASK_SHARE = 0.05  # of an image: more is likely to be a colour of the page


@dataclass(frozen=True, slots=True)
class MarkerRemovalReport:
    """What was done to the pairs of a dataset."""

    pairs: int
    cleaned: tuple[str, ...]  # ids of pairs with a marker removed
    doubtful: tuple[str, ...]  # those of them where much was filled in
    left_out: int  # pairs without an image


def remove_markers(
    dataset: Dataset,
    folder: Path,
    *,
    all_pairs: bool = False,
    on_progress: Callable[[int, int], None] = lambda done, planned: None,
) -> MarkerRemovalReport:
    """Write a new dataset without markers. They are searched on images of sources that draw them, or on those of
    `all_pairs`. Images cleaned before stay as they are, so that doing it again changes nothing."""
    pairs = list(complete_pairs(dataset, "clean"))
    done: list[DesignPair] = []
    with new_dataset_folder(folder):
        for name, pair in pairs:
            with media_errors_of(pair):
                copy = copy_pair(dataset, pair, name, folder)
                done.append(_inpaint_found_markers(copy, name, folder) if all_pairs or may_have_markers(pair) else copy)
            on_progress(len(done), len(pairs))
        write_folder(folder, with_provenance(dataset.header, "drawn markers removed"), done)
    changed = [pair for pair in done if pair.marker_removals]
    doubtful = [pair.id for pair in changed if any(one.masked > LARGE_MASK_SHARE for one in pair.marker_removals)]
    return MarkerRemovalReport(
        len(done), tuple(pair.id for pair in changed), tuple(doubtful), len(dataset.items) - len(done)
    )


def may_have_markers(pair: DesignPair) -> bool:
    """Whether a pair is from a source that draws markers onto its images."""
    return url_host(pair.source) in MARKER_HOSTS


def inpaint_pair(pair: DesignPair, masks: Mapping[int, Mask], name: str, folder: Path) -> DesignPair:
    """Fill in the masked parts of the images of a pair that was copied to a folder.

    `masks` are by the index of the image. The original is kept, also where the image had been cleaned before.
    """
    images, found = list(pair.images), {one.image_index: one for one in pair.marker_removals}
    wanted = {place: mask for place, mask in sorted(masks.items()) if mask.any()}
    for place, mask in wanted.items():
        stem, now = f"{name}-{place}", folder / images[place]
        after = media.inpaint(media.load_pixels(now), mask)
        if (earlier := found.get(place)) is None:
            original, whole = move_media(folder, images[place], f"media/original/{stem}"), mask
        else:
            now.unlink()
            original, whole = earlier.original, mask | media.load_pixels(folder / earlier.mask)[..., 0]
        before = media.load_pixels(folder / original)
        found[place] = MarkerRemoval(
            image_index=place,
            original=original,
            mask=media.write_image(folder, f"media/mask/{stem}.png", np.repeat(whole[..., None], 3, axis=2)),
            before_after=media.write_image(folder, f"media/before-after/{stem}.png", _side_by_side(before, after)),
            masked=round(mask_share(whole), 6),
            difference=round(float(np.mean(np.abs(before.astype(np.int16) - after))) / 255, 6),
        )
        images[place] = media.write_image(folder, f"media/{stem}.png", after)
    if not wanted:
        return pair
    return pair.model_copy(update={"images": images, "marker_removals": [found[place] for place in sorted(found)]})


def mask_share(mask: Mask) -> float:
    """The share of an image that is masked."""
    return float(np.mean(mask > 0))


def _inpaint_found_markers(pair: DesignPair, name: str, folder: Path) -> DesignPair:
    places = {0, 1} - {one.image_index for one in pair.marker_removals}
    masks = {place: media.find_markers(media.load_pixels(folder / pair.images[place])) for place in places}
    return inpaint_pair(pair, masks, name, folder)


def _side_by_side(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
    between = np.full((before.shape[0], 8, 3), 128, np.uint8)
    return np.hstack((before, between, after))
