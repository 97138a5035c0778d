"""Turing judgments from files: ratings of systems' stories, exports of before, what cannot stand beside people."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.errors import InputError
from core.formats.exports.package import write_folder
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.annotation import assignments
from db.ratings import ratings
from db.ratings.preferences import preferences_of
from db.studies import studies
from db.transfer import exports, imports, rating_imports
from tests.db.conftest import make_annotator
from tests.db.single_pairs import BEFORE, JUDGED

pytestmark = pytest.mark.both_databases


def judged(study: Study) -> list[tuple[str, str, int]]:
    found = preferences_of(study.id)
    return sorted(zip(found.first_story, found.second_story, found.choice.tolist(), strict=True))


def test_an_export_of_before_says_what_it_said_and_goes_on(database: str, tmp_path: Path) -> None:
    study = rating_imports.import_ratings(TERMINAL, "again", read_export(BEFORE))
    assert judged(study) == JUDGED
    assert study.scheme.pairs == PairRules(a_panel=1, against_human=True, repeat=False)
    assert not study.scheme.controls
    by_story = {
        (story.group, story.prompt): sorted(rating.overall for rating in story.ratings)
        for story in ratings.judged_stories(study.id)
    }
    assert by_story == {
        ("one", "p0"): [0.0, 1.0, 1.0],
        ("two", "p0"): [-1.0, -1.0, -1.0],
        ("one", "p1"): [0.0, 1.0],
        ("two", "p1"): [-1.0, 0.0],
    }
    out = tmp_path / "now"
    write_folder(exports.files(TERMINAL, study.id, "jsonl"), out)
    assert judged(rating_imports.import_ratings(TERMINAL, "once more", read_export(out))) == JUDGED
    studies.open_study(TERMINAL, study.id)
    panel = assignments.turn(make_annotator(study), claim=True).panel
    assert panel is not None
    assert len(panel.pairs) == 1


def test_ratings_of_systems_stories_are_judgments_beside_peoples(database: str, tmp_path: Path) -> None:
    study = with_stories()
    file = tmp_path / "theirs.csv"
    file.write_text("annotator,story_id,overall\nx,a,1\nx,b,-1\ny,a,0\n")
    rating_imports.import_ratings(TERMINAL, study.name, read_export(file))
    found = preferences_of(study.id)
    assert judged(study) == [("a", "h", -1), ("a", "h", 0), ("b", "h", 1)]
    assert not found.sides_known  # a file does not say who was shown first
    assert len(set(found.rater.tolist())) == 2


def test_preferences_may_come_as_a_table(database: str, tmp_path: Path) -> None:
    study = with_stories()
    file = tmp_path / "theirs.csv"
    file.write_text("a_id,b_id,winner,annotator\nh,a,b,x\nb,h,b,x\n")
    rating_imports.import_ratings(TERMINAL, study.name, read_preferences(file))
    assert judged(study) == [("b", "h", 1), ("h", "a", 1)]
    file.write_text("a_id,b_id,winner,annotator\na,b,b,y\n")
    with pytest.raises(InputError, match=r"line 2.*compares each system's story with a human one"):
        rating_imports.import_ratings(TERMINAL, study.name, read_preferences(file))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("annotator,story_id,overall\nx,h,1\n", "line 2.*no human story to compare 'h' with"),
        ("annotator,story_id,overall\nx,c,1\n", "line 2.*no human story to compare 'c' with"),
        ("annotator,story_id,overall\nx,a,0.5\n", "line 2.*0.5"),
        ("story_id,overall,raters\na,1,3\n", "line 2.*counts answers"),
        ("annotator,story_id,coherence\nx,a,1\n", "line 2.*this is a rating of one"),
    ],
)
def test_what_cannot_stand_beside_people_is_one_sentence(database: str, tmp_path: Path, text: str, words: str) -> None:
    study = with_stories()
    file = tmp_path / "theirs.csv"
    file.write_text(text)
    with pytest.raises(InputError, match=words):
        rating_imports.import_ratings(TERMINAL, study.name, read_export(file))
    assert preferences_of(study.id).judgments == 0


def test_pairs_of_systems_take_no_ratings(database: str, tmp_path: Path) -> None:
    study = studies.create(TERMINAL, "among", "preferences")
    imports.import_corpora(TERMINAL, study.name, [corpus()])
    file = tmp_path / "theirs.csv"
    file.write_text("annotator,story_id,overall\nx,a,1\n")
    with pytest.raises(InputError, match="compares pairs of stories, and this is a rating of one"):
        rating_imports.import_ratings(TERMINAL, study.name, read_export(file))


def corpus() -> Corpus:
    stories = [
        StoryRecord("h", "p", "Opening.", "A human wrote this.", Source.HUMAN),
        StoryRecord("a", "p", "Opening.", "A system did.", system="one"),
        StoryRecord("b", "p", "Opening.", "Another did.", system="two"),
    ]
    return Corpus("", (*stories, replace(stories[1], key="c", prompt_key="q", prompt="Another.")))


def with_stories() -> Study:
    study = studies.create(TERMINAL, "turing", "turing")
    return imports.import_corpora(TERMINAL, study.name, [corpus()])
