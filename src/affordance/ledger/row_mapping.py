"""Records to rows and back: the only module that knows the names of both.

JSON is stored as canonical text; text that is not ours is escaped. Rows are made in the caller's thread: invalid values
are refused before they are queued, and no time is spent on JSON while the database is locked.
"""

import json
import math
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Row

from affordance.core.attempts import Attempt, AttemptStatus, Verdict
from affordance.core.errors import LedgerError
from affordance.core.json_text import Json, canonical_json
from affordance.core.media_spec import MediaSpec
from affordance.core.question import AnswerFormat, Question, answer_format_from_json, answer_format_to_json
from affordance.core.requests import FinishReason, RequestStep, Response, TokenUsage
from affordance.ledger.records import (
    DocumentRevision,
    JudgeCalibration,
    RequestRecord,
    RunRecord,
    SavedBatch,
    VerdictOrigin,
)
from affordance.ledger.schema import escape, unescape

RowValues = dict[str, str | int | float | bool | None]

_MAX_INT64 = 2**63 - 1
_DECODER = json.JSONDecoder()
_STATUSES_BY_VALUE = {status.value: status for status in AttemptStatus}  # a tenth of the time of AttemptStatus(...)


def now() -> str:
    """The current time as it is stored: UTC, ISO 8601, with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def run_row(run: RunRecord) -> RowValues:
    return {
        "id": escape(run.id),
        "name": escape(run.name),
        "settings": escape(canonical_json(dict(run.settings))),
        "dataset": escape(canonical_json(dict(run.dataset))),
        "fresh": run.fresh,
        "created": run.created or now(),
    }


def question_row(run: str, question: Question) -> RowValues:
    return {
        "run": escape(run),
        "id": question.id,
        "task": escape(question.task),
        "item": escape(question.item),
        "axes": _json_text(question.axes),
        "truth": escape(question.truth),
        "tags": _json_text(question.tags),
        "cluster": escape(question.cluster),
    }


def attempt_row(attempt: Attempt, task: str) -> RowValues:
    return {
        "id": attempt.id,
        "run": escape(attempt.run_id),
        "question": attempt.question_id,
        "task": escape(task),
        "model": escape(attempt.model),
        "strategy": escape(attempt.strategy),
        "trial": attempt.trial,
        "subject": attempt.judged_attempt_id,
    }


def request_row(request: RequestRecord) -> RowValues:
    call = request.call
    return {
        "key": request.key,
        "question": request.question_id,
        "model": escape(call.model),
        "base_url": escape(call.base_url),
        "dialect": escape(call.dialect),
        "pack": call.prompt_digest,
        "parameters": escape(call.parameters_text),
        "transcript": escape(request.transcript),
    }


def response_row(key: str, run: str, response: Response, requests: int) -> RowValues:
    return {
        "key": key,
        "run": escape(run),
        "finish": response.finish.value,
        "error": escape(response.error),
        "permanent": response.permanent,
        "input_tokens": _check_token_count(response.usage.input),
        "output_tokens": _check_token_count(response.usage.output),
        "reasoning_tokens": _check_token_count(response.usage.reasoning),
        "seconds": _check_finite(response.seconds),
        "served_by": escape(response.served_by),
        "requests": requests,
        "text": escape(response.text),
        "reasoning": escape(response.reasoning),
    }


def step_row(attempt: str, step: RequestStep, response_id: int | None) -> RowValues:
    return {"attempt": attempt, "round": step[0], "place": step[1], "retry": step[2], "reply": response_id}


def verdict_row(attempt: str, verdict: Verdict, first: Verdict) -> RowValues:
    return {
        "attempt": attempt,
        "ended": verdict.status.value,
        "answer": None if verdict.answer is None else escape(verdict.answer),
        "score": _check_score(verdict.score),
        "reason": escape(verdict.reason),
        "detail": _json_text(verdict.detail),
        "first_ended": first.status.value,
        "first_score": _check_score(first.score),
    }


def verdict_origin_row(origin: VerdictOrigin) -> RowValues:
    """The writer adds the verdict's id."""
    found = origin.answer_format
    text = None if found is None else _answer_format_text(found)
    return {"response": origin.response_id, "answer_format": text, "parser_version": origin.parser_version}


