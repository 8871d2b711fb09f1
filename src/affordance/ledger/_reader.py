"""Reading. Each function is one or two queries on a connection of its own."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Row, case, func, select

from affordance.core.ask import Address, Finish, Reply, Usage
from affordance.core.attempt import Ended, Outcome, Verdict
from affordance.ledger._records import Effort, ModelUsage, PictureRecord, Run, RunSummary, StepRecord, Tally
from affordance.ledger._schema import asks, attempts, pictures, questions, replies, runs, sources, steps, verdicts

_ROWS_AT_ONCE = 1000
_UNUSABLE = (Finish.ERROR.value, Finish.UNABLE.value)


def read_runs(connection: Connection) -> list[Run]:
    return [_run(row) for row in connection.execute(select(runs).order_by(runs.c.created, runs.c.id))]


def read_run(connection: Connection, where: ColumnElement[bool]) -> Run | None:
    row = connection.execute(select(runs).where(where)).first()
    return None if row is None else _run(row)


def read_summaries(connection: Connection) -> list[RunSummary]:
    is_judgement = attempts.c.subject != ""
    counts = (
        select(attempts.c.run, is_judgement.label("judgement"), verdicts.c.ended, func.count().label("number"))
        .select_from(_with_latest_verdict(attempts))
        .group_by(attempts.c.run, is_judgement, verdicts.c.ended)
    )
    found: dict[tuple[str, bool], dict[Ended | None, int]] = {}
    for row in connection.execute(counts):
        ended = None if row.ended is None else Ended(row.ended)
        found.setdefault((row.run, bool(row.judgement)), {})[ended] = row.number
    return [
        RunSummary(run, _tally(found.get((run.id, False), {})), _tally(found.get((run.id, True), {})))
        for run in read_runs(connection)
    ]


def read_cached(connection: Connection, fresh_run: str | None) -> dict[str, int]:
    query = select(replies.c.key, func.max(replies.c.id).label("newest")).where(replies.c.finish.not_in(_UNUSABLE))
    if fresh_run is not None:
        query = query.where(replies.c.run == fresh_run)
    return {row.key: row.newest for row in connection.execute(query.group_by(replies.c.key))}


def read_reply(connection: Connection, reply_id: int) -> Reply | None:
    row = connection.execute(select(replies).where(replies.c.id == reply_id)).first()
    return None if row is None else _reply(row)


def read_ended(connection: Connection, run: str) -> dict[str, Ended]:
    query = (
        select(attempts.c.id, verdicts.c.ended)
        .select_from(_with_latest_verdict(attempts))
        .where(attempts.c.run == run, verdicts.c.ended.is_not(None))
    )
    return {attempt: Ended(ended) for attempt, ended in connection.execute(query)}


def read_verdicts(connection: Connection, attempt: str) -> list[Verdict]:
    query = select(verdicts).where(verdicts.c.attempt == attempt).order_by(verdicts.c.id)
    return [_verdict(row) for row in connection.execute(query)]


def read_outcomes(connection: Connection, run: str, *, judgements: bool) -> Iterator[Outcome]:
    of_question = (questions.c.run == attempts.c.run) & (questions.c.id == attempts.c.question)
    columns = [*attempts.c, *questions.c["item", "truth", "tags", "cluster"], *_verdict_columns()]
    query = (
        select(*columns)
        .select_from(_with_latest_verdict(attempts.join(questions, of_question)))
        .where(attempts.c.run == run, (attempts.c.subject != "") if judgements else (attempts.c.subject == ""))
        .order_by(
            attempts.c.task,
            attempts.c.model,
            attempts.c.strategy,
            questions.c.item,
            questions.c.axes,
            attempts.c.trial,
            attempts.c.id,
        )
    )
    for row in connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query):
        yield _outcome(row)


def read_subjects(connection: Connection, run: str) -> dict[str, str]:
    query = select(attempts.c.id, attempts.c.subject).where(attempts.c.run == run, attempts.c.subject != "")
    return {row.id: row.subject for row in connection.execute(query)}


def read_steps(connection: Connection, attempt: str) -> list[StepRecord]:
    query = (
        select(steps, replies, asks.c.transcript)
        .select_from(steps.join(replies, replies.c.id == steps.c.reply).join(asks, asks.c.key == replies.c.key))
        .where(steps.c.attempt == attempt)
        .order_by(steps.c.round, steps.c.place, steps.c.retry, steps.c.reply)
    )
    return [
        StepRecord((row.round, row.place, row.retry), row.key, row.transcript, row.reply, _reply(row))
        for row in connection.execute(query)
    ]


def read_picture(connection: Connection, digest: str) -> PictureRecord | None:
    query = (
        select(pictures.c.source, pictures.c.recipe, sources.c.path)
        .select_from(pictures.outerjoin(sources, sources.c.digest == pictures.c.source))
        .where(pictures.c.digest == digest)
    )
    row = connection.execute(query).first()
    if row is None:
        return None
    return PictureRecord(row.source, json.loads(row.recipe), None if row.path is None else Path(row.path))


def read_source(connection: Connection, digest: str) -> Path | None:
    path = connection.execute(select(sources.c.path).where(sources.c.digest == digest)).scalar()
    return None if path is None else Path(path)


def read_usage(connection: Connection, run: str) -> list[ModelUsage]:
    summed = ("requests", "input_tokens", "output_tokens", "reasoning_tokens", "seconds")
    without = replies.c.output_tokens.is_(None) & replies.c.finish.not_in(_UNUSABLE)
    uncounted = func.sum(case((without, 1), else_=0)).label("uncounted")
    sums = [func.sum(replies.c[name]).label(name) for name in summed]
    query = (
        select(asks.c.model, func.count().label("replies"), uncounted, *sums)
        .select_from(replies.join(asks, asks.c.key == replies.c.key))
        .where(replies.c.run == run)
        .group_by(asks.c.model)
        .order_by(asks.c.model)
    )
    return [
        ModelUsage(
            model=row.model,
            replies=row.replies,
            requests=int(row.requests),
            input_tokens=_whole(row.input_tokens),
            output_tokens=_whole(row.output_tokens),
            reasoning_tokens=_whole(row.reasoning_tokens),
            seconds=row.seconds,
            uncounted=int(row.uncounted),
        )
        for row in connection.execute(query)
    ]


def read_effort(connection: Connection, run: str) -> dict[tuple[str, str, str], Effort]:
    by = (attempts.c.task, attempts.c.model, attempts.c.strategy)
    query = (
        select(
            *by,
            func.count(attempts.c.id.distinct()).label("attempts"),
            func.count().label("calls"),
            func.sum(replies.c.input_tokens).label("input"),
            func.sum(replies.c.output_tokens).label("output"),
        )
        .select_from(
            attempts.join(steps, steps.c.attempt == attempts.c.id).join(replies, replies.c.id == steps.c.reply)
        )
        .where((attempts.c.run == run) & (attempts.c.subject == ""))
        .group_by(*by)
    )
    return {
        (row.task, row.model, row.strategy): Effort(row.attempts, row.calls, _whole(row.input), _whole(row.output))
        for row in connection.execute(query)
    }


def read_addresses(connection: Connection, run: str) -> dict[str, list[Address]]:
    columns = (asks.c.model, asks.c.base_url, asks.c.dialect, asks.c.pack, asks.c.parameters)
    used = asks.join(replies, replies.c.key == asks.c.key).join(steps, steps.c.reply == replies.c.id)
    of_run = attempts.c.id == steps.c.attempt
    query = select(*columns).distinct().select_from(used.join(attempts, of_run)).where(attempts.c.run == run)
    found: dict[str, list[Address]] = {}
    for row in connection.execute(query):
        address = Address(row.model, row.base_url, row.dialect, row.pack, json.loads(row.parameters))
        found.setdefault(row.model, []).append(address)
    return found


def _with_latest_verdict(attempts_and_more: FromClause) -> FromClause:
    other = verdicts.alias()
    latest = select(func.max(other.c.id)).where(other.c.attempt == attempts.c.id).correlate(attempts)
    return attempts_and_more.outerjoin(verdicts, verdicts.c.id == latest.scalar_subquery())


def _verdict_columns() -> list[ColumnElement[Any]]:
    return [column for column in verdicts.c if column.name not in ("id", "attempt", "created")]


def _tally(counts: dict[Ended | None, int]) -> Tally:
    planned = sum(counts.values())
    return Tally(planned, {ended: counts[ended] for ended in Ended if ended in counts})


def _whole(total: Any) -> int | None:
    """Postgres gives sums as Decimal."""
    return None if total is None else int(total)


def _run(row: Row[Any]) -> Run:
    return Run(row.id, row.name, json.loads(row.settings), json.loads(row.dataset), row.fresh, row.created)


def _reply(row: Row[Any]) -> Reply:
    return Reply(
        text=row.text,
        reasoning=row.reasoning,
        finish=Finish(row.finish),
        error=row.error,
        permanent=row.permanent,
        usage=Usage(row.input_tokens, row.output_tokens, row.reasoning_tokens),
        seconds=row.seconds,
        served_by=row.served_by,
    )


def _verdict(row: Row[Any]) -> Verdict:
    return Verdict(Ended(row.ended), row.answer, row.score, row.reason, json.loads(row.detail))


def _outcome(row: Row[Any]) -> Outcome:
    pending = row.ended is None
    return Outcome(
        attempt=row.id,
        task=row.task,
        model=row.model,
        strategy=row.strategy,
        trial=row.trial,
        question=row.question,
        item=row.item,
        truth=row.truth,
        tags=json.loads(row.tags),
        cluster=row.cluster,
        verdict=None if pending else _verdict(row),
        first=None if pending else Verdict(Ended(row.first_ended), score=row.first_score),
    )
