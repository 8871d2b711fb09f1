"""Reading what runs used: requests, responses and tokens, and the call settings of their models."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, FromClause, case, func, null, or_, select, true

from affordance.core.requests import CallSettings, FinishReason
from affordance.ledger.database import Database
from affordance.ledger.queries import (
    UNUSABLE_REASONS,
    attempts_with_responses,
    to_int,
    with_latest_verdict,
    with_origin,
)
from affordance.ledger.records import ModelUsage, RequestTotals, ResponseCount, UncountedResponse
from affordance.ledger.schema import attempts, requests, responses, runs, verdict_origins, verdicts

_NOT_ALL_COUNTED = or_(responses.c.input_tokens.is_(None), responses.c.output_tokens.is_(None))
_WITHOUT_COUNT = _NOT_ALL_COUNTED & responses.c.finish.not_in(UNUSABLE_REASONS)
_ANSWER_REASONS = (FinishReason.STOP.value, FinishReason.LENGTH.value)


class UsageReader:
    """Queries about requests and responses of runs."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def token_usage(self, run: str) -> list[ModelUsage]:
        """Requests, tokens and seconds of the responses made in a run, by model. Cached responses do not count."""
        summed = ("requests", "input_tokens", "output_tokens", "reasoning_tokens", "seconds")
        uncounted = func.sum(case((_WITHOUT_COUNT, 1), else_=0)).label("uncounted")
        sums = [func.sum(responses.c[name]).label(name) for name in summed]
        query = (
            select(requests.c.model, func.count().label("responses"), uncounted, *sums)
            .select_from(responses.join(requests, requests.c.key == responses.c.key))
            .where(responses.c.run == run)
            .group_by(requests.c.model)
            .order_by(requests.c.model)
        )
        with self.database.read() as connection:
            return [
                ModelUsage(
                    model=row.model,
                    responses=row.responses,
                    requests=int(row.requests),
                    input_tokens=to_int(row.input_tokens),
                    output_tokens=to_int(row.output_tokens),
                    reasoning_tokens=to_int(row.reasoning_tokens),
                    seconds=row.seconds,
                    uncounted=int(row.uncounted),
                )
                for row in connection.execute(query)
            ]

    def uncounted_responses(self, run: str, models: Sequence[str]) -> list[UncountedResponse]:
        """The responses of these models made in a run whose tokens the provider did not count."""
        columns = (requests.c.model, responses.c.input_tokens, responses.c.output_tokens)
        query = (
            select(*columns, requests.c.transcript, requests.c.parameters)
            .select_from(responses.join(requests, requests.c.key == responses.c.key))
            .where(responses.c.run == run, requests.c.model.in_(models), _WITHOUT_COUNT)
            .order_by(responses.c.id)
        )
        with self.database.read() as connection:
            return [UncountedResponse(*row) for row in connection.execute(query)]

    def request_totals(self, run: str) -> dict[tuple[str, str, str], RequestTotals]:
        """Attempts, requests and tokens by task, model and strategy, without judgements."""
        by = (attempts.c.task, attempts.c.model, attempts.c.strategy)
        query = (
            select(
                *by,
                func.count(attempts.c.id.distinct()).label("attempts"),
                func.count().label("requests"),
                func.sum(responses.c.input_tokens).label("input"),
                func.sum(responses.c.output_tokens).label("output"),
            )
            .select_from(attempts_with_responses)
            .where((attempts.c.run == run) & (attempts.c.subject == ""))
            .group_by(*by)
        )
        with self.database.read() as connection:
            return {
                (row.task, row.model, row.strategy): RequestTotals(
                    row.attempts, row.requests, to_int(row.input), to_int(row.output)
                )
                for row in connection.execute(query)
            }

    def response_counts(self, run: str) -> list[ResponseCount]:
        """The model names that providers stated in the responses of a run, cached ones included, and how many responses
        are empty."""
        is_judgement = (attempts.c.subject != "").label("judgement")
        by = (attempts.c.task, attempts.c.model, attempts.c.strategy, is_judgement, responses.c.served_by)
        empty = func.sum(case((responses.c.text == "", 1), else_=0)).label("empty")
        query = (
            select(*by, func.count().label("responses"), empty)
            .select_from(attempts_with_responses)
            .where(attempts.c.run == run, responses.c.finish.in_(_ANSWER_REASONS))
            .group_by(*by)
            .order_by(*by)
        )
        with self.database.read() as connection:
            return [
                ResponseCount(
                    row.task, row.model, row.strategy, bool(row.judgement), row.served_by, row.responses, row.empty
                )
                for row in connection.execute(query)
            ]

    def source_runs(self, run: str) -> set[str]:
        """The ids of the runs that made the responses of a run: the run itself, and those of cached responses."""
        query = select(responses.c.run).distinct().select_from(attempts_with_responses).where(attempts.c.run == run)
        with self.database.read() as connection:
            return set(connection.execute(query).scalars())

    def call_settings(self, run: str) -> dict[str, list[CallSettings]]:
        """By model, the settings of the calls whose responses a run used, cached ones included."""
        return self._call_settings_by(run, requests.c.model, true())

    def judge_call_settings(self, run: str) -> dict[str, list[CallSettings]]:
        """By task, the settings of the calls to its judge."""
        return self._call_settings_by(run, attempts.c.task, attempts.c.subject != "")

    def _call_settings_by(
        self, run: str, by: Column[Any], condition: ColumnElement[bool]
    ) -> dict[str, list[CallSettings]]:
        """A request is stored with the prompt digest and dialect of the run that made it first. Those of this run are
        in its settings and in the answer formats of its verdicts."""
        dialects = self._dialects(run)
        source: FromClause = attempts_with_responses.join(requests, requests.c.key == responses.c.key)
        has_verdict_and_origin: list[ColumnElement[Any]] = [true(), null()]
        if dialects:
            source = with_origin(with_latest_verdict(source))
            has_verdict_and_origin = [verdicts.c.id.is_not(None), verdict_origins.c.verdict.is_not(None)]
        columns = [requests.c[name] for name in ("model", "base_url", "dialect", "pack", "parameters")]
        query = select(by, attempts.c.model, attempts.c.task, *has_verdict_and_origin, *columns).distinct()
        with self.database.read() as connection:
            settings = connection.execute(select(runs.c.settings).where(runs.c.id == run)).scalar()
            rows = connection.execute(query.select_from(source).where(attempts.c.run == run, condition)).all()
        packs = json.loads(settings).get("prompts") if settings is not None else None
        found: dict[str, dict[str, CallSettings]] = {}
        for name, asked, task, has_verdict, has_origin, model, url, dialect, pack, parameters in rows:
            read_in = dialects.get((asked, task), set())
            used = sorted(read_in) if dialect and read_in and (has_origin or not has_verdict) else [dialect]
            prompt_digest = str(packs.get(task, pack)) if isinstance(packs, dict) else pack
            for one in used:
                call = CallSettings(model, url, one, prompt_digest, json.loads(parameters))
                found.setdefault(name, {})[call.digest] = call
        return {name: list(calls.values()) for name, calls in found.items()}

    def _dialects(self, run: str) -> dict[tuple[str, str], set[str]]:
        """By model and task, the dialects in which the answers of a run were parsed."""
        if not self.database.has(verdict_origins):
            return {}
        columns = (attempts.c.model, attempts.c.task, verdict_origins.c.answer_format)
        query = (
            select(*columns)
            .distinct()
            .select_from(with_origin(with_latest_verdict(attempts)))
            .where(attempts.c.run == run, verdict_origins.c.answer_format.contains('"dialect":'))
        )
        found: dict[tuple[str, str], set[str]] = {}
        with self.database.read() as connection:
            for model, task, text in connection.execute(query):
                if dialect := json.loads(text).get("dialect"):
                    found.setdefault((model, task), set()).add(dialect)
        return found
