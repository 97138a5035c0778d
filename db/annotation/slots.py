"""Slots: how many ratings a story still needs, and who holds one. Read in the transaction that takes or frees one.

A study's units are its prompts, its stories where the scheme shows them one by one, or its panels of pairs; each has as
many slots as ratings are wanted. Open slots = wanted - valid - live leases.
"""

from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Row,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    distinct,
    exists,
    false,
    func,
    literal,
    null,
    or_,
    select,
    union_all,
    update,
)

from core.annotation.panel import order_rows
from core.annotation.quality import StudyProgress
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from db.audit import now, record
from db.engine import reading
from db.rating_values import ANSWERED
from db.schema import assignment, pair, pair_panel, prompt, rating, story
from db.studies import studies

KEPT = 50
"""Statements of so many schemes, which take longer to put together than to run."""
Number = int | BindParameter[int]
FILLS = and_(assignment.c.valid.is_(True), assignment.c.state.in_(("submitted", "imported")))
"""Assignments that count: valid, handed in or imported, no surplus."""


class Slot(NamedTuple):
    """What a slot is for: a prompt's panel, one story of it, or a panel of pairs, whose first is of the prompt."""

    prompt_id: int
    story_id: int | None
    pair_panel_id: int | None = None

    def key(self, scheme: Scheme) -> int | None:
        """What its unit is known by."""
        return getattr(self, _key(scheme))  # type: ignore[no-any-return]


def slot_of(row: Any) -> Slot:
    """The slot of an assignment's row."""
    return Slot(row.prompt_id, row.story_id, row.pair_panel_id)


def _key(scheme: Scheme) -> str:
    """The column that tells the units of a scheme apart."""
    return "pair_panel_id" if scheme.unit.of_pairs else "prompt_id" if scheme.unit.of_prompt else "story_id"


def _units(study_id: Number, scheme: Scheme) -> Select[Any]:
    """Prompt, story (NULL for a panel), panel of pairs and place of everything that wants ratings."""
    if scheme.unit.of_pairs:
        return (
            select(
                story.c.prompt_id,
                null().label("story_id"),
                pair_panel.c.id.label("pair_panel_id"),
                pair_panel.c.position,
                literal(0).label("place"),
            )
            .join(pair, and_(pair.c.pair_panel_id == pair_panel.c.id, pair.c.place == 1))
            .join(story, story.c.id == pair.c.first_id)
            .where(pair_panel.c.study_id == study_id)
        )
    if scheme.unit.of_prompt:
        rated = exists().where(story.c.prompt_id == prompt.c.id, story.c.source.in_(scheme.sources))
        return select(
            prompt.c.id.label("prompt_id"),
            null().label("story_id"),
            null().label("pair_panel_id"),
            prompt.c.position,
            literal(0).label("place"),
        ).where(prompt.c.study_id == study_id, rated)
    # Nobody gets two stories of a prompt, so the first one of the next prompt is another system's: else everything that
    # one person rates would be by the system that comes first in the file.
    mine = story.c.prompt_id
    number = func.row_number().over(partition_by=mine, order_by=story.c.position) - 1
    return (
        select(
            prompt.c.id.label("prompt_id"),
            story.c.id.label("story_id"),
            null().label("pair_panel_id"),
            prompt.c.position,
            ((number + prompt.c.position) % func.count().over(partition_by=mine)).label("place"),
        )
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study_id, story.c.source.in_(scheme.sources))
    )


def for_one_person(connection: Connection, study: Study) -> int:
    """How many of a study's assignments one person can get: one of every prompt, or every panel of pairs."""
    return connection.scalar(_for_one_person(study.scheme), {"study": study.id}) or 0


@lru_cache(maxsize=KEPT)
def _for_one_person(scheme: Scheme) -> Select[Any]:
    units = _units(bindparam("study"), scheme).subquery()
    return select(func.count(distinct(units.c[_once(scheme)])))


def _once(scheme: Scheme) -> str:
    """The column of what nobody gets twice."""
    return "pair_panel_id" if scheme.unit.of_pairs else "prompt_id"


def nth(connection: Connection, study: Study, number: int) -> Slot | None:
    """A unit of the study's prompt in place `number`, from 0, in the order of the import; None after the last."""
    units = _units(study.id, study.scheme).subquery()
    row = connection.execute(
        select(units.c.prompt_id, func.min(units.c.story_id).label("story_id"), null().label("pair_panel_id"))
        .group_by(units.c.prompt_id, units.c.position)
        .order_by(units.c.position, units.c.prompt_id)
        .offset(number)
        .limit(1)
    ).one_or_none()
    return None if row is None else slot_of(row)


