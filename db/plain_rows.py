"""Rows straight from the driver: with an object of SQLAlchemy's for each, a hundred thousand take several times as
long.
"""

from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select

from core.arrays import Floats


def rows_of(connection: Connection, query: Select[Any]) -> list[tuple[Any, ...]]:
    """The rows as the driver gives them: without what SQLAlchemy's types make of times and JSON."""
    record = connection.execute(query)
    rows: Any = record.cursor
    result = list(rows)
    record.close()
    return result


def numbers_of(connection: Connection, query: Select[Any]) -> list[Floats]:
    """The columns of rows that are numbers alone."""
    record = connection.execute(query)
    rows: Any = record.cursor
    flat = np.fromiter(chain.from_iterable(rows), dtype=np.float64)  # an id fits in a double
    number = len(record.keys())
    record.close()
    return [flat[column::number] for column in range(number)]
