"""A ledger that cannot be written: nothing that was paid for is lost."""

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from affordance.core.attempt import Ended
from affordance.ledger import open_ledger
from affordance.run.session import Request, perform
from loopback import Loopback, after


def lock_after(path: str, server: Loopback, asks: int, seconds: float) -> threading.Thread:
    """Takes the database's lock once so many asks have come, and keeps it for a while."""

    def work() -> None:
        while len(server.seen) < asks:
            time.sleep(0.005)
        with sqlite3.connect(path, isolation_level=None, timeout=10) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            time.sleep(seconds)
            connection.execute("ROLLBACK")
        connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def test_replies_that_cannot_be_written_are_saved_and_brought_in(request_for: Callable[..., Request]) -> None:
    with Loopback(after(0.05)) as server:
        request = request_for(f"openai:test@{server.url}", trials=10, ledger_patience=2.0)
        perform(request_for("oracle", trials=10))  # so that there is a ledger to lock
        thread = lock_after(request.ledger, server, 10, 8.0)
        run, progress = perform(request)
        thread.join()
        assert "replies are saved in" in progress.interrupted
        assert Path(f"{request.ledger}.rescue.jsonl").exists()
        asked = len(server.seen)
        assert asked < 70
        perform(request)
        assert not Path(f"{request.ledger}.rescue.jsonl").exists()
        assert len(server.seen) == 70, "no ask was repeated"
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = [one for one in ledger.outcomes(run.id) if one.model != "oracle:default"]
    assert [one.verdict.ended for one in found if one.verdict] == [Ended.ANSWERED] * 70


def test_a_ledger_that_comes_back_loses_nothing(request_for: Callable[..., Request]) -> None:
    with Loopback(after(0.02)) as server:
        request = request_for(f"openai:test@{server.url}", trials=10)
        perform(request_for("oracle", trials=10))
        thread = lock_after(request.ledger, server, 10, 4.0)
        _, progress = perform(request)
        thread.join()
        assert progress.complete
        assert len(server.seen) == 70
