"""What imports left out, in few words."""

import pytest

from core.annotation.past_imports import ImportCounts, RowsLeftOut, TakingBack, asks_now, left_out_briefly
from core.stories import Source

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


@pytest.mark.parametrize(
    ("metrics", "said"),
    [
        ((), "2 stories and 1 rating"),
        (("bleu",), "2 stories, 1 rating and scores of bleu"),
        (("bleu", "ppl", "bleu"), "2 stories, 1 rating and scores of bleu, ppl"),
        (("bleu", "ppl", "union"), "2 stories, 1 rating and scores of bleu, ppl, union"),
        (tuple("abcdefg"), "2 stories, 1 rating and scores of a, b, c and 4 more"),
    ],
)
def test_an_import_names_its_metrics(metrics: tuple[str, ...], said: str) -> None:
    assert ImportCounts({Source.SYSTEM: 2}, 1, metrics).words == said


def test_what_goes_with_an_import_is_named() -> None:
    assert TakingBack(ImportCounts({}, 0, ("bleu", "ppl"))).sentence == "This removes scores of bleu, ppl."


def test_other_criteria_of_a_form_are_told() -> None:
    assert asks_now(("overall",), ("wit", "mood")) == "Its form asks for wit, mood now, in place of overall."
    assert asks_now(("wit", "mood"), ("wit", "mood")) == ""
