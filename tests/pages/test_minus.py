"""Numbers in tables: a minus sign that is seen, and one way to write a p, beside numbers by which a table is sorted."""

import json
import re

import numpy as np
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.testing.v1 import AppTest

from core.analysis.correlation.metrics import MetricMatrix
from core.figures.criteria import heat
from core.figures.scores import matrix
from core.figures.style import number
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from core.wording import digits, p_digits, rounded
from pages.ui.shared.tables.downloads import interval
from pages.ui.shared.tables.written import MOST_CELLS, P, as_written
from tests.pages.conftest import ROOT

ROWS = [{"By": "a", "r": -0.25, "n": 3}, {"By": "b-c", "r": None, "n": 4}, {"By": "d", "r": 0.5, "n": 5}]


def test_the_cells_show_it_and_hold_numbers() -> None:
    column = st.column_config.NumberColumn(format="%+.1f", help="Pearson's r", pinned=True)
    cells, config = as_written(ROWS, {"r": column, "n": st.column_config.NumberColumn(format="%d")})
    assert isinstance(cells, Styler)
    assert cells.data["r"].dtype == float
    html = cells.to_html()
    assert "−0.3" in html  # a half is rounded away from 0
    assert "+0.5" in html
    assert "b-c" in html
    assert "nan" not in html
    assert (config["r"]["help"], config["r"]["pinned"]) == ("Pearson's r", True)
    assert "format" not in config["r"]["type_config"]
    assert config["n"]["type_config"]["format"] == "%d"


def test_a_table_without_one_stays_as_it_is() -> None:
    rows = [{"By": "-1", "r": 0.5, "whole": -0.0}]
    assert as_written(rows, None) == (rows, {})


def test_a_half_is_written_as_in_the_sentences() -> None:
    """Also where the browser would take what was computed as a little less for less."""
    column = {"r": st.column_config.NumberColumn(format="%.2f")}
    for half in (0.125, 2.625, 0.405 - 1e-16, 1.005):
        cells, _ = as_written([{"r": half}], column)
        assert isinstance(cells, Styler)
        written = digits(half, ".2f")
        assert f">{written}<" in cells.to_html()
        assert rounded(half, 2) == number(half, ".2f") == Estimate(half).shown(".2f") == written
        assert interval(half, half, "%.2f") == f"{written} to {written}"
    plain = [{"r": 0.375}]  # which every way rounds up
    assert as_written(plain, column)[0] is plain


def test_a_table_too_large_to_be_styled_stays_as_it_is() -> None:
    rows = [{"r": -0.5}] * (MOST_CELLS + 1)
    assert as_written(rows, None)[0] is rows


def test_a_number_without_a_format_is_not_rounded() -> None:
    cells, _ = as_written([{"r": -0.5}], None)
    assert isinstance(cells, Styler)
    assert ">−0.5<" in cells.to_html()


def test_whole_numbers_without_a_format() -> None:
    cells, _ = as_written([{"change": -2}, {"change": 10}], None)
    assert isinstance(cells, Styler)
    assert "−2" in cells.to_html()


def test_whole_numbers_stay_whole_beside_a_gap() -> None:
    """A frame has them as 50.000000."""
    cells, _ = as_written([{"r": -0.5, "n": 50, "less": -3}, {"r": 0.5, "n": None, "less": None}], None)
    assert isinstance(cells, Styler)
    html = cells.to_html()
    assert ">50<" in html
    assert ">−3<" in html
    assert "nan" not in html


def test_a_share_is_written_as_streamlit_writes_it() -> None:
    cells, _ = as_written([{"share": -0.125}], {"share": st.column_config.NumberColumn(format="percent")})
    assert isinstance(cells, Styler)
    assert "−12.50%" in cells.to_html()


def test_a_p_is_written_as_in_the_sentences() -> None:
    rows = [{"By": "a", "p": 5.56e-6}, {"By": "b", "p": None}, {"By": "c", "p": 0.0375}]
    cells, config = as_written(rows, {"p": st.column_config.NumberColumn(format=P, help="how easily")})
    assert isinstance(cells, Styler)
    assert cells.data["p"].dtype == float
    html = cells.to_html()
    assert p_digits(5.56e-6) == "5.56e-06"
    assert "5.56e-06" in html
    assert ">0.0375<" in html
    assert "nan" not in html
    assert config["p"]["help"] == "how easily"
    assert "format" not in config["p"]["type_config"]
    _, of_large = as_written(rows * MOST_CELLS, {"p": st.column_config.NumberColumn(format=P)})
    assert of_large["p"]["type_config"]["format"] == "%.3g"  # a browser has no format of this name


def test_an_interval_has_it() -> None:
    assert interval(-0.5, 0.25) == "−0.500 to 0.250"


def test_no_page_and_no_figure_writes_an_interval_with_a_hyphen() -> None:
    """`text` is for terminals; `shown` writes a minus. Of shares, which are never below 0, either will do."""
    interval_of = re.compile(r"""[\w\])]\.text\((?:\)|["']\+?\.[0-9]+[fg]["'])""")
    rooms = [ROOT / room for room in ("pages", "core/figures", "core/report")]
    hyphens = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for room in rooms
        for path in sorted(room.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if interval_of.search(line)
    ]
    assert hyphens == []


def test_heat_maps_have_it_and_the_leading_nought() -> None:
    agreement = MetricMatrix("pearson", np.array([[1.0, -0.31], [-0.31, 1.0]]), np.full((2, 2), 40))
    drawn = matrix(agreement, ["a", "b"]).data[0]
    assert drawn.text[0].tolist() == ["1.00", "−0.31"]
    below = Coefficient(-0.05, low=-0.301, high=0.384)
    written = heat(np.array([[-0.05]]), ["m"], ["c"], [[below]]).data[0]
    assert (written.text[0][0], written.customdata[0][0]) == ("−0.05", "−0.0500 (95 % −0.301 to 0.384)")


def test_on_a_page() -> None:
    def page() -> None:
        from pages.ui.shared.tables.downloads import table_with_downloads

        table_with_downloads([{"Metric": "m", "r": -0.25}, {"Metric": "n", "r": None}], "Table")

    shown = AppTest.from_function(page).run()
    assert not shown.exception
    (frame,) = shown.dataframe
    assert frame.value["r"].tolist()[0] == -0.25
    assert json.loads(frame.proto.columns)["r"]["type_config"].get("format") is None
