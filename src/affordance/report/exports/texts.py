"""Rows as text in the formats there are."""

import json
from collections.abc import Callable, Mapping, Sequence

from affordance.report.document import sheets
from affordance.report.exports.latex import latex
from affordance.report.exports.markdown import markdown
from affordance.report.exports.sheets import long_form
from affordance.report.rows import Row
from affordance.report.tables import text_of


def as_json(rows: Sequence[Row]) -> str:
    return json.dumps([row.to_json() for row in rows], ensure_ascii=False, indent=2) + "\n"


TEXTS: Mapping[str, Callable[[Sequence[Row]], str]] = {
    "table": lambda rows: text_of(sheets(rows)),
    "json": as_json,
    "csv": long_form,
    "md": lambda rows: markdown(sheets(rows, detail=True)),
    "latex": lambda rows: latex(sheets(rows, detail=True)),
}
