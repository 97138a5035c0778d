"""Entries of the log as text."""

import json
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.trail import LONGEST, Entry, as_lines


def entry(**detail: Any) -> Entry:
    return Entry(7, datetime(2026, 1, 1, tzinfo=UTC), "rules changed", None, "", detail)


@given(st.dictionaries(st.text(max_size=9), st.none() | st.booleans() | st.integers() | st.text(max_size=9)))
def test_a_line_is_read_back_as_it_was(detail: dict[str, Any]) -> None:
    (line,) = as_lines([entry(**{f"_{name}": value for name, value in detail.items()})])
    assert line.count("\n") == 1
    assert line.endswith("\n")
    result = json.loads(line)
    assert result["detail"] == {f"_{name}": value for name, value in detail.items()}
    assert (result["id"], result["kind"], result["at"]) == (7, "rules changed", "2026-01-01T00:00:00+00:00")


def test_particulars_are_text_and_short() -> None:
    assert entry(assignment=3, error_type="odd", valid=True).particulars == "number: 3, error type: odd, valid: true"
    assert len(entry(assignments=list(range(10_000))).particulars) == LONGEST + 2
