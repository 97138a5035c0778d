"""Scores and judgments side by side equal what the ratings one by one say."""

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from core.annotation.studies import Study
from core.annotation.target import Target
from core.engines.here import HereEngine
from core.metrics import build
from core.metrics.base import Scores, Settings
from core.people import TERMINAL
from core.scores import OWN_REFERENCE, RatingChoice
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, Story, StoryRecord
from core.streams.run import score_files
from db.annotation import panel_submission
from db.engine import reading
from db.ratings import ratings
from db.schema import story
from db.scores import scores as db_scores
from db.scores import tables
from db.scores.judgments import single_ratings
from db.studies import studies
from db.transfer import imports
from tests.core.streams.stories import rows_of, settings, write_jsonl
from tests.db.annotation.assignments import begin, rate, save
from tests.db.conftest import make_annotator, make_study
from tests.db.judged import unlike_on_coherence
from tests.db.ratings.judged_stories import hand_in, source


def test_ratings_and_votes_stand_in_the_order_of_the_stories(database: str) -> None:
    stories = tuple(StoryRecord(key, "p", "Opening.", f"Story {key}.") for key in "abc")
    given = (
        RatingRecord("c", "1", 2, (("conflicting logic", 1), ("chaotic scenes", 2))),
        RatingRecord("a", "1", 5),
        RatingRecord("c", "2", 3, (("conflicting logic", 2),)),
    )
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories, given)])
    table = tables.table(study.id)
    assert table.keys == ("a", "b", "c")
    np.testing.assert_array_equal(table.ratings, [[5, np.nan], [np.nan, np.nan], [2, 3]])
    np.testing.assert_array_equal(table.human, [5, np.nan, 2.5])
    assert {name: votes.tolist() for name, votes in table.votes.items()} == {
        "repetitive plots": [0, 0, 0],
        "unrelated events": [0, 0, 0],
        "conflicting logic": [0, 0, 2],
        "chaotic scenes": [0, 0, 1],
    }


def test_stories_that_name_no_system_are_of_one_name(database: str) -> None:
    stories = tuple(
        StoryRecord(key, "p", "Opening.", f"Story {key}.", system=system) for key, system in (("a", ""), ("b", "gpt"))
    )
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories)])
    assert tables.table(study.id).systems == ("unknown", "gpt")


def test_a_story_that_is_its_own_reference_is_left_out_of_what_compares_with_references(database: str) -> None:
    """Computed or imported, and of the blends made of it; a metric without references scores it like any other."""
    told = ("a", "They sailed home."), ("b", "They lost the boat."), ("c", "They sailed home.")
    stories = (
        StoryRecord("h", "p", "Opening.", "They sailed home.", Source.HUMAN),
        *(StoryRecord(key, "p", "Opening.", text, system=key) for key, text in told),
        StoryRecord("elsewhere", "q", "Opening.", "They sailed home.", system="a"),
    )
    keys = ("a", "b", "c", "elsewhere")
    names = ("bleu", "perplexity", "my own")
    columns = tuple(ScoreRecord(name, f"file:{name}", dict.fromkeys(keys, 0.5)) for name in names)
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories, scores=columns)])
    result = {column.metric: column for column in tables.table(study.id).columns}
    np.testing.assert_array_equal(result["bleu"].values, [np.nan, 0.5, np.nan, 0.5])
    assert set(result["bleu"].reasons.values()) == {OWN_REFERENCE}
    assert [result[name].own_references for name in names] == [2, 0, 0]
    for name in names[1:]:
        np.testing.assert_array_equal(result[name].values, [0.5] * 4)


