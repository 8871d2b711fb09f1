"""A dataset of pairs without the markers that somebody drew onto the screenshots. The originals are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.datasets.carry import carry, copied, looking_at, noted, pairs_to_carry, pixels_of, write_picture
from affordance.datasets.folder import new_folder, write_folder
from affordance.datasets.published.wiserui_urls import host_of
from affordance.datasets.reading import Dataset
from affordance.datasets.records import Cleaned, Pair

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
    new_folder(folder)
    done: list[Pair] = []
    for name, pair in kept:
        with looking_at(pair):
            taken = carry(dataset, pair, name, folder)
            done.append(_cleaned(dataset, pair, taken, name, folder) if everything or _draws(pair) else taken)
        advance(len(done), len(kept))
    write_folder(folder, noted(dataset.header, "drawn markers removed"), done)
    changed = [pair for pair in done if pair.cleaned]
    doubtful = [pair.id for pair in changed if any(one.masked > MUCH for one in pair.cleaned)]
    return Cleaning(len(done), tuple(pair.id for pair in changed), tuple(doubtful), len(dataset.items) - len(done))


def _draws(pair: Pair) -> bool:
    return host_of(pair.source) in DRAWING


def _cleaned(dataset: Dataset, pair: Pair, taken: Pair, name: str, folder: Path) -> Pair:
    images, found = list(taken.images), {one.place: one for one in pair.cleaned}
    for place in {0, 1} - set(found):
        before = pixels_of(folder / images[place])
        mask = media.find_markers(before)
        if not mask.any():
            continue
        after = media.without_markers(before, mask)
        stem = f"{name}-{place}"
        found[place] = Cleaned(
            place=place,
            original=copied(dataset, pair.images[place], f"media/original/{stem}", folder),
            mask=write_picture(folder, f"media/mask/{stem}.png", np.repeat(mask[..., None], 3, axis=2)),
            before_after=write_picture(folder, f"media/before-after/{stem}.png", _side_by_side(before, after)),
            masked=round(float(np.mean(mask > 0)), 6),
            difference=round(float(np.mean(np.abs(before.astype(np.int16) - after))) / 255, 6),
        )
        (folder / images[place]).unlink()
        images[place] = write_picture(folder, f"media/{stem}.png", after)
    if not found:
        return taken
    return taken.model_copy(update={"images": images, "cleaned": [found[place] for place in sorted(found)]})


def _side_by_side(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> NDArray[np.uint8]:
    between = np.full((before.shape[0], 8, 3), 128, np.uint8)
    return np.hstack((before, between, after))