def live(moment: datetime | BindParameter[datetime] | None = None) -> ColumnElement[bool]:
    """Begun, and the lease has not run out, at a moment or now."""
    return and_(assignment.c.state == "open", assignment.c.lease_until > (now() if moment is None else moment))


def _taken(scheme: Scheme, filled: ColumnElement[bool], held: ColumnElement[bool]) -> Subquery:
    """Slots of each unit that assignments fill or hold, by two conditions on assignments."""
    if scheme.unit.of_prompt or scheme.unit.of_pairs:
        key = assignment.c[_key(scheme)]
        query = select(key.label("unit"), func.count().label("taken")).where(or_(filled, held))
        return query.group_by(key).subquery()
    # By rating, not by assignment: an import's panel may hold several stories.
    ratings = (
        select(rating.c.story_id.label("unit"))
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(filled, ANSWERED)
    )
    both = union_all(ratings, select(assignment.c.story_id.label("unit")).where(held)).subquery()
    return select(both.c.unit, func.count().label("taken")).group_by(both.c.unit).subquery()


def _counted(study_id: Number, scheme: Scheme, leases: ColumnElement[bool], *, surplus: bool = False) -> Select[Any]:
    """Every unit with how many of its slots are taken, by what counts and by `leases`; the furthest from done first.

    `surplus`: valid work that waits takes slots as well.
    """
    units = _units(study_id, scheme).subquery()
    mine = assignment.c.study_id == study_id
    filled = or_(and_(mine, FILLS), _in_surplus(study_id)) if surplus else and_(mine, FILLS)
    taken = _taken(scheme, filled, and_(mine, leases))
    number = func.coalesce(taken.c.taken, 0).label("taken")
    return (
        select(units.c.prompt_id, units.c.story_id, units.c.pair_panel_id, number)
        .outerjoin(taken, taken.c.unit == units.c[_key(scheme)])
        .order_by(number, units.c.position, units.c.place)
    )


def free(connection: Connection, study: Study, person_id: int | None) -> Slot | None:
    """An open slot for this person, of the unit that is furthest from done, the first such one.

    Nobody is asked for work that lies in surplus: that takes the slot first.
    """
    while (row := _open(connection, study, person_id, surplus=False)) is not None:
        if not promote(connection, study, slot_of(row)):
            return slot_of(row)
    return None


def sure(connection: Connection, study: Study, person_id: int | None) -> Slot | None:
    """An open slot for this person that no work in surplus waits for, found without the study's lock: others may take
    it in the next moment.
    """
    row = _open(connection, study, person_id, surplus=True)
    return None if row is None else slot_of(row)


def _open(connection: Connection, study: Study, person_id: int | None, *, surplus: bool) -> Row[Any] | None:
    parameters = {"study": study.id, "who": person_id, "wanted": study.rules.ratings_wanted, "moment": now()}
    return connection.execute(_open_units(study.scheme, surplus), parameters).one_or_none()


@lru_cache(maxsize=KEPT)
def _open_units(scheme: Scheme, surplus: bool) -> Select[Any]:
    """The first unit with fewer slots taken than wanted, of a prompt, or a panel of pairs, that this person has not
    had: nobody gets one twice.
    """
    leases = live(bindparam("moment", type_=assignment.c.lease_until.type))
    counted = _counted(bindparam("study"), scheme, leases, surplus=surplus)
    columns = counted.selected_columns
    once = assignment.c[_once(scheme)]
    had = select(once).where(assignment.c.person_id == bindparam("who"), once.is_not(None))
    return counted.where(columns[_once(scheme)].not_in(had), columns.taken < bindparam("wanted")).limit(1)


def missing(connection: Connection, study: Study) -> dict[int, int]:
    """How many ratings of each prompt are still to come and in nobody's hands; prompts with none are left out."""
    counted = _counted(study.id, study.scheme, live()).subquery()
    wanted = study.rules.ratings_wanted
    rows = connection.execute(
        select(counted.c.prompt_id, func.sum(wanted - counted.c.taken).label("number"))
        .where(counted.c.taken < wanted)
        .group_by(counted.c.prompt_id)
    )
    return {row.prompt_id: int(row.number) for row in rows}


def wanted_of_each(connection: Connection, study: Study) -> list[int]:
    """How many valid assignments are still to come of each prompt, or panel of pairs, of which nobody gets two; those
    of which none is are left out.
    """
    counted = _counted(study.id, study.scheme, false()).subquery()
    wanted = study.rules.ratings_wanted
    number = func.sum(wanted - counted.c.taken)
    open_ones = select(number).where(counted.c.taken < wanted).group_by(counted.c[_once(study.scheme)])
    return [int(left) for left in connection.scalars(open_ones)]


