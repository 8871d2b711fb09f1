"""Reading. Each function is one or two queries on a connection of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    String,
    case,
    func,
    inspect,
    null,
    or_,
    select,
    true,
    type_coerce,
)

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.json_text import Json
from affordance.core.question import answer_format_from_json
from affordance.core.requests import CallSettings, FinishReason, Response
from affordance.ledger.legacy_keys import current_keys, with_current_key
from affordance.ledger.records import (
    AttemptStep,
    JudgeCalibration,
    MediaRecord,
    ModelUsage,
    RequestTotals,
    ResponseCount,
    RunEntry,
    RunRecord,
    RunSummary,
    StatusCounts,
    UncountedResponse,
    VerdictOrigin,
)
from affordance.ledger.row_mapping import (
    first_verdict_from_values,
    response_from_row,
    run_from_row,
    verdict_from_values,
)
from affordance.ledger.schema import (
    EscapedText,
    attempts,
    judge_calibrations,
    media_specs,
    questions,
    requests,
    responses,
    runs,
    sources,
    steps,
    unescape,
    verdict_origins,
    verdicts,
)

_CHUNK_SIZE = 1000


_UNUSABLE = (FinishReason.ERROR.value, FinishReason.UNSUPPORTED.value)
_NOT_ALL_COUNTED = or_(responses.c.input_tokens.is_(None), responses.c.output_tokens.is_(None))
_WITHOUT_COUNT = _NOT_ALL_COUNTED & responses.c.finish.not_in(_UNUSABLE)


def read_runs(connection: Connection) -> list[RunRecord]:
    return [run_from_row(row) for row in connection.execute(select(runs).order_by(runs.c.created, runs.c.id))]


def read_run(connection: Connection, where: ColumnElement[bool]) -> RunRecord | None:
    row = connection.execute(select(runs).where(where)).first()
    return None if row is None else run_from_row(row)


def read_run_summaries(connection: Connection) -> list[RunSummary]:
    is_judgement = attempts.c.subject != ""
    counts = (
        select(attempts.c.run, is_judgement.label("judgement"), verdicts.c.ended, func.count().label("number"))
        .select_from(_with_latest_verdict(attempts))
        .group_by(attempts.c.run, is_judgement, verdicts.c.ended)
    )
    found: dict[tuple[str, bool], dict[AttemptStatus | None, int]] = {}
    for row in connection.execute(counts):
        ended = None if row.ended is None else AttemptStatus(row.ended)
        found.setdefault((row.run, bool(row.judgement)), {})[ended] = row.number
    return [
        RunSummary(run, _status_counts(found.get((run.id, False), {})), _status_counts(found.get((run.id, True), {})))
        for run in read_runs(connection)
    ]


def read_reusable_response_ids(connection: Connection, fresh_run: str | None) -> dict[str, int]:
    query = select(responses.c.key, func.max(responses.c.id).label("newest")).where(
        responses.c.finish.not_in(_UNUSABLE)
    )
    if fresh_run is not None:
        query = query.where(responses.c.run == fresh_run)
    current = current_keys(connection)
    found: dict[str, int] = {}
    for row in connection.execute(query.group_by(responses.c.key)):
        key = current.get(row.key, row.key)
        found[key] = max(row.newest, found.get(key, 0))
    return found


def read_response(connection: Connection, response_id: int) -> Response | None:
    row = connection.execute(select(responses).where(responses.c.id == response_id)).first()
    return None if row is None else response_from_row(row)


def read_statuses(connection: Connection, run: str) -> dict[str, AttemptStatus]:
    query = (
        select(attempts.c.id, verdicts.c.ended)
        .select_from(_with_latest_verdict(attempts))
        .where(attempts.c.run == run, verdicts.c.ended.is_not(None))
    )
    return {attempt: AttemptStatus(ended) for attempt, ended in connection.execute(query)}


def read_verdicts(connection: Connection, attempt: str) -> list[Verdict]:
    columns = [_raw(verdicts.c[name]) for name in ("ended", "answer", "score", "reason", "detail")]
    query = select(*columns).where(verdicts.c.attempt == attempt).order_by(verdicts.c.id)
    return [verdict_from_values(*row) for row in connection.execute(query)]


def read_attempt_results(connection: Connection, run: str, *, judgements: bool) -> Iterator[AttemptResult]:
    """Questions are read once, not with each attempt at them: there are many models, and several trials. The index has
    the order of task and model; what is left of sorting is done here, by numbers instead of texts."""
    asked = {row.id: row for row in connection.execute(select(questions).where(questions.c.run == run))}
    tags = {text: json.loads(text) for text in {row.tags for row in asked.values()}}
    in_order = sorted(asked, key=lambda question: (asked[question].item, asked[question].axes))
    place = {question: number for number, question in enumerate(in_order)}
    of_attempt = ("task", "model", "strategy", "trial", "id", "question")
    of_verdict = ("ended", "first_ended", "first_score", "answer", "score", "reason", "detail")
    columns = [_raw(attempts.c[name]) for name in of_attempt] + [_raw(verdicts.c[name]) for name in of_verdict]
    source = _with_latest_verdict(attempts)
    version: ColumnElement[Any] = null()
    if _has_origins(connection):
        source = source.outerjoin(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)
        version = verdict_origins.c.parser_version
    query = (
        select(*columns, version)
        .select_from(source)
        .where(attempts.c.run == run, (attempts.c.subject != "") if judgements else (attempts.c.subject == ""))
        .order_by(attempts.c.task, attempts.c.model)
    )
    found = connection.execution_options(yield_per=_CHUNK_SIZE).execute(query)
    for names, group in groupby(map(tuple, found), key=itemgetter(0, 1)):
        task, model = map(unescape, names)
        for row in sorted(group, key=lambda row: (row[2], place[row[5]], row[3], row[4])):
            _, _, strategy, trial, attempt, question, ended, first_ended, first_score, *said, parser = row
            of = asked[question]
            yield AttemptResult(
                attempt, task, model, strategy, trial, question, of.item, of.truth, tags[of.tags], of.cluster,
                verdict=None if ended is None else verdict_from_values(ended, *said),
                first_verdict=None if ended is None else first_verdict_from_values(first_ended, first_score),
                parser_version=1 if parser is None else parser,
            )  # fmt: skip


def read_run_entries(connection: Connection) -> list[RunEntry]:
    columns = (runs.c.name.label("run"), attempts.c.task, attempts.c.model, attempts.c.strategy)
    query = select(*columns).join(attempts, attempts.c.run == runs.c.id).where(attempts.c.subject == "")
    query = query.group_by(runs.c.created, *columns).order_by(runs.c.created, *columns)
    return [RunEntry(*row) for row in connection.execute(query)]


def read_judged_attempts(connection: Connection, run: str) -> dict[str, str]:
    query = select(attempts.c.id, attempts.c.subject).where(attempts.c.run == run, attempts.c.subject != "")
    return {row.id: row.subject for row in connection.execute(query)}


def read_steps(connection: Connection, attempt_ids: Sequence[str]) -> dict[str, list[AttemptStep]]:
    found: dict[str, list[AttemptStep]] = {attempt: [] for attempt in attempt_ids}
    wanted = list(found)
    joined = steps.join(responses, responses.c.id == steps.c.reply).join(requests, requests.c.key == responses.c.key)
    source, key = with_current_key(connection, joined, responses.c.key)
    for start in range(0, len(wanted), _CHUNK_SIZE):
        query = (
            select(steps, responses, requests.c.transcript, requests.c.dialect, key.label("current_key"))
            .select_from(source)
            .where(steps.c.attempt.in_(wanted[start : start + _CHUNK_SIZE]))
            .order_by(steps.c.attempt, steps.c.round, steps.c.place, steps.c.retry, steps.c.reply)
        )
        for row in connection.execute(query):
            step = (row.round, row.place, row.retry)
            found[row.attempt].append(
                AttemptStep(step, row.current_key, row.transcript, row.reply, response_from_row(row), row.dialect)
            )
    return found


def read_answered_steps(connection: Connection, attempt_ids: Sequence[str]) -> dict[str, AttemptStep]:
    responses: dict[str, int | None] = {}
    wanted = list(dict.fromkeys(attempt_ids)) if _has_origins(connection) else []
    for start in range(0, len(wanted), _CHUNK_SIZE):
        query = (
            select(verdicts.c.attempt, verdict_origins.c.response)
            .select_from(verdicts.outerjoin(verdict_origins, verdict_origins.c.verdict == verdicts.c.id))
            .where(verdicts.c.attempt.in_(wanted[start : start + _CHUNK_SIZE]))
            .order_by(verdicts.c.id)
        )
        responses.update((row.attempt, row.response) for row in connection.execute(query))
    return {
        attempt: next((one for one in records if one.response_id == responses.get(attempt)), records[-1])
        for attempt, records in read_steps(connection, attempt_ids).items()
        if records
    }


def read_verdict_origins(connection: Connection, run: str) -> dict[str, VerdictOrigin]:
    if not _has_origins(connection):
        return {}
    columns = [attempts.c.id, *(verdict_origins.c[name] for name in ("response", "answer_format", "parser_version"))]
    joined = _with_latest_verdict(attempts).join(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)
    return {
        attempt: VerdictOrigin(response, None if text is None else answer_format_from_json(json.loads(text)), parser)
        for attempt, response, text, parser in connection.execute(
            select(*columns).select_from(joined).where(attempts.c.run == run)
        )
    }


def read_media_record(connection: Connection, digest: str) -> MediaRecord | None:
    query = (
        select(media_specs.c.source, media_specs.c.recipe, sources.c.path)
        .select_from(media_specs.outerjoin(sources, sources.c.digest == media_specs.c.source))
        .where(media_specs.c.digest == digest)
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    return MediaRecord(row.source, json.loads(row.recipe), None if row.path is None else Path(row.path))


def read_source_path(connection: Connection, digest: str) -> Path | None:
    path = connection.execute(select(sources.c.path).where(sources.c.digest == digest)).scalar()
    return None if path is None else Path(path)


def read_uncounted_responses(connection: Connection, run: str, models: Sequence[str]) -> list[UncountedResponse]:
    query = (
        select(
            requests.c.model,
            responses.c.input_tokens,
            responses.c.output_tokens,
            requests.c.transcript,
            requests.c.parameters,
        )
        .select_from(responses.join(requests, requests.c.key == responses.c.key))
        .where(responses.c.run == run, requests.c.model.in_(models), _WITHOUT_COUNT)
        .order_by(responses.c.id)
    )
    return [UncountedResponse(*row) for row in connection.execute(query)]


def read_token_usage(connection: Connection, run: str) -> list[ModelUsage]:
    summed = ("requests", "input_tokens", "output_tokens", "reasoning_tokens", "seconds")
    uncounted = func.sum(case((_WITHOUT_COUNT, 1), else_=0)).label("uncounted")
    sums = [func.sum(responses.c[name]).label(name) for name in summed]
    query = (
        select(requests.c.model, func.count().label("replies"), uncounted, *sums)
        .select_from(responses.join(requests, requests.c.key == responses.c.key))
        .where(responses.c.run == run)
        .group_by(requests.c.model)
        .order_by(requests.c.model)
    )
    return [
        ModelUsage(
            model=row.model,
            responses=row.replies,
            requests=int(row.requests),
            input_tokens=_to_int(row.input_tokens),
            output_tokens=_to_int(row.output_tokens),
            reasoning_tokens=_to_int(row.reasoning_tokens),
            seconds=row.seconds,
            uncounted=int(row.uncounted),
        )
        for row in connection.execute(query)
    ]


def read_request_totals(connection: Connection, run: str) -> dict[tuple[str, str, str], RequestTotals]:
    by = (attempts.c.task, attempts.c.model, attempts.c.strategy)
    query = (
        select(
            *by,
            func.count(attempts.c.id.distinct()).label("attempts"),
            func.count().label("calls"),
            func.sum(responses.c.input_tokens).label("input"),
            func.sum(responses.c.output_tokens).label("output"),
        )
        .select_from(
            attempts.join(steps, steps.c.attempt == attempts.c.id).join(responses, responses.c.id == steps.c.reply)
        )
        .where((attempts.c.run == run) & (attempts.c.subject == ""))
        .group_by(*by)
    )
    return {
        (row.task, row.model, row.strategy): RequestTotals(
            row.attempts, row.calls, _to_int(row.input), _to_int(row.output)
        )
        for row in connection.execute(query)
    }


def read_source_runs(connection: Connection, run: str) -> set[str]:
    joined = attempts.join(steps, steps.c.attempt == attempts.c.id).join(responses, responses.c.id == steps.c.reply)
    query = select(responses.c.run).distinct().select_from(joined).where(attempts.c.run == run)
    return set(connection.execute(query).scalars())


def read_call_settings(connection: Connection, run: str) -> dict[str, list[CallSettings]]:
    return _read_call_settings_by(connection, run, requests.c.model, true())


def read_judge_call_settings(connection: Connection, run: str) -> dict[str, list[CallSettings]]:
    return _read_call_settings_by(connection, run, attempts.c.task, attempts.c.subject != "")


def _read_call_settings_by(
    connection: Connection, run: str, by: Column[Any], where: ColumnElement[bool]
) -> dict[str, list[CallSettings]]:
    """A request is stored with prompt pack and dialect of the run that made it first: those of this run are in its
    settings, and in the answer formats of its verdicts."""
    settings = connection.execute(select(runs.c.settings).where(runs.c.id == run)).scalar()
    packs = json.loads(settings).get("prompts") if settings is not None else None
    dialects = _read_dialects(connection, run)
    source: FromClause = attempts.join(steps, steps.c.attempt == attempts.c.id).join(
        responses, responses.c.id == steps.c.reply
    )
    source = source.join(requests, requests.c.key == responses.c.key)
    known: list[ColumnElement[Any]] = [true(), null()]
    if dialects:
        source = _with_latest_verdict(source).outerjoin(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)
        known = [verdicts.c.id.is_not(None), verdict_origins.c.verdict.is_not(None)]
    columns = [requests.c[name] for name in ("model", "base_url", "dialect", "pack", "parameters")]
    query = select(by, attempts.c.model, attempts.c.task, *known, *columns).distinct().select_from(source)
    found: dict[str, dict[str, CallSettings]] = {}
    for name, who, task, has_verdict, has_origin, model, url, dialect, pack, parameters in connection.execute(
        query.where(attempts.c.run == run, where)
    ):
        spoken = dialects.get((who, task), set())
        in_use = sorted(spoken) if dialect and spoken and (has_origin or not has_verdict) else [dialect]
        told = str(packs.get(task, pack)) if isinstance(packs, dict) else pack
        for one in in_use:
            address = CallSettings(model, url, one, told, json.loads(parameters))
            found.setdefault(name, {})[address.digest] = address
    return {name: list(addresses.values()) for name, addresses in found.items()}


def _read_dialects(connection: Connection, run: str) -> dict[tuple[str, str], set[str]]:
    """By model and task, the dialects in which the answers of a run were read."""
    if not _has_origins(connection):
        return {}
    columns = (attempts.c.model, attempts.c.task, verdict_origins.c.answer_format)
    joined = _with_latest_verdict(attempts).join(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)
    query = select(*columns).distinct().select_from(joined).where(attempts.c.run == run)
    found: dict[tuple[str, str], set[str]] = {}
    for model, task, text in connection.execute(query.where(verdict_origins.c.answer_format.contains('"dialect":'))):
        if dialect := json.loads(text).get("dialect"):
            found.setdefault((model, task), set()).add(dialect)
    return found


def _has_origins(connection: Connection) -> bool:
    """False for a ledger of version 4 or before, which is open for reading only."""
    return inspect(connection).has_table(verdict_origins.name)


def _with_latest_verdict(attempts_and_more: FromClause) -> FromClause:
    other = verdicts.alias()
    latest = select(func.max(other.c.id)).where(other.c.attempt == attempts.c.id).correlate(attempts)
    return attempts_and_more.outerjoin(verdicts, verdicts.c.id == latest.scalar_subquery())


def _status_counts(counts: dict[AttemptStatus | None, int]) -> StatusCounts:
    planned = sum(counts.values())
    return StatusCounts(planned, {ended: counts[ended] for ended in AttemptStatus if ended in counts})


def _to_int(total: Any) -> int | None:
    """Postgres gives sums as Decimal."""
    return None if total is None else int(total)


def _raw(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """Texts as they are stored: `FreeText` costs more for each of a million than reading it does."""
    return type_coerce(column, String()) if isinstance(column.type, EscapedText) else column


_RUN_IDS_CHUNK_SIZE = 500


def read_run_ids(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(ids), _RUN_IDS_CHUNK_SIZE):
        some = attempts.c.id.in_(ids[start : start + _RUN_IDS_CHUNK_SIZE])
        found |= {row.id: row.run for row in connection.execute(select(attempts.c.id, attempts.c.run).where(some))}
    return found


def read_question_axes(connection: Connection, run: str) -> dict[str, Mapping[str, Json]]:
    query = select(questions.c.id, questions.c.axes).where(questions.c.run == run)
    return {row.id: json.loads(row.axes) for row in connection.execute(query)}


def read_judge_calibrations(connection: Connection) -> list[JudgeCalibration]:
    if not inspect(connection).has_table(judge_calibrations.name):
        return []  # a ledger of version 1, open for reading only
    return [
        JudgeCalibration(
            task=row.task,
            judge=CallSettings(row.judge, row.base_url, "", row.pack, json.loads(row.parameters)),
            prompt=row.prompt,
            measurements=json.loads(row.document),
            created=row.created,
        )
        for row in connection.execute(
            select(judge_calibrations).order_by(judge_calibrations.c.created, judge_calibrations.c.id)
        )
    ]


_ANSWER_REASONS = (FinishReason.STOP.value, FinishReason.LENGTH.value)


def read_response_counts(connection: Connection, run: str) -> list[ResponseCount]:
    is_judgement = attempts.c.subject != ""
    by = (
        attempts.c.task,
        attempts.c.model,
        attempts.c.strategy,
        is_judgement.label("judgement"),
        responses.c.served_by,
    )
    joined = attempts.join(steps, steps.c.attempt == attempts.c.id).join(responses, responses.c.id == steps.c.reply)
    empty = func.sum(case((responses.c.text == "", 1), else_=0)).label("empty")
    query = (
        select(*by, func.count().label("responses"), empty)
        .select_from(joined)
        .where(attempts.c.run == run, responses.c.finish.in_(_ANSWER_REASONS))
        .group_by(*by)
        .order_by(*by)
    )
    return [
        ResponseCount(row.task, row.model, row.strategy, bool(row.judgement), row.served_by, row.responses, row.empty)
        for row in connection.execute(query)
    ]