def test_a_folder_fills_in_what_the_study_has_not(database: str, tmp_path: Path) -> None:
    """And counts where both say something; what neither has stays without."""
    rows = rows_of(8)
    rows[1]["text"] = ""
    source = write_jsonl(tmp_path / "s.jsonl", [rows[place] for place in (0, 1, 2)])
    score_files([str(source)], tmp_path / "out", settings("words"), HereEngine(), mapping={})
    stories = tuple(StoryRecord(row["id"], row["prompt"], row["prompt"], row["text"]) for row in rows)
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories)])
    number = db_scores.begin_run(study.id, "words", build("words", Settings()).signature)
    with reading() as connection:
        hashes = connection.scalars(select(story.c.content_hash).order_by(story.c.position)).all()
    stored = Scores(np.array([np.nan, 20, 21, 22, np.nan, 24]), {0: "it was late", 4: "too long"})
    db_scores.store(study.id, number, [hashes[place] for place in (0, 1, 3, 4, 5, 6)], stored)
    (column,) = tables.table(study.id, folders=[tmp_path / "out"]).columns
    words = build("words", Settings()).score([Story(rows[place]["text"], "") for place in (0, 2)]).values
    np.testing.assert_array_equal(column.values, [words[0], np.nan, words[1], 21, 22, np.nan, 24, np.nan])
    assert column.reasons == {1: "the story is empty", 5: "too long"}


def test_one_column_of_a_file_may_be_two_metrics(database: str) -> None:
    stories = tuple(StoryRecord(key, "p", "Opening.", f"Story {key}.") for key in "ab")
    scores = tuple(ScoreRecord(name, "file:one", {"a": 1.0, "b": 2.0}) for name in ("liked", "trusted"))
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories, scores=scores)])
    assert [column.metric for column in tables.table(study.id).columns] == ["liked", "trusted"]


def test_a_study_without_ratings(study: Study) -> None:
    table = tables.table(study.id)
    assert table.ratings.shape == (10, 0)
    assert np.isnan(table.human).all()
    assert not any(votes.any() for votes in table.votes.values())


