"""The study that the pages of analyses are measured over has what they show."""

import numpy as np

from benchmarks.pages.analysis_pages import JUDGE, PAGES, PER_PROMPT, RATINGS, changed, made
from db.engine import engine
from db.scores import tables


def test_a_large_study_in_small(database: str) -> None:
    try:
        table = tables.table(made(3 * PER_PROMPT, 9, "s").id)
        assert len(table.keys) == table.rated == 3 * PER_PROMPT
        assert len(set(table.systems)) == PER_PROMPT
        assert len(set(table.prompts)) == 3
        assert table.given == table.rated * RATINGS
        assert any(votes.any() for votes in table.votes.values())
        names = [column.metric for column in table.columns]
        assert "metric-07" in names  # which the second visits choose
        tied = [len(np.unique(column.values)) < table.rated / 2 for column in table.columns]
        assert names[0] == JUDGE
        assert tied == [False, True, False, False, False, False, True, False, False]
        unrated = tables.table(made(PER_PROMPT, 0, "u", rate=False).id)
        assert (len(unrated.keys), unrated.rated, unrated.columns) == (PER_PROMPT, 0, ())
    finally:
        engine().dispose()


def test_pages_are_measured_once_each() -> None:
    assert len({name for name, _, _ in PAGES}) == len({path for _, path, _ in PAGES}) == len(PAGES)


def test_another_choice_takes_the_place_of_the_one_in_the_address() -> None:
    assert (
        changed("/drift?drift=System&study=1", "metrics=a&metrics=b")
        == "/drift?drift=System&study=1&metrics=a&metrics=b"
    )
    assert changed("/judgments?judgments_tab=Order&study=1", "judgments_tab=Error+types").startswith(
        "/judgments?judgments_tab=Error+types"
    )
