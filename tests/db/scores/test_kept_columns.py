"""What is kept on the disk gives the tables that the database gives, and never those of before."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from core.analysis.judgments.texts import text_statistics
from core.annotation.studies import Study
from core.annotation.target import Target
from core.errors import NotFound
from core.formats.exports.reading import read_export
from core.formats.stories import blocks
from core.formats.stories.choice import StoryChoice
from core.home import ROOT, home
from core.metrics.base import Scores
from core.metrics.run import SCORED
from core.people import TERMINAL
from core.scores import RatingChoice, ScoreTable
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord, word_count
from db import array_files
from db.engine import reading
from db.monitor import panels
from db.ratings import ratings
from db.schema import assignment, story
from db.scores import judgments, score_columns, tables
from db.scores import scores as db_scores
from db.studies import lifecycle, story_texts, studies
from db.transfer import imports, rating_imports, story_imports
from tests.db.conftest import make_annotator, make_study
from tests.db.ratings.judged_stories import hand_in

KEYS = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _kept_from_the_first_story_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_columns, "WORTH_KEEPING", 1)
    monkeypatch.setattr(story_texts, "LARGE", 1)


def brought(
    name: str = "s", scores: tuple[ScoreRecord, ...] = (), keys: tuple[str, ...] = KEYS, prompt: str = "p"
) -> Study:
    """Stories of two systems and a person, one of them a reference too, with ratings."""
    stories = (
        StoryRecord(f"human-{prompt}", prompt, "Opening.", "Story b.", Source.HUMAN),
        *(StoryRecord(key, prompt, "Opening.", f"Story {key}.", system=f"s{n % 2}") for n, key in enumerate(keys)),
    )
    given = tuple(RatingRecord(key, "1", 1 + n % 5, (("chaotic scenes", 1),)) for n, key in enumerate(keys))
    return imports.import_corpora(TERMINAL, name, [Corpus("mans", stories, given, scores)])


SCORES = (
    ScoreRecord("bleu", "file:bleu", {"a": 0.1, "b": 0.9, "c": 0.3}),
    ScoreRecord("m", "file:m", {"a": 1.0, "d": 4.0}),
)


def files() -> Iterator[Path]:
    """What is kept."""
    yield from (home() / array_files.FOLDER).glob("*.npz")


def alike(first: ScoreTable, second: ScoreTable) -> None:
    """That two tables say the same."""
    for name in ("keys", "prompts", "systems", "compared"):
        assert getattr(first, name) == getattr(second, name)
    assert tuple(first.texts) == tuple(second.texts)
    for name in ("human", "ratings", "averaged", "words"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
    for one, other in ((first.votes, second.votes), (first.criteria, second.criteria)):
        assert one.keys() == other.keys()
        for name, numbers in one.items():
            np.testing.assert_array_equal(numbers, other[name])
    for a, b in zip(first.columns, second.columns, strict=True):
        assert (a.metric, a.signature, a.reasons) == (b.metric, b.signature, b.reasons)
        np.testing.assert_array_equal(a.values, b.values)


def slow(study_id: int, **which: object) -> ScoreTable:
    """The table of a process that finds nothing kept."""
    array_files.forget_all()
    return tables.table(study_id, **which)  # type: ignore[arg-type]


def quick(study_id: int, **which: object) -> ScoreTable:
    """The table, all of which but names and prompts was kept."""
    assert len(tables.table(study_id, **which).words)  # type: ignore[arg-type]
    with pytest.MonkeyPatch.context() as patch:
        for module in (score_columns, judgments):
            patch.setattr(module, "_read", None)  # calling it fails
        return tables.table(study_id, **which)  # type: ignore[arg-type]


@pytest.mark.both_databases
def test_the_quick_way_gives_the_table_of_the_slow_one(database: str) -> None:
    study = brought(scores=SCORES)
    number = db_scores.begin_run(study.id, "perplexity", "perplexity|v:1")
    with reading() as connection:
        hashes = dict(connection.execute(select(story.c.key, story.c.content_hash)).all())
    reasons = {1: "too long: “é”", 2: "empty"}
    values = np.array([0.5, np.nan, np.nan])
    db_scores.store(study.id, number, [hashes[key] for key in KEYS[:3]], Scores(values, reasons))
    for which in ({}, {"validity": RatingChoice.ALL}, {"sources": (*SCORED, Source.HUMAN)}):
        alike(slow(study.id, **which), quick(study.id, **which))
    table = quick(study.id)
    assert {column.metric: column.reasons for column in table.columns}["perplexity"] == reasons
    assert table.words.tolist() == [word_count(text) for text in table.texts]


@pytest.mark.both_databases
def test_each_target_is_kept_by_itself(database: str, tmp_path: Path) -> None:
    path = tmp_path / "rated.csv"
    path.write_text(
        "story_id,story,annotator,overall,empathy\n"
        "a,Story a.,ann,1,2\na,Story a.,bob,3,\nb,Story b.,ann,5,4\nb,Story b.,bob,4,1\n"
    )
    study = rating_imports.import_ratings(TERMINAL, "criteria", read_export(path))
    names = study.scheme.names
    assert len(names) == 2
    targets = [Target((name,)) for name in names] + [Target(names)]
    kept = [slow(study.id, target=target) for target in targets]
    for target in targets:
        quick(study.id, target=target)
    for target, table in zip(targets, kept, strict=True):
        alike(table, quick(study.id, target=target))  # what was kept of another is still there
    assert [table.human.tolist() for table in kept] == [[2, 4.5], [2, 2.5], [1.5, 3.5]]
    path.write_text("story_id,annotator,overall,empathy\na,cai,5,5\n")
    rating_imports.import_ratings(TERMINAL, "criteria", read_export(path))
    for target in targets:
        alike(tables.table(study.id, target=target), slow(study.id, target=target))
    assert tables.table(study.id, target=targets[0]).human.tolist() == [3, 4.5]


@pytest.mark.both_databases
def test_what_is_new_is_seen_at_once(database: str) -> None:
    study = brought(scores=SCORES)
    quick(study.id)
    db_scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:n", {"a": 7.0}), replace=True)
    assert [column.signature for column in tables.table(study.id).columns] == ["file:bleu", "file:n"]
    alike(tables.table(study.id), slow(study.id))
    db_scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:n", {"b": 8.0}))
    np.testing.assert_array_equal(tables.table(study.id).columns[1].values, [7, 8, np.nan, np.nan])
    brought(keys=("e",), prompt="q")
    table = tables.table(study.id)
    assert table.keys == (*KEYS, "e")
    assert table.words.tolist() == [2] * 5
    alike(table, slow(study.id))


@pytest.mark.both_databases
def test_the_scores_of_another_study_are_seen_where_it_has_the_same_texts(database: str) -> None:
    study, other = brought(), brought("other")
    number = db_scores.begin_run(study.id, "words", "words|v:1")
    db_scores.begin_run(other.id, "words", "words|v:1")
    with reading() as connection:
        hashes = connection.scalars(select(story.c.content_hash).where(story.c.key == "a")).all()
    db_scores.store(other.id, number, hashes[:1], Scores(np.array([1.0]), {}))
    np.testing.assert_array_equal(quick(study.id).columns[0].values, [1, np.nan, np.nan, np.nan])
    db_scores.store(other.id, number, hashes[:1], Scores(np.array([2.0]), {}))
    np.testing.assert_array_equal(tables.table(study.id).columns[0].values, [2, np.nan, np.nan, np.nan])


@pytest.mark.both_databases
@pytest.mark.parametrize("way", ["corpus", "table"])
def test_a_reference_leaves_no_score_of_the_text_without_it(database: str, way: str, tmp_path: Path) -> None:
    """Be the column on the disk, or with whoever reads: the systems' stories are as many as before."""
    study = brought(scores=SCORES)
    hashes = dict(zip(KEYS, hashes_of(study.id), strict=True))
    for metric in ("bleu", "words"):
        number = db_scores.begin_run(study.id, metric, f"{metric}|v:1")
        db_scores.store(study.id, number, list(hashes.values()), Scores(np.arange(4.0), {}))
    kept: tables.Kept = {}
    before = quick(study.id, kept=kept)
    assert [column.scored for column in before.columns] == [3, 2, 2, 4]  # "b" is a reference itself
    order = sorted(kept, key=lambda key: key[1])
    bring_reference(study, "Opening.", way, tmp_path)
    assert db_scores.count_pending(study.id, [[number]])[0].texts == 4
    for table in (tables.table(study.id, kept=kept), tables.table(study.id), slow(study.id)):
        assert [column.metric for column in table.columns] == ["bleu", "m"]  # what files gave hangs on the stories
    assert [key[0] for key in sorted(kept, key=lambda key: key[1])] == [key[0] for key in order]
    bring_reference(study, "Another.", way, tmp_path)
    again: tables.Kept = dict(kept)
    tables.table(study.id, kept=again)
    assert again.keys() == kept.keys()  # no story's hash has changed


