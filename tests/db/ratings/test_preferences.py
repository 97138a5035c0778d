"""Preferences as they are read: pairs once, repeats where asked."""

from collections import Counter

import pytest

from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.errors import InputError
from db.ratings.preferences import preferences_of
from tests.db.pairs import PLANTED, compared_study
from tests.rated import rated_study

pytestmark = pytest.mark.both_databases


def test_pairs_count_once_and_repeats_where_asked(database: str) -> None:
    study = compared_study(prompts=3)
    judged = preferences_of(study.id)
    assert judged.systems == tuple(sorted(PLANTED))
    assert judged.judgments == 2 * 3 * 6  # raters, prompts, pairs of systems: no controls
    twice = preferences_of(study.id, repeats=True)
    assert twice.judgments > judged.judgments
    pairs = Counter((rater, frozenset(pair)) for *pair, rater in _rows(judged))
    assert set(pairs.values()) == {1}
    assert set(Counter((rater, frozenset(pair)) for *pair, rater in _rows(twice)).values()) == {1, 2}
    assert judged.sides_known
    assert [row.system for row in rank(judged, resamples=0).rows] == list(PLANTED)


def _rows(judged: Preferences) -> list[tuple[str, str, int]]:
    return list(zip(judged.first_story, judged.second_story, judged.rater.tolist(), strict=True))


def test_a_study_of_single_stories_has_none(database: str) -> None:
    with pytest.raises(InputError, match="asks about single stories"):
        preferences_of(rated_study().id)
