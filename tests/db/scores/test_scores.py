"""The same work is never done twice."""

import numpy as np
import pytest

from core.errors import InputError
from core.judges.asking import AGAIN
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import Corpus, ScoreRecord, StoryRecord
from db.scores import scores, tables
from db.transfer import imports
from tests.db.conftest import make_study, small_corpus


def constant(number: int, value: float = 0.5) -> Scores:
    return Scores(np.full(number, value), {})


def lacking(study_id: int, signature: int) -> list[str]:
    """Content hashes of the stories without a score."""
    return [pending.content_hash for pending in scores.pending(study_id, [signature], -1, 1000)[0]]


def test_what_is_stored_is_not_pending(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    pending = lacking(study.id, signature)
    assert len(pending) == 10
    scores.store(study.id, signature, pending[:4], constant(4))
    assert set(lacking(study.id, signature)) == set(pending[4:])
    other = scores.begin_run(study.id, "m", "m|v:2")
    assert len(lacking(study.id, other)) == 10


def test_another_study_with_the_same_texts_reuses_them(database: str) -> None:
    first = imports.import_corpora(TERMINAL, "first", [small_corpus()])
    second = imports.import_corpora(TERMINAL, "second", [small_corpus(3)])
    signature = scores.begin_run(first.id, "m", "m|v:1")
    pending = lacking(first.id, signature)
    scores.store(first.id, signature, pending, constant(10, 0.25))
    assert len(lacking(second.id, signature)) == 5
    assert tables.table(second.id).columns == ()  # stored, but nobody asked for it in this study
    scores.begin_run(second.id, "m", "m|v:1")
    assert tables.table(second.id).columns[0].scored == 10


def test_equal_texts_are_scored_once(database: str) -> None:
    twins = tuple(StoryRecord(k, "p", "Opening.", "The same text.") for k in "abc")
    study = imports.import_corpora(TERMINAL, "s", [Corpus("", twins)])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    (only,) = lacking(study.id, signature)
    scores.store(study.id, signature, [only], constant(1, 2.0))
    assert tables.table(study.id).columns[0].values.tolist() == [2.0] * 3


def test_undefined_scores_are_kept_with_their_reason(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [Corpus("", (StoryRecord("a", "p", "Opening.", ""),))])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    scores.store(study.id, signature, lacking(study.id, signature), Scores.collect(["the story is empty"]))
    (column,) = tables.table(study.id).columns
    assert np.isnan(column.values[0])
    assert column.reasons == {0: "the story is empty"}
    assert lacking(study.id, signature) == []
    assert scores.undefined(study.id, signature) == {"the story is empty": 1}


@pytest.mark.both_databases
def test_a_reason_that_may_pass_is_shown_and_tried_again(database: str) -> None:
    texts = ("", "A story.", "Another.")
    study = imports.import_corpora(
        TERMINAL, "s", [Corpus("", tuple(StoryRecord(text, "p", "Opening.", text) for text in texts))]
    )
    signature = scores.begin_run(study.id, "m", "m|v:1")
    hashes = lacking(study.id, signature)
    scores.store(study.id, signature, hashes, Scores.collect(["it is empty", f"It was away. {AGAIN}", 1.0]))
    assert lacking(study.id, signature) == [hashes[1]]
    assert scores.count_pending(study.id, [[signature]]) == [scores.Lacking(1, len("A story."), 1)]
    other = scores.begin_run(study.id, "m", "m|v:2")
    page, _ = scores.pending(study.id, [signature, other], -1, 10)
    assert [len(story.missing) for story in page] == [1, 2, 1]
    assert scores.undefined(study.id, signature) == {"it is empty": 1, f"It was away. {AGAIN}": 1}
    scores.store(study.id, signature, [hashes[1]], constant(1))
    assert lacking(study.id, signature) == []
    assert scores.undefined(study.id, signature) == {"it is empty": 1}


def test_an_imported_metric_stands_beside_ours_of_the_same_name(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "bleu", "bleu|v:1")
    scores.store(study.id, signature, lacking(study.id, signature), constant(10))
    keys = scores.story_keys(study.id)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("bleu", "file:abc", dict.fromkeys(keys[:6], 0.1)))
    ours, theirs = tables.table(study.id).columns
    assert (ours.signature, ours.scored) == ("bleu|v:1", 10)
    assert (theirs.signature, theirs.scored) == ("file:abc", 6)
    (plain,) = tables.table(study.id, ["bleu"]).columns
    (imported,) = tables.table(study.id, ["bleu[file]"]).columns
    assert (plain.signature, imported.signature) == ("bleu|v:1", "file:abc")
    assert imported.metric == "bleu[file]"  # alone, too, it keeps the name that it has in the study


