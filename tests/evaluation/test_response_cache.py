"""Responses of a ledger as they are looked up by a run."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import event

from affordance.core.requests import CallSettings, FinishReason, Response
from affordance.evaluation.response_store import ResponseCache
from affordance.ledger import Ledger, RequestRecord, RunRecord, open_ledger

COUNT = 200


@pytest.fixture(params=["sqlite", "postgres"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ledger]:
    where = str(tmp_path / "ledger.db") if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    with open_ledger(where) as opened:
        yield opened


def add(ledger: Ledger, key: str, run: str = "other", finish: FinishReason = FinishReason.STOP) -> int:
    asked = RequestRecord(key, CallSettings("test:m"), "question", "[]")
    return ledger.add_response(f"attempt {key}", (0, 0, 0), asked, Response(finish=finish), run=run).result()


async def find(cache: ResponseCache, keys: list[str]) -> list[int | None]:
    return list(await asyncio.gather(*map(cache.find, keys)))


@pytest.mark.parametrize("count", [1, 8, 9, COUNT])
def test_those_of_one_moment_are_looked_up_together(ledger: Ledger, count: int) -> None:
    keys = [f"key {number}" for number in range(count)]
    stored = {key: add(ledger, key) for key in keys[::7]}
    looks: list[object] = []
    event.listen(ledger.database.engine, "checkout", lambda *_: looks.append(_))

    async def work() -> None:
        cache = ResponseCache(ledger, RunRecord("run", "run", {}, {}))
        assert await find(cache, [*keys, *keys]) == [stored.get(key) for key in (*keys, *keys)]
        assert len(looks) == 1
        assert await find(cache, list(stored)) == list(stored.values())
        assert len(looks) == 1, "what was found is known"

    asyncio.run(work())


def test_a_response_that_came_since_is_found(ledger: Ledger) -> None:
    """From this process at once, and from another one when it is asked for."""

    async def work() -> None:
        cache = ResponseCache(ledger, RunRecord("run", "run", {}, {}))
        assert await find(cache, ["ours", "theirs"]) == [None, None]
        cache.add("ours", 7)
        theirs = add(ledger, "theirs")
        assert await find(cache, ["ours", "theirs"]) == [7, theirs]

    asyncio.run(work())


def test_a_fresh_run_finds_its_own_and_none_finds_failures(ledger: Ledger) -> None:
    mine = add(ledger, "mine", run="run")
    others = add(ledger, "others")
    for finish in (FinishReason.ERROR, FinishReason.UNSUPPORTED):
        add(ledger, "mine", run="run", finish=finish)
        add(ledger, str(finish), run="run", finish=finish)
    keys = ["mine", "others", "error", "unable"]

    async def work() -> None:
        assert await find(ResponseCache(ledger, RunRecord("run", "run", {}, {}, fresh=True)), keys) == [
            mine,
            None,
            None,
            None,
        ]
        assert await find(ResponseCache(ledger, RunRecord("run", "run", {}, {})), keys) == [mine, others, None, None]

    asyncio.run(work())
