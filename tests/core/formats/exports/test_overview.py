"""What a page shows of a file of ratings before its columns are chosen."""

import json
from pathlib import Path

import pandas as pd
import pytest

from core.formats.exports.overview import overview

ROWS = [
    {"story": f"Tale {number}.", "anna": 4, "ben": None if number < 6 else 2.5, "notes": "", "seen": True}
    for number in range(7)
]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
def test_its_first_rows_and_the_columns_with_numbers(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"lab.{suffix}"
    table = pd.DataFrame(ROWS)
    if suffix == "csv":
        table.to_csv(path, index=False)
    elif suffix == "parquet":
        table.to_parquet(path)
    else:
        path.write_text(json.dumps(ROWS) if suffix == "json" else "\n".join(map(json.dumps, ROWS)) + "\n")
    seen = overview(path)
    assert seen.columns == ("story", "anna", "ben", "notes", "seen")
    assert seen.rows == 7
    assert [row["story"] for row in seen.first] == [f"Tale {number}." for number in range(5)]
    assert seen.numbers == ("anna", "ben")  # ben's first ratings come late
    assert seen.votes == ("seen",)
