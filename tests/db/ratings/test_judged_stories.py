"""What the analyses read of a study: who rated what, where it stood, and what was rejected."""

from dataclasses import replace

import pytest
from sqlalchemy import select, update

from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.judgments import summarise
from core.annotation.builtin import LIKELINESS
from core.annotation.studies import Study
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, RatingRecord
from db.annotation import panel_submission, slots
from db.engine import reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import assignment
from db.schema import study as study_table
from db.transfer import imports
from tests.db.annotation.assignments import begin, overtaken, rate, save
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.ratings.judged_stories import hand_in, source


def test_a_rating_knows_its_annotator_panel_place_and_types(study: Study, annotator: Person) -> None:
    panel = begin(annotator)
    rate(annotator, panel)
    save(annotator, panel.stories[0].token, 4, {"conflicting logic": 1, "unrelated events": 2})
    assert ratings.judged_stories(study.id) == []  # nothing counts before it is handed in
    with reading() as connection:
        row = connection.execute(select(assignment)).one()
    save(annotator, panel.stories[0].token, {"negative": 1, "human": 5}.get(source(row.stories[0][0]), 4), {})
    panel_submission.submit(annotator, panel.token)
    stories = ratings.judged_stories(study.id)
    given = [r for s in stories for r in s.ratings]
    assert sorted(r.position or 0 for r in given) == [1, 2, 3, 4, 5, 6, 7]
    assert {(r.annotator, r.panel) for r in given} == {(annotator.id, row.id)}
    (first,) = (r for r in given if r.position == 1)
    assert first.error_types == {"conflicting logic", "unrelated events"}
    assert {s.group: s.control for s in stories} == {
        **dict.fromkeys(("one", "two", "three", "four", "five"), False),
        "human": True,
        "negative": True,
    }
    assert [s.rejected for s in stories] == [()] * 7


def test_rejected_ratings_stand_apart_and_surplus_ones_nowhere(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    hand_in(make_annotator(study, "careless"), human=1)
    (only_rejected, *_) = stories = ratings.judged_stories(study.id)
    assert len(stories) == 7
    assert (only_rejected.ratings, len(only_rejected.rejected)) == ((), 1)
    summary = summarise(stories, study.scheme, annotators=ratings.annotators(study.id), raters_identified=True)
    assert (summary.stories, summary.annotators, summary.panels_valid, summary.panels_rejected) == (0, 0, 0, 1)
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER, name="me"))
    assert owner is not None
    hand_in(replace(owner, study_id=study.id), human=1)  # a try of one's own says nothing of how annotators work
    assert [len(story.rejected) for story in ratings.judged_stories(study.id)] == [1] * 7
    slow, quick = make_annotator(study, "slow"), make_annotator(study, "quick")
    panel, taken = overtaken(slow, quick)
    rate(quick, taken)
    panel_submission.submit(quick, taken.token)
    panel_submission.submit(slow, panel.token)
    stories = ratings.judged_stories(study.id)
    assert {(len(s.ratings), len(s.rejected)) for s in stories} == {(1, 1)}
    assert {r.annotator for s in stories for r in s.ratings} == {quick.id}
    assert slots.progress(study.id).left == 0


@pytest.mark.both_databases
def test_the_rated_sources_are_the_scheme_and_the_rest_are_controls(study: Study, annotator: Person) -> None:
    hand_in(annotator)
    with writing() as connection:
        connection.execute(update(study_table).values(scheme=LIKELINESS.key))
    assert {s.group: s.control for s in ratings.judged_stories(study.id)}["human"] is False
    assert {s.group: s.control for s in ratings.judged_stories(study.id)}["negative"] is True


def test_imports_hide_who_and_where(database: str) -> None:
    corpus = small_corpus(1)
    given = tuple(RatingRecord("0-one", f"rater {i}", 3.0 + i, (("chaotic scenes", 2),)) for i in range(2))
    study = imports.import_corpora(TERMINAL, "imported", [Corpus("mans", corpus.stories, given)])
    (story,) = ratings.judged_stories(study.id)
    assert isinstance(story, JudgedStory)
    assert [(r.overall, r.annotator, r.position) for r in story.ratings] == [(3.0, None, None), (4.0, None, None)]
    assert len({r.panel for r in story.ratings}) == 2
    assert story.ratings[0].error_types == {"chaotic scenes"}
    assert ratings.annotators(study.id) is None
