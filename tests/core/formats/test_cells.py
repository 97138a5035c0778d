"""Cells that no spreadsheet runs, and back."""

import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.formats.cells import FORMULA, cell_of, text_of

SIGNS = st.text(st.sampled_from("'=+-@\t\r\n＝ a\","), max_size=8)


@given(SIGNS | st.text(st.characters(exclude_categories=["Cs"])))
@example("'")
@example("''=1")
@example("'tis")
def test_every_text_comes_back_exactly_and_runs_nowhere(text: str) -> None:
    cell = cell_of(text)
    assert text_of(cell) == text
    assert not cell.startswith(FORMULA)


@given(SIGNS)
def test_also_through_a_file(text: str) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([cell_of(text), "end"])
    ((cell, _),) = csv.reader(io.StringIO(out.getvalue(), newline=""))
    assert text_of(cell) == text


@pytest.mark.parametrize("text", ["1=1", " =1", "", "a-b", "(−1)", "'tis", "''"])
def test_what_does_not_run_is_left_alone(text: str) -> None:
    assert cell_of(text) == text


def test_an_apostrophe_before_a_formula_is_told_from_ours() -> None:
    assert (cell_of("=1"), cell_of("'=1")) == ("'=1", "''=1")
