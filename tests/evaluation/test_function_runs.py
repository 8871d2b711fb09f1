"""The function suite through the real runner: oracle, replay, missing pictures, and the rows that come of it."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, Target
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.grounding.dialects import DIALECTS
from affordance.ledger import open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import METRICS, build_rows
from affordance.tasks.registry import resolve_tasks
from errors import assert_carries
from function_data import (
    captured_screen,
    of_every_kind,
    outcome,
    pixel,
    plain_outcomes,
    screen,
    target,
    unseen,
    write_captured,
)
from loopback import Loopback, Seen, completion

SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)


@pytest.fixture
def performed(tmp_path: Path) -> Any:
    """`performed(data, tasks, models, ...settings)`: the rows of a run."""

    def perform_(
        data: DatasetCollection, tasks: Sequence[str], models: Sequence[str], **settings: Any
    ) -> list[ResultRow]:
        request = RunRequest(
            config=RunConfig(tasks=tuple(resolve_tasks(tasks)), **settings),
            data=data,
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=64, retry=SHORT),
        )
        run, _ = execute_run(request)
        with open_ledger(request.ledger, read_only=True) as ledger:
            return build_rows(ledger, [run])

    return perform_


@pytest.fixture
def captured(tmp_path: Path) -> DatasetCollection:
    page, other = captured_screen(), captured_screen("other")
    twice = outcome("page", page.elements[0], "A hint appears.", "hover")
    more = outcome("page", page.elements[1], "Its name appears.", "hover")
    return write_captured(
        tmp_path / "data", [other, page], [*plain_outcomes(other), *plain_outcomes(page), twice, more]
    )


@pytest.mark.parametrize("level", ["element", "region"])
def test_the_oracle_is_right_in_every_dialect(performed: Any, level: str) -> None:
    """Boxes, polygons and absent targets at every size, through the whole of the runner."""
    found = performed(of_every_kind(level), [f"function/ground-{level}"], [f"oracle:{name}" for name in DIALECTS])
    assert {row.model for row in found} == {f"oracle:{name}" for name in DIALECTS}
    for row in found:
        name = row.model.removeprefix("oracle:")
        assert (row.metrics["accuracy"], row.n, row.complete) == (1.0, 28, True), row.model
        assert (row.dialect, row.decided) == (name, "itself")
        assert (row.metrics["iou"] is None) is DIALECTS[name].points_only(level)
        assert row.warnings == ()
        by_target = {one.value: one.n for one in row.breakdowns if one.by == "target"}
        assert by_target == {"absent": 4, "box": 16, "polygon": 8}


def test_the_oracle_is_right_about_captured_screens(performed: Any, captured: DatasetCollection) -> None:
    found = performed(captured, ["function"], ["oracle", "baseline:random"], expressions=("functionality", "intent"))
    oracle = [row for row in found if row.model == "oracle:default"]
    assert {(row.task, row.form): row.metrics["accuracy"] for row in oracle} == {
        ("function/ground-element", "functionality"): 1.0,
        ("function/ground-element", "intent"): 1.0,
        ("function/ground-region", "functionality"): 1.0,
        ("function/outcome-element", "single"): 1.0,
        ("function/outcome-element", "multi"): 1.0,
        ("function/outcome-region", "multi"): 1.0,
    }
    assert all(row.complete for row in found)


def test_runs_of_version_1_keep_their_questions(tmp_path: Path) -> None:
    """Options in their old order, and captured targets without those that are written down."""
    page = captured_screen()
    written = page.model_copy(update={"targets": [target("mine", box=pixel(1, 1, 9, 9))]})
    data = write_captured(tmp_path / "data", [written], plain_outcomes(page))
    sources = {"function/ground-element": "written and captured"}
    for task, key, value in (
        ("function/outcome-element", "order", {"function/outcome-element": "balanced by truth on captured screens"}),
        ("function/ground-element", "sources", sources),
    ):
        request = RunRequest(
            config=RunConfig(tasks=tuple(resolve_tasks([task]))),
            data=data,
            models=(ModelName.parse("oracle"),),
            ledger=str(tmp_path / f"{key}.db"),
            render_cache=tmp_path / "pictures",
        )
        first, _ = execute_run(replace(request, config=request.config.replace(rules=1)))
        again, progress = execute_run(request)
        other, _ = execute_run(replace(request, name="other"))
        assert first == again
        assert progress.models["oracle:default"].done_before == progress.done
        assert other.settings[key] == value
        assert first.settings.get(key) != value
        with open_ledger(request.ledger, read_only=True) as ledger:
            known, new = ({one.question_id for one in ledger.attempt_results(run.id)} for run in (first, other))
        assert known != new


def test_single_and_multiple_answers_are_separate_rows(performed: Any, captured: DatasetCollection) -> None:
    found = performed(captured, ["function/outcome-element"], ["baseline:random"])
    assert {row.form for row in found} == {"single", "multi"}
    single = next(row for row in found if row.form == "single")
    assert single.chance == pytest.approx(0.2)
    assert single.dialect == single.decided == ""
    assert single.differences == (), "they are different items"
    assert {one.by for one in single.breakdowns} == {
        "action",
        "steps",
        "names itself",
        "group size",
        "slot",
        "platform",
    }
    assert sum(single.shares.values()) + (single.metrics["accuracy"] or 0) == pytest.approx(1)


def _twofold(number: int, place: int) -> Target:
    """A target that is described in two ways."""
    box, name = pixel(100 * place, 0, 100 * place + 50, 50), f"{number}{place}"
    return target(f"t{place}", box=box, functionality=f"f{name}", intent=f"i{name}")


def test_expressions_are_rows_with_paired_differences(performed: Any, tmp_path: Path) -> None:
    screens = [screen(f"s{n}", (1000, 1000), [_twofold(n, k) for k in range(2)]) for n in range(4)]
    file, data = tmp_path / "p.jsonl", unseen(*screens)
    (task,) = resolve_tasks(["function/ground-element"])
    both = RunConfig(tasks=(task,), expressions=("functionality", "intent"))
    questions = list(task.questions(data, both.question_design(task)))
    lines = []
    for trial in questions:
        question = trial.question
        right = question.tags["expression"] == "functionality" or question.item.endswith("t0")
        x = 100 * int(question.item[-1]) + 25 if right else 900
        lines.append({"question": question.id, "point": {"space": "pixel", "xy": [x, 25]}})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = performed(data, ["function/ground-element"], [f"replay:{file}"], expressions=("functionality", "intent"))
    assert {row.form: row.metrics["accuracy"] for row in found} == {"functionality": 1.0, "intent": 0.5}
    for row in found:
        (difference,) = row.differences
        sign = 1 if row.form == "functionality" else -1
        assert (difference.accuracy, difference.n) == (0.5 * sign, 8)
        assert difference.interval is None, "the same on every screen: nothing tells how much it varies"
        assert {name: value for name, value in row.metrics.items() if name.startswith("iou")} == dict.fromkeys(
            ("iou", *(f"iou_{level}0" for level in range(1, 10)))
        )


def test_every_row_has_all_metrics_and_fields(performed: Any, captured: DatasetCollection) -> None:
    needed = "run task model dataset n metrics intervals bounds compat trials settings ended complete breakdowns"
    for row in performed(captured, ["function"], ["oracle:claude"], limit=4):
        data = json.loads(json.dumps(row.to_json(), allow_nan=False))
        assert set(needed.split()) <= set(data)
        assert set(METRICS) <= set(data["metrics"])
        assert all(set(one) == {"by", "value", "n", "metrics", "ended"} for one in data["breakdowns"])
        assert set(data["ended"]) == {"answered", "refused", "unparsed", "truncated", "failed", "skipped"}
        assert data["metrics"]["macro_f1"] is None


def test_what_cannot_be_read_is_wrong_here_and_left_out_there(performed: Any, tmp_path: Path) -> None:
    targets = [target(f"t{n}", box=pixel(0, 0, 100, 100), functionality=f"f{n}") for n in range(4)]
    file = tmp_path / "p.jsonl"
    replies = ["Box: [0, 0, 100, 100]", "Box: [800, 800, 900, 900]", "Hm.", "I'm sorry, I can't."]
    file.write_text("".join(json.dumps({"item": f"s/t{n}", "reply": reply}) + "\n" for n, reply in enumerate(replies)))
    (row,) = performed(unseen(screen("s", (1000, 1000), targets)), ["function/ground-element"], [f"replay:{file}"])
    assert row.metrics["accuracy"] == 0.25
    assert row.metrics["iou"] == 0.25
    assert row.compat == {"accuracy_parsed": 0.5, "iou_parsed": 0.5}
    assert (row.ended["answered"], row.ended["unparsed"], row.ended["refused"]) == (2, 1, 1)
    assert row.shares == {"elsewhere": 0.25, "no answer": 0.5}
    assert row.floors == {"area share": pytest.approx(0.01), "screen centre": 0.0}


SAME_WORDS = unseen(
    screen(
        "s",
        (1000, 1000),
        [target(f"t{n}", box=pixel(100 * n, 0, 100 * n + 50, 50), functionality="close") for n in range(4)],
    )
)


def test_the_oracle_is_right_where_two_targets_are_asked_for_in_the_same_words(performed: Any) -> None:
    """Published sets hold such questions: the asks are the same, and the truths are not."""
    (row,) = performed(SAME_WORDS, ["function/ground-element"], ["oracle"])
    assert (row.n, row.metrics["accuracy"]) == (4, 1.0)


def test_replayed_predictions_are_each_for_their_own_question(performed: Any, tmp_path: Path) -> None:
    details = [
        {"img_path": "s.png", "prompt_to_evaluate": "close", "pred": [x + 25, 25], "bbox": [x, 0, x + 50, 50]}
        for x in (0, 100, 200, 300)
    ]
    (tmp_path / "result.json").write_text(json.dumps({"details": details}))
    lines = [{"item": f"s/t{n}", "point": {"space": "pixel", "xy": [100 * n + 25, 25]}} for n in range(4)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    files = [f"replay:{tmp_path / name}" for name in ("result.json", "p.jsonl")]
    found = performed(SAME_WORDS, ["function/ground-element"], files)
    assert [row.metrics["accuracy"] for row in found] == [1.0, 1.0]


def test_predictions_that_are_missing_leave_the_row_incomplete(performed: Any, tmp_path: Path) -> None:
    targets = [target(f"t{n}", box=pixel(0, 0, 100, 100), functionality=f"f{n}") for n in range(4)]
    details = [
        {
            "img_path": "x/s.png",
            "prompt_to_evaluate": f"f{n}",
            "pred": pred,
            "bbox": [0, 0, 100, 100],
            "raw_response": "?",
        }
        for n, pred in enumerate([[50, 50], [500, 500], None])
    ]
    file = tmp_path / "result.json"
    file.write_text(json.dumps({"metrics": {}, "details": details}))
    (row,) = performed(unseen(screen("s", (1000, 1000), targets)), ["function/ground-element"], [f"replay:{file}"])
    assert (row.ended["answered"], row.ended["unparsed"], row.ended["failed"]) == (2, 1, 1)
    assert not row.complete
    assert row.metrics["accuracy"] == pytest.approx(1 / 3)
    assert row.bounds["accuracy"] == (0.25, 0.5)
    assert row.metrics["iou"] is None


def test_pictures_that_are_missing_matter_to_those_who_look(performed: Any, tmp_path: Path) -> None:
    data = unseen(screen("gone", (1000, 1000), [target("t", box=pixel(0, 0, 100, 100))]))
    with Loopback() as server:
        (row,) = performed(data, ["function/ground-element"], [f"openai:looker@{server.url}"])
        assert server.seen == []
    assert (row.ended["failed"], row.metrics["accuracy"], row.complete) == (1, None, False)
    with open_ledger(tmp_path / "ledger.db", read_only=True) as ledger:
        (summary,) = ledger.run_summaries()
        (found,) = ledger.attempt_results(summary.run.id)
    assert found.verdict is not None
    assert_carries(found.verdict.reason, "gone.png")


def test_each_family_is_sent_what_its_dialect_says(performed: Any, captured: DatasetCollection) -> None:
    async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("Box: [1, 2, 3, 4]")

    with Loopback(answers) as server:
        models = [f"openai:{name}@{server.url}" for name in ("gemini-2.5-pro", "ui-tars-1.5-7b", "nobody")]
        found = performed(captured, ["function/ground-element"], models, limit=1)
        kinds = {
            seen.body["model"]: [part["type"] for part in seen.body["messages"][-1]["content"]] for seen in server.seen
        }
        texts = {seen.body["model"]: json.dumps(seen.body["messages"]) for seen in server.seen}
    assert kinds["ui-tars-1.5-7b"] == ["image_url", "text"], "the picture comes first"
    assert kinds["gemini-2.5-pro"] == ["text", "image_url"]
    assert "ymin, xmin, ymax, xmax" in texts["gemini-2.5-pro"]
    decided = {row.model.split(":")[1].split("@")[0]: (row.dialect, row.decided) for row in found}
    assert decided == {
        "gemini-2.5-pro": ("gemini", "name"),
        "ui-tars-1.5-7b": ("ui-tars", "name"),
        "nobody": ("default", "unknown"),
    }
    unknown = next(row for row in found if row.decided == "unknown")
    others = {warning for row in found if row.decided == "name" for warning in row.warnings}
    assert set(unknown.warnings) - others, "that its name is not known"


def test_what_cannot_be_read_is_asked_again_as_published(performed: Any, captured: DatasetCollection) -> None:
    async def babbles_first(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("Hm." if seen.number < 4 else "Box: [1, 2, 3, 4]")

    with Loopback(babbles_first) as server:
        (row,) = performed(
            captured, ["function/ground-element"], [f"openai:gpt-5@{server.url}"], limit=2, protocol="paper"
        )
        assert set(server.counts.values()) == {4}
    assert row.ended["answered"] == 2


def test_a_larger_limit_asks_only_what_is_new(performed: Any, captured: DatasetCollection) -> None:
    async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion("Box: [1, 2, 3, 4]")

    with Loopback(answers) as server:
        for limit, asked in ((2, 2), (5, 5), (9, 9)):
            (row,) = performed(captured, ["function/ground-element"], [f"openai:gpt-5@{server.url}"], limit=limit)
            assert (row.n, len(server.seen)) == (limit, asked)


def test_a_dialect_that_there_is_not(performed: Any, captured: DatasetCollection) -> None:
    for name in ("klingon", "default@nonsense", "default@side:0/xyxy", "default@mille/zyx"):
        with pytest.raises(UserError):
            performed(captured, ["function/ground-element"], ["baseline:random"], dialect=name)


def test_chance_scores_about_its_floor(performed: Any, captured: DatasetCollection) -> None:
    (row,) = performed(captured, ["function/outcome-element"], ["baseline:random"], trials=20)[1:]
    assert row.form == "single"
    assert row.metrics["accuracy"] == pytest.approx(row.chance, abs=0.08)
