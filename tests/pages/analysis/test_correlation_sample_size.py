"""The section "How many more?" by itself: too little, a study that pays, and an unpaid one."""

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL
from core.serving.sessions import OpenedBy, Visit
from core.stories import Corpus, RatingRecord, ScoreRecord
from db.monitor import payments
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.pages.pages import words


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has a database of its own, in which studies are numbered alike."""
    st.cache_data.clear()
    monkeypatch.setattr("pages.ui.shared.viewer.visit", lambda: Visit(0, TERMINAL, OpenedBy.LINK))
    st.cache_resource.clear()


def section() -> None:
    from core.people import Role
    from db.studies import studies
    from pages.ui.correlation.sample_size import more_section
    from pages.ui.shared.analysis.view import view
    from pages.ui.shared.viewer import require

    (summary,) = studies.summaries(require(Role.RESEARCHER))
    more_section(view(summary))


def made(prompts: int, ratings: int = 3) -> Study:
    """A study with ratings that differ, and scores of one metric with a name that wants to be markup."""
    stories = small_corpus(prompts).stories
    keys = [story.key for story in stories if story.system]
    given = tuple(
        RatingRecord(key, f"rater {r}", float(1 + (i * 7 + r * (i % 3)) % 5))
        for i, key in enumerate(keys)
        for r in range(ratings)
    )
    scores = ScoreRecord("**m** <b>", "file:1", {key: float(i * 7 % 5 + i % 4) for i, key in enumerate(keys)})
    return imports.import_corpora(TERMINAL, "rated", [Corpus("mans", stories, given, (scores,))])


def test_too_few_prompts(served: None) -> None:
    made(4, ratings=1)
    assert "Nothing to go by for **m** <b>: only 4 prompts have" in words(AppTest.from_function(section).run())


def test_the_sentence_and_its_price(served: None) -> None:
    study = made(20)
    page = AppTest.from_function(section).run()
    assert "wide at 100 stories" in words(page)
    assert "(6 instead of 3)" in words(page)
    assert "further ratings:" not in words(page)
    assert len(page.get("plotly_chart")) == 2
    payments.set_payment(TERMINAL, study.id, "1.50", "EUR")
    st.cache_data.clear()
    text = words(AppTest.from_function(section).run())
    assert "300 further ratings: 60 valid panels, 90.00 EUR at 1.50 EUR each" in text
