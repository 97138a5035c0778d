"""Preferences as they are read: pairs once, repeats where asked."""

import random
from collections import Counter

import pytest

from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.annotation.pair_design import PairRules
from core.errors import InputError
from db.ratings.preferences import compared_people, preferences_of
from tests.db.conftest import make_annotator
from tests.db.pairs import PLANTED, compared_study, corpus, opened, work
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


def test_peoples_stories_that_were_compared_are_counted(database: str) -> None:
    beside = opened(PairRules(a_panel=3, against_human=True), wanted=1, given=corpus(3), name="beside")
    assert compared_people(beside.id) == 0
    work(make_annotator(beside), random.Random(1))
    assert compared_people(beside.id) == 3
    assert compared_people(compared_study(prompts=2).id) == 0  # people's stories are half of the controls alone
