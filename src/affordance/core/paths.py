"""Default paths: cache and data folders, the ledger and `affordance.toml`. Imports nothing that takes long."""

import os
from pathlib import Path

CONFIG_NAME = "affordance.toml"


def cache_dir() -> Path:
    """AFFORDANCE_CACHE, or the user's cache folder."""
    if given := os.environ.get("AFFORDANCE_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("affordance")


def data_dir() -> Path:
    """The user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("affordance")


def find_config(start: Path) -> Path | None:
    """`affordance.toml` in a folder or in the nearest of its parents; None if there is none."""
    return next((folder / CONFIG_NAME for folder in (start, *start.parents) if (folder / CONFIG_NAME).is_file()), None)


DEFAULT_LEDGER = "affordance.db"  # where none is named
