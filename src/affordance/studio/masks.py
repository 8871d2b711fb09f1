"""Pictures of pairs as people paint over them: what is masked, and what is left when that is filled in.

Made from the record, as in an export; what a browser shows while somebody paints is only a sketch of it."""

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.author.marker_removal import mask_share
from affordance.author.pair_records import Designs, Mask
from affordance.author.pairs.masks import mask_of
from affordance.core.digest import digest
from affordance.core.errors import MediaError
from affordance.core.lru import LRUCache
from affordance.media import load_pixels
from affordance.studio.originals import NoPicture, Originals

Pixels = NDArray[np.uint8]
Look = Literal["mask", "found", "after"]

_BYTES = 192 << 20  # of pixels, masks and files that are kept: some twenty pictures of 1440x900 with all that is theirs


class Masks:
    """Safe to share between threads. What was made last is kept."""

    def __init__(self, originals: Originals, limit_bytes: int = _BYTES) -> None:
        self._originals = originals
        self._cache: LRUCache[str, Pixels | bytes] = LRUCache(limit_bytes)

    def look(self, pair: Designs, place: int, mask: Mask, what: Look) -> bytes:
        """A PNG: the mask as it is, the markers that are found by themselves, or the picture without what is masked.
        Raises `NoPicture`."""
        wanted = Mask() if what == "found" else mask
        key = digest("look", pair.digests[place], wanted.model_dump(mode="json"), "after" if what == "after" else "")
        made = self._recent(key, lambda: media.encode_image(self._look(pair, place, wanted, what)))
        assert isinstance(made, bytes)
        return made

    def share(self, pair: Designs, place: int, mask: Mask) -> float:
        """How much of the picture is masked. Raises `NoPicture`."""
        return mask_share(self._mask(pair, place, mask))

    def _look(self, pair: Designs, place: int, mask: Mask, what: Look) -> Pixels:
        painted = self._mask(pair, place, mask)
        if what == "after":
            return media.inpaint(self._pixels(pair, place), painted)
        return np.repeat(painted[..., None], 3, axis=2)

    def _mask(self, pair: Designs, place: int, mask: Mask) -> Pixels:
        key = digest("mask", pair.digests[place], mask.model_dump(mode="json", exclude={"accepted", "clean"}))
        made = self._recent(key, lambda: mask_of(self._pixels(pair, place), mask))
        assert isinstance(made, np.ndarray)
        return made

    def _pixels(self, pair: Designs, place: int) -> Pixels:
        made = self._recent(f"pixels {pair.digests[place]}", lambda: read_pixels(self._originals, pair, place))
        assert isinstance(made, np.ndarray)
        return made

    def _recent(self, key: str, make: Callable[[], Pixels | bytes]) -> Pixels | bytes:
        made = self._cache.get(key)
        if made is None:
            made = make()
            self._cache.put(key, made, _size(made))
        return made


def read_pixels(originals: Originals, pair: Designs, place: int) -> Pixels:
    """Of the picture as it was added. Raises `NoPicture`."""
    path = originals.file(pair.images[place], pair.digests[place], "picture")
    try:
        return load_pixels(path)
    except (OSError, MediaError):
        raise NoPicture(410, f"{pair.images[place]} cannot be read as a picture; put it back") from None


def _size(made: Pixels | bytes) -> int:
    return made.nbytes if isinstance(made, np.ndarray) else len(made)
