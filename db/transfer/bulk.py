"""Many rows into a table at once, past SQLAlchemy: their values as the driver takes them."""

from collections.abc import Sequence
from typing import Any

import psycopg
from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

PROMPT = ("study_id", "key", "position", "text")
STORY = ("study_id", "prompt_id", "key", "position", "source", "system", "text", "sentences", "content_hash")
"""The columns of a prompt, and of a story, save their own ids."""


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
