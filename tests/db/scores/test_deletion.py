"""A metric's scores leave a study, and nothing else does."""

import numpy as np
import pytest
from sqlalchemy import func, select

from core.errors import NotFound
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.engine import reading
from db.ratings import ratings
from db.schema import event, score, signature
from db.scores import deletion, scores, tables
from db.transfer import imports
from tests.db.conftest import small_corpus

OLD, NEW, FILE = "m|v:1", "m|v:2", "file:a"


def score_all(study_id: int, text: str) -> None:
    number = scores.begin_run(study_id, "m", text)
    lacking, _ = scores.pending(study_id, [number], -1, 1000)
    if lacking:
        hashes = [one.content_hash for one in lacking]
        scores.store(study_id, number, hashes, Scores(np.full(len(hashes), 0.5), {}))


def kept(text: str) -> int:
    query = select(func.count()).select_from(score).join(signature, signature.c.id == score.c.signature_id)
    with reading() as connection:
        return connection.scalar(query.where(signature.c.text == text)) or 0


@pytest.mark.both_databases
def test_one_signature_goes_and_the_others_stay(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    for text in (OLD, NEW):
        score_all(study.id, text)
    keys = scores.story_keys(study.id)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("n", FILE, dict.fromkeys(keys, 1.0)))
    assert deletion.stored(TERMINAL, study.id) == [("m", OLD), ("m", NEW), ("n", FILE)]
    before = ratings.version(study.id)
    deletion.remove(TERMINAL, study.id, OLD)
    assert ratings.version(study.id) != before, "pages would show what is gone"
    assert [column.signature for column in tables.table(study.id).columns] == [NEW, FILE]
    assert (kept(OLD), kept(NEW), kept(FILE)) == (0, 10, 10)
    deletion.remove(TERMINAL, study.id, FILE)
    assert (kept(NEW), kept(FILE)) == (10, 0)
    with pytest.raises(NotFound):
        deletion.remove(TERMINAL, study.id, OLD)
    with reading() as connection:
        said = connection.scalars(select(event.c.detail).where(event.c.kind == "scores deleted").order_by(event.c.id))
        assert list(said) == [{"metric": "m", "signature": OLD}, {"metric": "n", "signature": FILE}]


@pytest.mark.both_databases
def test_what_another_study_has_stays_for_that_one(database: str) -> None:
    first = imports.import_corpora(TERMINAL, "first", [small_corpus(3)])
    second = imports.import_corpora(TERMINAL, "second", [small_corpus(2)])
    for study in (first, second):
        score_all(study.id, OLD)
    assert kept(OLD) == 15
    deletion.remove(TERMINAL, first.id, OLD)
    assert kept(OLD) == 10
    (column,) = tables.table(second.id).columns
    assert column.scored == 10
    assert not tables.table(first.id).columns
