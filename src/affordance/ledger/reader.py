"""Reading runs, attempts, responses and verdicts. Each method is one query or a few, on a connection of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, func, null, select

from affordance.core.attempts import AttemptResult, AttemptStatus, Verdict
from affordance.core.errors import LedgerError, UnknownName
from affordance.core.json_text import Json
from affordance.core.requests import CallSettings, Response
from affordance.core.sequences import chunked
from affordance.ledger import integrity
from affordance.ledger.integrity import MediaSource, Mismatch
from affordance.ledger.legacy_keys import current_keys, with_current_key
from affordance.ledger.migrations import schema_version_of
from affordance.ledger.queries import MAX_VALUES, UNUSABLE_REASONS, raw, with_latest_verdict, with_origin
from affordance.ledger.records import (
    AttemptStep,
    JudgeCalibration,
    MediaRecord,
    RunEntry,
    RunRecord,
    RunSummary,
    StatusCounts,
    VerdictOrigin,
)
from affordance.ledger.response_lookup import read_response_ids
from affordance.ledger.row_mapping import (
    first_verdict_from_values,
    response_from_row,
    run_from_row,
    verdict_from_values,
    verdict_origin_from_values,
)
from affordance.ledger.schema import (
    attempts,
    judge_calibrations,
    media_specs,
    questions,
    request_keys,
    requests,
    responses,
    runs,
    sources,
    steps,
    unescape,
    verdict_origins,
    verdicts,
)
from affordance.ledger.usage import UsageReader

_ROWS_AT_ONCE = 1000


class LedgerReader(UsageReader):
    """Queries about the runs of a ledger."""

    @property
    def schema_version(self) -> int:
        """The version of the schema in the database."""
        with self.database.read() as connection:
            return schema_version_of(connection, self.database.location)

    def runs(self) -> list[RunRecord]:
        """All runs, the oldest first."""
        with self.database.read() as connection:
            return [run_from_row(row) for row in connection.execute(select(runs).order_by(runs.c.created, runs.c.id))]

    def run_summaries(self) -> list[RunSummary]:
        """All runs, the oldest first, with the number of their attempts by status. `runs` is faster."""
        is_judgement = attempts.c.subject != ""
        query = (
            select(attempts.c.run, is_judgement.label("judgement"), verdicts.c.ended, func.count().label("number"))
            .select_from(with_latest_verdict(attempts))
            .group_by(attempts.c.run, is_judgement, verdicts.c.ended)
        )
        counts: dict[tuple[str, bool], dict[AttemptStatus | None, int]] = {}
        with self.database.read() as connection:
            for row in connection.execute(query):
                status = None if row.ended is None else AttemptStatus(row.ended)
                counts.setdefault((row.run, bool(row.judgement)), {})[status] = row.number
        return [
            RunSummary(
                run, _status_counts(counts.get((run.id, False), {})), _status_counts(counts.get((run.id, True), {}))
            )
            for run in self.runs()
        ]

    def find_run(self, name_or_id: str) -> RunRecord:
        """The run of that name, else of that id."""
        found = {key: run for run in self.runs() for key in (run.id, run.name)}
        if name_or_id not in found:
            raise UnknownName("run", name_or_id, {run.name for run in found.values()})
        return found[name_or_id]

    def run_entries(self) -> list[RunEntry]:
        """The tasks, models and strategies of each run, the oldest run first."""
        columns = (runs.c.name.label("run"), attempts.c.task, attempts.c.model, attempts.c.strategy)
        query = select(*columns).join(attempts, attempts.c.run == runs.c.id).where(attempts.c.subject == "")
        query = query.group_by(runs.c.created, *columns).order_by(runs.c.created, *columns)
        with self.database.read() as connection:
            return [RunEntry(*row) for row in connection.execute(query)]

    def statuses(self, run: str) -> dict[str, AttemptStatus]:
        """The status of the attempts and judgements of a run by id, without those that are pending."""
        query = (
            select(attempts.c.id, verdicts.c.ended)
            .select_from(with_latest_verdict(attempts))
            .where(attempts.c.run == run, verdicts.c.ended.is_not(None))
        )
        with self.database.read() as connection:
            return {attempt: AttemptStatus(status) for attempt, status in connection.execute(query)}

    def attempt_results(self, run: str, *, judgements: bool = False) -> Iterator[AttemptResult]:
        """The attempts of a run, or its judgements, in the order of task, model, strategy, item, axes and trial.

        They are read as they are consumed: close the iterator if you leave it early. Of the first verdict only status
        and score are kept."""
        # Questions are read once and not with each attempt: there are many models, and several trials. The index has
        # the order of task and model; within them rows are sorted here, by numbers instead of texts.
        with self.database.read() as connection:
            asked = {row.id: row for row in connection.execute(select(questions).where(questions.c.run == run))}
            tags = {text: json.loads(text) for text in {row.tags for row in asked.values()}}
            in_order = sorted(asked, key=lambda question: (asked[question].item, asked[question].axes))
            position = {question: number for number, question in enumerate(in_order)}
            of_attempt = ("task", "model", "strategy", "trial", "id", "question")
            of_verdict = ("ended", "first_ended", "first_score", "answer", "score", "reason", "detail")
            columns = [raw(attempts.c[name]) for name in of_attempt] + [raw(verdicts.c[name]) for name in of_verdict]
            source = with_latest_verdict(attempts)
            version: ColumnElement[Any] = null()
            if self.database.has(verdict_origins):
                source = with_origin(source)
                version = verdict_origins.c.parser_version
            query = (
                select(*columns, version)
                .select_from(source)
                .where(attempts.c.run == run, (attempts.c.subject != "") if judgements else (attempts.c.subject == ""))
                .order_by(attempts.c.task, attempts.c.model)
            )
            rows = connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query)
            for names, group in groupby(map(tuple, rows), key=itemgetter(0, 1)):
                task, model = map(unescape, names)
                for row in sorted(group, key=lambda row: (row[2], position[row[5]], row[3], row[4])):
                    _, _, strategy, trial, attempt, question, status, first_status, first_score, *values, parser = row
                    of = asked[question]
                    yield AttemptResult(
                        attempt, task, model, strategy, trial, question, of.item, of.truth, tags[of.tags], of.cluster,
                        verdict=None if status is None else verdict_from_values(status, *values),
                        first_verdict=None if status is None else first_verdict_from_values(first_status, first_score),
                        parser_version=1 if parser is None else parser,
                    )  # fmt: skip

    def judged_attempts(self, run: str) -> dict[str, str]:
        """The ids of judged attempts by the ids of their judgements in a run."""
        query = select(attempts.c.id, attempts.c.subject).where(attempts.c.run == run, attempts.c.subject != "")
        with self.database.read() as connection:
            return {row.id: row.subject for row in connection.execute(query)}

    def run_ids_of(self, attempt_ids: Sequence[str]) -> dict[str, str]:
        """The run ids of attempts and judgements by id; unknown ids are left out."""
        found: dict[str, str] = {}
        with self.database.read() as connection:
            for ids in chunked(attempt_ids, MAX_VALUES):
                query = select(attempts.c.id, attempts.c.run).where(attempts.c.id.in_(ids))
                found |= {row.id: row.run for row in connection.execute(query)}
        return found

    def question_axes(self, run: str) -> dict[str, Mapping[str, Json]]:
        """The axes of the questions of a run by question id."""
        query = select(questions.c.id, questions.c.axes).where(questions.c.run == run)
        with self.database.read() as connection:
            return {row.id: json.loads(row.axes) for row in connection.execute(query)}

    def verdict_history(self, attempt_id: str) -> list[Verdict]:
        """All verdicts of an attempt, the one that counts last."""
        columns = [raw(verdicts.c[name]) for name in ("ended", "answer", "score", "reason", "detail")]
        query = select(*columns).where(verdicts.c.attempt == attempt_id).order_by(verdicts.c.id)
        with self.database.read() as connection:
            return [verdict_from_values(*row) for row in connection.execute(query)]

    def verdict_origins(self, run: str) -> dict[str, VerdictOrigin]:
        """What the latest verdicts of the attempts and judgements of a run were parsed from, where that is stored."""
        if not self.database.has(verdict_origins):
            return {}
        columns = [verdict_origins.c[name] for name in ("response", "answer_format", "parser_version")]
        joined = with_latest_verdict(attempts).join(verdict_origins, verdict_origins.c.verdict == verdicts.c.id)
        query = select(attempts.c.id, *columns).select_from(joined).where(attempts.c.run == run)
        with self.database.read() as connection:
            return {attempt: verdict_origin_from_values(*values) for attempt, *values in connection.execute(query)}

    def steps_of(self, attempt_ids: Sequence[str]) -> dict[str, list[AttemptStep]]:
        """The requests and responses of attempts, in the order of their steps."""
        found: dict[str, list[AttemptStep]] = {attempt: [] for attempt in attempt_ids}
        joined = steps.join(responses, responses.c.id == steps.c.reply)
        joined = joined.join(requests, requests.c.key == responses.c.key)
        with self.database.read() as connection:
            source, key = with_current_key(connection, joined, responses.c.key)
            query = (
                select(steps, responses, requests.c.transcript, requests.c.dialect, key.label("current_key"))
                .select_from(source)
                .order_by(steps.c.attempt, steps.c.round, steps.c.place, steps.c.retry, steps.c.reply)
            )
            for ids in chunked(list(found), MAX_VALUES):
                for row in connection.execute(query.where(steps.c.attempt.in_(ids))):
                    step = (row.round, row.place, row.retry)
                    response = response_from_row(row)
                    found[row.attempt].append(
                        AttemptStep(step, row.current_key, row.transcript, row.reply, response, row.dialect)
                    )
        return found

    def answered_steps(self, attempt_ids: Sequence[str]) -> dict[str, AttemptStep]:
        """By attempt, the step whose response the latest verdict was parsed from; the last step if that is not stored.
        Attempts without a response are left out."""
        response_ids: dict[str, int | None] = {}
        if self.database.has(verdict_origins):
            query = select(verdicts.c.attempt, verdict_origins.c.response).select_from(with_origin(verdicts))
            with self.database.read() as connection:
                for ids in chunked(list(dict.fromkeys(attempt_ids)), MAX_VALUES):
                    latest_last = query.where(verdicts.c.attempt.in_(ids)).order_by(verdicts.c.id)
                    response_ids.update((row.attempt, row.response) for row in connection.execute(latest_last))
        return {
            attempt: next((one for one in found if one.response_id == response_ids.get(attempt)), found[-1])
            for attempt, found in self.steps_of(attempt_ids).items()
            if found
        }

    def get_response(self, response_id: int) -> Response:
        with self.database.read() as connection:
            row = connection.execute(select(responses).where(responses.c.id == response_id)).first()
        if row is None:
            raise LedgerError(f"ledger {self.database.location} has no response {response_id}")
        return response_from_row(row)

    def reusable_response_ids(self, *, fresh_run: str | None = None) -> dict[str, int]:
        """By request key, the id of the latest reusable response; for a fresh run, only of those made in it."""
        query = select(responses.c.key, func.max(responses.c.id).label("latest"))
        query = query.where(responses.c.finish.not_in(UNUSABLE_REASONS)).group_by(responses.c.key)
        if fresh_run is not None:
            query = query.where(responses.c.run == fresh_run)
        found: dict[str, int] = {}
        with self.database.read() as connection:
            current = current_keys(connection)
            for row in connection.execute(query):
                key = current.get(row.key, row.key)
                found[key] = max(row.latest, found.get(key, 0))
        return found

    @property
    def finds_responses_by_key(self) -> bool:
        """Whether the ledger has the index of request keys; without it `response_ids_by_key` raises."""
        return self.database.has(request_keys)

    def response_ids_by_key(self, keys: Sequence[str], *, fresh_run: str | None = None) -> dict[str, int]:
        """The same for some keys, which takes no longer in a large ledger; keys without a response are left out."""
        with self.database.read_with_driver() as driver:
            return read_response_ids(driver, self.database.statements, keys, fresh_run)

    def judge_calibrations(self) -> list[JudgeCalibration]:
        """All measurements of judges, the oldest first."""
        if not self.database.has(judge_calibrations):
            return []
        query = select(judge_calibrations).order_by(judge_calibrations.c.created, judge_calibrations.c.id)
        with self.database.read() as connection:
            return [
                JudgeCalibration(
                    task=row.task,
                    judge=CallSettings(row.judge, row.base_url, "", row.pack, json.loads(row.parameters)),
                    prompt=row.prompt,
                    measurements=json.loads(row.document),
                    created=row.created,
                )
                for row in connection.execute(query)
            ]

    def media_record(self, digest: str) -> MediaRecord | None:
        """Source and recipe of an image or video that was sent to a model; None if the digest is unknown."""
        query = (
            select(media_specs.c.source, media_specs.c.recipe, sources.c.path)
            .select_from(media_specs.outerjoin(sources, sources.c.digest == media_specs.c.source))
            .where(media_specs.c.digest == digest)
        )
        with self.database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return MediaRecord(row.source, json.loads(row.recipe), None if row.path is None else Path(row.path))

    def source_path(self, digest: str) -> Path | None:
        """The path of the file with this content when it was first sent to a model."""
        with self.database.read() as connection:
            path = connection.execute(select(sources.c.path).where(sources.c.digest == digest)).scalar()
        return None if path is None else Path(path)

    def media_sources(self) -> list[MediaSource]:
        """All images and videos that were sent to models."""
        with self.database.read() as connection:
            return integrity.read_media_sources(connection)

    def mismatches(self) -> list[Mismatch]:
        """Rows that refer to missing rows, and digests that do not match the stored content."""
        with self.database.read() as connection:
            return [*integrity.read_broken_references(connection), *integrity.read_wrong_digests(connection)]

    def row_counts(self) -> dict[str, int]:
        """The number of rows by kind."""
        with self.database.read() as connection:
            return integrity.read_row_counts(connection)


def _status_counts(counts: Mapping[AttemptStatus | None, int]) -> StatusCounts:
    by_status = {status: counts[status] for status in AttemptStatus if status in counts}
    return StatusCounts(sum(counts.values()), by_status)
