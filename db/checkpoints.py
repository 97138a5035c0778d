"""Trained metrics: add, list, rename, delete. A row speaks of files that are there: see `core.training.shelf`."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.errors import InputError, NotFound
from core.people import Person, Role
from core.training.card import Card, card_from, check_name
from core.training.checkpoint import Checkpoint
from core.training.shelf import Kept, forget, keep
from db import people
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.schema import model_checkpoint as table


def add(by: Person, checkpoint: Checkpoint, name: str = "") -> Kept:
    """Keep a checkpoint, under another name if one is given; its folder may go afterwards.

    Raises InputError where there are these weights, or is one of this name, already.
    """
    by.must_be(Role.RESEARCHER)
    card = replace(checkpoint.card, name=check_name(name or checkpoint.card.name))
    with reading() as connection:
        people.check(connection, by)
        _check_new(connection, card)
    place = keep(checkpoint)  # before the row, and outside of the transaction: it may take seconds
    try:
        with writing() as connection:
            people.check(connection, by)
            values = {"kind": card.kind, "base": card.base, "place": place, "weights_hash": card.weights}
            made = connection.execute(
                insert(table).values(name=card.name, card=card.as_json(), created_at=now(), **values)
            )
            number = inserted_id(made)
            record(connection, "checkpoint added", by, None, checkpoint=number, name=card.name, weights=card.weights)
            return _locked(connection, number)
    except IntegrityError:  # somebody else was quicker
        raise InputError(f"There is already a checkpoint named {card.name!r}, or one of these weights.") from None


def _check_new(connection: Connection, card: Card) -> None:
    there = connection.scalar(select(table.c.name).where(table.c.weights_hash == card.weights))
    if there is not None:
        raise InputError(f"This checkpoint is here already, as {there!r}.")
    if connection.scalar(select(table.c.id).where(table.c.name == card.name)) is not None:
        raise InputError(_taken(card.name))


def _taken(name: str) -> str:
    return f"There is already a checkpoint named {name!r}; choose another name."


def listed(by: Person) -> list[Kept]:
    """All checkpoints, newest first."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        return [_kept(row) for row in connection.execute(select(table).order_by(table.c.id.desc()))]


def find(name: str) -> Kept:
    """The checkpoint of this name; raises NotFound naming those there are."""
    with reading() as connection:
        row = connection.execute(select(table).where(table.c.name == name)).one_or_none()
        known = connection.scalars(select(table.c.name).order_by(table.c.name)).all()
    if row is None:
        raise NotFound(f"There is no checkpoint named {name!r}; there are: {', '.join(known) or 'none yet'}.")
    return _kept(row)


def get(checkpoint_id: int) -> Kept:
    """The checkpoint of this id; raises NotFound."""
    with reading() as connection:
        return _locked(connection, checkpoint_id, lock=False)


def _locked(connection: Connection, checkpoint_id: int, *, lock: bool = True) -> Kept:
    query = select(table).where(table.c.id == checkpoint_id)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    if row is None:
        raise NotFound("This checkpoint is not there any more.")
    return _kept(row)


def rename(by: Person, checkpoint_id: int, name: str) -> Kept:
    """Give it another name; raises InputError for one that is taken, or none."""
    by.must_be(Role.RESEARCHER)
    name = check_name(name)
    try:
        with writing() as connection:
            people.check(connection, by)
            found = _locked(connection, checkpoint_id)
            _check_own(found)
            card = replace(found.card, name=name)
            connection.execute(update(table).where(table.c.id == found.id).values(name=name, card=card.as_json()))
            record(connection, "checkpoint renamed", by, None, checkpoint=found.id, before=found.card.name, name=name)
            return replace(found, card=card)
    except IntegrityError:
        raise InputError(_taken(name)) from None


def remove(by: Person, checkpoint_id: int) -> None:
    """Delete a checkpoint with its files; scores that were made with it stay."""
    by.must_be(Role.OWNER)
    with writing() as connection:
        people.check(connection, by)
        found = _locked(connection, checkpoint_id)
        _check_own(found)
        connection.execute(delete(table).where(table.c.id == found.id))
        record(connection, "checkpoint deleted", by, None, checkpoint=found.id, name=found.card.name)
    forget(found.place)


def _check_own(found: Kept) -> None:
    if found.shipped:
        raise InputError(f"The checkpoint {found.card.name!r} comes with Fabula: it stays as it is.")


def _kept(row: Row[Any]) -> Kept:
    return Kept(row.id, card_from(row.card, f"the card of {row.name}"), row.place, row.shipped, row.created_at)
