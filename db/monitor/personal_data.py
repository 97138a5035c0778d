"""A person's data, given out or erased on request."""

from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, or_, select, update

from core.errors import InputError, NotFound
from core.people import Person, Role
from db.annotation import slots
from db.audit import now, record
from db.engine import reading, writing
from db.monitor.payments import BY_PLATFORM, PAID
from db.people import people
from db.schema import (
    assignment,
    deduction,
    event,
    person,
    prompt,
    rating,
    rating_value,
    session,
    shared_report,
    story,
    story_note,
    study,
    study_import,
    training_answer,
)
from db.studies import studies

ABOUT = (
    *("invited", "revoked", "qualification set", "verdict overridden", "payment set", "bonus set", "surplus counted"),
    *("paused by rule", "pause lifted", "let go on", "session ended", "link renewed"),
    *("submission approved", "submission rejected", "submission returned"),
    *(PAID, BY_PLATFORM),
)
"""Kinds of events in which somebody else may have done something about a person or a panel of theirs."""
NOT_THEIRS = ("token_hash", "crowd_hash")
"""Columns of a person that say nothing about them: hashes that the server knows them again by."""


def exported(by: Person, person_id: int) -> dict[str, Any]:
    """Everything that is kept about a person, as JSON can hold it: times are ISO 8601 in UTC.

    Keys: person, sessions (browsers, and when), training, panels (with the stories as they were shown and every
    answer), notes (on stories), imports (into studies), events (what they did and what was done about them). Where
    stories come from is left out: that is not about the person. Raises NotFound.
    """
    by.must_be(Role.OWNER)
    with reading() as connection:
        people.check(connection, by)
        row = _row(connection, person_id)
        panels = connection.execute(
            select(
                assignment,
                func.coalesce(study.c.deleted_name, study.c.name).label("study"),
                prompt.c.text.label("prompt"),
            )
            .join(study, study.c.id == assignment.c.study_id)
            .join(prompt, prompt.c.id == assignment.c.prompt_id)
            .where(assignment.c.person_id == person_id)
            .order_by(assignment.c.id)
        ).all()
        browsers = connection.execute(
            select(session).where(session.c.person_id == person_id).order_by(session.c.id)
        ).all()
        trained = connection.execute(
            select(training_answer).where(training_answer.c.person_id == person_id).order_by(training_answer.c.id)
        ).all()
        noted = connection.execute(
            select(story_note).where(story_note.c.person_id == person_id).order_by(story_note.c.id)
        ).all()
        brought = connection.execute(
            select(study_import).where(study_import.c.person_id == person_id).order_by(study_import.c.id)
        ).all()
        shared = connection.execute(
            select(shared_report).where(shared_report.c.person_id == person_id).order_by(shared_report.c.id)
        ).all()
        return {
            "person": {
                **{name: _plain(value) for name, value in row._mapping.items() if name not in NOT_THEIRS},
                "known_by_a_keyed_hash_of_their_platform_id": row.crowd_hash is not None,
            },
            "sessions": [_without(item, "id", "person_id", "key_hash") for item in browsers],
            "training": [_without(item, "id", "person_id") for item in trained],
            "panels": [_panel(connection, panel) for panel in panels],
            "notes": [_without(item, "id", "person_id") for item in noted],
            "imports": [_without(item, "id", "person_id", "settings", "signatures") for item in brought],
            "reports shown by a link": [_without(item, "id", "person_id", "page") for item in shared],
            "events": _events(connection, row, {panel.id for panel in panels}),
        }


