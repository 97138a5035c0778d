"""A JSON list, which is read as a whole: JSON lines are for files of any size."""

from functools import lru_cache
from typing import Any

from core.errors import InputError
from core.streams.inputs import InputFile, opened
from core.streams.partition import Layout, Partition, RawRows
from core.text_files import NOT_UTF8, parse_json

LARGEST = 2**30
_COLUMNS_OF = 1000


@lru_cache(maxsize=1)
def _items(file: InputFile) -> list[dict[str, Any]]:
    if file.size > LARGEST:
        raise InputError(f"{file.name} has more than {LARGEST // 2**30} GB: save it as JSON lines (.jsonl).")
    with opened(file) as stream:
        content = stream.read()
    try:
        data = parse_json(content.decode("utf-8-sig"), file.name)
    except UnicodeDecodeError:
        raise InputError(f"{file.name}: {NOT_UTF8}") from None
    if not isinstance(data, list):
        raise InputError(f"{file.name}: expected a list of objects, one a story.")
    for number, row in enumerate(data, start=1):
        if not isinstance(row, dict):
            raise InputError(f"{file.name}, item {number}: expected an object with named fields.")
    return data


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many items. Raises InputError for a file that is no such list, or longer than 1 GB."""
    items = _items(file)
    columns = dict.fromkeys(key for item in items[:_COLUMNS_OF] for key in item)
    ends = [*range(rows, len(items), rows), len(items)] if items else []
    return Layout(tuple(columns), tuple((end, end) for end in ends))


def read(partition: Partition) -> RawRows:
    """The rows of a partition."""
    rows = tuple(_items(partition.file)[partition.start : partition.end])
    return RawRows(tuple(range(partition.first + 1, partition.end + 1)), rows)
