"""Identities of processes, by which the same computer can later detect that one has ended."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_ENDED_STATES = frozenset("ZX")  # ended, but the number is still in use


@dataclass(frozen=True, slots=True)
class ProcessIdentity:
    """A process. `machine` is where its number is unique: one boot of one computer, and on Linux one process namespace,
    as containers have their own. `started` distinguishes it from a later process with the same number."""

    host: str  # name of the computer
    machine: str
    pid: int
    started: str  # empty if the system does not say


def this_process() -> ProcessIdentity:
    pid = os.getpid()
    return ProcessIdentity(socket.gethostname(), _machine_id(), pid, _start_time(pid) or "")


def has_ended(process: ProcessIdentity) -> bool:
    """Whether a process is known to have ended; False if this process cannot know."""
    if process.machine != _machine_id():
        return False
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        pass  # of another user
    started = _start_time(process.pid)
    return bool(process.started) and started is not None and started != process.started


def _machine_id() -> str:
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:  # not Linux
        return socket.gethostname()


def _start_time(pid: int) -> str | None:
    """Clock ticks from the boot to the start of a process; empty if it has ended, None if unknown."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()  # the name in parentheses may contain any character
    return "" if fields[0] in _ENDED_STATES else fields[19]
