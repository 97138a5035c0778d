"""Result tables as CSV, read back."""

import csv
import io

from core.formats.results_csv import results_csv
from core.statistics.intervals import Estimate


def test_figures_are_unrounded_and_intervals_have_columns() -> None:
    rows = [
        {"System": "gpt", "n": 3, "r": Estimate(1 / 3, -0.5, 0.75), "sd": None},
        {"System": "s2s", "n": 4, "r": Estimate(None, undefined="no story has two ratings"), "m1": Estimate(0.5)},
    ]
    read = list(csv.DictReader(io.StringIO(results_csv(rows))))
    names = ["System", "n", "r", "r, low", "r, high", "r, undefined", "sd", "m1", "m1, low", "m1, high"]
    assert list(read[0].items()) == list(
        zip(names, ["gpt", "3", repr(1 / 3), "-0.5", "0.75", "", "", "", "", ""], strict=True)
    )
    assert read[1]["r, undefined"] == "no story has two ratings"
    assert (read[1]["r"], read[1]["m1"], read[1]["m1, low"]) == ("", "0.5", "")


def test_no_cell_is_a_formula() -> None:
    read = list(csv.reader(io.StringIO(results_csv([{"=1+1": "=cmd|' /C calc'!A0", "n": -1, "t": 'a "b",\nc'}]))))
    assert read == [["'=1+1", "n", "t"], ["'=cmd|' /C calc'!A0", "-1", 'a "b",\nc']]


def test_no_rows() -> None:
    assert results_csv([]) == "\r\n"
