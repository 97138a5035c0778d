"""Scores and judgments side by side equal what the ratings one by one say."""

import numpy as np
from sqlalchemy import select

from core.people import TERMINAL
from core.scores import Validity
from core.stories import Corpus, RatingRecord, StoryRecord
from core.studies import Study
from db import handing, imports, ratings, tables
from db.engine import reading
from db.schema import story
from tests.db.conftest import make_annotator, make_study
from tests.db.test_assignments import begin, rate, save
from tests.db.test_judged_stories import hand_in, source


def test_ratings_and_votes_stand_in_the_order_of_the_stories(database: str) -> None:
    stories = tuple(StoryRecord(key, "p", "Opening.", f"Story {key}.") for key in "abc")
    given = (
        RatingRecord("c", "1", 2, (("conflicting logic", 1), ("chaotic scenes", 2))),
        RatingRecord("a", "1", 5),
        RatingRecord("c", "2", 3, (("conflicting logic", 2),)),
    )
    made = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories, given)])
    found = tables.table(made.id)
    assert found.keys == ("a", "b", "c")
    np.testing.assert_array_equal(found.ratings, [[5, np.nan], [np.nan, np.nan], [2, 3]])
    np.testing.assert_array_equal(found.human, [5, np.nan, 2.5])
    assert {name: votes.tolist() for name, votes in found.votes.items()} == {
        "repetitive plots": [0, 0, 0],
        "unrelated events": [0, 0, 0],
        "conflicting logic": [0, 0, 2],
        "chaotic scenes": [0, 0, 1],
    }


def test_a_study_without_ratings(study: Study) -> None:
    found = tables.table(study.id)
    assert found.ratings.shape == (10, 0)
    assert np.isnan(found.human).all()
    assert not any(votes.any() for votes in found.votes.values())


def test_rejected_panels_only_where_they_are_asked_for(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    hand_in(make_annotator(study, "careless"), human=1)
    careful = make_annotator(study, "careful")
    panel = begin(careful)
    rate(careful, panel)
    with_types = next(s for s in panel.stories if source_of(s.text) == "system")
    save(careful, with_types.token, 4, {"conflicting logic": 1})
    handing.submit(careful, panel.token)
    valid = tables.table(study.id)
    every = tables.table(study.id, validity=Validity.ALL)
    assert valid.ratings.shape == (5, 1)
    assert every.ratings.shape == (5, 2)
    assert valid.votes["conflicting logic"].sum() == 1
    judged = [s for s in ratings.judged_stories(study.id) if not s.control]
    assert valid.human.tolist() == [s.mean for s in judged]
    both = [np.mean([r.overall for r in s.ratings + s.rejected]) for s in judged]
    np.testing.assert_allclose(every.human, both)


def source_of(text: str) -> str:
    """Whose story this is."""
    with reading() as connection:
        return source(connection.scalars(select(story.c.id).where(story.c.text == text)).one())