def hashes_of(study_id: int) -> list[str]:
    """What the systems' stories have scores under, in their order."""
    with reading() as connection:
        query = select(story.c.content_hash).where(story.c.study_id == study_id, story.c.source == Source.SYSTEM)
        return list(connection.scalars(query.order_by(story.c.position)))


def bring_reference(study: Study, opening: str, way: str, folder: Path) -> None:
    """Add a person's story of this opening alone, the one way or the other."""
    prompt = {"Opening.": "p"}.get(opening, "q")
    if way == "corpus":
        record = StoryRecord(f"late-{prompt}", prompt, opening, "A late one.", Source.HUMAN)
        imports.import_corpora(TERMINAL, study.name, [Corpus("", (record,))])
        return
    path = folder / f"{prompt}.csv"
    path.write_text(f"id,prompt_id,prompt,system,text\nlate-{prompt},{prompt},{opening},human,A late one.\n")
    choice = StoryChoice(sources=(("human", Source.HUMAN),))
    story_imports.import_tables(
        TERMINAL, study.name, [blocks.brought(blocks.stories_from(path, choice), lambda surveyed: None)]
    )


@pytest.mark.slow
@pytest.mark.both_databases
def test_overrides_are_seen_at_once(database: str) -> None:
    study = make_study(prompts=1, wanted=2)
    hand_in(make_annotator(study))
    db_scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:m", {"0-one": 1.0}))
    assert quick(study.id).rated == 5
    with reading() as connection:
        panel = connection.scalars(select(assignment.c.id)).one()
    panels.override(TERMINAL, panel, valid=False, reason="careless")
    assert (tables.table(study.id).rated, len(ratings.judged_stories(study.id)[0].ratings)) == (0, 0)
    assert tables.table(study.id, validity=RatingChoice.ALL).rated == 5
    panels.override(TERMINAL, panel, valid=True, reason="not so")
    assert tables.table(study.id).rated == 5


