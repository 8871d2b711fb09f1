"""Rows as text in the formats there are."""

import json
from collections.abc import Callable, Mapping, Sequence

from affordance.report.document import report_tables
from affordance.report.exports.latex import render_latex
from affordance.report.exports.markdown import render_markdown
from affordance.report.exports.sheets import rows_to_csv
from affordance.report.rows import ResultRow
from affordance.report.tables import render_text


def as_json(rows: Sequence[ResultRow]) -> str:
    return json.dumps([row.to_json() for row in rows], ensure_ascii=False, indent=2) + "\n"


TEXTS: Mapping[str, Callable[[Sequence[ResultRow]], str]] = {
    "table": lambda rows: render_text(report_tables(rows)),
    "json": as_json,
    "csv": rows_to_csv,
    "md": lambda rows: render_markdown(report_tables(rows, detail=True)),
    "latex": lambda rows: render_latex(report_tables(rows, detail=True)),
}
