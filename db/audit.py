"""The append-only log: every change of an answer, a state or a setting, with who and when."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, CursorResult, insert

from core.errors import StorageError
from core.people import Person
from db.schema import event

_EVENT = insert(event)


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


def inserted_id(result: CursorResult[Any]) -> int:
    """The id that an insert of one row was given."""
    key = result.inserted_primary_key
    if key is None:
        raise StorageError("The database gave a new row no id; report this with the database's version.")
    return int(key[0])


def record(connection: Connection, kind: str, by: Person | None, study_id: int | None, /, **detail: Any) -> None:
    """Add one event inside the caller's transaction."""
    person_id = by.id if by else None
    row = {"at": now(), "kind": kind, "study_id": study_id, "person_id": person_id, "detail": detail}
    connection.execute(_EVENT, row)
