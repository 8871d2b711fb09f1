"""Responses that the ledger could not store: written to a file, which the next run imports.

The file is next to the ledger. For a ledger in Postgres it is in the user's data folder, whatever the current folder
is."""

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

from affordance.core.errors import UserError
from affordance.core.paths import data_dir
from affordance.core.requests import CallSettings, FinishReason, RequestStep, Response, TokenUsage
from affordance.ledger import Ledger, RequestRecord, WriteFuture

_SUFFIX = ".rescue.jsonl"

_log = logging.getLogger("affordance.evaluation")


@dataclass(frozen=True, slots=True)
class UnsavedResponse:
    """A response with its request record; without recipes of images, which are recorded again when needed."""

    run: str
    attempt: str
    step: RequestStep
    request_record: RequestRecord
    response: Response
    requests: int

    def to_json_line(self) -> str:
        call = self.request_record.call
        found = {
            "run": self.run,
            "attempt": self.attempt,
            "step": self.step,
            "key": self.request_record.key,
            "question": self.request_record.question_id,
            "transcript": self.request_record.transcript,
            "address": {
                "model": call.model,
                "base_url": call.base_url,
                "dialect": call.dialect,
                "pack": call.prompt_digest,
                "parameters": dict(call.parameters),
            },
            "reply": asdict(self.response),
            "requests": self.requests,
        }
        return json.dumps(found) + "\n"


def save_unsaved(unsaved: list[UnsavedResponse], ledger: Ledger) -> Path | None:
    """The file they were saved in: the first place with room; None if there is none."""
    data = "".join(one.to_json_line() for one in unsaved).encode()
    for place in _unsaved_files(ledger):
        try:
            if place.private:
                place.path.parent.mkdir(0o700, parents=True, exist_ok=True)
            with _lock_file(place, os.O_RDWR | os.O_APPEND | os.O_CREAT) as file:
                _append(file, data)
        except OSError:
            continue
        return place.path
    return None


def describe_saved(unsaved: list[UnsavedResponse], ledger: Ledger) -> str:
    """Save responses that the ledger could not store, except errors. Where they are, as the end of a sentence."""
    kept = [one for one in unsaved if not one.response.failed]
    if not kept:
        return ""
    path = save_unsaved(kept, ledger)
    if path is None:
        return f"; {len(kept)} responses could not be stored anywhere"
    return f"; {len(kept)} responses could not be stored; they are in {path}, and the next run imports them"


def import_unsaved(ledger: Ledger) -> int:
    """Import responses that an earlier run could not store; their number."""
    imported = 0
    for place in (*_unsaved_files(ledger), *_legacy_files(ledger)):
        try:
            with _lock_file(place, os.O_RDONLY) as file:
                found = _read_unsaved(file, place.path)
                writes = [_add_to_ledger(ledger, one) for one in found]
                for write in writes:
                    write.result()
                ledger.add_request_keys([one.request_record.key for one in found])
                place.path.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            if not place.private:
                raise UserError(
                    f"{place.path} has responses for the ledger, but cannot be read: {error.strerror}"
                ) from None
            continue
        if writes:
            replies, are = (
                ("1 response that was", "is") if len(writes) == 1 else (f"{len(writes)} responses that were", "are")
            )
            _log.warning("%s saved in %s %s in the ledger now", replies, place.path, are)
        imported += len(writes)
    return imported


@dataclass(frozen=True, slots=True)
class _UnsavedFile:
    path: Path
    private: bool  # readable by its user alone; in a folder for all users, what another one has put there is not ours


def _unsaved_files(ledger: Ledger) -> list[_UnsavedFile]:
    """Named so that no other ledger takes them."""
    name = f"affordance-{ledger.fingerprint}{_SUFFIX}"
    next_to_ledger = (
        [] if "://" in ledger.location else [_UnsavedFile(Path(f"{ledger.location}{_SUFFIX}"), private=False)]
    )
    folders = (data_dir() / "unsaved", Path(tempfile.gettempdir()))
    return [*next_to_ledger, *(_UnsavedFile(folder / name, private=True) for folder in folders)]


def _legacy_files(ledger: Ledger) -> list[_UnsavedFile]:
    """Where earlier versions put them for a ledger in Postgres: the folder in which the command was run."""
    marks = dict.fromkeys([ledger.fingerprint, ledger.legacy_fingerprint]) if "://" in ledger.location else []
    here = [_UnsavedFile(Path(f"affordance-{mark}{_SUFFIX}"), private=False) for mark in marks]
    temporary = _UnsavedFile(
        Path(tempfile.gettempdir()) / f"affordance-{ledger.legacy_fingerprint}{_SUFFIX}", private=True
    )
    return here if ledger.legacy_fingerprint == ledger.fingerprint else [*here, temporary]


@contextmanager
def _lock_file(unsaved_file: _UnsavedFile, flags: int) -> Iterator[int]:
    """The file, for one process at a time. A process that waited for a file that was removed meanwhile takes the
    next."""
    how = (os.O_NOFOLLOW, 0o600) if unsaved_file.private else (0, 0o666)
    while True:
        file = os.open(unsaved_file.path, flags | how[0], how[1])
        try:
            fcntl.flock(file, fcntl.LOCK_EX)
            if unsaved_file.private and os.fstat(file).st_uid != os.geteuid():
                raise PermissionError(errno.EPERM, "it belongs to another user", str(unsaved_file.path))
            if unsaved_file.path.exists() and unsaved_file.path.stat().st_ino == os.fstat(file).st_ino:
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


def _read_unsaved(file: int, path: Path) -> list[UnsavedResponse]:
    with os.fdopen(os.dup(file), encoding="utf-8", errors="replace") as text:
        lines = list(text)
    found = []
    for number, line in enumerate(lines, 1):
        if not line.rstrip().endswith("}"):  # empty, or half a line of a process that was killed
            continue
        try:
            found.append(_parse_unsaved(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError(
                f"{path}:{number}: expected a response that was saved for the ledger, found something else "
                f"({type(error).__name__}); take the line out, or move the file away, and run the command again"
            ) from None
    return found


def _parse_unsaved(found: dict[str, Any]) -> UnsavedResponse:
    reply = dict(found["reply"])
    usage, finish = TokenUsage(**reply.pop("usage")), FinishReason(reply.pop("finish"))
    number, place, retry = found["step"]
    address = found["address"]
    call = CallSettings(
        address["model"], address["base_url"], address["dialect"], address["pack"], address["parameters"]
    )
    asked = RequestRecord(found["key"], call, found["question"], found["transcript"])
    said = Response(**reply, usage=usage, finish=finish)
    return UnsavedResponse(found["run"], found["attempt"], (number, place, retry), asked, said, found["requests"])


def _add_to_ledger(ledger: Ledger, one: UnsavedResponse) -> WriteFuture[int]:
    return ledger.add_response(
        one.attempt, one.step, one.request_record, one.response, run=one.run, requests=one.requests
    )