def is_full(connection: Connection, study: Study, slot: Slot, *, besides: int) -> bool:
    """Whether a unit's slots are all taken by others than one assignment."""
    others = and_(assignment.c.study_id == study.id, assignment.c.id != besides)
    taken = _taken(study.scheme, and_(others, FILLS), and_(others, live()))
    number = connection.scalar(select(taken.c.taken).where(taken.c.unit == slot.key(study.scheme))) or 0
    return number >= study.rules.ratings_wanted


def next_row(connection: Connection, study: Study, size: int, pair_panel: int | None = None) -> int:
    """The row of the balanced design that fewest counted or live assignments have used; of a panel of pairs, those of
    this panel.

    So the design stays balanced over the ratings that count, whatever was rejected or left.
    """
    counts = and_(assignment.c.study_id == study.id, or_(FILLS, live()))
    query = select(assignment.c.order_row, func.count()).where(counts)
    if pair_panel is not None:
        query = query.where(assignment.c.pair_panel_id == pair_panel)
    used = {row[0]: row[1] for row in connection.execute(query.group_by(assignment.c.order_row))}
    return min(range(order_rows(size)), key=lambda row: used.get(row, 0))


def promote(connection: Connection, study: Study, slot: Slot) -> bool:
    """Let valid work in surplus, the oldest first, take the open slots of a unit.

    Returns whether it took any. What has counted never stops counting by this.
    """
    waiting = connection.scalars(
        select(assignment.c.id)
        .where(_in_surplus(study.id), assignment.c.prompt_id == slot.prompt_id)
        .where(assignment.c.story_id.is_not_distinct_from(slot.story_id))
        .where(assignment.c.pair_panel_id.is_not_distinct_from(slot.pair_panel_id))
        .order_by(assignment.c.id)
    ).all()
    if not waiting:
        return False
    mine = assignment.c.study_id == study.id
    taken = _taken(study.scheme, and_(mine, FILLS), and_(mine, live()))
    number = connection.scalar(select(taken.c.taken).where(taken.c.unit == slot.key(study.scheme))) or 0
    room = study.rules.ratings_wanted - number
    chosen = waiting[: max(0, room)]
    for assignment_id in chosen:
        connection.execute(update(assignment).where(assignment.c.id == assignment_id).values(state="submitted"))
        record(connection, "surplus counted", None, study.id, assignment=assignment_id)
    return bool(chosen)


def promote_all(connection: Connection, study: Study) -> None:
    """Promote spare work, as `promote` does, for every unit that has work in surplus."""
    slot = select(assignment.c.prompt_id, assignment.c.story_id, assignment.c.pair_panel_id)
    query = slot.where(_in_surplus(study.id)).distinct()
    for row in connection.execute(query).all():
        promote(connection, study, slot_of(row))


def _in_surplus(study_id: Number) -> ColumnElement[bool]:
    return and_(assignment.c.study_id == study_id, assignment.c.state == "surplus", assignment.c.valid.is_(True))


def imported(study_id: int) -> dict[tuple[int, int | None, int | None], int]:
    """How many ratings of each unit came with an import; units without any are left out."""
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        units = _units(study_id, study.scheme).subquery()
        mine = and_(assignment.c.study_id == study_id, assignment.c.state == "imported", FILLS)
        taken = _taken(study.scheme, mine, false())
        rows = connection.execute(
            select(units.c.prompt_id, units.c.story_id, units.c.pair_panel_id, taken.c.taken).join(
                taken, taken.c.unit == units.c[_key(study.scheme)]
            )
        )
        return {slot_of(row): row.taken for row in rows}


def progress(study_id: int) -> StudyProgress:
    """How far a study is."""
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        units = connection.scalar(select(func.count()).select_from(_units(study_id, study.scheme).subquery())) or 0
        refused = and_(assignment.c.valid.is_(False), assignment.c.state == "submitted")
        counts = connection.execute(
            select(
                *(func.sum(case((what, 1), else_=0)) for what in (refused, live(), assignment.c.state == "surplus"))
            ).where(assignment.c.study_id == study_id)
        ).one()
        filled = _counted(study_id, study.scheme, false()).subquery()
        most = study.rules.ratings_wanted
        valid = connection.scalar(select(func.sum(case((filled.c.taken > most, most), else_=filled.c.taken))))
    rejected, held, surplus = (int(number or 0) for number in counts)
    return StudyProgress(units * most, int(valid or 0), rejected, held, surplus)