def test_a_damaged_file_is_replaced(database: str, caplog: pytest.LogCaptureFixture) -> None:
    study = brought(scores=SCORES)
    expected = quick(study.id)
    whole = {path: path.read_bytes() for path in files()}
    assert len(whole) == 4  # two columns, what people said, and the words
    for path, content in whole.items():
        path.write_bytes(content[:-1] + b"?")
    with caplog.at_level(logging.WARNING):
        alike(tables.table(study.id), expected)
    assert caplog.text.count("is damaged") == 4
    assert {path: path.read_bytes() for path in files()} == whole


def test_it_goes_with_the_study(database: str) -> None:
    study, other = brought(scores=SCORES), brought("other", SCORES)
    for number in (study.id, other.id):
        quick(number)
    texts = tables.table(study.id).texts
    lifecycle.discard(TERMINAL, study.id)
    lifecycle.restore(TERMINAL, study.id)
    assert len(list(files())) == 8
    studies.remove(TERMINAL, study.id, "s")
    assert {path.name.split("-")[0] for path in files()} == {str(other.id)}
    with pytest.raises(NotFound):
        tuple(texts)


def test_texts_are_read_alone_or_together(database: str) -> None:
    study = brought()
    texts = tables.table(study.id).texts
    assert (texts[2], texts[-1], tuple(texts)) == ("Story c.", "Story d.", tuple(f"Story {key}." for key in KEYS))
    with reading() as connection:
        ids = dict(connection.execute(select(story.c.key, story.c.id)).all())
    assert story_texts.texts_of([ids["d"], ids["a"], ids["d"]]) == ["Story d.", "Story a.", "Story d."]
    assert story_texts.texts_of([]) == []


@pytest.mark.both_databases
def test_tokens_and_sentences_are_counted_once(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = brought()
    first = story_texts.of_study(TERMINAL, study.id)
    assert [(text.group, text.tokens, text.sentences) for text in first[1]] == [
        ("human", 3, 1),
        *((f"s{n % 2}", 3, 1) for n in range(len(KEYS))),
    ]
    monkeypatch.setattr(story_texts, "tokens", None)
    assert story_texts.of_study(TERMINAL, study.id) == first
    assert text_statistics(*first).all is not None


@pytest.mark.slow
def test_processes_read_while_scores_come_in(database: str) -> None:
    """Each table has the scores of one moment: those of the last import, or of the one before."""
    study = brought(scores=SCORES)
    reader = (
        "from db.scores import score_columns, tables\n"
        "score_columns.WORTH_KEEPING = 1\n"
        f"seen = [tables.table({study.id}).columns[1].values[0] for _ in range(60)]\n"
        "assert seen == sorted(seen), seen\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", reader], cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    for number in range(30):
        record = ScoreRecord("m", "file:m", {"a": float(number), "d": 4.0})
        db_scores.import_scores(TERMINAL, study.id, record, replace=True)
        assert tables.table(study.id).columns[1].values[0] == number
    for process in running:
        assert process.communicate(timeout=120)[1] == ""
        assert process.returncode == 0
    alike(tables.table(study.id), slow(study.id))
