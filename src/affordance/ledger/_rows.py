"""Values to rows, as they are stored: JSON as canonical text, all text escaped.

Runs in the caller's thread: what cannot be stored is refused here, before it is queued, and no time is spent on
JSON while the database is locked.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from affordance.core.ask import Reply, Step
from affordance.core.attempt import Attempt, Verdict
from affordance.core.digest import canonical
from affordance.core.picture import Picture
from affordance.core.question import Question
from affordance.ledger._records import Asked, Run
from affordance.ledger._text import escape

Row = dict[str, str | int | float | bool | None]

_LARGEST = 2**63 - 1


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def run_row(run: Run) -> Row:
    return _stored(
        {
            "id": run.id,
            "name": run.name,
            "settings": canonical(dict(run.settings)),
            "dataset": canonical(dict(run.dataset)),
            "fresh": run.fresh,
            "created": run.created or now(),
        }
    )


def question_row(run: str, question: Question) -> Row:
    return _stored(
        {
            "run": run,
            "id": question.id,
            "task": question.task,
            "item": question.item,
            "axes": canonical(dict(question.axes)),
            "truth": question.truth,
            "tags": canonical(dict(question.tags)),
            "cluster": question.cluster,
        }
    )


def attempt_row(attempt: Attempt, task: str) -> Row:
    return _stored(
        {
            "id": attempt.id,
            "run": attempt.run,
            "question": attempt.question,
            "task": task,
            "model": attempt.model,
            "strategy": attempt.strategy,
            "trial": attempt.trial,
            "subject": attempt.subject,
        }
    )


def ask_row(asked: Asked) -> Row:
    address = asked.address
    return _stored(
        {
            "key": asked.key,
            "question": asked.question,
            "model": address.model,
            "base_url": address.base_url,
            "dialect": address.dialect,
            "pack": address.pack,
            "parameters": address.parameters_text,
            "transcript": asked.transcript,
        }
    )


def reply_row(key: str, run: str, reply: Reply, requests: int) -> Row:
    return _stored(
        {
            "key": key,
            "run": run,
            "finish": reply.finish.value,
            "error": reply.error,
            "permanent": reply.permanent,
            "input_tokens": _count(reply.usage.input),
            "output_tokens": _count(reply.usage.output),
            "reasoning_tokens": _count(reply.usage.reasoning),
            "seconds": _finite(reply.seconds),
            "served_by": reply.served_by,
            "requests": requests,
            "text": reply.text,
            "reasoning": reply.reasoning,
        }
    )


def step_row(attempt: str, step: Step, reply: int | None) -> Row:
    return _stored({"attempt": attempt, "round": step[0], "place": step[1], "retry": step[2], "reply": reply})


def verdict_row(attempt: str, verdict: Verdict, first: Verdict) -> Row:
    return _stored(
        {
            "attempt": attempt,
            "ended": verdict.ended.value,
            "answer": verdict.answer,
            "score": _finite(verdict.score),
            "reason": verdict.reason,
            "detail": canonical(verdict.detail) if verdict.detail else "{}",
            "first_ended": first.ended.value,
            "first_score": _finite(first.score),
        }
    )


def picture_row(picture: Picture) -> Row:
    return _stored({"digest": picture.digest, "source": picture.source, "recipe": canonical(picture.recipe())})


def source_rows(pictures: list[Picture], files: Mapping[str, Path]) -> list[Row]:
    """One row for each source whose place is known."""
    digests = dict.fromkeys(picture.source for picture in pictures)
    return [_stored({"digest": digest, "path": str(files[digest])}) for digest in digests if digest in files]


def _stored(row: Row) -> Row:
    return {name: escape(value) if isinstance(value, str) else value for name, value in row.items()}


def _count(tokens: int | None) -> int | None:
    if tokens is not None and not 0 <= tokens <= _LARGEST:
        raise ValueError(f"a count of tokens is at least 0 and has at most 63 bits, found {tokens}")
    return tokens


def _finite(value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise ValueError(f"a score or a time is a finite number or None, found {value}")
    return value
