"""Join the modules of a page into one script: a page has about sixty, and each request costs a browser milliseconds."""

import re
from collections.abc import Callable, Iterable
from posixpath import dirname, join, normpath

# Modules export by declarations and import by names, or for their effect only; a test holds them to it.
_IMPORT = re.compile(r'^import\s+(?:\{([^}]*)\}\s+from\s+)?"([^"]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*? |class |const )(\w+))", re.MULTILINE)
_STATEMENT = re.compile(r"^(?:import\b(?!\()|export\b|await\b)[^\n]*", re.MULTILINE)


def join_modules(entries: Iterable[str], read: Callable[[str], str]) -> str:
    """Return a script of these modules and all that they import, each as a function that returns what it exports.

    Args:
        entries: Paths of modules, in the order in which they run.
        read: Returns the text of a module, given its path.

    Raises:
        ValueError: Modules import each other in a circle, or one has a statement that cannot be joined.
    """
    names: dict[str, str] = {}  # of what a module exports, by path, in the order in which they are carried out
    parts: list[str] = []

    def add(path: str, importers: tuple[str, ...]) -> None:
        if path in importers:
            raise ValueError(f"modules import each other: {' > '.join([*importers, path])}")
        if path in names:
            return
        text = read(path)
        for match in _IMPORT.finditer(text):
            add(_resolve(path, match[2]), (*importers, path))
        exports = _EXPORT.findall(text)
        body = _EXPORT.sub("", _IMPORT.sub(lambda match: _as_constants(match, path), text))
        if left := _STATEMENT.search(body):
            raise ValueError(f"{path}: cannot be joined: {left[0]}")
        names[path] = f"module{len(names)}"
        parts.append(
            f"// {path}\nconst {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}})();\n"
        )

    def _as_constants(match: re.Match[str], path: str) -> str:
        imported, source = match.groups()
        return (
            "" if imported is None else f"const {{{imported.replace(' as ', ': ')}}} = {names[_resolve(path, source)]};"
        )

    for entry in entries:
        add(entry, ())
    return "".join(parts)


def _resolve(importer: str, name: str) -> str:
    return name.removeprefix("/static/") if name.startswith("/") else normpath(join(dirname(importer), name))
