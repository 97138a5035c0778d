"""Preferences as they are read: pairs once, repeats where asked, Turing pairs beside the human story."""

from collections import Counter
from dataclasses import replace

import pytest

from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.errors import InputError
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.annotation import panel_submission, settings
from db.ratings import ratings
from db.ratings.preferences import preferences_of
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import begin
from tests.db.conftest import make_annotator
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


KEYS = {"A human wrote this.": "h", "A system did.": "a", "Another did.": "b"}


def turing(given: tuple[RatingRecord, ...] = ()) -> Corpus:
    """A prompt with a human story and those of two systems."""
    sides = ((Source.HUMAN, ""), (Source.SYSTEM, "one"), (Source.SYSTEM, "two"))
    stories = tuple(
        StoryRecord(key, "p", "Opening.", text, source, system)
        for (text, key), (source, system) in zip(KEYS.items(), sides, strict=True)
    )
    return Corpus("turing", stories, given)


def test_turing_pairs_stand_beside_the_human_story(database: str) -> None:
    given = (RatingRecord("a", "x", 1.0), RatingRecord("a", "y", 0.0), RatingRecord("b", "x", -1.0))
    study = imports.import_corpora(TERMINAL, "imported", [turing(given)])
    judged = preferences_of(study.id)
    assert judged.systems == ("human", "one", "two")
    won = {row.system: (row.wins, row.ties, row.losses) for row in rank(judged, resamples=0).rows}
    assert won == {"human": (1, 1, 1), "one": (1, 1, 0), "two": (0, 0, 1)}
    assert not judged.sides_known  # a file does not say who was shown first


def test_turing_pairs_that_were_shown_know_their_sides(database: str) -> None:
    study = studies.create(TERMINAL, "shown", "turing")
    imports.import_corpora(TERMINAL, study.name, [turing()])
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=3))
    studies.open_study(TERMINAL, study.id)
    shown = []
    for number in range(6):
        person = make_annotator(study, str(number))
        panel = begin(person)
        left, right = (story.text for story in panel.stories)
        ratings.save_value(person, panel.token, 1 if "system" in right else 0)
        panel_submission.submit(person, panel.token)
        shown.append((KEYS[left], KEYS[right], 1 if "system" in right else 0))
    judged = preferences_of(study.id)
    assert judged.sides_known
    found = zip(judged.first_story, judged.second_story, judged.choice.tolist(), strict=True)
    assert sorted(found) == sorted(shown)


def test_a_study_of_single_stories_has_none(database: str) -> None:
    with pytest.raises(InputError, match="asks about single stories"):
        preferences_of(rated_study().id)
