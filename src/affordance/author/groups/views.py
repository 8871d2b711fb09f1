"""How groups are shown to a model: the screen, boxes in thousandths, texts on one line."""

from affordance.author.regions.proposals import SCALE, in_thousandths
from affordance.author.state import ScreenState
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import ImageSpec

PORTRAIT_SIDE, SIDE = 1280, 2560  # longest sides that a screen is shrunk to


def whole_screen(screen: ScreenState) -> ImageSpec:
    width, height = screen.size
    return ImageSpec(screen.shot.digest, max_side=PORTRAIT_SIDE if height > width else SIDE)


def per_mille(box: Box, size: tuple[int, int]) -> list[int]:
    """Whole thousandths of the screen's width and height."""
    return [min(max(number, 0), SCALE) for number in in_thousandths(box, Box(CoordinateSpace.PIXEL, 0, 0, *size))]


def one_line(text: str) -> str:
    return " ".join(text.split())
