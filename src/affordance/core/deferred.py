"""The parts of scipy that are used here. It takes a third of a second to import, and most processes never need it."""

from importlib import import_module
from typing import Any


class LazyModule:
    """Stands for a module, which is imported when something of it is first asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)  # where the next one finds it
        return found


csgraph = LazyModule("scipy.sparse.csgraph")
distance = LazyModule("scipy.spatial.distance")
sparse = LazyModule("scipy.sparse")
special = LazyModule("scipy.special")
