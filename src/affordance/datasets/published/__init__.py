"""Readers of published datasets, and of what users have, into our records: a module for each, and the table of them."""

from collections.abc import Callable
from pathlib import Path

from affordance.core.errors import UserError
from affordance.datasets import own_pairs
from affordance.datasets.published import animint, autogui_v2, osworld_g, screenspot, screenspot_pro, wiserui
from affordance.datasets.reading import Reading

Reader = Callable[[Path, Path | None], Reading]

FORMATS: dict[str, Reader] = {
    "animint": animint.read,
    "autogui-v2": autogui_v2.read,
    "osworld-g": osworld_g.read,
    "pairs": own_pairs.read,
    "screenspot": screenspot.read,
    "screenspot-pro": screenspot_pro.read,
    "wiserui": wiserui.read,
}


def open_published(name: str, path: str, cache: Path | None) -> Reading:
    """Everything in a file or folder of a published format. Pictures that are inside of tables go to `cache`."""
    if not path:
        raise UserError(f"expected {name}:PATH with a file or folder, found no path")
    return FORMATS[name](Path(path), cache)
