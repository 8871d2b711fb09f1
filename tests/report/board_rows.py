"""Rows for the tests of leaderboard, exports and figures: from real ledgers, and as if about other data."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from affordance.ledger import open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from report_ledgers import Plan, fill

HOSTILE = (
    "a_b & 50% #1 {x} ~y ^z \\w <t> |p| $m$ `q` \"r\" 's' [u] *v*",
    "\\input{/etc/passwd} \\write18{ls} \\end{table} %",
    "<script>alert(1)</script> | [x](http://x.y) @all https://evil.example www.evil.example",
    "=HYPERLINK(1) +1 -1 @SUM",
    "模型 модель naïve Ångström łódź α→β ½ ﬁ 😀 \u202etxt\u200b",
    "line\nbreak\ttab\rreturn\0nul \ud800 lone",
    "x" * 300,
    "--- ``ligatures'' ?` !` fi",
    "",
)


def rows_of(where: Path, *plans: Plan) -> list[ResultRow]:
    with open_ledger(where) as ledger:
        for plan in plans:
            fill(ledger, plan)
    with open_ledger(where, read_only=True) as ledger:
        return build_rows(ledger, [summary.run for summary in ledger.run_summaries()])


def on(row: ResultRow, dataset: str, task: str, **others: Any) -> ResultRow:
    """The row as if of another task and dataset, that was not made up."""
    return replace(row, task=task, dataset={"name": dataset, "digest": "d1", "synthetic": False}, **others)
