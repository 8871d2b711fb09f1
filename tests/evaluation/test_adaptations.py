"""Parameters that a provider refuses: found out once for each model and run, recorded, and reported."""

import io
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from fault_table import by_openai

from affordance.cli.run import report_run_problems
from affordance.core.model_name import ModelName
from affordance.evaluation.execution_config import ExecutionConfig
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import RunRecord, open_ledger
from affordance.models.adaptation import Adaptation, read_adaptations
from affordance.report.report_tables import notes
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.behavior.rationale import RATIONALE
from judge_world import answers as judge_answers
from judge_world import explained
from loopback import Behaviour, Loopback, Seen, says_move

SENT = {"temperature": 0.5, "max_tokens": 64, "seed": 3}
REFUSED = ("max_tokens", "temperature")
HOW = {"max_tokens": "max_completion_tokens", "temperature": None}


def refusing(*parameters: str, otherwise: Behaviour = says_move) -> Behaviour:
    """Of what is refused, an error names the first, as OpenAI's do."""

    async def serve(seen: Seen, request: web.Request) -> web.StreamResponse:
        found = next((name for name in parameters if name in seen.body), None)
        return await (otherwise if found is None else by_openai(found))(seen, request)

    return serve


def refused(server: Loopback) -> int:
    return sum(any(name in seen.body for name in REFUSED) for seen in server.seen)


def row_of(request: RunRequest, run: RunRecord) -> ResultRow:
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    return row


def carried_out(request: RunRequest) -> tuple[RunRecord, RunProgress, str]:
    run, progress = execute_run(request)
    with redirect_stderr(io.StringIO()) as told:
        report_run_problems(request, progress, run.name)
    return run, progress, told.getvalue()


@contextmanager
def asked_with(
    request_for: Callable[..., RunRequest], *parameters: str, **changes: Any
) -> Iterator[tuple[Loopback, RunRequest]]:
    with Loopback(refusing(*parameters)) as server:
        yield server, request_for(f"openai:m@{server.url}", parameters=SENT, **changes)


def test_a_refused_parameter_is_left_out_or_renamed_once(request_for: Callable[..., RunRequest]) -> None:
    with asked_with(request_for, *REFUSED, concurrency=1) as (server, request):
        run, progress, told = carried_out(request)
        assert progress.complete
        assert len(server.seen) == 7 + 2, "one request for each refused parameter"
        last = server.seen[-1].body
        assert {name: last.get(name) for name in (*SENT, "max_completion_tokens")} == {
            "temperature": None, "max_tokens": None, "seed": 3, "max_completion_tokens": 64,
        }  # fmt: skip
        assert [line for line in told.splitlines() if "temperature" in line] != []
        row = row_of(request, run)
        assert {one.parameter: one.sent_as for one in row.adaptations} == HOW
        assert all(one["error"] and one["model"] == row.model for one in row.to_json()["adaptations"])
        assert [one["parameters"] for one in row.sent] == [{"seed": 3, "max_completion_tokens": 64}]
        said = "\n".join(notes([row]))
        assert all(name in said for name in (*REFUSED, "max_completion_tokens"))


def test_requests_under_way_together_are_each_sent_again_at_once(request_for: Callable[..., RunRequest]) -> None:
    with asked_with(request_for, *REFUSED, concurrency=64) as (server, request):
        _, progress, told = carried_out(request)
        assert progress.complete
        assert 2 <= refused(server) <= 14
        assert Counter(told.splitlines()).most_common(1)[0][1] == 1, "each is printed once"


def test_keys_and_addresses_stay_as_they_were(request_for: Callable[..., RunRequest]) -> None:
    """A run under another name finds the responses, and says how they came about."""
    with asked_with(request_for, *REFUSED) as (server, request):
        execute_run(request)
        asked = len(server.seen)
        run, progress, told = carried_out(replace(request, name="another"))
        assert progress.complete
        assert (len(server.seen), told) == (asked, "")
        assert {one.parameter: one.sent_as for one in row_of(request, run).adaptations} == HOW
        with open_ledger(request.ledger, read_only=True) as ledger:
            assert read_adaptations(ledger, run.id) == [], "nothing was found out in it"


