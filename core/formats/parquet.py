"""Parquet files, batch by batch: what one would take of memory is known before it does.

A small file may stand for a huge table, where few long texts are named by many rows. So what the file says of its size
is looked at first; columns of text are read as a dictionary and its numbers; and their texts are counted, each as often
as a row names it, before a row is made.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from core.errors import InputError

BATCH = 2_000
"""Rows that are read at once."""
MOST_ROWS = 5_000_000
LARGEST = 2**30
"""Bytes that a file unpacks to: by what it says itself, and of the rows that it really holds."""


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """The file, to be read; raises InputError where it is none, or holds more than an import may.

    What goes wrong within the block because the file is damaged is an InputError as well.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as first:
            texts = [field.name for field in first.schema_arrow if _is_text(field.type)]
            _check(path, first)
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            yield file
    except FileNotFoundError:
        raise InputError(f"There is no file {path}.") from None
    # A damaged file raises whatever its damage leads to: text that is none, numbers of no row, types without a kind.
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError, NotImplementedError, OverflowError) as error:
        raise InputError(f"{path.name} is not a Parquet file that can be read.") from error


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_binary(kind) or types.is_large_string(kind))


def _check(path: Path, file: Any) -> None:
    names = file.schema_arrow.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"{path.name} has the column {str(twice)[:60]!r} twice; rename one.")
    if file.metadata.num_rows > MOST_ROWS:
        raise InputError(
            f"{path.name} has {file.metadata.num_rows:,} rows; {MOST_ROWS:,} are read at most. Split the file."
        )
    groups = [file.metadata.row_group(number) for number in range(file.metadata.num_row_groups)]
    size = sum(group.column(number).total_uncompressed_size for group in groups for number in range(group.num_columns))
    if size > LARGEST:
        raise _too_large(path)


def _too_large(path: Path) -> InputError:
    return InputError(f"{path.name} unpacks to more than {LARGEST // 2**30} GB. Split the file.")


def column_names(path: Path) -> list[str]:
    """The names of the file's columns."""
    with opened(path) as file:
        return list(map(str, file.schema_arrow.names))


def row_count(path: Path) -> int:
    """How many rows the file says that it has."""
    with opened(path) as file:
        return int(file.metadata.num_rows)


def rows(path: Path, columns: Sequence[str] | None = None) -> Iterator[tuple[Any, ...]]:
    """The rows' values in these columns (all, if left out), one row after the other. Raises InputError."""
    with opened(path) as file:
        names = list(file.schema_arrow.names) if columns is None else list(columns)
        wanted = list(dict.fromkeys(names))
        size = 0
        for batch in file.iter_batches(batch_size=BATCH, columns=wanted):
            size += sum(_size(column) for column in batch.columns)
            if size > LARGEST:
                raise _too_large(path)
            values = {name: _values(batch.column(name)) for name in wanted}
            yield from zip(*(values[name] for name in names), strict=True)


def _size(column: Any) -> int:
    """Bytes of a column's values; of a text that many rows name, as often as they do."""
    from pyarrow import compute

    if not hasattr(column, "dictionary"):
        return int(column.nbytes)
    counted = compute.value_counts(column.indices.drop_null())
    lengths = compute.fill_null(compute.binary_length(column.dictionary.take(counted.field("values"))), 0)
    times = compute.multiply(lengths.cast("int64"), counted.field("counts"))
    return compute.sum(times).as_py() or 0


def _values(column: Any) -> list[Any]:
    """A column's values; rows of the same text share it."""
    if not hasattr(column, "dictionary"):
        result: list[Any] = column.to_pylist()
        return result
    # The dictionary is that of a whole group of rows: only what these rows name is made into texts.
    numbers = column.indices.unique().drop_null()
    texts = dict(zip(numbers.to_pylist(), column.dictionary.take(numbers).to_pylist(), strict=True))
    return [texts.get(index) for index in column.indices.to_pylist()]
