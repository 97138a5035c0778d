"""Rows and cells of analyses, on their pages: what is pressed leads to the stories behind it, or to the next detail."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.analysis.criteria.overview import farthest_apart
from core.people import TERMINAL
from core.stories import Corpus, ScoreRecord, StoryRecord
from db.scores import scores, tables
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from pages.ui.shared.stories.wanted_stories import WANTED
from tests.db.judged import judged_study
from tests.db.pairs import compared_study
from tests.pages.conftest import Open
from tests.pages.pages import pressed, words
from tests.rated import rated_study

Handlers = dict[str, Callable[..., None]]


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> Handlers:
    """What a press does on the page that was drawn last, by the key of the table or the figure."""
    found: Handlers = {}

    def noting(draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*given: Any, **more: Any) -> Any:
            if isinstance(more.get("on_select"), partial):
                found[more["key"]] = more["on_select"].args[1]
            return draw(*given, **more)

        return drawn

    for name in ("dataframe", "plotly_chart"):
        monkeypatch.setattr(st, name, noting(getattr(st, name)))
    return found


def points(*carried: str) -> list[dict[str, Any]]:
    return [{"customdata": list(carried)}]


def on_tab(page: AppTest, key: str, name: str) -> AppTest:
    page.session_state[key] = page.query_params[key] = name
    page.run()
    assert not page.exception
    return page


@pytest.mark.parametrize("tab", ["Within prompts", "Systems and length"])
def test_a_row_of_a_metric_shows_its_plot(
    open_page: Open, served: None, owner: str, handlers: Handlers, tab: str
) -> None:
    rated_study(metrics=("all", "half"))
    page = on_tab(open_page("correlation", owner), "tab", tab)
    rows = page.dataframe[0].value
    press = handlers[f"rows_{tab.lower().replace(' ', '-')}"]
    if tab == "Systems and length":
        with pressed(page):
            press(len(rows) - 1, "Metric")
        assert list(rows["Metric"])[-1] == "number of words"
        assert page.session_state["tab"] == tab  # it has no plot
    with pressed(page):
        press(1, "n")
    page.run()
    assert page.session_state["tab"] == "Scatter"
    assert page.selectbox(key="metric").value == rows["Metric"][1] != rows["Metric"][0]


def test_a_judge_leads_to_where_it_and_people_part(
    open_page: Open, served: None, owner: str, handlers: Handlers
) -> None:
    judged_study()
    page = open_page("judges", owner)
    judges = list(page.dataframe[0].value["Judge"])
    with pressed(page):
        handlers["rows_judges"](3, "n")
    page.run()
    assert (page.session_state["tab"], page.selectbox(key="judge").value) == ("Disagreements", judges[3])
    on_tab(page, "tab", "Agreement")
    with pressed(page):
        handlers["judge_agreement"](points(judges[1]))
    page.run()
    assert (page.session_state["tab"], page.selectbox(key="judge").value) == ("Disagreements", judges[1])
    on_tab(page, "tab", "Agreement")
    with pressed(page):
        handlers["judges_by_criteria"](points("guess", "empathy"))
    page.run()
    assert (page.selectbox(key="judge").value, page.selectbox(key="target").value) == ("guess", "empathy")
    on_tab(page, "tab", "Agreement")
    by_criteria = list(page.dataframe[1].value["Judge"])
    with pressed(page):
        handlers["rows_judges-by-criteria"](0, "Judge")
    assert page.session_state["tab"] == "Agreement"  # a judge's name is of no criterion
    with pressed(page):
        handlers["rows_judges-by-criteria"](2, "95 % of coherence")
    page.run()
    assert (page.selectbox(key="judge").value, page.selectbox(key="target").value) == (by_criteria[2], "coherence")


def test_a_cell_or_a_row_of_two_systems_lists_their_stories(
    open_page: Open, served: None, owner: str, handlers: Handlers
) -> None:
    compared_study()
    page = open_page("preferences", owner)
    first, second = page.dataframe[1].value.iloc[0][["System", "Against"]]
    with pressed(page):
        handlers["rows_pairs-of-systems"](0, "p")
    assert page.session_state[WANTED] == ("stories.py", {"system": (first, second)})
    with pressed(page):
        handlers["wins"](points(second, first))
    page.run()
    assert set(page.multiselect(key="system").value) == {first, second}
    assert {system for frame in page.dataframe for system in frame.value["System"]} == {first, second}


def test_a_bar_of_scores_lists_its_stories(open_page: Open, served: None, owner: str, handlers: Handlers) -> None:
    rated_study(metrics=("coarse", "half"))
    page = on_tab(open_page("score", owner), "score-tab", "One or two metrics")
    page.selectbox(key="first-metric").set_value("coarse").run()
    with pressed(page):
        handlers["distribution"](points("coarse", "39"))
    page.run()
    (listed,) = [frame.value for frame in page.dataframe if {"Score", "People"} <= set(frame.value.columns)]
    assert len(set(listed["Score"])) == 1
    assert f"{len(listed)} stor" in words(page)
    with pressed(page):
        handlers["rows_stories-of-the-bar"](0, "Story")
    assert page.query_params["story"] == listed["Story"][0]
    page.selectbox(key="first-metric").set_value("half").run()
    assert "rows_stories-of-the-bar" not in [frame.key for frame in page.dataframe]  # the bar is another metric's


def test_a_metric_of_the_check_up_leads_to_its_plot(
    open_page: Open, served: None, owner: str, handlers: Handlers
) -> None:
    texts = [
        "He went home and slept. " * 9 if i % 3 == 0 else f"Day {i} was long. It rained on all of them."
        for i in range(6)
    ]
    records = tuple(StoryRecord(f"s{i}", "p", "An opening.", text) for i, text in enumerate(texts))
    study = imports.import_corpora(TERMINAL, "circles", [Corpus("", records)])
    for metric in ("one", "other"):
        scores.import_scores(
            TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", {f"s{i}": 0.1 * i for i in range(6)})
        )
    page = open_page("score", owner)
    (rows,) = [frame.value for frame in page.dataframe if frame.proto.alt == "Degenerate stories by metric"]
    with pressed(page):
        handlers["rows_degenerate-stories-by-metric"](1, "Degenerate")
    assert page.session_state[WANTED] == ("correlation.py", {"tab": "Scatter", "metric": rows["Metric"][1]})


def test_two_error_types_list_the_stories_that_were_given_both(
    open_page: Open, served: None, owner: str, handlers: Handlers
) -> None:
    load_demonstration(TERMINAL)
    page = on_tab(open_page("judgments", owner), "judgments_tab", "Error types")
    (rows,) = [frame.value for frame in page.dataframe if "with" in frame.value.columns]
    alone = list(rows["with"]).index("overall rating")
    with pressed(page):
        handlers["rows_correlations-of-errors"](alone, "with")
    assert page.session_state[WANTED] == (
        "stories.py",
        {"error_type": (rows["Error type"][alone],), "every_type": "true"},
    )
    both = len(rows) - 1
    with pressed(page):
        handlers["error_correlations"](points(*rows.iloc[both][["Error type", "with"]]))
    _, parts = page.session_state[WANTED]
    page = open_page("", owner)
    for part, value in parts.items():
        page.query_params[part] = value
    page.switch_page("stories.py").run()
    assert page.multiselect(key="error_type").value == [*rows.iloc[both][["Error type", "with"]]]
    assert page.toggle(key="every_type").value
    number = len(page.dataframe[0].value)
    page.toggle(key="every_type").set_value(False).run()
    assert len(page.dataframe[0].value) > number > 0


def test_two_criteria_open_the_story_on_which_they_part_most(
    open_page: Open, served: None, owner: str, handlers: Handlers
) -> None:
    study = judged_study()
    page = on_tab(open_page("judgments", owner), "judgments_tab", "Criteria")
    with pressed(page):
        handlers["among_criteria"](points("coherence", "empathy"))
    farthest = farthest_apart(tables.table(study.id), "coherence", "empathy")
    assert page.query_params["story"] == farthest[0]
    page.run()
    assert not page.exception
    assert f"1 of {len(farthest)} of the list" in words(page)
