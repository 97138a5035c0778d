"""Many rows into a table at once, past SQLAlchemy: their values as the driver takes them."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any

import psycopg
from sqlalchemy import JSON, Connection, Table
from sqlalchemy.exc import DBAPIError
from sqlalchemy.types import TypeEngine

from db.columns import UtcDateTime

PROMPT = ("study_id", "key", "position", "text")
STORY = ("study_id", "prompt_id", "key", "position", "source", "system", "text", "sentences", "content_hash")
"""The columns of a prompt, and of a story, save their own ids."""


def insert_dicts(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows of values as the tables' columns take them, all with the same columns; else as `insert_rows`."""
    if not rows:
        return
    columns = list(rows[0])
    ways = [_driver_value(table.c[column].type, connection.dialect.name) for column in columns]
    ready = [
        tuple(row[column] if way is None else way(row[column]) for column, way in zip(columns, ways, strict=True))
        for row in rows
    ]
    insert_rows(connection, table, columns, ready)


def _driver_value(kind: TypeEngine[Any], dialect: str) -> Callable[[Any], Any] | None:
    """What makes a column's value one of the driver's; None where it is one already."""
    if isinstance(kind, JSON):
        return json.dumps
    if not isinstance(kind, UtcDateTime):
        return None
    if dialect == "postgresql":
        return lambda moment: moment and moment.astimezone(UTC).replace(tzinfo=None)
    return lambda moment: moment and moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


def insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows of values in the order of `columns`, which must be all that have no default of the database's; JSON
    as text. Raises IntegrityError, as an insert does.
    """
    names = ", ".join(f'"{column}"' for column in columns)
    if connection.dialect.name != "postgresql":
        places = ", ".join("?" * len(columns))
        if rows:
            connection.exec_driver_sql(f"INSERT INTO {table.name} ({names}) VALUES ({places})", list(map(tuple, rows)))
        return
    try:
        raw: Any = connection.connection.driver_connection
        with raw.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        raise DBAPIError.instance("COPY", None, error, psycopg.Error) from error
