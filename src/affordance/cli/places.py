"""Where things lie on this computer that are not the user's to name: the caches."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """AFFORDANCE_CACHE, or the usual place for caches."""
    if given := os.environ.get("AFFORDANCE_CACHE"):
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("affordance")


def absolute(spec: str) -> str:
    """As it is found from wherever somebody is."""
    from affordance.datasets import locate

    place = locate(spec)
    return f"{spec.removesuffix(str(place))}{place.absolute()}"
