"""Rows as text in each output format."""

import json
from collections.abc import Callable, Mapping, Sequence

from affordance.report.formats.csv import rows_to_csv
from affordance.report.formats.latex import render_latex
from affordance.report.formats.markdown import render_markdown
from affordance.report.formats.terminal import render_text
from affordance.report.report_tables import report_tables
from affordance.report.result_row import ResultRow


def as_json(rows: Sequence[ResultRow]) -> str:
    return json.dumps([row.to_json() for row in rows], ensure_ascii=False, indent=2) + "\n"


ROW_FORMATS: Mapping[str, Callable[[Sequence[ResultRow]], str]] = {
    "table": lambda rows: render_text(report_tables(rows)),
    "json": as_json,
    "csv": rows_to_csv,
    "md": lambda rows: render_markdown(report_tables(rows, detail=True)),
    "latex": lambda rows: render_latex(report_tables(rows, detail=True)),
}
