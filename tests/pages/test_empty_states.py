"""Studies that no analysis can do much with: every page says in one sentence why, and leads on, without a figure."""

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.transfer import imports
from tests.db.conftest import make_study
from tests.pages.conftest import Open
from tests.pages.empty_states import KEYS
from tests.pages.pages import words

TABS = {
    "correlation": (
        "Table",
        "Scatter",
        "By error type",
        "By system",
        "Within prompts",
        "Significance",
        "How many more?",
    ),
    "drift": ("Quality", "System", "Dataset"),
    "difference": ("",),
}
NO_RATINGS = "No story here has a valid rating yet: open the study for annotation, or import ratings."


def study(
    *,
    stories: int = 60,
    rating: Callable[[int], float | None] = lambda number: float(1 + number * 7 % 5),
    score: Callable[[int], float | None] | None = lambda number: float(number * 3 % 11),
    systems: int = 3,
    prompts: int = 20,
) -> None:
    """`rating`, `score`: of a story by its number; None where it has none. Without `score`, no metric was run."""
    keys = [f"s{number}" for number in range(stories)]
    records = tuple(
        StoryRecord(key, str(number % prompts), f"Opening {number % prompts}.", f"Story {key}.", Source.SYSTEM,
                    f"system {number // prompts % systems}")
        for number, key in enumerate(keys)
    )  # fmt: skip
    ratings = tuple(
        RatingRecord(key, rater, value)
        for number, key in enumerate(keys)
        for rater in ("a", "b")
        if (value := rating(number)) is not None
    )
    values = {} if score is None else {k: v for n, k in enumerate(keys) if (v := score(n)) is not None}
    scores = (ScoreRecord("metric", "file:1", values),) if score else ()
    imports.import_corpora(TERMINAL, "poor", [Corpus("mans", records, ratings, scores)])


STATES: dict[str, tuple[Callable[[], None], str, str]] = {
    "no scores": (lambda: study(score=None), "This study has no scores yet.", "Run a metric"),
    "no ratings": (lambda: study(rating=lambda _: None), NO_RATINGS, "Import ratings"),
    "two stories": (lambda: study(stories=2, prompts=1), "only 2 stories have both", "Open the study"),
    "one story": (lambda: study(stories=1, prompts=1), "only 1 story has both a score", "Open the study"),
    "ratings alike": (lambda: study(rating=lambda _: 3.0), "every story has the same rating", "Open the study"),
    "a constant": (lambda: study(score=lambda _: 1.0), "the metric gives every story the same score", "Run a metric"),
    "other stories scored": (
        lambda: study(rating=lambda n: 1.0 + n % 5 if n < 58 else None, score=lambda n: float(n) if n >= 58 else None),
        "no story has both a score and a rating",
        "Run a metric",
    ),
}  # fmt: skip


def links(page: AppTest) -> list[str]:
    return [link.proto.label for link in page.get("page_link")]


@pytest.mark.parametrize("name", list(TABS))
@pytest.mark.parametrize("state", list(STATES))
def test_one_sentence_and_no_figure(open_page: Open, served: None, owner: str, name: str, state: str) -> None:
    make, sentence, link = STATES[state]
    make()
    page = open_page(name, owner)
    for tab in TABS[name]:
        if tab:
            page.session_state[KEYS[name]] = tab
            page.run()
        assert sentence in words(page)
        assert len(page.info) == 1, tab
        assert link in links(page)
        assert not page.get("plotly_chart")
        assert not page.dataframe


@pytest.mark.parametrize("state", list(STATES))
def test_the_report_says_it_in_its_own_words(open_page: Open, served: None, owner: str, state: str) -> None:
    make, sentence, _ = STATES[state]
    make()
    page = open_page("report", owner)
    assert (sentence if state == "no scores" else "undefined over") in words(page)
    assert not page.get("plotly_chart")


@pytest.mark.parametrize("state", ["no ratings", "ratings alike", "a constant", "other stories scored"])
def test_systems_shows_what_there_is_to_rank(open_page: Open, served: None, owner: str, state: str) -> None:
    STATES[state][0]()
    page = open_page("systems", owner)
    sentence = words(page)
    assert (NO_RATINGS if state == "no ratings" else "That cannot be said yet") in sentence
    assert "No plot against people" in sentence or "No prompt has scores" in sentence
    assert "0.000" not in sentence
    tables = [list(frame.value.columns) for frame in page.dataframe]
    assert not any("Pairs right" in columns for columns in tables)


def test_an_open_study_is_not_to_be_opened(open_page: Open, served: None, owner: str) -> None:
    make_study()
    page = open_page("judges", owner)
    assert "No story here has a valid rating yet. This page fills as they come in." in words(page)
    assert "pen the study" not in " ".join([words(page), *links(page)])
    assert {"Invite annotators", "See what came in"} <= set(links(page))


@pytest.mark.parametrize(
    ("name", "tab", "said"),
    [
        ("correlation", "By system", "These stories are of one system"),
        ("drift", "System", "all rated ones here are of system 0"),
        ("correlation", "By error type", "No rating of these stories names an error type"),
        ("correlation", "Within prompts", "No average within prompts: a prompt counts that has 3 stories or more"),
        ("correlation", "Significance", "A comparison needs the scores of two metrics or more"),
        ("drift", "Dataset", "There is no other study to compare with"),
        ("systems", "", "All stories here are of one system"),
    ],
)
def test_one_system(open_page: Open, served: None, owner: str, name: str, tab: str, said: str) -> None:
    study(systems=1, prompts=60)
    page = open_page(name, owner)
    if tab:
        page.session_state[KEYS[name]] = tab
        page.run()
    assert said in words(page)
    assert not page.get("plotly_chart")


def test_half_the_stories_scored(open_page: Open, served: None, owner: str) -> None:
    study(score=lambda number: float(np.sin(number)) if number % 2 else None)
    for name, tabs in TABS.items():
        page = open_page(name, owner)
        for tab in tabs:
            if tab:
                page.session_state[KEYS[name]] = tab
                page.run()
            assert not page.exception
            if name == "difference":  # 30 stories
                assert "only 30 stories have both a score and a rating; 50 are needed" in words(page)
