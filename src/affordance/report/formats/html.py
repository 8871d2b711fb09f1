"""Tables as an HTML fragment for notebooks, in the colours of the page that shows them."""

from collections.abc import Iterable, Sequence
from html import escape

from affordance.core.table import Table

_TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5em 0"
_CELL = "border-bottom:1px solid #8884;padding:.25em .75em;vertical-align:top"
_NOTE = "opacity:.75;max-width:60em;margin:.25em 0"


def render_html(tables: Iterable[Table], before: Iterable[str] = ()) -> str:
    """The tables, with paragraphs in front of them. Everything in them is text."""
    paragraphs = "".join(f'<p style="max-width:60em">{_text(one)}</p>' for one in before)
    return f"<div>{paragraphs}{''.join(map(_render, tables))}</div>"


def _render(table: Table) -> str:
    parts = [
        f"<p>{_text(table.section)}</p>" if table.section else "",
        f'<p style="font-weight:600;margin:1em 0 0">{_text(table.title)}</p>' if table.title else "",
        f'<p style="max-width:60em">{_text(table.finding)}</p>' if table.finding else "",
        f'<table style="{_TABLE}"><thead>{_row("th", table.headings(), table)}</thead>',
        f"<tbody>{''.join(_row('td', row, table) for row in table.texts())}</tbody></table>",
        *(f'<p style="{_NOTE}">{_text(note)}</p>' for note in table.notes),
    ]
    return "".join(parts)


def _row(tag: str, cells: Sequence[str], table: Table) -> str:
    sides = ["left" if left else "right" for left in table.left_aligned()]
    shown = (
        f'<{tag} style="{_CELL};text-align:{side}">{_text(cell)}</{tag}>'
        for cell, side in zip(cells, sides, strict=True)
    )
    return f"<tr>{''.join(shown)}</tr>"


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")
