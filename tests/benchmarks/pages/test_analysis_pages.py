"""The study that the pages of analyses are measured over has what they show."""

from pathlib import Path

import numpy as np

from benchmarks.pages.analysis_pages import PAGES, PER_PROMPT, RATINGS, made
from db.engine import engine
from db.migrate import migrate
from db.scores import tables


def test_a_large_study_in_small(home: Path) -> None:
    migrate()
    try:
        found = tables.table(made(3 * PER_PROMPT, 8, "s").id)
        assert len(found.keys) == found.rated == 3 * PER_PROMPT
        assert len(set(found.systems)) == PER_PROMPT
        assert len(set(found.prompts)) == 3
        assert found.given == found.rated * RATINGS
        assert any(votes.any() for votes in found.votes.values())
        names = [column.metric for column in found.columns]
        assert "metric-07" in names  # which the second visits choose
        tied = [len(np.unique(column.values)) < found.rated / 2 for column in found.columns]
        assert tied == [True, False, False, False, False, True, False, False]
    finally:
        engine().dispose()


def test_pages_are_measured_once_each() -> None:
    assert len({name for name, _, _ in PAGES}) == len({path for _, path, _ in PAGES}) == len(PAGES)
