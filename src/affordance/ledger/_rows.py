"""Values to rows, as they are stored: JSON as canonical text, and escaped what is not our own wording or a digest.

Runs in the caller's thread: what cannot be stored is refused here, before it is queued, and no time is spent on
JSON while the database is locked.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from affordance.core.ask import Reply, Step
from affordance.core.attempt import Attempt, Verdict
from affordance.core.digest import Json, canonical
from affordance.core.grammar import answer_format_to_json
from affordance.core.picture import Visual
from affordance.core.question import Question
from affordance.ledger._records import Asked, Certificate, Run, VerdictOrigin
from affordance.ledger._text import escape

Row = dict[str, str | int | float | bool | None]

_LARGEST = 2**63 - 1


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def run_row(run: Run) -> Row:
    return {
        "id": escape(run.id),
        "name": escape(run.name),
        "settings": escape(canonical(dict(run.settings))),
        "dataset": escape(canonical(dict(run.dataset))),
        "fresh": run.fresh,
        "created": run.created or now(),
    }


def question_row(run: str, question: Question) -> Row:
    return {
        "run": escape(run),
        "id": question.id,
        "task": escape(question.task),
        "item": escape(question.item),
        "axes": _mapping(question.axes),
        "truth": escape(question.truth),
        "tags": _mapping(question.tags),
        "cluster": escape(question.cluster),
    }


def attempt_row(attempt: Attempt, task: str) -> Row:
    return {
        "id": attempt.id,
        "run": escape(attempt.run),
        "question": attempt.question,
        "task": escape(task),
        "model": escape(attempt.model),
        "strategy": escape(attempt.strategy),
        "trial": attempt.trial,
        "subject": attempt.subject,
    }


def ask_row(asked: Asked) -> Row:
    address = asked.address
    return {
        "key": asked.key,
        "question": asked.question,
        "model": escape(address.model),
        "base_url": escape(address.base_url),
        "dialect": escape(address.dialect),
        "pack": address.pack,
        "parameters": escape(address.parameters_text),
        "transcript": escape(asked.transcript),
    }


def reply_row(key: str, run: str, reply: Reply, requests: int) -> Row:
    return {
        "key": key,
        "run": escape(run),
        "finish": reply.finish.value,
        "error": escape(reply.error),
        "permanent": reply.permanent,
        "input_tokens": _count(reply.usage.input),
        "output_tokens": _count(reply.usage.output),
        "reasoning_tokens": _count(reply.usage.reasoning),
        "seconds": _finite(reply.seconds),
        "served_by": escape(reply.served_by),
        "requests": requests,
        "text": escape(reply.text),
        "reasoning": escape(reply.reasoning),
    }


def step_row(attempt: str, step: Step, reply: int | None) -> Row:
    return {"attempt": attempt, "round": step[0], "place": step[1], "retry": step[2], "reply": reply}


def verdict_row(attempt: str, verdict: Verdict, first: Verdict) -> Row:
    return {
        "attempt": attempt,
        "ended": verdict.ended.value,
        "answer": None if verdict.answer is None else escape(verdict.answer),
        "score": _share(verdict.score),
        "reason": escape(verdict.reason),
        "detail": _mapping(verdict.detail),
        "first_ended": first.ended.value,
        "first_score": _share(first.score),
    }


def verdict_origin_row(origin: VerdictOrigin) -> Row:
    """The writer adds the verdict's id."""
    found = origin.answer_format
    text = None if found is None else escape(canonical(answer_format_to_json(found)))
    return {"response": origin.response, "answer_format": text, "parser_version": origin.parser_version}


def picture_row(picture: Visual) -> Row:
    return {"digest": picture.digest, "source": picture.source, "recipe": escape(canonical(picture.recipe()))}


def source_rows(files: Mapping[str, Path]) -> list[Row]:
    """Where sources lie, by the digest of their content."""
    return [{"digest": digest, "path": escape(str(path))} for digest, path in files.items()]


def certificate_row(certificate: Certificate) -> Row:
    address = certificate.address
    return {
        "id": certificate.id,
        "task": escape(certificate.task),
        "judge": escape(address.model),
        "base_url": escape(address.base_url),
        "pack": address.pack,
        "prompt": escape(certificate.prompt),
        "parameters": escape(address.parameters_text),
        "created": certificate.created or now(),
        "document": escape(canonical(dict(certificate.document))),
    }


def _mapping(values: Mapping[str, Json]) -> str:
    return escape(canonical(dict(values))) if values else "{}"


def _count(tokens: int | None) -> int | None:
    if tokens is not None and not 0 <= tokens <= _LARGEST:
        raise ValueError(f"a count of tokens is at least 0 and has at most 63 bits, found {tokens}")
    return tokens


def _finite(seconds: float) -> float:
    if not math.isfinite(seconds):
        raise ValueError(f"a time is a finite number, found {seconds}")
    return seconds


def _share(score: float | None) -> float | None:
    if score is not None and not 0 <= score <= 1:
        raise ValueError(f"a score is None or a number from 0, wrong, to 1, right; found {score}")
    return score
