"""The two halves of a study's prompts; nothing of them is stored, as they follow from the prompts' order."""

from sqlalchemy import ColumnElement, Connection, bindparam, select

from core.judges.halves import Half, halves
from db.engine import reading
from db.schema import prompt, story


def prompts(study_id: int, half: Half) -> frozenset[str]:
    """The keys of the prompts of a half."""
    with reading() as connection:
        return frozenset(key for key, of in _halves(connection, study_id).values() if of is half)


def prompt_ids(connection: Connection, study_id: int, half: Half) -> frozenset[int]:
    """The ids of the prompts of a half, in the caller's transaction."""
    return frozenset(number for number, (_, of) in _halves(connection, study_id).items() if of is half)


def of_half(connection: Connection, study_id: int, half: Half) -> ColumnElement[bool]:
    """That a story is of one of these prompts, in the caller's transaction."""
    ids = sorted(prompt_ids(connection, study_id, half))
    # Written into the query: there may be more prompts than a database takes parameters.
    return story.c.prompt_id.in_(bindparam(None, ids, expanding=True, literal_execute=True))


def _halves(connection: Connection, study_id: int) -> dict[int, tuple[str, Half]]:
    """Key and half of each prompt, by id."""
    query = select(prompt.c.id, prompt.c.key).where(prompt.c.study_id == study_id)
    rows = connection.execute(query.order_by(prompt.c.position, prompt.c.id)).all()
    of = halves([row.key for row in rows])
    return {row.id: (row.key, half) for row, half in zip(rows, of, strict=True)}
