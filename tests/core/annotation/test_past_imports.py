"""What imports left out, in few words."""

import pytest

from core.annotation.past_imports import RowsLeftOut, left_out_briefly

REJECTED, EMPTY = "rejected on MTurk", "the story is empty"


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ([], ""),
        ([RowsLeftOut("Kept as a sentence alone.")], ""),
        ([RowsLeftOut("", 1, EMPTY)], "1 more row was left out at the import: the story is empty"),
        (
            [RowsLeftOut("", 20, REJECTED), RowsLeftOut("Alone."), RowsLeftOut("", 7, REJECTED)],
            "27 more rows were left out at the import: rejected on MTurk",
        ),
        (
            [RowsLeftOut("", 1_000, REJECTED), RowsLeftOut("", 2, EMPTY)],
            "1,002 more rows were left out at the import: rejected on MTurk (1,000), the story is empty (2)",
        ),
    ],
)
def test_rows_are_counted_by_reason(left_out: list[RowsLeftOut], said: str) -> None:
    assert left_out_briefly(left_out) == said
