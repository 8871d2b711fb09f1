"""The report on grounding and outcomes: what was pointed at is drawn, what happened is shown, and nothing of others'
text is taken for HTML."""

import csv
import io
import json
import re
from collections.abc import Sequence
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, load_collection, write_folder
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.grounding.location_scoring import TargetTruth
from affordance.ledger import RunRecord, open_ledger
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.page.html_report import html_report
from affordance.report.page.overlays import overlay
from affordance.report.report_tables import print_rows
from affordance.report.result_row import ResultRow
from affordance.report.results import read_results
from affordance.report.rows import build_rows
from affordance.tasks.registry import resolve_tasks
from cases import case
from errors import assert_carries
from function_data import (
    captured_screen,
    drawn,
    header,
    outcome,
    pixel,
    plain_outcomes,
    screen,
    target,
    unseen,
    write_captured,
)

HOSTILE = "<script>alert('x')</script><img src=x onerror=alert(1)> \"'&{{ 7*7 }}"
SIZE = (480, 320)


def reported(
    folder: Path, data: DatasetCollection, tasks: Sequence[str], models: Sequence[str], **settings: Any
) -> str:
    """The page of a run of these models."""
    request = RunRequest(
        config=RunConfig(tasks=tuple(resolve_tasks(tasks)), **settings),
        data=data,
        models=tuple(ModelName.parse(model) for model in models),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "pictures",
        execution=ExecutionConfig(),
    )
    run, _ = execute_run(request)
    return page_of(folder / "ledger.db", run)


def page_of(ledger: Path, run: RunRecord) -> str:
    with open_ledger(ledger, read_only=True) as opened:
        return html_report(read_results(opened, [run]), build_rows(opened, [run]))


def rows_of(folder: Path) -> list[ResultRow]:
    with open_ledger(folder / "ledger.db", read_only=True) as opened:
        return build_rows(opened, [summary.run for summary in opened.run_summaries()])


def predictions(folder: Path, name: str, *lines: dict[str, Any]) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"replay:{path}"


@pytest.fixture
def captured(tmp_path: Path) -> DatasetCollection:
    page = captured_screen()
    first, *others = plain_outcomes(page)
    shown = outcome(
        "page",
        page.elements[0],
        first.sentence,
        after="media/after.png",
        after_box=pixel(100, 100, 130, 120),
    )
    return write_captured(tmp_path / "data", [page], [shown, *others])


OVERLAYS = {
    "a box": (TargetTruth(SIZE, (pixel(10, 20, 30, 60),)), ["box 5 6 7 9"], [
        '<rect class="truth" x="10" y="20" width="20" height="40"/>',
        '<rect class="said" x="5" y="6" width="2" height="3"/>',
    ]),
    "a point": (TargetTruth(SIZE, (pixel(10, 20, 30, 60),)), ["point 5 6"], ['<circle class="said" cx="5" cy="6"']),
    "a polygon": (TargetTruth(SIZE, polygon=((1, 2), (3, 4), (5, 6))), [], ['<polygon class="truth" '
    'points="1,2 3,4 5,6"/>']),
    "all that is accepted": (TargetTruth(SIZE, (pixel(1, 1, 2, 2), pixel(3, 3, 4, 4))), [None], [
        '<rect class="truth" x="1"', '<rect class="truth" x="3"',
    ]),
    "nothing": (TargetTruth(SIZE), ["point 5 6"], ["<title>", '<circle class="said"']),
    "under its number": (TargetTruth(SIZE), [None, "box 5 6 7 9"], [">2</text>"]),
}  # fmt: skip


def test_overlays() -> None:
    for name, (truth, answers, parts) in OVERLAYS.items():
        drawn = overlay(truth.to_text(), answers)
        with case(name):
            assert drawn.startswith('<svg class="overlay" viewBox="0 0 480 320"')
            for part in parts:
                assert part in drawn
            assert drawn.count("<text") == sum(answer is not None for answer in answers)


def test_a_wrong_answer_is_drawn_beside_the_truth(tmp_path: Path, captured: DatasetCollection) -> None:
    model = predictions(tmp_path, "p.jsonl", {"item": "page/b0/click", "box": pixel(72, 20, 112, 60).to_json()})
    page = reported(tmp_path, captured, ["function/ground-element"], [model])
    assert '<rect class="truth" x="20" y="20" width="40" height="40"/>' in page
    assert '<rect class="said" x="72" y="20" width="40" height="40"/>' in page
    assert "look-alike" in page
    assert "The page about page b0 opens." in page
    assert "data:image/" in page


def test_what_really_happened_is_shown(tmp_path: Path, captured: DatasetCollection) -> None:
    page = reported(tmp_path, captured, ["function/outcome-element"], ["baseline:random"])
    assert page.count('<figure class="after">') == 1
    after = page.partition('<figure class="after">')[2].partition("</figure>")[0]
    assert re.search(r"<figcaption>[^<]+</figcaption>", after)
    assert '<svg class="overlay"' not in page, "there is nothing to point at"


def test_every_task_and_form_has_its_part(tmp_path: Path, captured: DatasetCollection) -> None:
    page = reported(
        tmp_path, captured, ["function"], ["oracle", "baseline:random"], expressions=("functionality", "intent")
    )
    for task in ("ground-element", "ground-region", "outcome-element", "outcome-region"):
        assert f"function/{task}" in page
    forms = re.findall(r'<section id="part-\d+" class="group" data-task="([\w/-]+)" data-form="(\w*)"', page)
    assert {form for task, form in forms if task == "function/ground-element"} == {"functionality", "intent"}
    assert {"density", "area"} <= {one.partition(",")[0] for one in re.findall(r'data-breakdown="([^"]*)"', page)}


