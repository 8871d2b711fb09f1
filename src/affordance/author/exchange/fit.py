"""Boxes as they are read: in pixels of the screen, put right where that is certain."""

from dataclasses import dataclass

from affordance.author.exchange.files import number, pixels
from affordance.author.numbers import four_numbers
from affordance.core.geometry import Box


@dataclass(frozen=True, slots=True)
class Fit:
    """Boxes of a screen as they are read: in pixels of its picture, put right where that is certain. `stated` is the
    size that a record says the picture had; `notes` is told what was done."""

    size: tuple[int, int]
    notes: list[str]
    stated: tuple[int, int] | None = None

    def box(self, found: object, shares: object = None) -> Box | str:
        """`shares` are the same corners as shares of the screen; taken where there is nothing else."""
        width, height = self.size
        corners = four_numbers(found)
        if corners is not None and self.stated is not None and self.stated != self.size:
            across, down = width / self.stated[0], height / self.stated[1]
            corners = [corners[0] * across, corners[1] * down, corners[2] * across, corners[3] * down]
            self.notes.append(f"its box was given for a picture of {self.stated[0]}x{self.stated[1]}, and is scaled")
        if corners is None and (rel := four_numbers(shares)) is not None:
            corners = [rel[0] * width, rel[1] * height, rel[2] * width, rel[3] * height]
            self.notes.append("its box was given as shares of the screen only")
        if corners is None:
            return f"expected a box of four numbers, found {str(found)[:60]}"
        x1, x2 = sorted((corners[0], corners[2]))
        y1, y2 = sorted((corners[1], corners[3]))
        if [x1, y1, x2, y2] != corners:
            self.notes.append("the corners of its box were the wrong way round")
        inside = pixels(x1, y1, x2, y2).clip(width, height)
        if inside is None:
            return (
                f"expected a box with an area on the screen of {width}x{height}, found {[number(n) for n in corners]}"
            )
        if inside.xyxy != pixels(x1, y1, x2, y2).xyxy:
            self.notes.append("its box reached out of the screen, and is cut there")
        return pixels(*inside.xyxy)
