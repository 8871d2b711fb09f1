"""What is to be painted over in a picture, as people have said it: the one reading of a `Mask`."""

import numpy as np
from numpy.typing import NDArray

from affordance import media
from affordance.author.pair_records import Mask


def mask_of(pixels: NDArray[np.uint8], record: Mask) -> NDArray[np.uint8]:
    """255 where something is to be painted over. `pixels` are RGB, of the picture as it is."""
    found = media.find_markers(pixels) if record.found else np.zeros(pixels.shape[:2], np.uint8)
    for one in record.brushes:
        media.paint_mask(found, one.points, one.radius, erase=one.erase)
    return found
