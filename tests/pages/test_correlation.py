"""What the Correlation page says where there is little to correlate."""

import pytest

from core.people import TERMINAL
from core.stories import ScoreRecord
from core.studies import Study
from db import scores
from tests.pages.conftest import Open
from tests.pages.test_pages import words


def test_no_scores(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("correlation", owner)
    assert "This study has no scores yet." in words(page)
    assert not page.exception


@pytest.mark.parametrize(
    ("tab", "said"),
    [
        ("Table", "No story has both a score and a valid rating yet"),
        ("Scatter", "Undefined: only 0 stories have both a score and a rating"),
        ("By error type", "No rating of these stories names an error type"),
        ("By system", "Stories of one system differ less"),
        ("Within prompts", "No average within prompts: no prompt has 3 stories"),
    ],
)
def test_no_ratings(open_page: Open, study: Study, owner: str, tab: str, said: str) -> None:
    keys = scores.story_keys(study.id)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("flat", "file:1", dict.fromkeys(keys, 1.0)))
    page = open_page("correlation", owner)
    page.session_state["tab"] = tab
    page.run()
    assert not page.exception
    assert said in words(page)


def test_kendall_is_not_offered_where_it_takes_too_long(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        given = {key: float(number) for number, key in enumerate(scores.story_keys(study.id))}
        scores.import_scores(TERMINAL, study.id, ScoreRecord(name, f"file:{name}", given))
    monkeypatch.setattr("core.analysis.significance.MOST_KENDALL", -1)
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Significance"
    page.run()
    assert not page.exception
    assert "Kendall's τ is tested over at most 2,000 stories" in words(page)
