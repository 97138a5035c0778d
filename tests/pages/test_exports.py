"""What pages show of tables and figures: even decimals, and no figure without a number."""

import json
from collections.abc import Callable

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from core.statistics.intervals import Estimate
from pages.ui.shared.tables import downloads
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import decimals


@pytest.mark.parametrize(
    ("values", "written"),
    [
        ([0.4616, 0.0034], "%.4f"),
        ([-6.2431, None], "%.3f"),
        ([0.000123], "%.7f"),
        ([12345.6], "%.0f"),
        ([0.0], "%.3f"),
        ([], "%.3f"),
    ],
)
def test_a_column_has_as_many_decimals_throughout(values: list[float | None], written: str) -> None:
    assert decimals([None, *(Estimate(value) for value in values)]) == written


def test_a_figure_without_a_number_is_not_drawn() -> None:
    empty = go.Figure(go.Scatter(x=[None], y=[1]))
    assert not chart(empty, key="empty", alt="nothing")


def test_an_interval_stands_beside_its_number_and_long_texts_push_nothing_away() -> None:
    def page() -> None:
        from core.statistics.intervals import Estimate
        from pages.ui.shared.tables.downloads import table_with_downloads

        row = {"Metric": "m", "r": Estimate(0.5, 0.4, 0.6), "n": 3, "What it is": "x" * 98, "Signature": "m|v"}
        table_with_downloads([row], "Some")

    (frame,) = AppTest.from_function(page).run().dataframe
    config = json.loads(frame.proto.columns)
    assert list(frame.value) == ["Metric", "r", "95 % of r", "n", "What it is", "Signature"]
    assert config["95 % of r"]["label"] == "95 %"
    assert config["Metric"]["pinned"]
    assert config["What it is"]["width"] == 7 * (98 + 4)  # all of it can be read
    assert config["Signature"]["hidden"]


def test_files_have_people_by_number_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is printed in papers; the page shows the names to those who run the study."""

    def page() -> None:
        from pages.ui.shared.tables.downloads import table_with_downloads

        rows = [{"Who": who, "n": 3} for who in ("j.o@uni.de (annotator 7)", "A (b) (owner 1)", "annotator 8")]
        table_with_downloads(rows, "Some", people="Who")

    files: list[str] = []

    def keep(_label: str, content: Callable[[], str], *_: object, **__: object) -> None:
        files.append(content())

    monkeypatch.setattr(downloads, "_download", keep)
    (frame,) = AppTest.from_function(page).run().dataframe
    assert list(frame.value["Who"]) == ["j.o@uni.de (annotator 7)", "A (b) (owner 1)", "annotator 8"]
    csv, latex = files
    assert csv.splitlines()[1:] == ["annotator 7,3", "owner 1,3", "annotator 8,3"]
    assert "annotator 7" in latex
    assert not [file for file in files if "uni.de" in file or "A (b)" in file]


def test_many_figures_are_seen_together_before_their_intervals() -> None:
    def page() -> None:
        from core.statistics.intervals import Estimate
        from pages.ui.shared.tables.downloads import table_with_downloads

        figures = {f"Set {number}": Estimate(0.5, 0.4, 0.6) for number in (1, 2, 3)}
        table_with_downloads(
            [{"Metric": "m", **figures, "Signature": "m|v"}, {"Metric": "m", **figures, "n": 3}], "Some"
        )

    (frame,) = AppTest.from_function(page).run().dataframe
    sets = [f"Set {number}" for number in (1, 2, 3)]
    assert list(frame.value)[:7] == ["Metric", *sets, *(f"95 % of {name}" for name in sets)]
    assert "label" not in json.loads(frame.proto.columns)["95 % of Set 1"]
