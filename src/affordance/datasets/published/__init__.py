"""Published datasets: one module each, and the table of them, to which plugins add rows."""

from pathlib import Path
from typing import Any

from affordance.core import plugin_registry
from affordance.core.errors import DataError
from affordance.core.plugin_registry import PluginRegistry, plugin_errors
from affordance.datasets.dataset import ReadResult
from affordance.datasets.published.animint import ANIMINT
from affordance.datasets.published.autogui_v2 import AUTOGUI_V2
from affordance.datasets.published.osworld_g import OSWORLD_G, OSWORLD_G_REFINED
from affordance.datasets.published.pairs_table import PAIRS_TABLE
from affordance.datasets.published.published_dataset import (
    DatasetSource,
    ExpectedCount,
    GitHubArchive,
    GitHubFile,
    HubRepo,
    PublishedDataset,
)
from affordance.datasets.published.screenspot import SCREENSPOT, SCREENSPOT_V2
from affordance.datasets.published.screenspot_pro import SCREENSPOT_PRO
from affordance.datasets.published.wiserui import WISERUI

__all__ = [
    "PUBLISHED_DATASETS",
    "DatasetSource",
    "ExpectedCount",
    "GitHubArchive",
    "GitHubFile",
    "HubRepo",
    "PublishedDataset",
    "read_published",
]


def _check_row(name: str, found: Any) -> PublishedDataset:
    """A row of a plugin. A function from path and cache folder to a `ReadResult`, as in version 1, becomes a row."""
    if len(name) == 1 or not name.replace("-", "").isalnum():
        raise ValueError(f"expected a name of letters, digits and -, found {name!r}")
    if isinstance(found, PublishedDataset):
        return found
    if not callable(found):
        raise ValueError(f"expected a PublishedDataset, found {found!r}")
    return PublishedDataset(name, name, "screen", "", "", reader=lambda _, path, cache: found(path, cache))


PUBLISHED_DATASETS: PluginRegistry[PublishedDataset] = PluginRegistry(
    plugin_registry.FORMATS,
    {
        one.name: one
        for one in (
            ANIMINT,
            AUTOGUI_V2,
            OSWORLD_G,
            OSWORLD_G_REFINED,
            PAIRS_TABLE,
            SCREENSPOT,
            SCREENSPOT_PRO,
            SCREENSPOT_V2,
            WISERUI,
        )
    },
    _check_row,
)


def read_published(name: str, path: Path, cache: Path | None) -> ReadResult:
    """Read a file or folder of a published dataset. Images inside tables are written to `cache`."""
    dataset = PUBLISHED_DATASETS[name]
    if name in PUBLISHED_DATASETS.builtin:
        return dataset.read(path, cache)
    if not path.exists():
        raise DataError("expected a file or folder, found nothing there; is the path right?", path)
    with plugin_errors(plugin_registry.entry_points_by_name(plugin_registry.FORMATS)[name], f"cannot read {path}"):
        found: Any = dataset.read(path, cache)
        if not isinstance(found, ReadResult):
            raise TypeError(f"expected a ReadResult, found {type(found).__name__}")
        return found