def test_a_resumed_run_knows_from_the_start(request_for: Callable[..., RunRequest]) -> None:
    async def is_down_later(seen: Seen, request: web.Request) -> web.StreamResponse:
        if is_down and len(server.seen) > 4:
            return web.json_response({"error": {"message": "no such model"}}, status=404)
        return await refusing(*REFUSED)(seen, request)

    is_down = [True]
    with Loopback(is_down_later) as server:
        request = request_for(f"openai:m@{server.url}", parameters=SENT, concurrency=1)
        _, progress, _ = carried_out(request)
        assert not progress.complete
        is_down.clear()
        before = refused(server)
        run, progress, told = carried_out(request)
        assert progress.complete
        assert refused(server) == before
        assert told == "", "it was printed when it was found"
        assert {one.parameter: one.sent_as for one in row_of(request, run).adaptations} == HOW


def test_a_parameter_that_was_not_sent_is_an_error(request_for: Callable[..., RunRequest]) -> None:
    async def refuses_another(seen: Seen, request: web.Request) -> web.StreamResponse:
        return await by_openai("logit_bias")(seen, request)

    with Loopback(refuses_another) as server:
        request = request_for(f"openai:m@{server.url}", parameters=SENT, limit=2)
        run, progress, _ = carried_out(request)
        assert (progress.failed, len(server.seen)) == (2, 2)
        assert row_of(request, run).adaptations == ()


def test_the_limit_of_output_is_never_left_out(request_for: Callable[..., RunRequest]) -> None:
    """A budget counts on it."""
    with asked_with(request_for, "max_tokens", "max_completion_tokens", limit=2, concurrency=1) as (server, request):
        _, progress, _ = carried_out(request)
        assert progress.failed == 2
        assert all({"max_tokens", "max_completion_tokens"} & seen.body.keys() for seen in server.seen)
        assert len(server.seen) == 3


def test_the_other_name_of_the_limit_is_found_too(request_for: Callable[..., RunRequest]) -> None:
    with Loopback(refusing("max_completion_tokens")) as server:
        request = request_for(f"openai:m@{server.url}", parameters={"max_completion_tokens": 9}, limit=1)
        run, progress, _ = carried_out(request)
        assert progress.complete
        assert server.seen[-1].body["max_tokens"] == 9
    assert [(one.parameter, one.sent_as) for one in row_of(request, run).adaptations] == [
        ("max_completion_tokens", "max_tokens")
    ]


def test_each_model_is_adapted_by_itself(request_for: Callable[..., RunRequest]) -> None:
    async def only_one_refuses(seen: Seen, request: web.Request) -> web.StreamResponse:
        return await (refusing("temperature") if seen.body["model"] == "new" else says_move)(seen, request)

    with Loopback(only_one_refuses) as server:
        request = request_for(f"openai:new@{server.url}", f"openai:old@{server.url}", parameters=SENT)
        run, progress, _ = carried_out(request)
        assert progress.complete
        assert all("temperature" in seen.body for seen in server.seen if seen.body["model"] == "old")
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = {ModelName.parse(row.model).model: row.adaptations for row in build_rows(ledger, [run])}
    assert [len(found[name]) for name in ("new", "old")] == [1, 0]


@pytest.mark.parametrize("name", ["judge", "good"], ids=["another model", "the model itself"])
def test_a_judge_is_adapted_too(tmp_path: Path, name: str) -> None:
    """Its protocol sets a temperature, and no limit."""

    async def judge_refuses(seen: Seen, request: web.Request) -> web.StreamResponse:
        refuses = seen.body["model"] == "judge" or not seen.images
        return await (refusing("temperature", otherwise=judge_answers) if refuses else judge_answers)(seen, request)

    with Loopback(judge_refuses) as server:
        request = RunRequest(
            config=RunConfig(tasks=(RATIONALE,), judge=f"openai:{name}@{server.url}"),
            data=explained(tmp_path / "set", 3),
            models=(ModelName.parse(f"openai:good@{server.url}"),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=1),
        )
        run, progress, told = carried_out(request)
        assert progress.complete
    assert request.config.judge is not None
    (adaptation,) = row_of(request, run).adaptations
    assert adaptation == Adaptation(request.config.judge, "temperature", None, adaptation.error)
    assert request.config.judge in told
