"""What annotators say to the rejection of a panel: which notes wait for a decision, and what was decided on them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, case, false, func, select

from core.annotation.panel import NoteReply
from db.engine import reading
from db.schema import assignment, event


def waits() -> ColumnElement[bool]:
    """Whether a panel has a note on a rejection on which nobody has decided since.

    `overridden` alone does not tell: a panel may have been rejected by hand, and the note be the reply to that. So the
    log is asked what came last; of a panel that came with an import it has nothing, and then `overridden` has to do.
    """
    noted = _last("appeal")
    decided = case(
        (noted.is_(None), assignment.c.overridden), else_=func.coalesce(_last("verdict overridden"), 0) > noted
    )
    # Of a `case` the rest is not looked at: the log is searched for the few panels with a note alone.
    return case((and_(assignment.c.appeal != "", assignment.c.valid.is_(False)), ~decided), else_=false())


def _last(kind: str) -> ColumnElement[Any]:
    """The panel's last event of a kind."""
    mine = (event.c.study_id == assignment.c.study_id) & (event.c.kind == kind)
    this = event.c.detail["assignment"].as_integer() == assignment.c.id
    return select(func.max(event.c.id)).where(mine, this).correlate(assignment).scalar_subquery()


def waiting(study_id: int) -> int:
    """How many notes of a study wait."""
    handed_in = assignment.c.state.in_(("submitted", "surplus"))
    with reading() as connection:
        number = select(func.count()).where(assignment.c.study_id == study_id, handed_in, waits())
        return connection.scalar(number) or 0


def reply(connection: Connection, done: Sequence[Row[Any]]) -> NoteReply | None:
    """What was decided on the last note that an annotator left on any of these panels, theirs in the order in which
    they handed them in; None without a note, or as long as it waits.
    """
    number, noted = next(((at, row) for at, row in reversed([*enumerate(done, 1)]) if row.appeal), (0, None))
    if noted is None:
        return None
    if not noted.valid and connection.scalar(select(waits()).where(assignment.c.id == noted.id)):
        return None
    return NoteReply(number, noted.appeal, bool(noted.valid))
