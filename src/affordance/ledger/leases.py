"""Leases: which process sends the requests to the models of a run, so that two with the same command do not pay twice.

A lease of a run and a model also covers the judgements of that model's answers, so processes with different models of
one run do not exclude each other. A judge calibration is a run of its own, whose model is the judge.

The ledger's writer renews a lease. It is void if it was not renewed for `VOID_SECONDS`, or as soon as its holder, a
process of the same computer, has ended. A holder that may have lost its lease while it was suspended sends nothing
before it has renewed it.
"""

import secrets
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, select

from affordance.core.errors import UserError
from affordance.core.processes import ProcessIdentity, has_ended, this_process
from affordance.ledger.records import RunRecord
from affordance.ledger.row_mapping import now
from affordance.ledger.schema import leases

VOID_SECONDS = 30.0  # without renewal
RENEWAL_SECONDS = 5.0  # between two renewals
SAFE_SECONDS = 25.0  # after a renewal, in which the holder may send: no other process takes the lease earlier

# Of this process. The row of a released lease stays for a while if the ledger could not be written.
_held_tokens: set[str] = set()


class LeaseHeld(UserError):
    """Another process sends the requests to a model of this run."""

    def __init__(self, run: str, model: str, holder: ProcessIdentity, since: str) -> None:
        self.run, self.model, self.holder, self.since = run, model, holder, since
        super().__init__(
            f"run {run!r} is in progress: {_describe_process(holder)} has sent requests to {model} since "
            f"{_format_minute(since)}; "
            "wait until it ends, or stop it, then run the same command again"
        )


class Lease:
    """The right of this process to send requests to some models of a run. Methods with a connection are called in a
    transaction that holds the write lock."""

    def __init__(self, run: RunRecord, models: Sequence[str]) -> None:
        self.models = tuple(models)
        self.lost_reason = ""  # the message once another process has taken the lease
        self._run = run
        self._token = secrets.token_hex(16)
        self._renewed = 0.0

    @property
    def permits_requests(self) -> bool:
        return not self.models or (not self.lost_reason and _steady_time() - self._renewed < SAFE_SECONDS)

    @property
    def is_due(self) -> bool:
        """Whether it must be renewed now."""
        return bool(self.models) and not self.lost_reason and _steady_time() - self._renewed >= RENEWAL_SECONDS

    def acquire(self, connection: Connection) -> None:
        """Takes the lease. Raises `LeaseHeld` if another process has one of the models."""
        before, clock = _steady_time(), _database_time(connection)
        for row in connection.execute(select(leases).where(self._its_models())):
            # Its own row exists if the connection broke during the commit and this is repeated.
            if row.token != self._token and not _is_void(row, clock):
                raise LeaseHeld(self._run.name, row.model, _holder(row), row.since)
        connection.execute(leases.delete().where(self._its_models()))
        process = this_process()
        about = {
            "run": self._run.id,
            "token": self._token,
            "host": process.host,
            "machine": process.machine,
            "pid": process.pid,
            "started": process.started,
            "since": now(),
            "renewed": clock,
        }
        connection.execute(leases.insert(), [{**about, "model": model} for model in self.models])
        _held_tokens.add(self._token)
        self._renewed = before

    def renew(self, connection: Connection) -> None:
        """Renews the lease, or finds that another process has taken it."""
        before = _steady_time()
        renewed = leases.update().where(self._its_rows()).values(renewed=_database_time(connection))
        if connection.execute(renewed).rowcount == len(self.models):
            self._renewed = before
            return
        others = connection.execute(select(leases).where(self._its_models(), leases.c.token != self._token)).all()
        who = _describe_process(_holder(others[0])) if others else "another process"
        self.lost_reason = (
            f"{who} has taken over run {self._run.name!r}, as this process did not renew its lease for "
            f"{VOID_SECONDS:g} s; nothing more is sent"
        )

    def give_up(self) -> None:
        """Allows this process to take it again, whether the ledger can be written or not."""
        _held_tokens.discard(self._token)

    def release(self, connection: Connection) -> None:
        connection.execute(leases.delete().where(self._its_rows()))

    def _its_models(self) -> ColumnElement[bool]:
        return (leases.c.run == self._run.id) & leases.c.model.in_(self.models)

    def _its_rows(self) -> ColumnElement[bool]:
        return self._its_models() & (leases.c.token == self._token)


def _is_void(row: Row[Any], clock: float) -> bool:
    """Whether a lease is void. Clocks are adjusted and differ between computers: a time far in the future is void
    too."""
    holder = _holder(row)
    is_given_up = holder == this_process() and row.token not in _held_tokens
    return is_given_up or abs(clock - row.renewed) > VOID_SECONDS or has_ended(holder)


def _holder(row: Row[Any]) -> ProcessIdentity:
    return ProcessIdentity(row.host, row.machine, row.pid, row.started)


def _describe_process(holder: ProcessIdentity) -> str:
    return f"process {holder.pid} on {holder.host}"


def _format_minute(time: str) -> str:
    return f"{time[:16].replace('T', ' ')} UTC"


def _database_time(connection: Connection) -> float:
    """The time of the server if there is one: the clocks of its clients differ."""
    if connection.dialect.name == "postgresql":
        return float(connection.exec_driver_sql("SELECT extract(epoch FROM clock_timestamp())").scalar_one())
    return time.time()


def _steady_time() -> float:
    """A clock that is never adjusted and that continues while the computer sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()