@pytest.mark.slow
@pytest.mark.both_databases
def test_rejected_panels_only_where_they_are_asked_for(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    hand_in(make_annotator(study, "careless"), human=1)
    careful = make_annotator(study, "careful")
    panel = begin(careful)
    rate(careful, panel)
    with_types = next(s for s in panel.stories if source_of(s.text) == "system")
    save(careful, with_types.token, 4, {"conflicting logic": 1})
    panel_submission.submit(careful, panel.token)
    valid = tables.table(study.id)
    every = tables.table(study.id, validity=RatingChoice.ALL)
    assert valid.ratings.shape == (5, 1)
    assert every.ratings.shape == (5, 2)
    assert valid.votes["conflicting logic"].sum() == 1
    judged = [s for s in ratings.judged_stories(study.id) if not s.control]
    assert valid.human.tolist() == [s.mean for s in judged]
    both = [np.mean([r.overall for r in s.ratings + s.rejected]) for s in judged]
    np.testing.assert_allclose(every.human, both)


@pytest.mark.both_databases
def test_columns_are_read_again_where_scores_or_stories_have_changed(database: str) -> None:
    def brought(study: str, keys: str, scores: dict[str, float], metric: str = "m") -> Study:
        stories = tuple(StoryRecord(key, f"p{key}", "Opening.", f"Story {key}.") for key in keys)
        columns = (ScoreRecord(metric, f"file:{metric}", scores),)
        return imports.import_corpora(TERMINAL, study, [Corpus("mans", stories, scores=columns)])

    new_study = brought("s", "ab", {"a": 1.0, "b": 2.0})
    kept: tables.Kept = {}
    (first,) = tables.table(new_study.id, kept=kept).columns
    assert tables.table(new_study.id, kept=kept).columns[0] is first
    assert tables.table(new_study.id, validity=RatingChoice.ALL, kept=kept).columns[0] is first
    record = ScoreRecord("m", "file:m", {"a": 5.0})
    db_scores.import_scores(TERMINAL, new_study.id, record, replace=True)
    np.testing.assert_array_equal(tables.table(new_study.id, kept=kept).columns[0].values, [5.0, np.nan])
    brought("s", "c", {"c": 3.0}, "n")
    table = tables.table(new_study.id, kept=kept)
    np.testing.assert_array_equal(
        [column.values for column in table.columns], [[5, np.nan, np.nan], [np.nan, np.nan, 3]]
    )
    assert len(kept) == 2

    computed = db_scores.begin_run(new_study.id, "words", "words|v:1")
    count = db_scores.begin_run(brought("other", "a", {"a": 0.0}, "o").id, "words", "words|v:1")
    assert count == computed
    assert len(tables.table(new_study.id, kept=kept).columns) == 2
    with reading() as connection:
        hashes = connection.scalars(select(story.c.content_hash).where(story.c.study_id != new_study.id)).all()
    other = next(summary.study.id for summary in studies.summaries(TERMINAL) if summary.study.name == "other")
    db_scores.store(other, computed, hashes, Scores(np.array([7.0]), {}))
    words = tables.table(new_study.id, kept=kept).columns[-1]  # what another study scored, this one has too
    np.testing.assert_array_equal(words.values, [7, np.nan, np.nan])


def source_of(text: str) -> str:
    """Whose story this is."""
    with reading() as connection:
        return source(connection.scalars(select(story.c.id).where(story.c.text == text)).one())


def test_a_study_in_parts_is_what_it_is_as_a_whole(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ratings, scores of a file and of texts, reasons, and stories that are their own references."""
    texts = ["One.", "Two came.", "One.", "Three of them.", "Four.", "Two came.", "Five."]
    stories = [StoryRecord(f"s{n}", f"p{n // 3}", "Opening.", text, system="a") for n, text in enumerate(texts)]
    stories.insert(3, StoryRecord("h", "p0", "Opening.", "Two came.", Source.HUMAN))
    given = tuple(RatingRecord(f"s{n}", f"rater {n}", 1 + n % 5) for n in (0, 2, 3, 6))
    columns = (ScoreRecord("bleu", "file:bleu", {f"s{n}": n / 10 for n in (0, 1, 2, 5)}),)
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", tuple(stories), given, columns)])
    number = db_scores.begin_run(study.id, "words", "words|v:1")
    with reading() as connection:
        hashes = connection.scalars(select(story.c.content_hash).order_by(story.c.position)).all()
    db_scores.store(study.id, number, hashes[2:7], Scores(np.array([5, np.nan, 7, 8, np.nan]), {1: "?", 4: "too long"}))
    whole = tables.table(study.id)
    monkeypatch.setattr(tables, "POSITIONS_A_PART", 3)
    parts = list(tables.tables_in_parts(study.id, [column.signature for column in whole.columns]))
    assert len(parts) == 3
    assert [key for part in parts for key in part.keys] == list(whole.keys)
    np.testing.assert_array_equal(np.concatenate([part.human for part in parts]), whole.human)
    for number, column in enumerate(whole.columns):
        mine = [part.columns[number] for part in parts]
        assert {(one.metric, one.signature) for one in mine} == {(column.metric, column.signature)}
        np.testing.assert_array_equal(np.concatenate([one.values for one in mine]), column.values)
        assert sorted(reason for one in mine for reason in one.reasons.values()) == sorted(column.reasons.values())


def test_single_ratings_on_every_criterion_are_those_of_its_own_table(database: str) -> None:
    study = unlike_on_coherence()
    keys = ["41", "3", "7"]
    found = single_ratings(study.id, keys, RatingChoice.VALID)
    assert list(found) == ["coherence", "empathy"]
    for name, given in found.items():
        table = tables.table(study.id, target=Target((name,)))
        assert np.array_equal(given, table.ratings[[table.keys.index(key) for key in keys]])
    plain = imports.import_corpora(TERMINAL, "plain", [Corpus("mans", (StoryRecord("a", "p", "O.", "Story."),))])
    assert single_ratings(plain.id, ["a"], RatingChoice.VALID) == {}
