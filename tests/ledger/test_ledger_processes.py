"""Several processes on one ledger, and the sudden end of one."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ledger_process import PLANNED, TOGETHER, open_and_close, write
from ledger_samples import an_ask

import forked  # noqa: F401  # sets what is loaded before processes begin
from affordance.ledger import Ledger, open_ledger
from patience import PATIENCE

CONTEXT = multiprocessing.get_context("forkserver")
ENDLESS = 10**9


def test_what_was_committed_survives_kill_9(where: str) -> None:
    with a_process(where, "killed", ENDLESS) as (process, channel):
        committed = _ids(channel, batches=4)
        process.kill()
        process.join(PATIENCE)
    with open_ledger(where) as ledger:
        assert committed <= _check_whole(ledger, "killed")
        number = ledger.add_response(
            "after", (0, 0, 0), an_ask("0"), ledger.get_response(min(committed)), run="r"
        ).result()
        assert number > max(committed)


def test_two_processes_make_and_fill_one_ledger(where: str) -> None:
    batches = 8
    count = batches * TOGETHER
    with a_process(where, "a", count) as one, a_process(where, "b", count) as two:
        ids = [_ids(channel, batches) for _, channel in (one, two)]
        for process, _ in (one, two):
            process.join(PATIENCE)
            assert process.exitcode == 0
    assert [len(of_one) for of_one in ids] == [count, count]
    assert ids[0].isdisjoint(ids[1])
    with open_ledger(where) as ledger:
        assert _check_whole(ledger, "a") == ids[0]
        assert _check_whole(ledger, "b") == ids[1]
        assert len(ledger.reusable_response_ids()) == count
        assert set(ledger.reusable_response_ids().values()) <= ids[0] | ids[1]


def test_processes_that_open_a_new_ledger_at_once_do_not_disturb_each_other(where: str) -> None:
    processes = [CONTEXT.Process(target=open_and_close, args=(where,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(PATIENCE)
    assert [process.exitcode for process in processes] == [0] * 4
    with open_ledger(where, read_only=True) as ledger:
        assert ledger.run_summaries() == []


@contextmanager
def a_process(where: str, name: str, count: int) -> Iterator[tuple[BaseProcess, Connection]]:
    """A process that opens the ledger and writes to it."""
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=write, args=(where, name, count, theirs))
    process.start()
    theirs.close()
    try:
        yield process, ours
    finally:
        process.kill()
        process.join(PATIENCE)
        ours.close()


def _ids(channel: Connection, batches: int) -> set[int]:
    return {number for _ in range(batches) for number in channel.recv()}


def _check_whole(ledger: Ledger, name: str) -> set[int]:
    """Whether every record of the run is there as a whole or not at all; the ids of its replies."""
    run = next(summary for summary in ledger.run_summaries() if summary.run.name == name)
    assert run.attempts.planned % PLANNED == 0
    [usage] = ledger.token_usage(run.run.id)  # joined with the asks
    found = [
        step for number in range(usage.responses) for step in ledger.steps_of([f"{name}-{number}"])[f"{name}-{number}"]
    ]
    assert len(found) == usage.responses
    return {step.response_id for step in found}
