"""Deleting a metric's scores from a study: those of an old signature or checkpoint, which nobody wants any more."""

from sqlalchemy import and_, delete, exists, or_, select

from core.errors import NotFound
from core.metrics.naming import Pair
from core.people import Person, Role
from db.audit import record
from db.engine import reading, writing
from db.judge_tables import pair_verdict
from db.people import people
from db.schema import score, score_run, signature, story, test_run
from db.studies import studies


def stored(by: Person, study_id: int) -> list[Pair]:
    """The metrics and signatures that a study has scores under, by name."""
    by.must_be(Role.RESEARCHER)
    query = (
        select(signature.c.metric, signature.c.text)
        .join(score_run, score_run.c.signature_id == signature.c.id)
        .where(score_run.c.study_id == study_id)
        .order_by(signature.c.metric, signature.c.text)
    )
    with reading() as connection:
        people.check(connection, by, study_id)
        return [(row.metric, row.text) for row in connection.execute(query)]


def remove(by: Person, study_id: int, text: str) -> None:
    """Delete a study's scores under a signature. Scores of a text that another study has under the same signature stay
    for that one, and so do all that test sets have been read under. Raises NotFound where the study has none.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        query = select(signature.c.id, signature.c.metric).join(score_run, score_run.c.signature_id == signature.c.id)
        row = connection.execute(query.where(score_run.c.study_id == study_id, signature.c.text == text)).first()
        if row is None:
            raise NotFound("The study has no scores under this signature any more.")
        run = and_(score_run.c.study_id == study_id, score_run.c.signature_id == row.id)
        connection.execute(delete(score_run).where(run))
        mine, others = story.alias("mine"), story.alias("others")
        here = select(mine.c.id).where(mine.c.study_id == study_id)
        elsewhere = (
            select(others.c.content_hash)
            .join(score_run, score_run.c.study_id == others.c.study_id)
            .where(score_run.c.signature_id == row.id)
        )
        unread = ~exists().where(test_run.c.signature_id == row.id)
        hashes = select(mine.c.content_hash).where(mine.c.study_id == study_id, mine.c.content_hash.not_in(elsewhere))
        gone = or_(score.c.story_id.in_(here), and_(score.c.content_hash.in_(hashes), unread))
        connection.execute(delete(score).where(score.c.signature_id == row.id, gone))
        verdicts = and_(pair_verdict.c.first_hash.in_(hashes), pair_verdict.c.second_hash.in_(hashes))
        connection.execute(delete(pair_verdict).where(pair_verdict.c.signature_id == row.id, verdicts))
        record(connection, "scores deleted", by, study_id, metric=row.metric, signature=text)
