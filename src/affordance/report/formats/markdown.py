"""Tables as GitHub-flavoured Markdown. Names and notes are escaped: no markup, link or mention results from them."""

import re
from collections.abc import Iterable

from affordance.core.table import Table
from affordance.core.text import strip_control

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "\\`*_[]|~$#"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "@": "&#64;",  # a mention
}
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto)(:)|\b(www)(\.)")
_LIST = re.compile(r"^\s*(\d*)([-+=.)])")


def render_markdown(tables: Iterable[Table]) -> str:
    return "\n".join(_render(table) for table in tables)


def escape_markdown(text: str) -> str:
    """Text that reads as itself within a line."""
    signs = "".join(_ESCAPED.get(sign, sign) for sign in strip_control(text))
    return _LINK.sub(lambda found: f"{found[1]}&#58;" if found[1] else f"{found[3]}&#46;", signs)


def _paragraph(text: str) -> str:
    """A paragraph that begins with a sign of a list or rule is still a paragraph."""
    return _LIST.sub(r"\1\\\2", escape_markdown(text))


def _render(table: Table) -> str:
    parts = [f"### {escape_markdown(table.section)}\n"] if table.section else []
    if table.title:
        parts.append(f"{'####' if table.detail else '##'} {escape_markdown(table.title)}\n")
    if table.finding:
        parts.append(f"{_paragraph(table.finding)}\n")
    head = ["<br>".join(map(escape_markdown, heading.split("\n"))) for heading in table.headings()]
    rule = [":--" if left else "--:" for left in table.left_aligned()]
    body = [[escape_markdown(cell) for cell in row] for row in table.texts()]
    parts.append("".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *body)))
    parts += [f"{_paragraph(note)}\n" for note in table.notes]
    return "\n".join(parts)
