"""Cells that no spreadsheet runs, and back; numbers in them, with points and with commas."""

import csv
import io

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.formats.cells import FORMULA, DecimalCommas, cell_of, is_number, number_of, others_refused, text_of

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


WHOLE = st.integers(0, 10**9)
DIGITS = st.text("0123456789", min_size=1, max_size=9)
SIGNS = st.sampled_from(["", "-", "+"])


@given(SIGNS, WHOLE, DIGITS, st.sampled_from([";", "\t"]))
def test_a_comma_is_a_decimal_sign_where_cells_stand_between_others(
    sign: str, whole: int, digits: str, separator: str
) -> None:
    assert number_of(f" {sign}{whole},{digits} ", separator) == float(f"{sign}{whole}.{digits}")


@given(SIGNS, WHOLE, DIGITS)
def test_in_a_file_with_commas_nothing_that_may_be_a_thousand_is_read(sign: str, whole: int, digits: str) -> None:
    cell = f"{sign}{whole},{digits}"
    if 0 < whole < 1000 and len(digits) == 3:
        with pytest.raises(ValueError, match="write it without the comma"):
            number_of(cell, ",")
    else:
        assert number_of(cell, ",") == float(cell.replace(",", "."))


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["", ",", ";", "\t"]))
def test_numbers_with_a_point_are_what_they_are_in_every_file(value: float, separator: str) -> None:
    assert number_of(repr(value), separator) == value


@given(st.text("0123456789,.+- ", max_size=12))
def test_what_has_no_separator_has_no_decimal_commas(cell: str) -> None:
    assume("," in cell)
    assert not is_number(cell)


@pytest.mark.parametrize("cell", ["1,000,000", "1.000,5", "1,000.5", "4,", ",5", "4, 5", "4,5,", "--4,5", "1_0,5"])
@pytest.mark.parametrize("separator", ["", ",", ";", "\t"])
def test_other_commas_are_refused(cell: str, separator: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        number_of(cell, separator)


@pytest.mark.parametrize(("cell", "number"), [("0,125", 0.125), ("-0,125", -0.125), ("1,5e-3", 0.0015), ("12,3", 12.3)])
def test_where_a_comma_can_only_be_the_decimal_sign_it_is(cell: str, number: float) -> None:
    assert number_of(cell, ",") == number_of(cell, ";") == number


def test_what_was_read_is_counted_and_said() -> None:
    commas = DecimalCommas(";")
    assert commas.notices == ()
    assert [commas.read(cell) for cell in ("4,5", "3", 2.5, "-0,25")] == [4.5, 3, 2.5, -0.25]
    assert commas.notices == ("Decimal commas were read in 2 numbers: 4,5 as 4.5.",)
    commas.forget()
    assert commas.notices == ()


def test_how_many_others_are_refused() -> None:
    assert others_refused(["1", "x", "", None, float("nan"), "4,5"]) == " 2 cells are not numbers."
    assert others_refused(["1", "x", "", "4,5"], ";") == ""