@lru_cache(maxsize=1024)
def _answer_format_text(answer_format: AnswerFormat) -> str:
    return escape(canonical_json(answer_format_to_json(answer_format)))


def media_row(spec: MediaSpec) -> RowValues:
    return {"digest": spec.digest, "source": spec.source, "recipe": escape(canonical_json(spec.to_recipe()))}


def source_rows(source_paths: Mapping[str, Path]) -> list[RowValues]:
    """Where sources lie, by the digest of their content."""
    return [{"digest": digest, "path": escape(str(path))} for digest, path in source_paths.items()]


def judge_calibration_row(calibration: JudgeCalibration) -> RowValues:
    call = calibration.judge
    return {
        "id": calibration.id,
        "task": escape(calibration.task),
        "judge": escape(call.model),
        "base_url": escape(call.base_url),
        "pack": call.prompt_digest,
        "prompt": escape(calibration.prompt),
        "parameters": escape(call.parameters_text),
        "created": calibration.created or now(),
        "document": escape(canonical_json(dict(calibration.measurements))),
    }


def _json_text(values: Mapping[str, Json]) -> str:
    return escape(canonical_json(dict(values))) if values else "{}"


def _check_token_count(tokens: int | None) -> int | None:
    if tokens is not None and not 0 <= tokens <= _MAX_INT64:
        raise ValueError(f"expected a token count from 0 to 2**63 - 1, found {tokens}")
    return tokens


def _check_finite(seconds: float) -> float:
    if not math.isfinite(seconds):
        raise ValueError(f"expected a finite number of seconds, found {seconds}")
    return seconds


def _check_score(score: float | None) -> float | None:
    if score is not None and not 0 <= score <= 1:
        raise ValueError(f"expected None or a score from 0 to 1, found {score}")
    return score


def run_from_row(row: Row[Any]) -> RunRecord:
    return RunRecord(row.id, row.name, json.loads(row.settings), json.loads(row.dataset), row.fresh, row.created)


def response_from_row(row: Row[Any]) -> Response:
    return Response(
        text=row.text,
        reasoning=row.reasoning,
        finish=FinishReason(row.finish),
        error=row.error,
        permanent=row.permanent,
        usage=TokenUsage(row.input_tokens, row.output_tokens, row.reasoning_tokens),
        seconds=row.seconds,
        served_by=row.served_by,
    )


def verdict_from_values(status: str, answer: str | None, score: float | None, reason: str, detail: str) -> Verdict:
    """A verdict of texts as they are stored."""
    if answer is not None:
        answer = unescape(answer)
    found = {} if detail == "{}" else _DECODER.raw_decode(unescape(detail))[0]
    return Verdict(_STATUSES_BY_VALUE[status], answer, score, reason and unescape(reason), found)


@lru_cache
def first_verdict_from_values(status: str, score: float | None) -> Verdict:
    return Verdict(AttemptStatus(status), score=score)


def verdict_origin_from_values(
    response_id: int | None, answer_format: str | None, parser_version: int
) -> VerdictOrigin:
    parsed = None if answer_format is None else answer_format_from_json(json.loads(answer_format))
    return VerdictOrigin(response_id, parsed, parser_version)


def revision_row(revision: DocumentRevision) -> RowValues:
    return {
        "id": revision.id,
        "screen": escape(revision.scope),
        "kind": escape(str(revision.kind)),
        "subject": escape(revision.subject),
        "version": revision.version,
        "author": escape(revision.author),
        "created": escape(revision.created),
        "document": escape(canonical_json(dict(revision.document))),
    }


def revision_from_row(row: Iterable[Any]) -> DocumentRevision:
    id_, scope, kind, subject, version, author, created, document = row
    try:
        found = json.loads(document)
    except ValueError:
        raise LedgerError(
            f"{kind} {subject}, version {version}, contains invalid JSON; restore the database from a backup"
        ) from None
    return DocumentRevision(id_, kind, subject, scope, version, author, created, found)


def edit_batch_row(saved: SavedBatch) -> RowValues:
    return {
        "key": escape(saved.batch.key),
        "author": escape(saved.batch.author),
        "created": saved.created,
        "content": escape(saved.batch.content_digest),
        "revisions": json.dumps([one.id for one in saved.revisions]),
    }
