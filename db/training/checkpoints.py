"""Trained metrics: add, list, rename, delete. A row describes files on the disk: see `core.checkpoints.store`."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from core.checkpoints.card import CheckpointCard, card_from, check_name
from core.checkpoints.checkpoint import Checkpoint
from core.checkpoints.in_words import card_of, training_in_words, weights_in
from core.checkpoints.store import Kept, forget, keep, shipped, shipped_checkpoint
from core.errors import InputError, NotFound
from core.jobs import JobState
from core.people import Person, Role
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.jobs import jobs
from db.people import people
from db.schema import model_checkpoint as table

LATEST = 100
"""Trainings that are looked at for one that did the same."""


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
            result = connection.execute(
                insert(table).values(name=card.name, card=card.as_json(), created_at=now(), **values)
            )
            number = inserted_id(result)
            record(connection, "checkpoint added", by, None, checkpoint=number, name=card.name, weights=card.weights)
            return _locked(connection, number)
    except IntegrityError:  # somebody else was quicker
        raise InputError(f"There is already a checkpoint named {card.name!r}, or one of these weights.") from None


def check_free(by: Person, name: str) -> None:
    """Raises InputError where `name` is none, or a checkpoint's already: before hours of training, not after."""
    by.must_be(Role.RESEARCHER)
    name = check_name(name)
    _check_free(name)
    with reading() as connection:
        people.check(connection, by)
        if connection.scalar(select(table.c.id).where(table.c.name == name)) is not None:
            raise InputError(_taken(name))


def check_untrained(by: Person, settings: Mapping[str, Any], base: str) -> None:
    """Raises InputError where a kept checkpoint was trained as these settings of a job say, on this base
    (name@revision): it would come out again.
    """
    by.must_be(Role.RESEARCHER)
    wanted = {**settings, "name": ""}
    done = jobs.of_kind("train", most=LATEST, state=JobState.DONE)
    same = [job.result["weights"] for job in done if job.result and {**job.settings, "name": ""} == wanted]
    with reading() as connection:
        people.check(connection, by)
        query = select(table.c.name).where(table.c.weights_hash.in_(same), table.c.base == base)
        row = connection.scalar(query.limit(1))
    if row is not None:
        raise InputError(f"{row!r} was trained in exactly this way: use it, or change the seed.")


def _check_new(connection: Connection, card: CheckpointCard) -> None:
    _check_free(card.name)
    row = connection.scalar(select(table.c.name).where(table.c.weights_hash == card.weights))
    if row is not None:
        raise InputError(f"This checkpoint is here already, as {row!r}.")
    if connection.scalar(select(table.c.id).where(table.c.name == card.name)) is not None:
        raise InputError(_taken(card.name))


def _check_free(name: str) -> None:
    if name in shipped():
        raise InputError(f"A checkpoint that comes with Fabula is named {name!r}; choose another name.")


def _taken(name: str) -> str:
    return f"There is already a checkpoint named {name!r}; choose another name."


def listed(by: Person) -> list[Kept]:
    """All checkpoints: trained and imported ones, newest first, then those that come with Fabula."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        own = [_kept(row) for row in connection.execute(select(table).order_by(table.c.id.desc()))]
    return own + [shipped_checkpoint(name) for name in shipped()]


def trainings(by: Person, signatures: Iterable[str]) -> dict[str, str]:
    """By signature, what its checkpoint was trained on, in words; without those whose checkpoint is not here."""
    named = [signature for signature in signatures if weights_in(signature)]
    cards = [kept.card for kept in listed(by)] if named else []
    found = {signature: card_of(signature, cards) for signature in named}
    return {signature: training_in_words(card) for signature, card in found.items() if card is not None}


def find(name: str) -> Kept:
    """The checkpoint of this name; raises NotFound naming those there are."""
    if name in shipped():
        return shipped_checkpoint(name)
    with reading() as connection:
        row = connection.execute(select(table).where(table.c.name == name)).one_or_none()
        known = connection.scalars(select(table.c.name).order_by(table.c.name)).all()
    if row is None:
        raise NotFound(f"There is no checkpoint named {name!r}; there are: {', '.join([*known, *shipped()])}.")
    return _kept(row)


def placed(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run's settings with checkpoints by the place of their files, which stays, where they were given by name.

    A name that is none of a kept checkpoint's stays as it is: one that comes with Fabula, a folder, or a mistake, of
    which the metric speaks.
    """
    asked = {item["checkpoint"] for item in run.get("options", {}).values() if "checkpoint" in item} - set(shipped())
    query = select(table.c.name, table.c.place).where(table.c.name.in_(asked))
    with reading() as connection:
        places = {row.name: row.place for row in connection.execute(query)} if asked else {}
    return {
        **run,
        "options": {
            metric: {key: places.get(value, value) if key == "checkpoint" else value for key, value in options.items()}
            for metric, options in run.get("options", {}).items()
        },
    }


def _locked(connection: Connection, number: int) -> Kept:
    row = connection.execute(select(table).where(table.c.id == number).with_for_update()).one_or_none()
    if row is None:
        raise NotFound("This checkpoint is not there any more.")
    return _kept(row)


def rename(by: Person, kept: Kept, name: str) -> Kept:
    """Give it another name; raises InputError for one that is taken, or none."""
    by.must_be(Role.RESEARCHER)
    number = _own(kept)
    name = check_name(name)
    _check_free(name)
    try:
        with writing() as connection:
            people.check(connection, by)
            result = _locked(connection, number)
            card = replace(result.card, name=name)
            connection.execute(update(table).where(table.c.id == result.id).values(name=name, card=card.as_json()))
            record(connection, "checkpoint renamed", by, None, checkpoint=result.id, before=result.card.name, name=name)
            return replace(result, card=card)
    except IntegrityError:
        raise InputError(_taken(name)) from None


def remove(by: Person, kept: Kept) -> None:
    """Delete a checkpoint with its files; scores that were made with it stay."""
    by.must_be(Role.OWNER)
    number = _own(kept)
    with writing() as connection:
        people.check(connection, by)
        checkpoint = _locked(connection, number)
        connection.execute(delete(table).where(table.c.id == checkpoint.id))
        record(connection, "checkpoint deleted", by, None, checkpoint=checkpoint.id, name=checkpoint.card.name)
    forget(checkpoint.place)


def _own(kept: Kept) -> int:
    if kept.id is None:
        raise InputError(f"The checkpoint {kept.card.name!r} comes with Fabula: it stays as it is.")
    return kept.id


def _kept(row: Row[Any]) -> Kept:
    return Kept(row.id, card_from(row.card, f"the card of {row.name}"), row.place, row.created_at)
