"""Requests that are too large for a model or its server: missing, asked again, and no reason to ask nothing else."""

import io
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web

from affordance.cli.run import report_run_problems
from affordance.core.attempts import AttemptStatus, Verdict
from affordance.core.requests import FinishReason, Response
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from errors import INCOMPLETE, assert_carries
from loopback import Behaviour, Loopback, Seen, says_move

CLIPS = 7
# Of servers and providers, each in its own words: status and body.
TOO_LARGE = {
    "vLLM, images": (400, {"error": {"message": "At most 1 image(s) may be provided in one prompt.", "code": 400}}),
    "vLLM, context": (400, {"error": {"message": "The model's context length is only 8 tokens."}}),
    "OpenAI": (400, {"error": {"message": "Too long.", "code": "context_length_exceeded"}}),
    "Anthropic": (413, {"type": "error", "error": {"type": "request_too_large", "message": "Too large"}}),
    "Google": (400, [{"error": {"message": "The input exceeds the maximum number of tokens allowed (8)."}}]),
    "llama.cpp": (400, {"error": {"message": "request (9 tokens) exceeds the available context size (8 tokens)"}}),
    "SGLang": (400, {"object": "error", "message": "Image count 5 exceeds limit 2 per request."}),
}  # fmt: skip


def says(status: int, body: Any, otherwise: Behaviour, refuses: Callable[[Seen], bool]) -> Behaviour:
    async def serve(seen: Seen, request: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status) if refuses(seen) else await otherwise(seen, request)

    return serve


def carried_out(request: RunRequest) -> tuple[ResultRow, int, str]:
    run, progress = execute_run(request)
    with redirect_stderr(io.StringIO()) as told:
        code = report_run_problems(request, progress)
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    return row, code, told.getvalue()


@pytest.mark.parametrize(("status", "body"), TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_all_are_asked_missing_and_asked_again(request_for: Callable[..., RunRequest], status: int, body: Any) -> None:
    """Nothing fits at first: one after the other, on more sources than stop a model."""
    is_raised: list[bool] = []
    with Loopback(says(status, body, says_move, lambda _: not is_raised)) as server:
        request = request_for(f"vllm:m@{server.url}", concurrency=1)
        row, code, told = carried_out(request)
        assert len(server.seen) == CLIPS, "none is tried again, and none is left out"
        assert (row.ended["failed"], row.ended["skipped"], row.n) == (CLIPS, 0, CLIPS)
        assert (row.complete, row.bounds["accuracy"], code) == (False, (0.0, 1.0), INCOMPLETE)
        assert "--max-frames" in told
        is_raised.append(True)
        row, code, _ = carried_out(request)
        assert (row.ended["answered"], row.complete, code) == (CLIPS, True, 0)
        assert len(server.seen) == 2 * CLIPS


def test_those_that_fit_are_answered_and_the_others_asked_each_time(request_for: Callable[..., RunRequest]) -> None:
    """The first six do not fit, so that a model that stops would never come to the last."""
    too_large: list[str] = []

    def refuses(seen: Seen) -> bool:
        if len(too_large) < CLIPS - 1 and seen.key not in too_large:
            too_large.append(seen.key)
        return seen.key in too_large

    with Loopback(says(*TOO_LARGE["OpenAI"], says_move, refuses)) as server:
        request = request_for(f"vllm:m@{server.url}", concurrency=1)
        for number in (1, 2):
            row, code, _ = carried_out(request)
            assert (row.ended["failed"], row.ended["answered"], code) == (CLIPS - 1, 1, INCOMPLETE)
            assert len(server.seen) == CLIPS + (number - 1) * (CLIPS - 1)
            low, high = row.bounds["accuracy"]
            assert high - low == pytest.approx((CLIPS - 1) / CLIPS)


def test_a_model_without_images_is_asked_no_more_of_them(request_for: Callable[..., RunRequest]) -> None:
    """What it cannot see it cannot see five times; words alone are another matter."""
    body = {"error": {"message": "image input is not supported", "code": 500}}
    with Loopback(says(500, body, says_move, lambda _: True)) as server:
        request = request_for(f"vllm:m@{server.url}", concurrency=1)
        row, code, told = carried_out(request)
        assert len(server.seen) == request.execution.retry.max_repeated_errors == 5
    assert (row.ended["failed"], code) == (CLIPS, INCOMPLETE)
    assert_carries(told.splitlines()[0], "image input is not supported")


def test_a_limit_that_was_raised_is_asked_for_again(request_for: Callable[..., RunRequest]) -> None:
    """What the user's own limit forbids is skipped for as long as it does."""
    with Loopback() as server:
        name = f"vllm:m@{server.url}"
        request = request_for(name, model_options={name: {"most_images": 1}})
        for _ in range(2):
            row, code, _ = carried_out(request)
            assert (row.ended["skipped"], row.complete, code, server.seen) == (CLIPS, True, 0, [])
        assert [one.asks for one in estimate_run(request)] == [0]
        raised = replace(request, execution=request.execution.replace(model_options={name: {"most_images": 99}}))
        assert [one.asks for one in estimate_run(raised)] == [CLIPS]
        row, code, _ = carried_out(raised)
        assert (row.ended["answered"], code, len(server.seen)) == (CLIPS, 0, CLIPS)


def test_what_an_earlier_version_has_skipped_is_asked(request_for: Callable[..., RunRequest]) -> None:
    """It stored what servers said of the size of requests as something that they can never be asked."""
    with Loopback() as server:
        request = request_for(f"vllm:m@{server.url}")
        run, _ = execute_run(request)
        asked = len(server.seen)
        with open_ledger(request.ledger) as ledger:
            skip_all(ledger, run)
        row, code, _ = carried_out(request)
        assert (row.ended["answered"], row.ended["skipped"], code) == (CLIPS, 0, 0)
        assert len(server.seen) == asked, "what is in the ledger is not asked again"


def skip_all(ledger: Ledger, run: RunRecord) -> None:
    reply = Response(finish=FinishReason.UNSUPPORTED, error="the model cannot be asked this", permanent=True)
    for one in list(ledger.attempt_results(run.id)):
        (address,) = ledger.call_settings(run.id)[one.model]
        (step,) = ledger.steps_of([one.attempt_id])[one.attempt_id]
        asked = RequestRecord(step.key, address, one.question_id, step.transcript)
        ledger.add_response(one.attempt_id, (0, 0, 0), asked, reply, run=run.id).result()
        ledger.add_verdict(one.attempt_id, Verdict(AttemptStatus.SKIPPED, reason=reply.error)).result()
