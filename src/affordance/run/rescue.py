"""Replies that the ledger could not take: written to a file beside it, and brought in by the next run."""

import fcntl
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal

from affordance.core.ask import Address, Finish, Reply, Step, Usage
from affordance.ledger import Asked, Ledger


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


def save(rescued: list[Rescued], ledger: str) -> Path | None:
    """Where they were saved: beside the ledger, or in the folder for temporary files if there is no room; None if
    there is none anywhere."""
    for path in _places(ledger):
        try:
            with _held(path, "a") as file:
                file.writelines(one.line() for one in rescued)
        except OSError:
            continue
        return path
    return None


def bring_in(ledger: Ledger, name: str) -> int:
    """Put what an earlier run had to save into the ledger; the number of replies."""
    brought = 0
    for path in _places(name):
        try:
            with _held(path, "r") as file:
                futures = [_add(ledger, json.loads(line)) for line in file.read().splitlines() if line.endswith("}")]
                for future in futures:
                    future.result()
                path.unlink()
        except FileNotFoundError:
            continue
        brought += len(futures)
    return brought


@contextmanager
def _held(path: Path, mode: Literal["a", "r"]) -> Iterator[IO[str]]:
    """The file, for one process at a time. Whoever waited for one that is gone by then takes the next."""
    while True:
        with path.open(mode, encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if path.exists() and path.stat().st_ino == os.fstat(file.fileno()).st_ino:
                yield file
                return


def _add(ledger: Ledger, found: dict[str, Any]) -> Any:
    reply = found["reply"]
    usage, finish = Usage(**reply.pop("usage")), Finish(reply.pop("finish"))
    number, place, retry = found["step"]
    return ledger.add_reply(
        found["attempt"],
        (number, place, retry),
        Asked(found["key"], Address(**found["address"]), found["question"], found["transcript"]),
        Reply(**reply, usage=usage, finish=finish),
        run=found["run"],
        requests=found["requests"],
    )


def _places(ledger: str) -> list[Path]:
    path = Path("affordance") if "://" in ledger else Path(ledger)
    name = f"{path.name}.rescue.jsonl"
    return [path.with_name(name), Path(tempfile.gettempdir()) / name]