def _row(connection: Connection, person_id: int) -> Row[Any]:
    row = connection.execute(select(person).where(person.c.id == person_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no person {person_id}; `people list` and the page People show who there is.")
    return row


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def _without(row: Row[Any], *names: str) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row._mapping.items() if name not in names}


def _panel(connection: Connection, row: Row[Any]) -> dict[str, Any]:
    """A panel with its answers, in the order in which the stories were shown."""
    shown = [story_id for story_id, _ in row.stories]
    texts = {
        part.id: part.text for part in connection.execute(select(story.c.id, story.c.text).where(story.c.id.in_(shown)))
    }
    values: dict[int, dict[str, float]] = {}
    for item in connection.execute(select(rating_value).join(rating).where(rating.c.assignment_id == row.id)):
        values.setdefault(item.rating_id, {})[item.criterion] = item.value
    given = {
        (entry.story_id, entry.place): entry
        for entry in connection.execute(select(rating).where(rating.c.assignment_id == row.id)).all()
    }
    reasons: dict[int, list[dict[str, Any]]] = {}
    ids = [entry.id for entry in given.values()]
    for item in connection.execute(select(deduction).where(deduction.c.rating_id.in_(ids)).order_by(deduction.c.id)):
        reasons.setdefault(item.rating_id, []).append(_without(item, "id", "rating_id"))
    asked: list[tuple[int, int, int | None]] = [(story_id, 0, None) for story_id in shown]
    if row.pair_panel_id is not None or any(entry.place for entry in given.values()):
        asked = [(shown[at], at // 2 + 1, shown[at + 1]) for at in range(0, len(shown), 2)]
    answers = []
    for story_id, place, beside in asked:
        entry = given.get((story_id, place))
        answers.append(
            {
                "text": texts[story_id],
                **({"compared_with": texts[beside]} if beside is not None else {}),
                "ratings": values.get(entry.id, {}) if entry else {},
                "comment": entry.comment if entry else "",
                "deductions": reasons.get(entry.id, []) if entry else [],
                "updated_at": _plain(entry.updated_at) if entry else None,
            }
        )
    kept = _without(
        row, "person_id", "prompt_id", "study_id", "story_id", "pair_panel_id", "import_id", "stories", "rater"
    )
    return {**kept, "answers": answers}


def _events(connection: Connection, row: Row[Any], panels: set[int]) -> list[dict[str, Any]]:
    """What the log has of them: all they did, and what others did about them or their panels."""
    theirs = event.c.person_id == row.id
    nearby = [] if row.study_id is None else [or_(event.c.study_id == row.study_id, event.c.study_id.is_(None))]
    about = and_(event.c.kind.in_(ABOUT), *nearby)
    rows = connection.execute(select(event).where(or_(theirs, about)).order_by(event.c.id)).all()
    result = []
    for table_row in rows:
        detail = (
            _their_share(table_row.detail, row.id, panels)
            if table_row.kind in (PAID, BY_PLATFORM)
            else table_row.detail
        )
        named = row.id in (detail.get("invited"), detail.get("revoked"), detail.get("annotator"))
        if table_row.person_id == row.id or named or detail.get("assignment") in panels or detail.get("paid"):
            result.append(
                {
                    "at": _plain(table_row.at),
                    "kind": table_row.kind,
                    "by_themselves": table_row.person_id == row.id,
                    "detail": detail,
                }
            )
    return result


def _their_share(detail: dict[str, Any], person_id: int, panels: set[int]) -> dict[str, Any]:
    """What one person got of a payment that was made to many at once; nothing of the others."""
    mine = sorted(panels.intersection(detail.get("assignments", [])))
    bonus = detail.get("bonuses", {}).get(str(person_id), 0)
    return {"paid": bool(mine or bonus), "assignments": mine, "bonus": bonus, "currency": detail.get("currency", "")}


def erase(by: Person, person_id: int, *, keep_ratings: bool) -> None:
    """Make a person unknown: name, e-mail, platform's hash, submission, notes, reasons and other words of theirs,
    consent, practice and sessions go, and the link dies.

    With `keep_ratings` what they handed in stays, as that of a rater who is nobody ("erased 12"); without it their
    panels go too, and the places are offered again, to work in surplus first. A panel in hand always goes. The reasons
    that people gave for a decision about their work go as well. What the log has stays: it holds numbers, no names, no
    notes and no reasons. Only a one-way trace of the link is kept, so that it stays dead and the platform's id cannot
    come in again. Every study that they have panels in learns of it by its log.

    Raises NotAllowed, NotFound, InputError for oneself or twice.
    """
    by.must_be(Role.OWNER)
    if by.id == person_id:
        raise InputError("You cannot erase yourself; another owner can, or `people erase` on the terminal.")
    with writing() as connection:
        people.check(connection, by)
        row = _row(connection, person_id)
        if row.erased_at is not None:
            raise InputError("This person has been erased already.")
        make_unknown(connection, by, row, keep_ratings=keep_ratings)


def make_unknown(connection: Connection, by: Person | None, row: Row[Any], *, keep_ratings: bool) -> None:
    """What `erase` does to a person's row, within a transaction of whoever has looked at the rights."""
    concerned = _drop_panels(connection, row.id, row.study_id, keep_ratings=keep_ratings)
    connection.execute(delete(training_answer).where(training_answer.c.person_id == row.id))
    connection.execute(delete(session).where(session.c.person_id == row.id))
    connection.execute(delete(story_note).where(story_note.c.person_id == row.id))
    moment = now()
    connection.execute(
        update(person)
        .where(person.c.id == row.id)
        .values(
            name=_label(row.id),
            email=None,
            crowd_hash=None,
            submission="",
            consent="",
            qualified=None,
            bonus_reason="",
            closing_comment="",
            completed_at=None,
            returned_at=None,
            paused_at=None,
            resumed_at=None,
            expires_at=None,
            revoked_at=row.revoked_at or moment,
            erased_at=moment,
        )
    )
    about: list[int | None] = [*concerned] or [None]
    for study_id in about:
        record(connection, "erased", by, study_id, erased=row.id, ratings_kept=keep_ratings)


def _label(person_id: int) -> str:
    """Nobody in particular, and still not the same as anybody else."""
    return f"erased {person_id}"


def _drop_panels(connection: Connection, person_id: int, study_id: int | None, *, keep_ratings: bool) -> list[int]:
    """Returns the studies that this concerns: the person's own, and those in which they have panels."""
    mine = assignment.c.person_id == person_id
    ids = {*connection.scalars(select(assignment.c.study_id).where(mine).distinct()), study_id} - {None}
    held = {item: studies.locked(connection, item, deleted=True) for item in sorted(ids)}
    goes = mine & (assignment.c.state == "open") if keep_ratings else mine
    left = connection.execute(
        select(assignment.c.study_id, assignment.c.prompt_id, assignment.c.story_id, assignment.c.pair_panel_id)
        .where(goes)
        .distinct()
    ).all()
    connection.execute(delete(assignment).where(goes))
    for part in left:
        slots.promote(connection, held[part.study_id], slots.slot_of(part))
    theirs = rating.c.assignment_id.in_(select(assignment.c.id).where(mine))
    connection.execute(update(rating).where(theirs, rating.c.comment != "").values(comment=""))
    by_hand = mine & assignment.c.overridden
    connection.execute(update(assignment).where(by_hand).values(reason=""))
    nobodys = {"person_id": None, "rater": _label(person_id), "appeal": "", "payment_reason": ""}
    connection.execute(update(assignment).where(mine).values(nobodys))
    return list(held)
