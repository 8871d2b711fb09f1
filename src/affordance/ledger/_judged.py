"""Reading what judges are measured by: judgements, how their questions vary, and certificates."""

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, inspect, select

from affordance.core.ask import Address
from affordance.core.digest import Json
from affordance.ledger._records import Certificate
from affordance.ledger._schema import attempts, certificates, questions

_IDS_AT_ONCE = 500


def read_runs_of(connection: Connection, ids: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for start in range(0, len(ids), _IDS_AT_ONCE):
        some = attempts.c.id.in_(ids[start : start + _IDS_AT_ONCE])
        found |= {row.id: row.run for row in connection.execute(select(attempts.c.id, attempts.c.run).where(some))}
    return found


def read_axes(connection: Connection, run: str) -> dict[str, Mapping[str, Json]]:
    query = select(questions.c.id, questions.c.axes).where(questions.c.run == run)
    return {row.id: json.loads(row.axes) for row in connection.execute(query)}


def read_certificates(connection: Connection) -> list[Certificate]:
    if not inspect(connection).has_table(certificates.name):
        return []  # a ledger of version 1, open for reading only
    return [
        Certificate(
            task=row.task,
            address=Address(row.judge, row.base_url, "", row.pack, json.loads(row.parameters)),
            prompt=row.prompt,
            document=json.loads(row.document),
            created=row.created,
        )
        for row in connection.execute(select(certificates).order_by(certificates.c.created, certificates.c.id))
    ]
