"""One story with its ratings, those that count and those that do not, its notes, and whose eyes it is for."""

import pytest

from core.annotation.studies import Study
from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Person, Role
from core.stories import Source
from db.annotation import panel_submission
from db.monitor import personal_data
from db.people import people
from db.ratings import evidence, ratings
from db.scores import tables
from db.stories.notes import LONGEST_NOTE, save_note
from db.stories.view import story_view
from db.studies import event_log
from tests.db import pairs
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study
from tests.rated import rated_study


def hand_in(study: Study, name: str, *, human: int = 5) -> Person:
    """A panel in which every story's beginning is marked."""
    annotator = make_annotator(study, name)
    panel = begin(annotator)
    rate(annotator, panel, human=human)
    for shown in panel.stories:
        ratings.mark(annotator, shown.token, "chaotic scenes", (0, 3))
    panel_submission.submit(annotator, panel.token)
    return annotator


def researcher(name: str = "Rita", *, runs: tuple[int, ...] = ()) -> Person:
    person = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name=name, runs=runs))
    assert person is not None
    return person


@pytest.mark.both_databases
def test_ratings_that_count_and_those_that_do_not(database: str) -> None:
    study = make_study(prompts=1, wanted=3)
    careful = hand_in(study, "careful")
    careless = hand_in(study, "careless", human=1)
    begin(make_annotator(study, "still at it"))
    view = story_view(TERMINAL, study.id, "0-three")
    assert (view.key, view.source, view.system, view.group) == ("0-three", Source.SYSTEM, "three", "three")
    assert (view.prompt_key, view.prompt) == ("0", "Opening 0.")
    assert view.text.startswith("The three went out.")
    assert [view.text[start:end] for start, end in view.sentences[:1]] == ["The three went out."]
    first, second = view.ratings
    assert (first.rater, first.counts, first.verdict) == (f"careful (annotator {careful.id})", True, "")
    assert first.values == {"overall": 3.0}
    assert [(one.error_type, one.spans) for one in first.deductions if one.spans] == [("chaotic scenes", ((0, 3),))]
    assert (second.rater, second.counts) == (f"careless (annotator {careless.id})", False)
    assert second.verdict
    assert view.counted == (first,)
    (marked,) = [story for story in evidence.marked(TERMINAL, study.id) if story.key == view.key]
    assert (marked.text, marked.ratings) == (view.marked.text, view.marked.ratings)
    assert [mark.start for mark in marked.marks] == [mark.start for mark in view.marked.marks]


@pytest.mark.both_databases
def test_its_row_in_the_table_and_the_mean_of_its_ratings(database: str) -> None:
    study = rated_study(prompts=3)
    table = tables.table(study.id)
    for place, key in enumerate(table.keys):
        view = story_view(TERMINAL, study.id, key)
        assert view.place == place
        given = [rating.values["overall"] for rating in view.counted]
        assert sum(given) / len(given) == pytest.approx(table.human[place])
        assert {rating.rater for rating in view.ratings} == {"rater 0", "rater 1", "rater 2"}


def test_stories_of_people_and_controls_have_no_row(study: Study) -> None:
    human = story_view(TERMINAL, study.id, "0-human")
    assert human.place is None
    assert human.references == ()
    assert story_view(TERMINAL, study.id, "0-three").references == (human.text,)
    assert story_view(TERMINAL, study.id, "0-negative").group == "negative"


def test_a_pair_is_seen_from_either_story(database: str) -> None:
    study = pairs.opened()
    person = make_annotator(study, "Ada")
    panel = begin(person)
    pairs.answer(person, panel, other=1)
    panel_submission.submit(person, panel.token)
    said = {}
    for name in (*pairs.PLANTED, "human", "negative"):
        for p in range(pairs.PROMPTS):
            view = story_view(TERMINAL, study.id, f"{p}-{name}")
            for rating in view.ratings:
                said[view.key, rating.beside] = rating.values["preference"]
    assert said
    assert all(said[beside, key] == -value for (key, beside), value in said.items())


def test_who_may_not_look(study: Study, annotator: Person) -> None:
    with pytest.raises(NotAllowed):
        story_view(annotator, study.id, "0-three")
    with pytest.raises(NotAllowed, match="not one of yours"):
        story_view(researcher(), study.id, "0-three")
    assert story_view(researcher("Ruth", runs=(study.id,)), study.id, "0-three").key == "0-three"


@pytest.mark.parametrize("key", ["", "none", "'; DROP TABLE story; --", "x" * 500])
def test_no_such_story(study: Study, key: str) -> None:
    with pytest.raises(NotFound, match="There is no story"):
        story_view(TERMINAL, study.id, key)


@pytest.mark.both_databases
def test_a_note_is_kept_changed_and_taken_back(database: str) -> None:
    study = make_study()
    rita, ruth = researcher("Rita", runs=(study.id,)), researcher("Ruth", runs=(study.id,))
    story = story_view(TERMINAL, study.id, "0-three")
    save_note(rita, study.id, story.id, "  A strange end.\0 ")
    save_note(ruth, study.id, story.id, "<b>Copied</b>")
    save_note(rita, study.id, story.id, "A very strange end.")
    notes = story_view(rita, study.id, "0-three").notes
    assert {note.by: (note.author, note.text) for note in notes} == {
        rita.id: (f"Rita (researcher {rita.id})", "A very strange end."),
        ruth.id: (f"Ruth (researcher {ruth.id})", "<b>Copied</b>"),
    }
    save_note(rita, study.id, story.id, "   ")
    assert [note.by for note in story_view(rita, study.id, "0-three").notes] == [ruth.id]
    logged = [entry for entry in event_log.exported(TERMINAL, study.id) if entry.kind == "story note saved"]
    assert len(logged) == 4
    assert not any("strange" in entry.particulars or "Copied" in entry.particulars for entry in logged)


def test_the_terminal_has_one_note_too(study: Study) -> None:
    story = story_view(TERMINAL, study.id, "0-three")
    for text in ("one", "two"):
        save_note(TERMINAL, study.id, story.id, text)
    assert [note.text for note in story_view(TERMINAL, study.id, "0-three").notes] == ["two"]


def test_notes_that_are_refused(study: Study, annotator: Person) -> None:
    story = story_view(TERMINAL, study.id, "0-three")
    other = make_study("other")
    with pytest.raises(InputError, match="at most 5,000 characters"):
        save_note(TERMINAL, study.id, story.id, "x" * (LONGEST_NOTE + 1))
    with pytest.raises(NotFound):
        save_note(TERMINAL, other.id, story.id, "of another study")
    for stranger in (annotator, researcher()):
        with pytest.raises(NotAllowed):
            save_note(stranger, study.id, story.id, "mine")
    assert story_view(TERMINAL, study.id, "0-three").notes == ()


def test_notes_are_given_out_and_erased_with_their_person(study: Study) -> None:
    rita = researcher(runs=(study.id,))
    story = story_view(TERMINAL, study.id, "0-three")
    save_note(rita, study.id, story.id, "A strange end.")
    assert rita.id is not None
    (note,) = personal_data.exported(TERMINAL, rita.id)["notes"]
    assert (note["story_id"], note["text"]) == (story.id, "A strange end.")
    personal_data.erase(TERMINAL, rita.id, keep_ratings=True)
    assert story_view(TERMINAL, study.id, "0-three").notes == ()
