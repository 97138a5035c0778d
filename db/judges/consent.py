"""Where a study's texts may be sent to be judged: an owner agrees to an address, and can take that back."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from core.errors import NotAllowed, NotFound
from core.judges.backends.endpoint import checked_address
from core.people import Person, Role
from db.audit import now, record
from db.engine import reading, writing
from db.people import people
from db.schema import study

GIVEN, WITHDRAWN = "texts may be sent", "texts may be sent no more"
_CONSENT = select(study.c.judge_consent).where(study.c.deleted_at.is_(None))


@dataclass(frozen=True)
class Consent:
    """An address that a study's texts may be sent to. `by`: who agreed, None for the terminal; `at`: when, in UTC."""

    address: str
    by: int | None
    at: datetime


def given(by: Person, study_id: int) -> list[Consent]:
    """The addresses that an owner has agreed to for this study, the oldest first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        stored = _stored(connection, study_id)
    consents = [Consent(address, row["by"], datetime.fromisoformat(row["at"])) for address, row in stored.items()]
    return sorted(consents, key=lambda consent: consent.at)


def give(by: Person, study_id: int, address: str) -> str:
    """Agree that the study's prompts and stories are sent to this address; returns it as it is kept. Owners only, as
    the server's key goes there too. Raises InputError for what is no address.
    """
    by.must_be(Role.OWNER)
    address = checked_address(address)
    with writing() as connection:
        people.check(connection, by, study_id)
        stored = _stored(connection, study_id, lock=True)
        if address not in stored:
            _keep(connection, study_id, {**stored, address: {"by": by.id, "at": now().isoformat()}})
            record(connection, GIVEN, by, study_id, address=address)
    return address


def withdraw(by: Person, study_id: int, address: str) -> str:
    """Take that back: nothing more is sent there. Whoever runs the study may. Raises NotFound where nobody agreed."""
    by.must_be(Role.RESEARCHER)
    address = checked_address(address)
    with writing() as connection:
        people.check(connection, by, study_id)
        stored = _stored(connection, study_id, lock=True)
        if address not in stored:
            raise NotFound(f"Nobody had agreed that this study's texts are sent to {address}.")
        _keep(connection, study_id, {other: row for other, row in stored.items() if other != address})
        record(connection, WITHDRAWN, by, study_id, address=address)
    return address


def check(study_id: int, address: str) -> None:
    """Raise NotAllowed unless the study's texts may be sent to this address."""
    address = checked_address(address)
    with reading() as connection:
        if address not in _stored(connection, study_id):
            raise NotAllowed(
                f"This study's texts may not be sent to {address}: an owner has to agree first, on the page Run "
                "metrics or by `endpoint allow`."
            )


def _stored(connection: Connection, study_id: int, *, lock: bool = False) -> dict[str, dict[str, Any]]:
    query = _CONSENT.where(study.c.id == study_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound("This study is not there any more.")
    return dict(row.judge_consent or {})


def _keep(connection: Connection, study_id: int, addresses: dict[str, dict[str, Any]]) -> None:
    connection.execute(update(study).where(study.c.id == study_id).values(judge_consent=addresses))
