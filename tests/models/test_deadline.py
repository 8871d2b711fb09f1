"""A deadline ends what takes too long, and nothing else."""

import asyncio
import contextlib

import pytest

from affordance.models.http import Deadline
from errors import raises

SHORT = 0.05


async def wait_within(deadline: Deadline, event: asyncio.Event) -> str:
    try:
        with deadline:
            await event.wait()
    except TimeoutError:
        return "late"
    return "in time"


def test_late_ones_end_and_those_in_time_do_not() -> None:
    async def work() -> None:
        deadline, never, soon = Deadline(SHORT), asyncio.Event(), asyncio.Event()
        first = asyncio.create_task(wait_within(deadline, never))
        quick = asyncio.create_task(wait_within(deadline, soon))
        soon.set()
        assert await quick == "in time"
        await asyncio.sleep(SHORT / 2)
        second = asyncio.create_task(wait_within(deadline, never))
        assert await asyncio.gather(first, second) == ["late", "late"]

    asyncio.run(work())


def test_it_serves_again_after_a_pause() -> None:
    async def work() -> None:
        deadline, never, soon = Deadline(SHORT), asyncio.Event(), asyncio.Event()
        soon.set()
        assert await wait_within(deadline, soon) == "in time"
        await asyncio.sleep(2 * SHORT)  # the timer of the first is over
        assert await asyncio.create_task(wait_within(deadline, never)) == "late"
        deadline.close()
        assert await asyncio.create_task(wait_within(deadline, never)) == "late"

    asyncio.run(work())


def test_a_task_that_was_late_can_go_on() -> None:
    async def work() -> None:
        deadline, never = Deadline(SHORT), asyncio.Event()

        async def twice() -> list[str]:
            return [await wait_within(deadline, never), await wait_within(deadline, never)]

        task = asyncio.create_task(twice())
        assert await task == ["late", "late"]
        assert task.cancelling() == 0

    asyncio.run(work())


def test_who_is_cancelled_by_somebody_else_is_not_late() -> None:
    async def work() -> None:
        deadline, never = Deadline(60), asyncio.Event()
        task = asyncio.create_task(wait_within(deadline, never))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        deadline.close()

    asyncio.run(work())


def test_an_error_of_its_own_stays_what_it_is() -> None:
    async def work() -> None:
        deadline = Deadline(60)
        with raises(ValueError, "odd"), deadline:
            raise ValueError("odd")
        deadline.close()

    asyncio.run(work())


def test_a_cancellation_that_was_put_up_with_does_not_hide_that_it_is_late() -> None:
    async def work() -> None:
        deadline, never = Deadline(SHORT), asyncio.Event()

        async def stubborn() -> str:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)
            return await wait_within(deadline, never)

        task = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        task.cancel()
        assert await task == "late"

    asyncio.run(work())


def test_another_loop_has_a_timer_of_its_own() -> None:
    deadline = Deadline(SHORT)

    async def work(done: bool) -> str:
        event = asyncio.Event()
        if done:
            event.set()
        return await asyncio.create_task(wait_within(deadline, event))

    assert [asyncio.run(work(True)), asyncio.run(work(False))] == ["in time", "late"]
