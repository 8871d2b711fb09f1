"""Tables as GitHub-flavoured Markdown. Names and notes are escaped."""

import re
from collections.abc import Iterable, Sequence

from affordance.report.formats.control_characters import strip_control
from affordance.report.sheet import Column, ReportTable

_ESCAPED = {
    **{sign: f"\\{sign}" for sign in "\\`*_[]|~$#"},
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "@": "&#64;",  # would mention somebody
}
_LINK = re.compile(r"(?i)\b(https?|ftp|mailto)(:)|\b(www)(\.)")
_LIST = re.compile(r"^\s*(\d*)([-+=.)])")


def render_markdown(sheets: Iterable[ReportTable]) -> str:
    return "\n".join(_sheet(sheet) for sheet in sheets)


def escape_markdown(text: str) -> str:
    """As it is read, within a line."""
    signs = "".join(_ESCAPED.get(sign, sign) for sign in strip_control(text))
    return _LINK.sub(lambda found: f"{found[1]}&#58;" if found[1] else f"{found[3]}&#46;", signs)


def _paragraph(text: str) -> str:
    """What begins like a list or a rule is none."""
    return _LIST.sub(r"\1\\\2", escape_markdown(text))


def _sheet(sheet: ReportTable) -> str:
    parts = [f"### {escape_markdown(sheet.heading)}\n"] if sheet.heading else []
    parts.append(f"{'####' if sheet.part else '##'} {escape_markdown(sheet.title)}\n")
    parts.append(_table(sheet.columns, sheet.lines))
    parts += [f"{_paragraph(note)}\n" for note in sheet.notes]
    return "\n".join(parts)


def _table(columns: Sequence[Column], lines: Sequence[Sequence[str]]) -> str:
    head = ["<br>".join(map(escape_markdown, column.name.split("\n"))) for column in columns]
    rule = [":--" if column.left else "--:" for column in columns]
    body = [[escape_markdown(cell) for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *body))
