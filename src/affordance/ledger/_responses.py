"""Counts of the responses of a run: under which names they were served, and how many are empty."""

from sqlalchemy import Connection, case, func, select

from affordance.core.ask import FinishReason
from affordance.ledger._records import ResponseCount
from affordance.ledger._schema import attempts, responses, steps

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
