"""A database of version 1 in Postgres: its tables as that version made them, with all rows of a sqlite file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
from psycopg import sql
from recorded_values import VERSION_1

SCHEMA = VERSION_1 / "postgres.sql"  # the statements by which version 1 made its tables


def load_into_postgres(database: Path, url: str) -> None:
    """Fills an empty schema."""
    with closing(sqlite3.connect(database)) as source, psycopg.connect(url) as target:
        target.execute(SCHEMA.read_bytes())
        tables = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for (table,) in tables:
            rows = source.execute(f'SELECT * FROM "{table}"')  # a name that the file has
            columns = [column[0] for column in rows.description]
            is_true_or_false = _boolean_columns(target, table)
            command = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
                sql.Identifier(table),
                sql.SQL(", ").join(map(sql.Identifier, columns)),
                sql.SQL(", ").join([sql.Placeholder()] * len(columns)),
            )
            values = [
                tuple(
                    bool(value) if name in is_true_or_false else value for name, value in zip(columns, row, strict=True)
                )
                for row in rows
            ]
            with target.cursor() as cursor:
                cursor.executemany(command, values)


def _boolean_columns(target: psycopg.Connection, table: str) -> set[str]:
    found = target.execute(
        "SELECT column_name FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name = %s AND data_type = 'boolean'",
        (table,),
    )
    return {name for (name,) in found}