def hostile(folder: Path) -> DatasetCollection:
    """Names, sentences and expressions that would be HTML."""
    page = captured_screen("page", changes={"b0": {"name": HOSTILE}, "b1": {"name": HOSTILE}}, page=None)
    page = page.model_copy(update={"platform": HOSTILE})
    outcomes = [outcome("page", one, f"{HOSTILE} of {one.id}", suffix=f"{HOSTILE}") for one in page.elements]
    return write_captured(folder / "data", [page], outcomes)


def test_hostile_text_is_text(tmp_path: Path) -> None:
    data = hostile(tmp_path)
    model = predictions(tmp_path, "p.jsonl", {"item": f"page/b0/{HOSTILE}", "reply": HOSTILE})
    page = reported(tmp_path, data, ["function"], [model, "baseline:random"])
    assert "&lt;script&gt;alert(" in page
    seen = Tags()
    seen.feed(page)
    assert page.count("<script") == 2, "the index and our own"
    assert not [name for name in seen.attributes if name.startswith("on")]
    assert "{{ 7*7 }}" in page, "and no template either"


class Tags(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def test_many_models(tmp_path: Path, captured: DatasetCollection) -> None:
    names, models = [], 12
    for n in range(models):
        points = ({"space": "unit", "xy": [k / 4, n / 20]} for k in range(4))
        lines = ({"item": f"page/b{k}/click", "point": point} for k, point in enumerate(points))
        names.append(predictions(tmp_path, f"model{n:02d}.jsonl", *lines))
    page = reported(tmp_path, captured, ["function/ground-element"], names)
    for n in range(models):
        assert f"model{n:02d}.jsonl" in page
    (first, *_) = re.findall(r'<svg class="overlay".*?</svg>', page, re.DOTALL)
    assert first.count("<circle") == models
    assert len(page) < 20_000_000


def test_warnings_are_on_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A model of ours that is read in the wrong convention: every answer is right in another one."""
    folder = tmp_path / "data"
    (folder / "media").mkdir(parents=True)
    screens = []
    for n in range(40):
        x, y = 100 + 40 * (n % 8) * 3, 100 + 90 * (n // 8)
        one = screen(f"s{n:02d}", (1280, 720), [target("t", box=pixel(x, y, x + 40, y + 30), intent=f"Do {n}.")])
        screens.append(one.model_copy(update={"image": f"media/{one.id}.png"}))
        (folder / "media" / f"{one.id}.png").write_bytes(drawn(one))
    write_folder(folder, header("screen"), screens)
    lines = []
    for one in screens:
        box = one.targets[0].box
        assert box is not None
        lines.append({"item": f"{one.id}/t", "reply": f"Box: [{', '.join(str(round(edge)) for edge in box.xyxy)}]"})
    model = predictions(tmp_path, "pixels.jsonl", *lines)
    page = reported(tmp_path, load_collection(str(folder)), ["function/ground-element"], [model])
    (row,) = rows_of(tmp_path)
    assert (row.metrics["accuracy"] or 0) < 0.3
    (warning,) = row.warnings
    assert_carries(warning, "40 of 40", "original/xyxy")
    assert escape(warning, quote=False) in page
    print_rows([row])
    printed = capsys.readouterr().out
    assert warning in " ".join(printed.split())
    assert max(map(len, printed.splitlines())) <= 100


def test_an_iou_without_points_shows_its_own_n(tmp_path: Path) -> None:
    """In every format; a row whose answers are all boxes needs none."""
    boxes = [pixel(20 * n, 10, 20 * n + 10, 20) for n in range(4)]
    targets = [target(f"t{n}", box=box, intent=f"Do {n}.") for n, box in enumerate(boxes)]
    data = unseen(screen("s", SIZE, targets))
    lines = [{"item": f"s/t{n}", "box": box.to_json()} for n, box in enumerate(boxes)]
    point = {"item": "s/t3", "point": {"space": "pixel", "xy": [65, 15]}}
    mixed = predictions(tmp_path, "mixed.jsonl", *lines[:3], point)
    page = reported(tmp_path, data, ["function/ground-element"], [mixed, predictions(tmp_path, "boxes.jsonl", *lines)])
    found = {row.model: row for row in rows_of(tmp_path)}
    row, whole = found["replay:mixed.jsonl"], found["replay:boxes.jsonl"]
    assert (row.n, row.metrics["iou"], row.counts["iou"], row.counts["iou_90"]) == (4, 1.0, 3, 3)
    assert row.counts["iou_parsed"] == 3
    own = "100.0 (n 3)"
    assert page.count(own) >= 2, "IoU and its thresholds"
    for form in ("table", "md", "latex"):
        assert ROW_FORMATS[form]([row]).count(own) >= 2, form
        assert own not in ROW_FORMATS[form]([whole]), form
    exported = {line["metric"]: line["n"] for line in csv.DictReader(io.StringIO(ROW_FORMATS["csv"]([row])))}
    assert (exported["accuracy"], exported["iou"], exported["iou_50"]) == ("4", "3", "3")
    (of_json,) = json.loads(ROW_FORMATS["json"]([row]))
    assert of_json["counts"]["iou"] == 3


def test_the_same_ledger_says_the_same(tmp_path: Path, captured: DatasetCollection) -> None:
    first = reported(tmp_path, captured, ["function"], ["baseline:random"], limit=3)
    with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
        (summary,) = ledger.run_summaries()
    assert page_of(tmp_path / "ledger.db", summary.run) == first
