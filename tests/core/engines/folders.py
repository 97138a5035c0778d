"""What folders of scores hold."""

from pathlib import Path
from typing import Any

from pyarrow import parquet


def parts(folder: Path) -> dict[str, bytes]:
    """The parts of a folder, byte by byte."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob("part-*.parquet"))}


def scores_of(folder: Path) -> list[dict[str, Any]]:
    """All rows, in order."""
    return [row for path in sorted(folder.glob("part-*.parquet")) for row in parquet.read_table(path).to_pylist()]
