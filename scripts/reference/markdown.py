"""Pieces of Markdown."""

import html
from collections.abc import Iterable, Sequence

_ENTITIES = {one: f"&#{ord(one)};" for one in r"\`*_[]|{}"}  # what Markdown would take for its own


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; nothing for no rows."""
    body = [f"| {' | '.join(cell(one) for one in row)} |" for row in rows]
    if not body:
        return ""
    return "\n".join([f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *body])


def cell(text: str) -> str:
    """Text that stays in its cell. In code, `|` cannot be escaped by itself."""
    return " ".join(text.split()).replace("|", "&#124;") if "`" not in text else _with_code(text)


def code(text: object) -> str:
    """Code that may stand anywhere; nothing for nothing."""
    return f"<code>{''.join(_ENTITIES.get(one, one) for one in html.escape(str(text)))}</code>" if str(text) else ""


def codes(names: Iterable[object]) -> str:
    return ", ".join(code(name) for name in names)


def plain(text: str) -> str:
    """Words from the code, in which `<` and `*` mean themselves."""
    return html.escape(text, quote=False).replace("*", "\\*").replace("[", "\\[")


def _with_code(text: str) -> str:
    parts = " ".join(text.split()).split("`")
    return "".join(code(part) if place % 2 else part.replace("|", "&#124;") for place, part in enumerate(parts))
