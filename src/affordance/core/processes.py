"""Which process of which computer: enough to tell later, on the same computer, that it has ended."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_ENDED_STATES = frozenset("ZX")  # states of a process that has ended, and whose number is not free yet


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process. `machine` is where its number counts: one boot of one computer, and on Linux one namespace of
    processes, as containers have their own. `started` tells it from a later process of the same number."""

    host: str  # the computer's name
    machine: str
    pid: int
    started: str  # empty where the system does not say


def this_process() -> ProcessIdentity:
    pid = os.getpid()
    return ProcessIdentity(socket.gethostname(), _machine_id(), pid, _start_time(pid) or "")


def has_ended(process: ProcessIdentity) -> bool:
    """Whether a process is known to have ended; False where that cannot be known from here."""
    if process.machine != _machine_id():
        return False
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # it is another user's
    started = _start_time(process.pid)
    return bool(process.started) and started is not None and started != process.started


def _machine_id() -> str:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:  # not Linux
        return socket.gethostname()


def _start_time(pid: int) -> str | None:
    """In clock ticks since the computer was started; empty for a process that has ended, None where it is unknown."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # a program's name may hold anything
    return "" if fields[0] in _ENDED_STATES else fields[19]
