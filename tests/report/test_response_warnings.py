"""Another model that answered, and nothing but empty responses: a warning next to the score, wherever that is shown."""

from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.model_name import ModelName
from affordance.datasets import Dataset, DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.page.html_report import html_report
from affordance.report.report_tables import report_tables
from affordance.report.result_row import ResultRow
from affordance.report.rows import load_rows
from affordance.tasks.registry import resolve_tasks
from behavior_data import published
from loopback import Behaviour, Loopback, Seen, completion


def serves(name: str, text: Callable[[Seen], str]) -> Behaviour:
    """Under a name: `{}` is the one that was asked for."""

    async def behaviour(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion(text(seen), served_as=name.format(seen.body["model"]))

    return behaviour


@pytest.fixture
def row_of(primitives: Dataset, tmp_path: Path, shared: Path) -> Callable[[Behaviour], ResultRow]:
    """The row of a run on a server, with the pages and tables of its report."""

    def make(behaviour: Behaviour) -> ResultRow:
        where = str(tmp_path / "ledger.db")
        with Loopback(behaviour) as server:
            execute_run(
                RunRequest(
                    config=RunConfig(tasks=tuple(resolve_tasks(["motion/effect"])), trials=1),
                    data=DatasetCollection.single(primitives),
                    models=(ModelName.parse(f"openai:gpt-4o@{server.url}"),),
                    ledger=where,
                    render_cache=shared / "cache" / "pictures",
                )
            )
        with open_ledger(where, read_only=True) as ledger:
            results, (row,) = load_rows(ledger, [])
            page = html_report(results, [row])
        notes = " ".join(note for sheet in report_tables([row]) for note in sheet.notes)
        for warning in row.warnings:
            assert warning in notes
            assert warning.partition(":")[0] in page
            assert warning in row.to_json()["warnings"]
        return row

    return make


def picks_a(_: Seen) -> str:
    return "A"


@pytest.mark.parametrize("name", ["{}", "{}-2024-08-06", "openai/{}", ""], ids=str)
def test_the_model_that_was_asked_needs_no_warning(row_of: Callable[[Behaviour], ResultRow], name: str) -> None:
    assert row_of(serves(name, picks_a)).warnings == ()


def test_another_model(row_of: Callable[[Behaviour], ResultRow]) -> None:
    row = row_of(serves("tiny-1b", picks_a))
    (warning,) = row.warnings
    assert "tiny-1b" in warning
    assert str(row.n) in warning


def test_nothing_but_empty_responses(row_of: Callable[[Behaviour], ResultRow]) -> None:
    row = row_of(serves("{}", lambda _: ""))
    (warning,) = row.warnings
    assert str(row.n) in warning
    assert row.metrics["accuracy"] == 0


def test_one_response_with_words_is_enough(row_of: Callable[[Behaviour], ResultRow]) -> None:
    first: list[str] = []

    def once(seen: Seen) -> str:
        first.append(seen.key)
        return "A" if seen.key == first[0] else ""

    assert row_of(serves("{}", once)).warnings == ()


def test_another_judge(tmp_path: Path) -> None:
    def says(seen: Seen) -> str:
        return "Yes" if seen.body["model"] == "judge" else "It is larger."

    async def behaviour(seen: Seen, request: web.Request) -> web.StreamResponse:
        name = "tiny-1b" if seen.body["model"] == "judge" else "{}"
        return await serves(name, says)(seen, request)

    where = str(tmp_path / "ledger.db")
    with Loopback(behaviour) as server:
        execute_run(
            RunRequest(
                config=RunConfig(
                    tasks=tuple(resolve_tasks(["behavior/rationale"])), judge=f"openai:judge@{server.url}"
                ),
                data=published(tmp_path / "set", [[("It is larger.", "Fitts’s Law", "Action")]]),
                models=(ModelName.parse(f"openai:gpt-4o@{server.url}"),),
                ledger=where,
                render_cache=tmp_path / "pictures",
                execution=ExecutionConfig(),
            )
        )
    with open_ledger(where, read_only=True) as ledger:
        _, (row,) = load_rows(ledger, [])
    (warning,) = row.warnings
    assert "tiny-1b" in warning
