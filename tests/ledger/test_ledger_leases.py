"""Leases: one process sends the requests of a run's model."""

import multiprocessing
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from ledger_process import hold
from ledger_samples import a_run

import forked  # noqa: F401  # sets what is loaded before processes begin
from affordance.core.processes import this_process
from affordance.ledger import LeaseHeld, Ledger, RunRecord, leases, open_ledger
from affordance.ledger.connections import write_connection
from affordance.ledger.schema import leases as table
from errors import raises
from patience import PATIENCE, until

CONTEXT = multiprocessing.get_context("forkserver")


@pytest.fixture
def run(ledger: Ledger) -> RunRecord:
    return ledger.begin_run(a_run("leased"))


def rows(ledger: Ledger) -> dict[str, Mapping[str, Any]]:
    """By model."""
    with ledger.database.engine.connect() as connection:
        return {row["model"]: dict(row) for row in connection.execute(table.select()).mappings()}


def change(ledger: Ledger, **values: object) -> None:
    """What another process may have written, or a long time."""
    with write_connection(ledger.database.engine) as connection, connection.begin():
        connection.execute(table.update().values(values))


@contextmanager
def a_second(where: str, run: RunRecord, *models: str) -> Iterator[leases.Lease]:
    with open_ledger(where) as ledger, ledger.lease(run, models) as lease:
        yield lease


def test_a_second_one_is_refused_until_the_first_is_done(where: str, ledger: Ledger, run: RunRecord) -> None:
    ours = this_process()
    with ledger.lease(run, ["one", "two"]) as lease:
        assert lease.permits_requests
        with raises(LeaseHeld, run.name, ours.pid, ours.host, "two") as caught, a_second(where, run, "two", "three"):
            pass
        assert (caught.value.holder, caught.value.model) == (ours, "two")
        assert set(rows(ledger)) == {"one", "two"}, "all of them or none"
        with a_second(where, run, "three") as other:
            assert other.permits_requests
        with a_second(where, a_run("another"), "one"):
            pass
    assert rows(ledger) == {}
    with a_second(where, run, "one", "two"):
        pass


def test_without_models_there_is_nothing_to_hold(ledger: Ledger, run: RunRecord) -> None:
    with ledger.lease(run, []) as lease:
        assert lease.permits_requests
        assert not lease.is_due
        assert rows(ledger) == {}


def test_a_killed_holder_is_replaced_at_once(where: str, ledger: Ledger, run: RunRecord) -> None:
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=hold, args=(where, run, "one", theirs))
    process.start()
    theirs.close()
    assert ours.recv()
    with raises(LeaseHeld, process.pid), ledger.lease(run, ["one"]):
        pass
    process.kill()
    process.join(PATIENCE)
    ours.close()
    assert set(rows(ledger)) == {"one"}, "it had no time to give it back"
    with ledger.lease(run, ["one"]) as lease:
        assert lease.permits_requests


@pytest.mark.parametrize(
    ("of_holder", "is_void"),
    [
        ({"machine": "another"}, False),
        ({"machine": "another", "pid": 2**22 + 1}, False),
        ({"pid": 2**22 + 1}, True),  # no system has a process of this number
        ({"started": "1"}, True),  # another process has its number
    ],
)
def test_a_holder_of_this_computer_that_has_ended(
    where: str, ledger: Ledger, run: RunRecord, of_holder: Mapping[str, object], is_void: bool
) -> None:
    with ledger.lease(run, ["one"]):
        change(ledger, **of_holder)
        if is_void:
            with a_second(where, run, "one") as lease:
                assert lease.permits_requests
        else:
            with raises(LeaseHeld, run.name), a_second(where, run, "one"):
                pass


@pytest.mark.parametrize(("seconds", "is_void"), [(-40, True), (-20, False), (20, False), (40, True)])
def test_a_lease_that_was_not_renewed(
    where: str, ledger: Ledger, run: RunRecord, seconds: float, is_void: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its holder runs or not; a time in the future is one of a clock that was set."""
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", PATIENCE)
    with ledger.lease(run, ["one"]) as lease:
        change(ledger, renewed=rows(ledger)["one"]["renewed"] + seconds)
        if not is_void:
            with raises(LeaseHeld, run.name), a_second(where, run, "one"):
                pass
            return
        with a_second(where, run, "one"):
            with write_connection(ledger.database.engine) as connection, connection.begin():
                lease.renew(connection)
            assert str(this_process().pid) in lease.lost_reason
            assert not lease.permits_requests
        assert rows(ledger) == {}


def test_the_writer_renews_it(where: str, ledger: Ledger, run: RunRecord, monkeypatch: pytest.MonkeyPatch) -> None:
    """And nothing is to be sent while that has not been done for too long, nor once another process has it."""
    monkeypatch.setattr(leases, "RENEWAL_SECONDS", 0.05)
    with open_ledger(where) as quick, quick.lease(run, ["one"]) as lease:
        first = rows(quick)["one"]["renewed"]
        until(lambda: rows(quick)["one"]["renewed"] > first)
        with monkeypatch.context() as patch:
            patch.setattr(leases, "SAFE_SECONDS", 0.0)
            assert not lease.permits_requests
        until(lambda: lease.permits_requests)
        change(quick, token="another process")
        until(lambda: lease.lost_reason)
        assert not lease.permits_requests


def test_what_this_process_could_not_give_back_does_not_keep_it_out(where: str, ledger: Ledger, run: RunRecord) -> None:
    with ledger.lease(run, ["one"]):
        (row,) = rows(ledger).values()
    with write_connection(ledger.database.engine) as connection, connection.begin():
        connection.execute(table.insert(), row)
    with a_second(where, run, "one") as lease:
        assert lease.permits_requests


def test_the_clock_is_that_of_the_database(where: str, ledger: Ledger, run: RunRecord) -> None:
    with ledger.lease(run, ["one"]):
        found = rows(ledger)["one"]["renewed"]
    assert found == pytest.approx(time.time(), abs=PATIENCE)
