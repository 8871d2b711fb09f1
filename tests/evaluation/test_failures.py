"""A server that fails in every way, and how each attempt ends."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from aiohttp import web

from affordance.core.attempts import AttemptResult, AttemptStatus
from affordance.evaluation.run import RunRequest, execute_run
from affordance.ledger import open_ledger
from errors import assert_carries
from loopback import Behaviour, Loopback, Seen, completion, says_move
from patience import PATIENCE


async def answers_html(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.Response(text="<!doctype html><title>Welcome</title>", content_type="text/html")


async def answers_error_with_200(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "upstream is gone", "code": 502}})


async def cuts_the_stream(_: Seen, request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.abort()
    return response


async def hangs(_: Seen, __: web.Request) -> web.StreamResponse:
    await asyncio.sleep(600)
    raise AssertionError("nobody should wait that long")


async def truncates(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("Let me look at the frames one by one. In the first", finish_reason="length")


async def truncates_the_explanation(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion(f"{seen.letter_of('Move')}\nThe object goes to the ri", finish_reason="length")


async def refuses(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("", message={"role": "assistant", "content": None, "refusal": "I can't help with that."})


async def refuses_in_words(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("I’m sorry, but I can’t assist with that request.")


async def filters(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("", finish_reason="content_filter")


async def returns_no_choice(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.json_response({"choices": []})


async def returns_an_empty_choice(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("")


async def babbles(_: Seen, __: web.Request) -> web.StreamResponse:
    return completion("A square appears to be doing something.")


async def has_no_such_model(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.json_response({"error": {"message": "model not found"}}, status=404)


async def redirects(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.json_response({}, status=307, headers={"Location": "http://127.0.0.1:9/elsewhere"})


async def recovers(seen: Seen, request: web.Request) -> web.StreamResponse:
    if seen.number < 3:
        return web.json_response({"error": {"message": "overloaded"}}, status=503)
    return await says_move(seen, request)


async def recovers_from_a_cut(seen: Seen, request: web.Request) -> web.StreamResponse:
    return await (cuts_the_stream if seen.number == 1 else says_move)(seen, request)


FAILURES = [
    # behaviour, how it ends, the data of the reason (None where there is none), requests per ask
    (answers_html, AttemptStatus.FAILED, ("text/html",), 1),
    (answers_error_with_200, AttemptStatus.FAILED, ("502", "upstream is gone"), 3),
    (cuts_the_stream, AttemptStatus.FAILED, ("127.0.0.1",), 3),
    (hangs, AttemptStatus.FAILED, ("0.3",), 3),
    (has_no_such_model, AttemptStatus.FAILED, ("404", "model not found"), 1),
    (redirects, AttemptStatus.FAILED, ("307", "http://127.0.0.1:9/elsewhere"), 1),
    (returns_no_choice, AttemptStatus.FAILED, (), 3),
    (truncates, AttemptStatus.TRUNCATED, (), 1),
    (truncates_the_explanation, AttemptStatus.ANSWERED, None, 1),
    (refuses, AttemptStatus.REFUSED, ("I can't help with that.",), 1),
    (refuses_in_words, AttemptStatus.REFUSED, ("I’m sorry",), 1),
    (filters, AttemptStatus.REFUSED, (), 1),
    (returns_an_empty_choice, AttemptStatus.UNPARSED, (), 1),
    (babbles, AttemptStatus.UNPARSED, (), 1),
    (recovers, AttemptStatus.ANSWERED, None, 3),
    (recovers_from_a_cut, AttemptStatus.ANSWERED, None, 2),
]


def outcomes(request: RunRequest, run: str) -> list[AttemptResult]:
    with open_ledger(request.ledger, read_only=True) as ledger:
        return list(ledger.attempt_results(run))


@pytest.mark.parametrize(("behaviour", "ended", "data", "requests"), FAILURES, ids=lambda v: getattr(v, "__name__", ""))
def test_how_an_attempt_ends(
    request_for: Callable[..., RunRequest],
    behaviour: Behaviour,
    ended: AttemptStatus,
    data: tuple[str, ...] | None,
    requests: int,
) -> None:
    with Loopback(behaviour) as server:
        request = request_for(f"openai:test@{server.url}", limit=2, timeout=0.3 if behaviour is hangs else PATIENCE)
        run, progress = execute_run(request)
        found = outcomes(request, run.id)
    with open_ledger(request.ledger, read_only=True) as ledger:
        (usage,) = ledger.token_usage(run.id)
    assert [one.verdict.status for one in found if one.verdict] == [ended, ended]
    for reason in (one.verdict.reason for one in found if one.verdict):
        if data is None:
            assert reason == ""
        else:
            assert_carries(reason, *data)
    assert usage.requests == 2 * requests
    if behaviour is not hangs:  # a request that is given up may not have gone out
        assert set(server.counts.values()) == {requests}
    assert progress.complete is (ended is not AttemptStatus.FAILED)


def test_an_endpoint_that_is_down_stops_the_model_early(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        pass
    request = request_for(f"openai:test@{server.url}", trials=10)
    run, progress = execute_run(request)
    (model,) = progress.models.values()
    assert_carries(model.stop_reason, "http://127.0.0.1")
    assert model.sent == 0, "nothing was sent"
    with open_ledger(request.ledger, read_only=True) as ledger:
        assert [usage.requests for usage in ledger.token_usage(run.id)] == [0]
    assert progress.failed == 70
    reasons = Counter(one.verdict.reason for one in outcomes(request, run.id) if one.verdict)
    assert reasons.total() == 70
    assert any(model.stop_reason in reason for reason in reasons), "those that were not asked say why"


def test_the_same_permanent_error_stops_the_model_early(request_for: Callable[..., RunRequest]) -> None:
    async def denies(_: Seen, __: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"message": "invalid key"}}, status=401)

    with Loopback(denies) as server:
        request = request_for(f"openai:test@{server.url}", concurrency=1)
        _, progress = execute_run(request)
        assert len(server.seen) == request.execution.retry.max_repeated_errors == 5
        execute_run(replace(request_for(f"openai:test@{server.url}", trials=10, concurrency=1), name="another"))
        assert len(server.seen) == 5 + 11, "all trials of one clip may fail for a reason of its own"
    assert_carries(next(iter(progress.models.values())).stop_reason, "invalid key")


async def throttles(seen: Seen, request: web.Request) -> web.StreamResponse:
    if seen.number < 9:
        return web.json_response({"error": {"message": "slow down"}}, status=429)
    return await says_move(seen, request)


def test_being_throttled_for_long_is_waited_out(request_for: Callable[..., RunRequest]) -> None:
    with Loopback(throttles) as server:
        request = request_for(f"openai:test@{server.url}", limit=1)
        _, progress = execute_run(request)
        assert progress.complete
        assert set(server.counts.values()) == {9}


def test_numbers_that_no_database_can_hold(request_for: Callable[..., RunRequest]) -> None:
    async def counts_wildly(seen: Seen, _: web.Request) -> web.StreamResponse:
        choice = {"message": {"content": seen.letter_of("Move")}, "finish_reason": "stop"}
        return web.json_response({"choices": [choice], "usage": {"prompt_tokens": 10**20, "completion_tokens": -1}})

    with Loopback(counts_wildly) as server:
        _, progress = execute_run(request_for(f"openai:test@{server.url}"))
        assert progress.complete


def test_failed_attempts_and_only_those_are_asked_again(request_for: Callable[..., RunRequest]) -> None:
    broken = True

    async def fails_half(seen: Seen, request: web.Request) -> web.StreamResponse:
        if broken and int(seen.key, 16) % 2:
            return web.json_response({"error": {"message": f"bad luck {seen.key}"}}, status=400)
        return await says_move(seen, request)

    with Loopback(fails_half) as server:
        request = request_for(f"openai:test@{server.url}", trials=4)
        run, progress = execute_run(request)
        failed = progress.failed
        assert 0 < failed < 28
        assert not progress.complete
        broken = False
        asked = len(server.seen)
        again, progress = execute_run(request)
        assert again.id == run.id
        assert len(server.seen) - asked == failed
    assert progress.complete
    assert all(one.verdict and one.verdict.status is AttemptStatus.ANSWERED for one in outcomes(request, run.id))


def test_a_corrupt_clip_fails_its_own_attempts(request_for: Callable[..., RunRequest], tmp_path) -> None:  # type: ignore[no-untyped-def]
    import shutil

    from affordance.datasets import DatasetCollection, load_folder

    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}", trials=2)
        shutil.copytree(request.data.datasets[0].root, tmp_path / "copy")
        clip = tmp_path / "copy" / "media" / "fade.mp4"
        data = bytearray(clip.read_bytes())
        middle = len(data) // 2
        data[middle : middle + 2000] = bytes(2000)
        clip.write_bytes(data)
        request = replace(request, data=DatasetCollection.single(load_folder(tmp_path / "copy")))
        run, progress = execute_run(request)
        assert len(server.seen) == 12, "the corrupt clip is nothing to send, and no reason to stop"
    ended = {one.item_id: one.verdict for one in outcomes(request, run.id)}
    assert ended["fade"] is not None
    assert ended["fade"].status is AttemptStatus.FAILED
    assert_carries(ended["fade"].reason, "fade.mp4")
    assert progress.failed == 2
