"""The Drift page: nothing to show, three tabs, another study, one system."""

from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.checkpoints.store import shipped
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.jobs import jobs
from db.studies import studies
from db.transfer import imports
from tests.commands.analysis.drift import scored_study
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study

HOSTILE = "**bold** <b>x</b> $y$"


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Every test has a database of its own, in which studies and events are numbered alike."""
    st.cache_data.clear()
    st.cache_resource.clear()


def on_tab(page: AppTest, name: str) -> AppTest:
    page.session_state["drift"] = name
    return page.run()


def cells(page: AppTest) -> str:
    """All that the tables say."""
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)


def test_nothing_scored_yet(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("drift", owner)
    assert not page.exception
    assert "no scores yet" in words(page)


def test_one_rater_and_the_ceiling_are_said_where_stories_have_several_ratings(
    open_page: Open, served: None, owner: str
) -> None:
    scored_study("second", 2, ("all",))  # one rating a story: no lines
    rated_study()
    page = open_page("drift", owner)
    assert "of all stories together, not of one set: one human rater dashed, the ceiling dotted." in words(page)
    assert "not of one system" in words(on_tab(page, "System"))
    on_tab(page, "Dataset")
    page.multiselect(key="with").select("second").run()
    assert "rated: one human rater 0." in words(page)
    assert "second: one human rater" not in words(page)


def test_three_tabs(open_page: Open, served: None, owner: str) -> None:
    scored_study("second", 2, ("near", HOSTILE))
    scored_study("first", 1)
    page = open_page("drift", owner)
    assert not page.exception
    assert "mean of 1,000 draws" in words(page)
    assert "Set 8" in cells(page)
    assert sorted(page.multiselect(key="metrics").value) == ["far", "near"]

    on_tab(page, "System")
    assert not page.exception
    assert "three" in cells(page)

    on_tab(page, "Dataset")
    assert "Choose another study" in words(page)
    page.multiselect(key="with").select("second").run()
    assert not page.exception
    assert "file:near2" in cells(page)
    assert "Only in second" in words(page)
    assert "which are others than on Correlation, so that its ends differ" in words(page)

    assert "near: equal names, different signatures" in words(page)
    assert "Metrics in the figures" not in [box.label for box in page.multiselect]
    assert sorted(on_tab(page, "System").multiselect(key="metrics").value) == ["far", "near"]
    page.number_input(key="shortest").set_value(1000).run()
    assert "loosen the filters" in words(page)
    page.number_input(key="shortest").set_value(None).run()
    page.selectbox(key="study_box").select(studies.find("second").id).run()
    assert not page.exception
    assert set(page.multiselect(key="metrics").value) <= {"near", HOSTILE}


def test_every_trained_metric_is_queued_for_both_studies(open_page: Open, served: None, owner: str) -> None:
    scored_study("second", 2)
    scored_study("first", 1)
    page = on_tab(open_page("drift", owner), "Dataset")
    page.multiselect(key="with").select("second").run()
    assert "Trained on" in cells(page)
    assert f"{len(shipped())} checkpoints" in words(page)
    page.button(key="drift-trained-yes").click().run()
    assert not page.exception
    assert f"{2 * len(shipped())} runs are queued" in words(page)
    queued = jobs.of_study(studies.find("first").id, most=100)
    assert len(queued) == len(shipped())
    asked = [job.settings["options"][job.settings["metrics"][0]]["checkpoint"] for job in queued]
    assert sorted(asked) == sorted(shipped())


def test_every_trained_metric_is_queued_for_one_study(open_page: Open, served: None, owner: str) -> None:
    scored_study("first", 1)
    page = on_tab(open_page("drift", owner), "System")
    assert "Trained on" in cells(page)
    page.button(key="drift-trained-yes").click().run()
    assert not page.exception
    assert f"{len(shipped())} runs are queued" in words(page)
    assert len(jobs.of_study(studies.find("first").id, most=100)) == len(shipped())


def test_one_system_and_no_ratings(open_page: Open, served: None, owner: str) -> None:
    keys = [f"k{number}" for number in range(6)]
    stories = tuple(StoryRecord(key, key, "Once.", f"Text {key}.", Source.SYSTEM, HOSTILE) for key in keys)
    scores = (ScoreRecord("m", "file:m", {key: float(place) for place, key in enumerate(keys)}),)
    imports.import_corpora(TERMINAL, "unrated", [Corpus("", stories, (), scores)])
    page = open_page("drift", owner)
    assert "No story here has a valid rating yet" in words(page)
    ratings = tuple(RatingRecord(key, "r", float(1 + place % 5)) for place, key in enumerate(keys))
    imports.import_corpora(TERMINAL, "rated", [Corpus("mans", stories, ratings, scores)])
    on_tab(page, "System").selectbox(key="study_box").select(studies.find("rated").id).run()
    assert not page.exception
    assert "all rated ones here are of" in words(page)


def test_the_released_study(open_page: Open, served: None, owner: str, shared: Path) -> None:
    from core.formats.corpora.union import read_union

    imports.import_corpora(TERMINAL, "roc", [read_union(shared / "union-roc")])
    page = open_page("drift", owner)
    assert not page.exception
    frame = page.dataframe[0].value
    union = frame[frame["Metric"] == "union"].iloc[0]
    assert [union[f"Set {number}"] for number in range(1, 9)] == pytest.approx(
        np.array([0.33, 0.30, 0.30, 0.33, 0.33, 0.35, 0.36, 0.36]), abs=0.01
    )
    assert page.multiselect(key="metrics").value[0] == "union"
