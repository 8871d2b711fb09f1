"""A dataset of pairs without the markers that somebody drew onto the screenshots. The originals are kept."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.datasets.carry import carry, looking_at, moved, noted, pairs_to_carry, pixels_of, write_picture
from affordance.datasets.folder import filling, write_folder
from affordance.datasets.published.wiserui_urls import host_of
from affordance.datasets.reading import Dataset
from affordance.datasets.records import Cleaned, Pair

Mask = NDArray[np.uint8]  # 255 where something is to be painted over

DRAWING = {"goodui.org", "www.goodui.org"}  # sources that draw markers
MUCH = 0.05  # of a picture: more is likely to be the page's own colour


@dataclass(frozen=True, slots=True)
class Cleaning:
    """`cleaned` are the ids of pairs with a marker removed, `doubtful` those of them where much is gone, `left_out`
    how many pairs lack a picture."""

    pairs: int
    cleaned: tuple[str, ...]
    doubtful: tuple[str, ...]
    left_out: int


def clean(
    dataset: Dataset,
    folder: Path,
    *,
    everything: bool = False,
    advance: Callable[[int, int], None] = lambda done, planned: None,
) -> Cleaning:
    """Write a new dataset. Markers are looked for on pictures of sources that draw them, or on `everything`. What was
    cleaned before stays as it is, so that doing it again changes nothing."""
    kept = list(pairs_to_carry(dataset, "clean"))
    done: list[Pair] = []
    with filling(folder):
        for name, pair in kept:
            with looking_at(pair):
                taken = carry(dataset, pair, name, folder)
                done.append(_cleaned(taken, name, folder) if everything or draws_markers(pair) else taken)
            advance(len(done), len(kept))
        write_folder(folder, noted(dataset.header, "drawn markers removed"), done)
    changed = [pair for pair in done if pair.cleaned]
    doubtful = [pair.id for pair in changed if any(one.masked > MUCH for one in pair.cleaned)]
    return Cleaning(len(done), tuple(pair.id for pair in changed), tuple(doubtful), len(dataset.items) - len(done))


def draws_markers(pair: Pair) -> bool:
    """Whether it is of a source that draws them onto its pictures."""
    return host_of(pair.source) in DRAWING


def painted_over(taken: Pair, masks: Mapping[int, Mask], name: str, folder: Path) -> Pair:
    """A pair that was carried into a folder, with what is masked in its pictures filled in from around it; `masks` are
    by the place of the image. What it was is kept beside it, also where it had been cleaned before."""
    images, found = list(taken.images), {one.place: one for one in taken.cleaned}
    wanted = {place: mask for place, mask in sorted(masks.items()) if mask.any()}
    for place, mask in wanted.items():
        stem, now = f"{name}-{place}", folder / images[place]
        after = media.without_markers(pixels_of(now), mask)
        if (earlier := found.get(place)) is None:
            original, whole = moved(folder, images[place], f"media/original/{stem}"), mask
        else:
            now.unlink()
            original, whole = earlier.original, mask | pixels_of(folder / earlier.mask)[..., 0]
        before = pixels_of(folder / original)
        found[place] = Cleaned(
            place=place,
            original=original,
            mask=write_picture(folder, f"media/mask/{stem}.png", np.repeat(whole[..., None], 3, axis=2)),
            before_after=write_picture(folder, f"media/before-after/{stem}.png", _side_by_side(before, after)),
            masked=round(share_of(whole), 6),
            difference=round(float(np.mean(np.abs(before.astype(np.int16) - after))) / 255, 6),
        )
        images[place] = write_picture(folder, f"media/{stem}.png", after)
    if not wanted:
        return taken
    return taken.model_copy(update={"images": images, "cleaned": [found[place] for place in sorted(found)]})


def share_of(mask: Mask) -> float:
    """Of a picture, how much is masked."""
    return float(np.mean(mask > 0))


def _cleaned(taken: Pair, name: str, folder: Path) -> Pair:
    places = {0, 1} - {one.place for one in taken.cleaned}
    masks = {place: media.find_markers(pixels_of(folder / taken.images[place])) for place in places}
    return painted_over(taken, masks, name, folder)


def _side_by_side(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
    between = np.full((before.shape[0], 8, 3), 128, np.uint8)
    return np.hstack((before, between, after))
