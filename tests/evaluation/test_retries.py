"""When an ask is tried again, for how long, and what others learn of it: on a real server, in short units of time."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from aiohttp import web

from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText, Question
from affordance.core.requests import FinishReason, Message, Request, Response
from affordance.evaluation.budget import Budget
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.interrupts import Interrupted
from affordance.evaluation.progress import RunProgress
from affordance.evaluation.request_queue import RequestQueue
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.media import RenderCache
from affordance.media.loader import ThreadedMediaLoader
from affordance.models.chat import ChatClient
from affordance.models.family import FREE
from affordance.models.model import LocalModel, ModelContext
from affordance.models.providers import Endpoint
from affordance.tasks.behavior.rationale import RATIONALE
from errors import assert_carries
from judge_world import answers as judge_answers
from judge_world import explained
from loopback import Behaviour, Loopback, Seen, completion
from patience import PATIENCE, until

# A hundredth of the usual times.
SHORT = RetryPolicy(first_wait=0.005, max_wait=0.6, rate_limit_timeout=9.0, outage_timeout=3.0, max_requested_wait=36.0)


def status(number: int, **headers: str) -> web.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return web.json_response({"error": {"message": "not now"}}, status=number, headers=named)


def about(text: str, *pictures: ImageSpec) -> Request:
    return Request(text, (Message("user", (text, *pictures)),), FreeText())


def in_lane(
    url: str, patience: RetryPolicy, use: Callable[[RequestQueue], Awaitable[None]], concurrency: int = 64, **own: Json
) -> None:
    def question(_: str) -> Question:
        raise AssertionError("a model behind an endpoint looks nothing up")

    async def main() -> None:
        name = ModelName("openai", "test", url)
        with TemporaryDirectory() as folder:
            gallery = ThreadedMediaLoader(RenderCache(Path(folder), {}))
            model = ChatClient(
                name, Endpoint(url, None), ModelContext(gallery, question, model_options={str(name): own})
            )
            try:
                await use(RequestQueue(model, FREE, concurrency, patience, Budget(None)))
            finally:
                await model.close()
                gallery.close()

    asyncio.run(main())


def once(url: str, ask: Request, patience: RetryPolicy) -> tuple[Response, int]:
    found: list[tuple[Response, int]] = []

    async def use(lane: RequestQueue) -> None:
        found.append(await lane.send(ask))

    in_lane(url, patience, use)
    return found[0]


def asked(behaviour: Behaviour, patience: RetryPolicy = SHORT) -> tuple[Response, int, Loopback]:
    """What came of one ask, the number of requests, and the server."""
    with Loopback(behaviour) as server:
        reply, requests = once(server.url, about("?"), patience)
    return reply, requests, server


NO_TIME = {
    "zero": {"Retry-After": "0"},
    "negative": {"Retry-After": "-5"},
    "past": {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"},
    "not a number": {"Retry-After": "nan"},
    "milliseconds": {"retry-after-ms": "0"},
    "a time stamp": {"Retry-After": "1767225600"},
    "garbage": {"Retry-After": "soon"},
}


@pytest.mark.parametrize("code", [429, 500])
@pytest.mark.parametrize("headers", NO_TIME.values(), ids=NO_TIME)
def test_no_hint_makes_a_hot_loop(code: int, headers: Mapping[str, str]) -> None:
    times: list[float] = []

    async def says_at_once(_: Seen, __: web.Request) -> web.StreamResponse:
        times.append(time.monotonic())
        return web.json_response({"error": {"message": "not now"}}, status=code, headers=headers)

    reply, requests, server = asked(says_at_once, replace(SHORT, rate_limit_timeout=0.15, outage_timeout=0.15))
    assert reply.failed
    assert requests == len(server.seen)
    assert_waits(times)


def assert_waits(times: Sequence[float]) -> None:
    """Waits of at least 2.5, 5, 10, ... ms, which fill 150 ms with seven requests."""
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert 2 <= len(waits) <= 6
    assert all(wait >= 0.0025 * 2**number for number, wait in enumerate(waits)), waits


class Impatient(LocalModel):
    """A model of another package, whose hints nobody has looked at."""

    def __init__(self, hint: float) -> None:
        super().__init__("test:impatient")
        self.times: list[float] = []
        self._hint = hint

    async def send(self, request: Request) -> Response:
        self.times.append(time.monotonic())
        return Response(finish=FinishReason.ERROR, error="not now", throttled=True, retry_after=self._hint)


@pytest.mark.parametrize("hint", [math.nan, math.inf, -math.inf, -5.0, 0.0, 1e300])
def test_no_hint_of_a_plugin_makes_a_hot_loop(hint: float) -> None:
    model = Impatient(hint)
    lane = RequestQueue(model, FREE, 8, replace(SHORT, rate_limit_timeout=0.15), Budget(None))
    reply, requests = asyncio.run(asyncio.wait_for(lane.send(about("?")), PATIENCE))
    assert reply.failed
    assert requests == len(model.times)
    assert_waits(model.times)


def test_what_the_provider_asks_for_is_waited_out_and_no_part_of_the_patience() -> None:
    times: list[float] = []

    async def asks_for_time(seen: Seen, _: web.Request) -> web.StreamResponse:
        times.append(time.monotonic())
        return completion("B") if seen.number > 4 else status(429, Retry_After="0.2")

    reply, requests, _ = asked(asks_for_time, replace(SHORT, rate_limit_timeout=0.4))
    assert (reply.text, requests) == ("B", 5)
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.2


def test_a_wait_that_takes_too_long_is_not_begun() -> None:
    async def asks_for_a_day(_: Seen, __: web.Request) -> web.StreamResponse:
        return status(429, Retry_After="86400")

    reply, requests, _ = asked(asks_for_a_day, RetryPolicy())
    assert (reply.failed, requests) == (True, 1)
    assert_carries(reply.error, "429", "86,400 s")


def test_time_in_the_queue_is_no_part_of_the_patience() -> None:
    """One after the other they take longer than any of them may be throttled."""

    async def throttles_some_once(seen: Seen, _: web.Request) -> web.StreamResponse:
        await asyncio.sleep(0.01)
        return status(429) if seen.number == 1 and int(seen.text) % 4 == 3 else completion("B")

    async def use(lane: RequestQueue) -> None:
        started = time.monotonic()
        replies = await asyncio.gather(*(lane.send(about(str(number))) for number in range(64)))
        assert [reply.text for reply, _ in replies] == ["B"] * 64
        assert time.monotonic() - started > 0.4

    with Loopback(throttles_some_once) as server:
        in_lane(server.url, replace(SHORT, rate_limit_timeout=0.4), use, concurrency=1)


def test_an_ask_that_fails_while_others_are_answered_is_given_up_after_some_tries() -> None:
    """Its own fault: nothing is away, and nobody waits minutes for it."""

    async def cannot_digest_one(seen: Seen, _: web.Request) -> web.StreamResponse:
        return status(500) if seen.text == "bad" else completion("B")

    async def use(lane: RequestQueue) -> None:
        ended = asyncio.Event()

        async def others() -> None:
            while not ended.is_set():
                reply, _ = await lane.send(about("good"))
                assert reply.text == "B"

        going = asyncio.create_task(others())
        reply, requests = await asyncio.wait_for(lane.send(about("bad")), PATIENCE)
        ended.set()
        await going
        assert reply.failed
        assert 5 <= requests <= 12, "a try counts only where another ask was answered since the one before"

    with Loopback(cannot_digest_one) as server:
        in_lane(server.url, replace(SHORT, outage_timeout=math.inf), use)


def test_an_ask_that_is_throttled_for_ever_ends_though_others_are_answered() -> None:
    async def takes_one_never(seen: Seen, _: web.Request) -> web.StreamResponse:
        return status(429) if seen.text == "never" else completion("B")

    async def use(lane: RequestQueue) -> None:
        ended = asyncio.Event()

        async def others() -> None:
            while not ended.is_set():
                await lane.send(about("good"))

        going = asyncio.create_task(others())
        reply, requests = await asyncio.wait_for(lane.send(about("never")), PATIENCE)
        ended.set()
        await going
        assert reply.failed
        assert requests < 12, "its own waits grow, whatever others are answered"

    with Loopback(takes_one_never) as server:
        in_lane(server.url, replace(SHORT, rate_limit_timeout=0.5), use)


def test_an_endpoint_that_throttles_everything_is_given_up_by_all_together() -> None:
    async def throttles(_: Seen, __: web.Request) -> web.StreamResponse:
        return status(503)

    async def use(lane: RequestQueue) -> None:
        replies = await asyncio.wait_for(asyncio.gather(*(lane.send(about(str(n))) for n in range(64))), PATIENCE)
        assert all(reply.failed for reply, _ in replies)
        assert lane.stop_reason

    with Loopback(throttles) as server:
        in_lane(server.url, replace(SHORT, rate_limit_timeout=0.3), use)
        assert len(server.seen) < 64 * 4, "one after the other would have waited until its own time was over"


OUTAGES: dict[str, Behaviour] = {}


def outage(behaviour: Behaviour) -> Behaviour:
    OUTAGES[getattr(behaviour, "__name__", "")] = behaviour
    return behaviour


@outage
async def answers_500(_: Seen, __: web.Request) -> web.StreamResponse:
    return status(500)


@outage
async def answers_502(_: Seen, __: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>Bad Gateway</html>", content_type="text/html", status=502)


@outage
async def answers_503(_: Seen, __: web.Request) -> web.StreamResponse:
    return status(503)


@outage
async def cuts(_: Seen, request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


@pytest.mark.parametrize("behaviour", OUTAGES.values(), ids=OUTAGES)
def test_an_outage_is_waited_out(behaviour: Behaviour) -> None:
    """Seven failures: more than `tries`, and longer than those took."""

    async def is_back_soon(seen: Seen, request: web.Request) -> web.StreamResponse:
        return await behaviour(seen, request) if seen.number < 8 else completion("B")

    reply, requests, _ = asked(is_back_soon, replace(SHORT, outage_timeout=PATIENCE))
    assert (reply.text, requests) == ("B", 8)


def test_an_outage_ends_with_the_patience() -> None:
    reply, requests, _ = asked(answers_500, replace(SHORT, outage_timeout=0.3))
    assert reply.failed
    assert 5 <= requests <= 9
    assert_carries(reply.error, "500")


def test_a_server_that_goes_away_and_comes_back(request_for: Callable[..., RunRequest]) -> None:
    """A restart of 20 seconds, in hundredths: connections are cut, the port is closed, and nothing fails."""
    with ExitStack() as stack, ThreadPoolExecutor(1) as pool:
        first = Loopback()
        running = stack.enter_context(ExitStack())
        running.enter_context(first)
        first.most_answers = 12

        def restart() -> Loopback:
            until(lambda: first.answered.total() >= 12)
            running.close()
            time.sleep(0.2)
            return stack.enter_context(Loopback(port=int(first.url.split(":")[2].partition("/")[0])))

        patience = replace(SHORT, outage_timeout=PATIENCE)
        request = request_for(f"openai:test@{first.url}", trials=10, concurrency=16, retry=patience)
        restarted = pool.submit(restart)
        _, progress = execute_run(request)
        again = restarted.result(PATIENCE)
        assert progress.complete
        assert len(first.seen) > 12, "some were under way"
        assert len({*first.counts, *again.counts}) == 70


def test_nobody_there_is_known_at_once_and_nothing_counts_as_sent() -> None:
    with Loopback() as server:
        url = server.url

    async def use(lane: RequestQueue) -> None:
        lane.pauses = RunProgress().pauses
        limit = lane.concurrency_limit.limit
        asking = asyncio.create_task(lane.send(about("?")))
        while not lane.pauses:
            await asyncio.sleep(0.001)
        (pause,) = lane.pauses.values()
        assert_carries(pause.reason, url)
        assert pause.until - time.monotonic() < 1.0
        assert 299.0 < pause.gives_up_at - pause.until <= 300.0
        lane.close()
        with pytest.raises(Interrupted):
            await asyncio.wait_for(asking, PATIENCE)
        assert lane.concurrency_limit.limit == limit

    in_lane(url, RetryPolicy(), use)
    reply, requests = once(url, about("?"), replace(SHORT, outage_timeout=0.0))
    assert (reply.failed, reply.sent, requests) == (True, False, 0)


def test_what_a_model_cannot_be_asked_is_not_sent_and_changes_no_limit() -> None:
    async def use(lane: RequestQueue) -> None:
        limit = lane.concurrency_limit.limit
        for number in range(5):
            reply, requests = await lane.send(about(str(number), ImageSpec("a"), ImageSpec("b")))
            assert (reply.finish, reply.sent, requests) == (FinishReason.UNSUPPORTED, False, 0)
        assert lane.concurrency_limit.limit == limit
        assert lane.concurrency_limit.successes == 0

    with Loopback() as server:
        in_lane(server.url, SHORT, use, most_images=1)
        assert server.seen == []


def test_a_model_that_is_the_judge_too_has_one_queue(tmp_path: Path) -> None:
    """The endpoint throttles an answer while others are judged: their judgements wait as well."""
    throttled = asyncio.Event()
    between = 0  # judgements that came before the throttled answer was asked for again
    answers = Counter[str]()

    async def behaviour(seen: Seen, request: web.Request) -> web.StreamResponse:
        nonlocal between
        if not seen.images:
            judged.set()
            between += throttled.is_set() and not again.is_set()
            await asyncio.sleep(0.005)
            return await judge_answers(seen, request)
        answers[seen.key] += 1
        if len(answers) == 4 and not throttled.is_set():
            await judged.wait()
            throttled.set()
            return status(429, Retry_After="0.5")
        if answers[seen.key] > 1:
            again.set()
        return await judge_answers(seen, request)

    judged, again = asyncio.Event(), asyncio.Event()
    with Loopback(behaviour) as server:
        name = f"openai:good@{server.url}"
        request = RunRequest(
            config=RunConfig(tasks=(RATIONALE,), judge=name),
            data=explained(tmp_path / "set", 4),
            models=(ModelName.parse(name),),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=4, retry=replace(SHORT, first_wait=0.001)),
        )
        _, progress = execute_run(request)
        assert progress.complete
        assert throttled.is_set()
        assert server.most_at_once <= 4
    assert between <= 8, "those that were out by then"
