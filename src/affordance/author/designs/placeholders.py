"""Placeholder pictures: a few plain scenes of ours that pages may show at any size."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

FOLDER: Final = "pictures"

# Two muted colours and a shape on a canvas of 120 x 80: sky and ground tell pictures apart, and none draws the eye.
_SCENES: Final[Mapping[str, tuple[str, str, str]]] = {
    "landscape": ("#c9d6df", "#9fb3a5", "<path d='M0 80V58L34 32l24 22 20-14 42 30v10z'/>"),
    "product": ("#e3ded6", "#b7a995", "<rect x='42' y='22' width='36' height='40' rx='4'/>"),
    "person": (
        "#d8d5e0",
        "#a59db5",
        "<circle cx='60' cy='30' r='13'/><path d='M32 80c0-22 12-32 28-32s28 10 28 32z'/>",
    ),
    "food": ("#e6ddcf", "#bfa27f", "<circle cx='60' cy='42' r='24'/>"),
    "room": ("#dcdcd8", "#a9aaa2", "<path d='M24 62V44h14v8h44v-8h14v18z'/>"),
    "logo": ("#d5dfe0", "#88a2a5", "<path d='M60 16l26 46H34z'/>"),
}
PICTURES: Final = tuple(f"{FOLDER}/{name}.svg" for name in _SCENES)


def write_placeholders(folder: Path) -> None:
    """Write `pictures/NAME.svg` below a folder."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    for name, (ground, colour, shape) in _SCENES.items():
        (folder / FOLDER / f"{name}.svg").write_text(
            "<svg xmlns='http://www.w3.org/2000/svg' width='1200' height='800' viewBox='0 0 120 80'"
            f" preserveAspectRatio='xMidYMid slice'><rect width='120' height='80' fill='{ground}'/>"
            f"<g fill='{colour}'>{shape}</g></svg>\n",
            encoding="utf-8",
        )
