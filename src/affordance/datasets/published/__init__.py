"""Readers of published datasets, and of what users have, into our records: a module for each, and the table of them,
to which other packages may add."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from affordance.core import plugin_registry
from affordance.core.errors import DataError, UserError
from affordance.core.plugin_registry import PluginRegistry, plugin_errors
from affordance.datasets.dataset import ReadResult
from affordance.datasets.published import (
    animint,
    autogui_v2,
    osworld_g,
    pairs_table,
    screenspot,
    screenspot_pro,
    wiserui,
)

Reader = Callable[[Path, Path | None], ReadResult]

_BUILTIN_READERS: dict[str, Reader] = {
    "animint": animint.read,
    "autogui-v2": autogui_v2.read,
    "osworld-g": osworld_g.read,
    "pairs": pairs_table.read,
    "screenspot": screenspot.read,
    "screenspot-pro": screenspot_pro.read,
    "wiserui": wiserui.read,
}


def _check_reader(name: str, read: Any) -> Reader:
    if not callable(read) or len(name) == 1 or not name.replace("-", "").isalnum():
        raise ValueError(f"expected a function under a name of letters, digits and -; found {name!r}: {read!r}")
    reader: Reader = read
    return reader


READERS: PluginRegistry[Reader] = PluginRegistry(plugin_registry.FORMATS, _BUILTIN_READERS, _check_reader)


def read_published(name: str, path: str, cache: Path | None) -> ReadResult:
    """Everything in a file or folder of a published format. Pictures that are inside of tables go to `cache`."""
    if not path:
        raise UserError(f"expected {name}:PATH with a file or folder, found no path")
    if name in READERS.builtin:
        return READERS[name](Path(path), cache)
    if not Path(path).exists():
        raise DataError("expected a file or folder, found nothing there; is the path right?", Path(path))
    with plugin_errors(plugin_registry.entry_points_by_name(plugin_registry.FORMATS)[name], f"cannot read {path}"):
        found: Any = READERS[name](Path(path), cache)
        if not isinstance(found, ReadResult):
            raise TypeError(f"expected a Reading, found {type(found).__name__}")
        return found
