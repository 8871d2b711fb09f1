"""The pixels of a screen, for stages that look at it themselves."""

import numpy as np
from numpy.typing import NDArray

from affordance.author.state import ScreenState
from affordance.author.tools import NotThere
from affordance.core.errors import MediaError
from affordance.media import decode_image


def pixels_of(screen: ScreenState) -> NDArray[np.uint8]:
    """RGB, of the size that the project knows. Takes a while: not for an event loop."""
    try:
        image = decode_image(screen.path.read_bytes())
    except OSError as error:
        raise NotThere(f"{screen.path}: cannot be read: {error.strerror}") from None
    except MediaError as error:
        raise NotThere(f"{screen.path}: {error}") from None
    found = image.shape[1], image.shape[0]
    if found != screen.size:
        expected = f"expected a picture of {screen.size[0]}x{screen.size[1]}"
        raise NotThere(f"{screen.path}: {expected}, found {found[0]}x{found[1]}; add it to the project again")
    return image