def test_a_metric_without_scores_is_named_with_those_there_are(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "bleu", "bleu|v:1")
    with pytest.raises(InputError, match="no scores yet"):  # a run that is begun has made none
        tables.table(study.id, ["rouge"])
    scores.store(study.id, signature, lacking(study.id, signature), constant(10))
    with pytest.raises(InputError, match="no scores of 'rouge'; it has bleu"):
        tables.table(study.id, ["rouge"])


@pytest.mark.both_databases
def test_pages_of_pending_stories_hold_each_once_and_say_what_they_lack(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    ids = [scores.begin_run(study.id, "m", f"m|v:{version}") for version in (1, 2)]
    every = lacking(study.id, ids[0])
    scores.store(study.id, ids[0], every[:3], constant(3))
    scores.store(study.id, ids[1], every[:2], constant(2))
    position, pages = -1, []
    while True:
        page, position = scores.pending(study.id, ids, position, 4)
        if not page:
            break
        pages.append(page)
    flat = [pending for page in pages for pending in page]
    assert [len(page) for page in pages] == [4, 4]
    assert [pending.content_hash for pending in flat] == every[2:]
    assert [pending.missing for pending in flat] == [{ids[1]}, *[set(ids)] * 7]


@pytest.mark.both_databases
def test_pending_stories_bring_their_prompt_and_references(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    for pending in scores.pending(study.id, [signature], -1, 1000)[0]:
        assert pending.story.content_hash == pending.content_hash
        assert pending.story.prompt
        assert len(pending.story.references) == 1
    assert sorted(scores.reference_texts(study.id)) == sorted(
        {r for item in scores.pending(study.id, [signature], -1, 1000)[0] for r in item.story.references}
    )


@pytest.mark.both_databases
def test_counting_what_is_pending_takes_equal_texts_once(database: str) -> None:
    twins = tuple(StoryRecord(k, "p", "Opening.", "The same text.") for k in "abc")
    study = imports.import_corpora(TERMINAL, "s", [Corpus("", (*twins, StoryRecord("d", "p", "Opening.", "Other.")))])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    every = scores.Lacking(2, len("The same text.") + len("Other."), 4)
    assert scores.count_pending(study.id, [[signature]]) == [every]
    scores.store(study.id, signature, lacking(study.id, signature), constant(2))
    assert scores.count_pending(study.id, [[signature]]) == [scores.Lacking(0, 0, 0)]
    other = scores.begin_run(study.id, "m", "m|v:2")
    assert scores.count_pending(study.id, [[other], [other, signature]]) == [
        every,
        scores.Lacking(0, 0, 0),
    ]


@pytest.mark.both_databases
def test_a_run_that_failed_at_once_leaves_no_empty_metric(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    scores.begin_run(study.id, "m", "m|v:1")
    assert tables.table(study.id).columns == ()
    signature = scores.begin_run(study.id, "m", "m|v:2")
    scores.store(study.id, signature, lacking(study.id, signature)[:1], constant(1))
    assert [column.signature for column in tables.table(study.id).columns] == ["m|v:2"]


@pytest.mark.both_databases
def test_signatures_that_were_used_before_are_known(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    signature = scores.begin_run(study.id, "m", "m|v:1")
    assert scores.signature_ids(["m|v:1", "m|v:2"]) == {"m|v:1": signature}


def test_imported_scores_are_not_replaced_without_a_word(database: str) -> None:
    """All of an import or nothing; the same column again changes nothing; other studies keep theirs."""
    new_study, other = make_study("one"), make_study("two")
    keys = scores.story_keys(new_study.id)
    first = ScoreRecord("m", "file:1|column:a", dict.fromkeys(keys, 1.0))
    second = ScoreRecord("m", "file:1|column:b", dict.fromkeys(keys[:3], 2.0))
    new = ScoreRecord("n", "file:1|column:c", dict.fromkeys(keys, 3.0))
    for study in (new_study, other):
        scores.import_scores(TERMINAL, study.id, first)
        scores.import_scores(TERMINAL, study.id, first)
    with pytest.raises(InputError, match=r"3 of these stories have other imported scores of 'm' already \(file:1"):
        scores.import_scores(TERMINAL, new_study.id, new, second)
    assert [(column.metric, column.signature) for column in tables.table(new_study.id).columns] == [
        ("m", "file:1|column:a")
    ]
    changed = ScoreRecord("m", "file:1|column:a", dict.fromkeys(keys, 9.0))
    with pytest.raises(InputError, match="other imported scores of 'm'"):
        scores.import_scores(TERMINAL, new_study.id, changed)
    scores.import_scores(TERMINAL, new_study.id, new, second, replace=True)
    columns = {column.metric: column for column in tables.table(new_study.id).columns}
    assert (columns["m"].signature, columns["m"].scored) == ("file:1|column:b", 3)
    assert columns["n"].scored == len(keys)
    assert tables.table(other.id).columns[0].scored == len(keys)
