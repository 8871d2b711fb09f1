"""The modules that a page loads, so that the browser can fetch all of them at once instead of one import at a time."""

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath

STATIC = "/static/"

_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^"';]*?["']([^"']+\.js)["']""", re.MULTILINE)


@cache
def modules_of(entry: str) -> tuple[str, ...]:
    """Addresses of a module and of all that it imports, itself first; `entry` is a path below `/static/`."""
    found = {entry: None}
    waiting = [entry]
    while waiting:
        for path in _imports(waiting.pop()):
            if path not in found:
                found[path] = None
                waiting.append(path)
    return tuple(STATIC + path for path in found)


def _imports(path: str) -> Iterable[str]:
    source = files("affordance.studio") / "static" / path
    if not source.is_file():
        return
    for name in _IMPORT.findall(source.read_text("utf-8")):
        yield name.removeprefix(STATIC) if name.startswith(STATIC) else normpath(join(dirname(path), name))
