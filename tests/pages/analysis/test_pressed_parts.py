"""Stories behind a part of a figure: the address names the part, and the list stands on the page."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from core.people import TERMINAL
from db.transfer.demonstration import load_demonstration
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study


def linked(open_page: Open, name: str, owner: str, **parts: str) -> AppTest:
    """A page as a link opens it."""
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    return page.switch_page(f"{name}.py").run()


def listed(page: AppTest, column: str) -> dict[str, list[object]]:
    """The table of stories with this column."""
    (frame,) = [frame.value for frame in page.dataframe if {"Story", column} <= set(frame.value.columns)]
    return {name: list(frame[name]) for name in frame.columns}


def test_the_stories_of_a_level_of_ratings(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = linked(open_page, "drift", owner, rated="2.5,3")
    rows = listed(page, "People")
    assert f"Rated 2.5–3: {len(rows['Story'])} stories" in words(page)
    assert rows["People"]
    assert all(2.5 <= float(str(value)) < 3 for value in rows["People"])
    page = linked(open_page, "drift", owner, rated="2.5,3", systems="low")
    assert set(listed(page, "People")["System"]) == {"low"}  # what the filters leave
    page.text_input(key="keep-stories-of-the-level-name").set_value("poor ones")
    next(button for button in page.button if button.label == "Keep").click().run()
    assert "Kept as poor ones" in words(page)


def test_the_stories_of_two_sets(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = linked(open_page, "difference", owner, pair="40,2")
    assert "Sets 40 and 2: 24 stories" in words(page)  # of 12 each, apart
    rows = listed(page, "Set")
    assert [rows["Set"].count(side) for side in ("higher", "lower", "both")] == [12, 12, 0]
    assert rows["People"] == sorted(rows["People"], key=lambda value: -float(str(value)))
    rows = listed(linked(open_page, "difference", owner, pair="3,2"), "Set")
    assert [rows["Set"].count(side) for side in ("higher", "lower", "both")] == [1, 1, 11]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("drift", {"rated": "nonsense"}),
        ("difference", {"pair": "0,1"}),
        ("difference", {"pair": "1,999999999999999999999"}),
        ("difference", {"pair": "5"}),
    ],
)
def test_an_address_that_names_no_part_shows_none(
    open_page: Open, served: None, owner: str, name: str, parts: dict[str, str]
) -> None:
    rated_study()
    page = linked(open_page, name, owner, **parts)
    assert not page.exception
    assert all("Story" not in frame.value.columns for frame in page.dataframe)


def test_two_metrics_and_the_stories_on_which_they_disagree(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("all", "half", "flat"))
    page = linked(
        open_page, "score", owner, **{"score-tab": "One or two metrics", "first-metric": "half", "second-metric": "all"}
    )
    assert not page.exception
    assert (page.selectbox(key="first-metric").value, page.selectbox(key="second-metric").value) == ("half", "all")
    rows = listed(page, "Rank by people")
    assert len(rows["Story"]) == 10
    apart = [abs(float(str(a)) - float(str(b))) for a, b in zip(rows["Rank by half"], rows["Rank by all"], strict=True)]
    assert apart == sorted(apart, reverse=True)
    page.selectbox(key="first-metric").set_value("all").run()
    assert page.selectbox(key="second-metric").value != "all"


def test_a_section_of_a_report_leads_to_its_analysis(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("report", owner)
    assert not page.exception
    links = {link.proto.label: link.proto for link in page.get("page_link")}
    assert {"The same on Correlation", "The same on Drift", "The same on Difference"} <= set(links)
    assert "metric=all" in links["The same on Drift"].query_string


def test_the_stories_whose_deductions_imply_another_rating(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = linked(open_page, "judgments", owner, judgments_tab="Error types")
    (figure,) = [
        json.loads(chart.proto.spec) for chart in page.get("plotly_chart") if "deductions imply" in chart.proto.spec
    ]
    implied, given = figure["data"][1]["customdata"][0]
    count = int(figure["data"][0]["text"][int(given) - 1][int(implied) - 1])
    page = linked(open_page, "judgments", owner, judgments_tab="Error types", implied=f"{implied},{given}")
    rows = listed(page, "Mean rating")
    assert 0 < len(rows["Story"]) <= count
    assert f"Rated {given} where the deductions imply {implied}: {len(rows['Story'])} stor" in words(page)
    page = linked(open_page, "judgments", owner, judgments_tab="Error types", implied="none")
    assert "where the deductions imply" not in words(page)
