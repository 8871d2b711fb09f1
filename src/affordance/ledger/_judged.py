"""Reading what judges are measured by: judgements, how their questions vary, and certificates."""

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, inspect, select

from affordance.core.ask import CallSettings
from affordance.core.digest import Json
from affordance.ledger._records import JudgeCalibration
from affordance.ledger._schema import attempts, judge_calibrations, questions

_CHUNK_SIZE = 500


def read_run_ids(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(ids), _CHUNK_SIZE):
        some = attempts.c.id.in_(ids[start : start + _CHUNK_SIZE])
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
