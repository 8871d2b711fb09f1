"""A metric that a task of another package declares is in every output, without a line of code in the report."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from affordance.core.formatting import Unit
from affordance.ledger import open_ledger
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.page.html_report import html_report
from affordance.report.result_row import ResultRow
from affordance.report.results import RunResults, read_results
from affordance.report.rows import rows_of_runs
from affordance.tasks.metrics import Metric
from affordance.tasks.registry import TASKS
from affordance.tasks.views import MetricTable
from report_ledgers import RIGHT, WRONG, Plan, fill

ANSWERS = Metric(
    name="acme_answers",
    label="length of answers",
    compute=lambda results: len(results.answered) + 0.125,
    interval=lambda _: (1.25, 99.75),
    unit=Unit.SCORE,
)
HESITATION = Metric(name="acme_hesitation", label="hesitation", compute=lambda _: 0.4375, section="acme")


@pytest.fixture
def reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[RunResults, list[ResultRow]]]:
    task = TASKS["motion/effect"]
    views = replace(task.views, tables=(MetricTable("How models hesitate", "acme", "Acme's own note."),))
    added = replace(task, metrics=(*task.metrics, ANSWERS, HESITATION), views=views)
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, Plan({"openai:a": (RIGHT, WRONG), "openai:b": (RIGHT,)}))
    monkeypatch.setattr(TASKS, "builtin", {**TASKS.builtin, task.name: added})
    with open_ledger(tmp_path / "ledger.db", read_only=True) as opened:
        results = read_results(opened, [one.run for one in opened.run_summaries()])
        yield results, rows_of_runs(results)


def test_it_is_in_every_table(reported: tuple[RunResults, list[ResultRow]]) -> None:
    results, rows = reported
    value = f"{rows[0].metrics['acme_answers']:.2f}"
    texts = {name: ROW_FORMATS[name](rows) for name in ("table", "md", "latex")}
    page = texts["page"] = html_report(results, rows)
    for name, text in texts.items():
        words = ("length", "answers") if name == "latex" else ("length of answers",)  # headings are wrapped
        assert all(word in " ".join(text.split()) for word in words), name
        assert value in text, name
    for text in (texts["md"], texts["latex"], page):
        assert "How models hesitate" in text
        assert "43.8" in text
    assert "Acme&#39;s own note." in page


def test_it_is_in_the_exports_in_full(reported: tuple[RunResults, list[ResultRow]]) -> None:
    _, rows = reported
    exported = json.loads(ROW_FORMATS["json"](rows))
    assert [row["metrics"]["acme_answers"] for row in exported] == [row.metrics["acme_answers"] for row in rows]
    assert all(row["intervals"]["acme_answers"] == [1.25, 99.75] for row in exported)
    lines = list(csv.DictReader(io.StringIO(ROW_FORMATS["csv"](rows))))
    found = [one for one in lines if one["metric"] == "acme_answers"]
    assert [float(one["value"]) for one in found] == [row.metrics["acme_answers"] for row in rows]
    assert {(one["low"], one["high"]) for one in found} == {("1.25", "99.75")}
    assert {one["value"] for one in lines if one["metric"] == "acme_hesitation"} == {"0.4375"}
