"""Marks, texts and names, as the Judgments page reads them from the database."""

import pytest
from sqlalchemy import update

from core.analysis.judgments.evidence import EvidenceMark
from core.annotation.studies import Study
from core.errors import NotAllowed
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, RatingRecord, Source
from db.annotation import panel_submission
from db.engine import writing
from db.people import people
from db.ratings import evidence, raters, ratings
from db.schema import person
from db.studies import story_texts, studies
from db.transfer import imports
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus


def hand_in_marked(annotator: Person, *, human: int = 5) -> None:
    """A panel in which the beginnings of three stories are marked, and another passage of the first."""
    panel = begin(annotator)
    rate(annotator, panel, human=human)
    for shown in panel.stories[:3]:
        ratings.mark(annotator, shown.token, "chaotic scenes", (0, 3))
    ratings.mark(annotator, panel.stories[0].token, "repetitive plots", (4, 7))
    panel_submission.submit(annotator, panel.token)


@pytest.mark.both_databases
def test_marks_of_ratings_that_count(database: str) -> None:
    study = make_study(prompts=1, wanted=2)
    assert evidence.marked(TERMINAL, study.id) == []
    first = make_annotator(study, "first")
    panel = begin(first)
    ratings.mark(first, panel.stories[0].token, "chaotic scenes", (0, 3))
    assert evidence.marked(TERMINAL, study.id) == []  # nothing counts before it is handed in
    rate(first, panel)
    panel_submission.submit(first, panel.token)
    (marked_story,) = evidence.marked(TERMINAL, study.id)
    assert (marked_story.prompt, marked_story.ratings) == ("Opening 0.", 1)
    assert [(m.error_type, m.start, m.end) for m in marked_story.marks] == [("chaotic scenes", 0, 3)]
    hand_in_marked(make_annotator(study, "careless"), human=1)
    assert evidence.marked(TERMINAL, study.id) == [marked_story]  # a rejected panel's marks do not count
    hand_in_marked(make_annotator(study, "second"))
    every = evidence.marked(TERMINAL, study.id)
    assert sum(len(story.marks) for story in every) == 5
    assert {story.ratings for story in every} == {2}
    assert {story.group for story in every} <= {"one", "two", "three", "four", "five", "human", "negative"}
    assert len({mark.rating for story in every for mark in story.marks}) == 4
    assert all(isinstance(mark, EvidenceMark) for story in every for mark in story.marks)


def test_points_of_a_rating(study: Study, annotator: Person) -> None:
    hand_in_marked(annotator)
    given = [r for s in ratings.judged_stories(study.id) for r in s.ratings]
    taken = [r.points for r in given if r.points]
    assert sorted(dict(points)["chaotic scenes"] for points in taken) == [2, 2, 2]
    assert sorted(dict(points).get("repetitive plots", 0) for points in taken) == [0, 0, 1]
    assert all({name for name, _ in r.points} == r.error_types for r in given)


@pytest.mark.both_databases
def test_types_without_points_take_none(database: str) -> None:
    corpus = small_corpus(1)
    given = (RatingRecord("0-one", "rater 1", 0.0, (("chaotic scene", 0),)),)
    study = imports.import_corpora(TERMINAL, "imported", [Corpus("union", corpus.stories, given)])
    (story,) = ratings.judged_stories(study.id)
    assert (story.ratings[0].error_types, story.ratings[0].points) == ({"chaotic scene"}, ())
    assert evidence.marked(TERMINAL, study.id) == []


@pytest.mark.both_databases
def test_texts_of_a_study(study: Study) -> None:
    prompts, stories = story_texts.of_study(TERMINAL, study.id)
    assert prompts == {"0": "Opening 0.", "1": "Opening 1."}
    assert len(stories) == 14  # six each, and the negatives that opening made
    assert {story.group for story in stories} == {"one", "two", "three", "four", "five", "human", "negative"}
    assert {story.source for story in stories if story.group == "one"} == {Source.SYSTEM}
    assert {story.sentences for story in stories} == {3}


@pytest.mark.both_databases
def test_the_version_of_texts_is_that_of_texts_alone(database: str) -> None:
    study = make_study(prompts=1)
    before = story_texts.version(study.id)
    annotator = make_annotator(study)
    panel = begin(annotator)
    rate(annotator, panel)
    panel_submission.submit(annotator, panel.token)
    assert story_texts.version(study.id) == before != story_texts.version(study.id + 1)
    studies.close_study(TERMINAL, study.id)
    imports.import_corpora(TERMINAL, "other", [small_corpus(1)])
    assert story_texts.version(study.id) == before


@pytest.mark.both_databases
def test_names_of_raters(study: Study) -> None:
    ada, bob = make_annotator(study, "Ada"), make_annotator(study, "Bob")
    begin(ada)
    assert raters.names(TERMINAL, study.id) == {ada.id: f"Ada (annotator {ada.id})"}
    begin(bob)
    with writing() as connection:  # as after an erasure
        connection.execute(update(person).where(person.c.id == ada.id).values(name=""))
    assert raters.names(TERMINAL, study.id) == {
        ada.id: f"annotator {ada.id}",
        bob.id: f"Bob (annotator {bob.id})",
    }
    assert raters.names(TERMINAL, study.id + 1) == {}


def test_annotators_may_see_none_of_it(study: Study, annotator: Person) -> None:
    for look in (evidence.marked, story_texts.of_study, raters.names):
        with pytest.raises(NotAllowed):
            look(annotator, study.id)


def test_a_revoked_link_sees_none_of_it(study: Study) -> None:
    result = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae", runs=[study.id]))
    assert result is not None
    assert result.id is not None
    evidence.marked(result, study.id)
    people.revoke(TERMINAL, result.id)
    for look in (evidence.marked, story_texts.of_study, raters.names):
        with pytest.raises(NotAllowed, match="withdrawn"):
            look(result, study.id)
