"""How many asks an endpoint gets at once."""

import asyncio
import time
from dataclasses import astuple

import pytest

from affordance.evaluation.execution_config import RetryPolicy
from affordance.evaluation.interrupts import Interrupted
from affordance.evaluation.request_queue import ConcurrencyLimit, backoff
from patience import PATIENCE


def test_never_more_than_the_limit_and_all_get_through() -> None:
    async def main() -> int:
        limiter, most, at_once = ConcurrencyLimit(5, start=2), 0, 0

        async def one() -> None:
            nonlocal most, at_once
            async with limiter:
                at_once += 1
                most = max(most, at_once)
                await asyncio.sleep(0.001)
                at_once -= 1
                limiter.on_success()

        await asyncio.wait_for(asyncio.gather(*(one() for _ in range(100))), PATIENCE)
        assert limiter.in_use == 0
        return most

    assert asyncio.run(main()) == 5


def test_complaints_halve_it_once_per_second_and_never_below_one(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    limiter = ConcurrencyLimit(64, start=16)
    for _ in range(10):
        limiter.on_rate_limit(0.0)
    assert limiter.limit == 8.0, "asks that were under way together complain together"
    for _ in range(8):
        limiter.on_success()
    assert 8.9 < limiter.limit < 9.1, "after a complaint it grows by about one for each round of asks"
    low = ConcurrencyLimit(1)
    low.on_rate_limit(0.0)
    assert low.limit == 1.0


def test_it_grows_by_one_until_the_first_complaint_and_never_beyond_the_most() -> None:
    limiter = ConcurrencyLimit(10)
    assert limiter.limit == 8
    limits = []
    for _ in range(4):
        limiter.on_success()
        limits.append(limiter.limit)
    assert limits == [9, 10, 10, 10]
    assert ConcurrencyLimit(3).limit == 3


def test_pauses_double_until_the_longest_and_start_again_once_it_copes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    limiter = ConcurrencyLimit(64, start=64, first_wait=0.5, max_wait=3.0)
    limits = []
    for longest in (0.5, 1.0, 2.0, 3.0, 3.0):
        limiter.on_rate_limit(0.0)
        pause = limiter.paused_until - now
        limiter.on_rate_limit(0.0)  # of the same moment, and not counted
        assert limiter.paused_until - now == pause
        assert longest / 2 <= pause <= longest
        limits.append(limiter.limit)
        now = limiter.paused_until
    assert limits[0] == 32
    assert limits[-1] <= 8, "halved again when more than a second has passed"
    assert 4.75 <= limiter.backoff_seconds <= 9.5
    limiter.on_success()
    assert limiter.backoff_seconds == 0.0
    limiter.on_rate_limit(0.0)
    assert 0.25 <= limiter.paused_until - now <= 0.5
    before = limiter.paused_until
    limiter.on_rate_limit(0.1)
    assert limiter.paused_until == before, "the longer one holds"
    limiter.on_rate_limit(7.0)
    assert limiter.paused_until - now == 7.0
    now = limiter.paused_until
    limiter.on_rate_limit(7.0)
    assert 7.25 <= limiter.paused_until - now <= 8.0, "what it asks for, and then the own pause"


def test_how_long_and_how_often_is_tried() -> None:
    assert astuple(RetryPolicy()) == (5, 0.5, 60.0, 900.0, 5, 300.0, 3600.0)
    for tries, longest in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 5.0), (5000, 5.0)):
        waits = [backoff(tries, 1.0, 5.0) for _ in range(200)]
        assert longest / 2 <= min(waits) < 0.6 * longest
        assert 0.9 * longest < max(waits) <= longest


def test_retry_after_holds_for_everybody() -> None:
    async def main() -> float:
        limiter = ConcurrencyLimit(8)
        limiter.on_rate_limit(0.2)
        started = time.monotonic()

        async def one() -> None:
            async with limiter:
                pass

        await asyncio.gather(*(one() for _ in range(4)))
        return time.monotonic() - started

    assert asyncio.run(main()) > 0.19


def test_closing_ends_every_wait() -> None:
    async def main() -> None:
        limiter = ConcurrencyLimit(1)
        limiter.on_rate_limit(3600.0)

        async def one() -> None:
            async with limiter:
                raise AssertionError("nobody may get in")

        waiting = [asyncio.create_task(one()) for _ in range(3)]
        waiting.append(asyncio.create_task(limiter.sleep(3600.0)))
        await asyncio.sleep(0.05)
        limiter.close()
        results = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), PATIENCE)
        assert all(isinstance(result, Interrupted) for result in results)
        assert limiter.in_use == 0

    asyncio.run(main())


@pytest.mark.parametrize("held", [True, False])
def test_one_that_is_cancelled_leaves_its_place_to_others(held: bool) -> None:
    async def main() -> None:
        limiter = ConcurrencyLimit(1, start=1)
        gate = asyncio.Event()

        async def holder() -> None:
            async with limiter:
                await gate.wait()

        async def passer() -> None:
            async with limiter:
                return

        first = asyncio.create_task(holder())
        second = asyncio.create_task(holder())
        third = asyncio.create_task(passer())
        await asyncio.sleep(0.01)
        (first if held else second).cancel()
        gate.set()
        await asyncio.wait_for(third, PATIENCE)
        await asyncio.gather(first, second, return_exceptions=True)
        assert limiter.in_use == 0

    asyncio.run(main())
