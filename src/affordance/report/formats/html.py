"""Tables as an HTML fragment for notebooks."""

from collections.abc import Iterable
from html import escape

from affordance.report.sheet import ReportTable

_TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5em 0"
_LINE = "border-bottom:1px solid #8884;padding:.25em .75em;vertical-align:top"
_NOTE = "opacity:.75;max-width:60em;margin:.25em 0"


def render_html(sheets: Iterable[ReportTable], before: Iterable[str] = ()) -> str:
    """The tables, with paragraphs before them. Everything in them is text."""
    said = "".join(f'<p style="max-width:60em">{_text(one)}</p>' for one in before)
    return f"<div>{said}{''.join(map(_sheet, sheets))}</div>"


def _sheet(sheet: ReportTable) -> str:
    aligned = ["left" if column.left else "right" for column in sheet.columns]
    head = "".join(
        f'<th style="{_LINE};text-align:{side}">{_text(column.name)}</th>'
        for column, side in zip(sheet.columns, aligned, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{_LINE};text-align:{side}">{_text(cell)}</td>'
            for cell, side in zip(line, aligned, strict=True)
        )
        + "</tr>"
        for line in sheet.lines
    )
    heading = f"<p>{_text(sheet.heading)}</p>" if sheet.heading else ""
    notes = "".join(f'<p style="{_NOTE}">{_text(note)}</p>' for note in sheet.notes if note)
    title = f'<p style="font-weight:600;margin:1em 0 0">{_text(sheet.title)}</p>' if sheet.title else ""
    table = f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    return f"{heading}{title}{table}{notes}"


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")
