"""Scores of a test set's texts, stored by text as all scores are, and which metrics have read the set."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from sqlalchemy import select, update

from core.metrics.base import Scores
from core.people import Person, Role
from db.audit import now
from db.engine import reading, upsert, writing
from db.people import people
from db.schema import score, signature, test_run
from db.scores.scores import keep, signature_id_of
from db.test_sets.test_sets import AT_ONCE, require


def begin(number: int, metric: str, text: str) -> int:
    """Say that a metric with this signature reads a set; returns the signature's id. Raises NotFound."""
    with writing() as connection:
        require(connection, number)
        result = signature_id_of(connection, metric, text)
        row = {"test_set_id": number, "signature_id": result, "updated_at": now()}
        upsert(connection, test_run, [row], ["test_set_id", "signature_id"], ["updated_at"])
        return result


def store(number: int, of: int, hashes: Sequence[str], scores: Scores) -> None:
    """Keep a batch of scores under a signature. Raises NotFound where the set has been deleted meanwhile."""
    with writing() as connection:
        require(connection, number)
        keep(connection, of, hashes, scores)
        # A study's stories may be among these texts: what is kept of its scores is to be read anew.
        mine = (test_run.c.test_set_id == number) & (test_run.c.signature_id == of)
        connection.execute(update(test_run).where(mine).values(updated_at=now()))


def stored_scores(of: int, hashes: Sequence[str]) -> dict[str, tuple[float, str]]:
    """The scores that there are of these texts: value (NaN where undefined) and the reason."""
    result: dict[str, tuple[float, str]] = {}
    with reading() as connection:
        for part in _parts(hashes):
            query = select(score.c.content_hash, score.c.value, score.c.reason)
            rows = connection.execute(query.where(score.c.signature_id == of, score.c.content_hash.in_(part)))
            result |= {row.content_hash: (np.nan if row.value is None else row.value, row.reason) for row in rows}
    return result


def read_by(by: Person, number: int) -> Mapping[int, tuple[str, str]]:
    """The metrics that have read a set, by their signatures' ids: name and signature, the first to read it first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        require(connection, number)
        rows = connection.execute(
            select(signature.c.id, signature.c.metric, signature.c.text)
            .join(test_run, test_run.c.signature_id == signature.c.id)
            .where(test_run.c.test_set_id == number)
            .order_by(test_run.c.id)
        )
        return {row.id: (row.metric, row.text) for row in rows}


def _parts(hashes: Sequence[str]) -> Iterator[Sequence[str]]:
    return (hashes[start : start + AT_ONCE] for start in range(0, len(hashes), AT_ONCE))
