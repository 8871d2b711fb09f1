"""Replies that the ledger could not take: written to a file beside it, and brought in by the next run."""

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

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
            with path.open("a", encoding="utf-8") as file:
                file.writelines(one.line() for one in rescued)
        except OSError:
            continue
        return path
    return None


def bring_in(ledger: Ledger, name: str) -> int:
    """Put what an earlier run had to save into the ledger; the number of replies."""
    brought = 0
    for path in _places(name):
        if not path.exists():
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        futures = [_add(ledger, json.loads(line)) for line in lines if line.endswith("}")]
        for future in futures:
            future.result()
        path.unlink()
        brought += len(futures)
    return brought


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
