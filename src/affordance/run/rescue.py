"""Replies that the ledger could not take: written to a file, and brought in by the next run.

The file is next to the ledger. A ledger in Postgres has none in the same folder for all its users, so that the file is
in the user's data folder, whatever folder the command is run in."""

import errno
import fcntl
import json
import logging
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from affordance.core.ask import Address, Finish, Reply, Step, Usage
from affordance.core.errors import UserError
from affordance.core.places import data_folder
from affordance.ledger import Asked, Ledger, Written

_ENDING = ".rescue.jsonl"

_log = logging.getLogger("affordance.run")


@dataclass(frozen=True, slots=True)
class Rescued:
    """A reply with what the ledger needs to know about it; without the pictures' recipes, which are asked for again."""

    run: str
    attempt: str
    step: Step
    asked: Asked
    reply: Reply
    requests: int

    def line(self) -> str:
        address = {name: getattr(self.asked.address, name) for name in ("model", "base_url", "dialect", "pack")}
        found = {
            "run": self.run,
            "attempt": self.attempt,
            "step": self.step,
            "key": self.asked.key,
            "question": self.asked.question,
            "transcript": self.asked.transcript,
            "address": {**address, "parameters": dict(self.asked.address.parameters)},
            "reply": asdict(self.reply),
            "requests": self.requests,
        }
        return json.dumps(found) + "\n"


def save(rescued: list[Rescued], ledger: Ledger) -> Path | None:
    """Where they were saved: in the first place that has room; None if there is none anywhere."""
    data = "".join(one.line() for one in rescued).encode()
    for place in _places(ledger):
        try:
            if place.private:
                place.path.parent.mkdir(0o700, parents=True, exist_ok=True)
            with _held(place, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file:
                _append(file, data)
        except OSError:
            continue
        return place.path
    return None


def bring_in(ledger: Ledger) -> int:
    """Put what an earlier run had to save into the ledger; the number of replies."""
    brought = 0
    for place in (*_places(ledger), *_earlier_places(ledger)):
        try:
            with _held(place, os.O_RDONLY) as file:
                found = _read(file, place.path)
                promises = [_add(ledger, one) for one in found]
                for promise in promises:
                    promise.result()
                ledger.add_request_keys([one.asked.key for one in found])
                place.path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            if not place.private:
                raise UserError(f"{place.path} has replies for the ledger, but {error.strerror}; see to it") from None
            continue
        if promises:
            replies, are = (
                ("1 reply that was", "is") if len(promises) == 1 else (f"{len(promises)} replies that were", "are")
            )
            _log.warning("%s saved in %s %s in the ledger now", replies, place.path, are)
        brought += len(promises)
    return brought


@dataclass(frozen=True, slots=True)
class _Place:
    path: Path
    private: bool  # readable by its user alone; in a folder for all users, what another one has put there is not ours


def _places(ledger: Ledger) -> list[_Place]:
    """Named so that no other ledger takes them."""
    name = f"affordance-{ledger.mark}{_ENDING}"
    beside = [] if "://" in ledger.where else [_Place(Path(f"{ledger.where}{_ENDING}"), private=False)]
    folders = (data_folder() / "unsaved", Path(tempfile.gettempdir()))
    return [*beside, *(_Place(folder / name, private=True) for folder in folders)]


def _earlier_places(ledger: Ledger) -> list[_Place]:
    """Where earlier versions put them for a ledger in Postgres: the folder in which the command was run."""
    marks = dict.fromkeys([ledger.mark, ledger.legacy_mark]) if "://" in ledger.where else []
    here = [_Place(Path(f"affordance-{mark}{_ENDING}"), private=False) for mark in marks]
    temporary = _Place(Path(tempfile.gettempdir()) / f"affordance-{ledger.legacy_mark}{_ENDING}", private=True)
    return here if ledger.legacy_mark == ledger.mark else [*here, temporary]


@contextmanager
def _held(place: _Place, flags: int) -> Iterator[int]:
    """The file, for one process at a time. Whoever waited for one that is gone by then takes the next."""
    how = (os.O_NOFOLLOW, 0o600) if place.private else (0, 0o666)
    while True:
        file = os.open(place.path, flags | how[0], how[1])
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if place.private and os.fstat(file).st_uid != os.geteuid():
                raise PermissionError(errno.EPERM, "it is somebody else's", str(place.path))
            if place.path.exists() and place.path.stat().st_ino == os.fstat(file).st_ino:
                yield file
                return
        finally:
            os.close(file)


def _append(file: int, data: bytes) -> None:
    """All of it or nothing: half a line would spoil what comes after it."""
    size = os.fstat(file).st_size
    left = memoryview(b"\n" + data if size else data)  # a process that was killed may have left half a line
    try:
        while left:
            left = left[os.write(file, left) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _read(file: int, path: Path) -> list[Rescued]:
    with os.fdopen(os.dup(file), encoding="utf-8", errors="replace") as text:
        lines = list(text)
    found = []
    for number, line in enumerate(lines, 1):
        if not line.rstrip().endswith("}"):  # empty, or half a line of a process that was killed
            continue
        try:
            found.append(_rescued(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}:{number}: expected a reply that was saved for the ledger, found something else "
                f"({type(error).__name__}); take the line out, or move the file away, and run the command again"
            ) from None
    return found


def _rescued(found: dict[str, Any]) -> Rescued:
    reply = dict(found["reply"])
    usage, finish = Usage(**reply.pop("usage")), Finish(reply.pop("finish"))
    number, place, retry = found["step"]
    asked = Asked(found["key"], Address(**found["address"]), found["question"], found["transcript"])
    said = Reply(**reply, usage=usage, finish=finish)
    return Rescued(found["run"], found["attempt"], (number, place, retry), asked, said, found["requests"])


def _add(ledger: Ledger, one: Rescued) -> Written[int]:
    return ledger.add_reply(one.attempt, one.step, one.asked, one.reply, run=one.run, requests=one.requests)
