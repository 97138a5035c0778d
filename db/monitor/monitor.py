"""The data of a study's Monitor: every panel as figures, the people, their agreement, the work in hand.

Sums over ratings are made by the database, so that a hundred thousand of them are read in a fraction of a second.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Row, and_, case, func, literal, null, or_, select

from core.analysis.judgments.repeats import mean_per_rater
from core.annotation.monitor.flags import STRAIGHT
from core.annotation.monitor.roster import IMPORTED, AnnotatorRow, InHand, Member, StudyData, roster
from core.annotation.monitor.weak_systems import MeanRating
from core.annotation.panel_summary import ControlPair, PanelSummary
from core.annotation.quality import CONTRADICTION, lowest_unexplained
from core.annotation.raters import AgreementSummary, at_a_glance
from core.annotation.scheme import CHECK, Scheme
from core.annotation.studies import Study
from core.annotation.target import usual_target
from core.payments import Pay
from core.people import Person, Role, called
from core.stories import Source
from db.annotation import assignments, notes, slots
from db.audit import now
from db.engine import reading
from db.monitor import pairs, payments
from db.people import people
from db.rating_values import values_of
from db.ratings.ratings import COUNTED, RATER
from db.schema import assignment, deduction, event, person, prompt, rating, rating_value, story, training_answer
from db.studies import studies

QUIET = ("answer saved", "panel claimed", "contradiction asked")
"""Events that change nothing but what is in hand."""
LATEST = 20


def version(study_id: int) -> str:
    """Changes whenever the study's panels, people, payments or settings do: what the figures are kept under.

    Of the latest few events, not of the last alone: on PostgreSQL an earlier one may be committed later.
    """
    mine = (event.c.study_id == study_id) & event.c.kind.not_in(QUIET)
    with reading() as connection:
        latest = connection.scalars(select(event.c.id).where(mine).order_by(event.c.id.desc()).limit(LATEST)).all()
    return f"{max(latest, default=0)}/{sum(latest)}"


def read(study_id: int) -> StudyData:
    """Every panel handed in, everybody who may rate or has, and how each agrees with the rest."""
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        return StudyData(
            pay=study.payment,
            panels=briefs(connection, study),
            members=_members(connection, study_id),
            agreement=_agreement(connection, study),
            begun=connection.scalar(
                select(func.min(assignment.c.started_at)).where(
                    assignment.c.study_id == study_id, assignment.c.state != "imported"
                )
            ),
            means=_means(connection, study),
        )


def in_hand(study_id: int) -> list[InHand]:
    """Who has begun a panel and not handed it in, how far they are, and whether the lease still runs; newest first."""
    begun = (assignment.c.study_id == study_id) & (assignment.c.state == "open")
    with reading() as connection:
        answered = (
            select(func.count())
            .select_from(rating_value)
            .join(rating)
            .where(rating.c.assignment_id == assignment.c.id)
            .correlate(assignment)
            .scalar_subquery()
        )
        scheme = studies.locked(connection, study_id, lock=False).scheme
        rows = connection.execute(
            select(assignment, person.c.name, person.c.role, person.c.revoked_at)
            .add_columns(slots.live().label("live"), answered.label("answered"))
            .outerjoin(person, person.c.id == assignment.c.person_id)
            .where(begun)
            .order_by(assignment.c.id.desc())
        ).all()
    return [
        InHand(
            person_id=row.person_id,
            called=called(row.name, row.role, row.person_id) if row.person_id is not None else "somebody",
            since=row.started_at,
            answered=row.answered,
            answers=len(scheme.names) * len(assignments.rated_of(scheme.unit, row)) + (scheme.check is not None),
            until=row.lease_until,
            live=bool(row.live),
            revoked=row.revoked_at is not None,
        )
        for row in rows
    ]


def ratings_of(study_id: int) -> dict[int, list[tuple[int, float]]]:
    """The ratings (story or pair, value) of every panel handed in, by its id, controls left out; on the usual
    target.
    """
    with reading() as connection:
        study = studies.locked(connection, study_id, lock=False)
        rows = _rated(connection, study, rating.c.assignment_id, _handed_in(study_id))
    given: dict[int, list[tuple[int, float]]] = {}
    for panel_id, what, value in rows:
        given.setdefault(panel_id, []).append((what, value))
    return given


def _rated(
    connection: Connection, study: Study, whose: ColumnElement[Any], *which: ColumnElement[bool]
) -> list[tuple[Any, int, float]]:
    """Of ratings on the usual target, controls left out: whose it is, what it is of, and its value. Of pairs, what is
    rated is two stories, and the value says how the one that came first into the study compares.
    """
    if study.scheme.unit.of_pairs:
        return pairs.compared(connection, whose, *which)
    on = values_of(usual_target(study.scheme))
    query = (
        select(whose, rating.c.story_id, on.c.value)
        .join(on, on.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .join(story, story.c.id == rating.c.story_id)
        .where(*which, story.c.source.in_(study.scheme.sources))
    )
    return [(row[0], row[1], row[2]) for row in connection.execute(query)]


def exported(by: Person, study_id: int) -> tuple[Pay, tuple[AnnotatorRow, ...]]:
    """What everybody is owed and was paid, for the payer's books; who runs studies is not among them but where a panel
    of theirs was said to be paid or withheld.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
    data = read(study_id)
    return data.pay, tuple(row for row in roster(data, {}) if _in_books(row))


def _in_books(row: AnnotatorRow) -> bool:
    return row.member.person.role is Role.ANNOTATOR or bool(row.sums.paid_panels or row.sums.withheld_panels)


def _handed_in(study_id: int) -> ColumnElement[bool]:
    return (assignment.c.study_id == study_id) & assignment.c.state.in_(("submitted", "surplus"))


def briefs(connection: Connection, study: Study) -> tuple[PanelSummary, ...]:
    """Every panel that annotators handed in, the oldest first; imported ratings have no panel."""
    rows = connection.execute(
        select(
            assignment.c.id,
            assignment.c.person_id,
            assignment.c.rater,
            assignment.c.prompt_id,
            assignment.c.story_id,
            assignment.c.pair_panel_id,
            assignment.c.stories,
            assignment.c.started_at,
            assignment.c.submitted_at,
            assignment.c.state,
            assignment.c.valid,
            assignment.c.reason,
            assignment.c.overridden,
            assignment.c.payment,
            assignment.c.payment_reason,
            (assignment.c.appeal != "").label("noted"),
            notes.waits().label("note_waits"),
        )
        .where(_handed_in(study.id))
        .order_by(assignment.c.id)
    ).all()
    sums, controls = _sums(connection, study), pairs.control_pairs(connection, study, _handed_in(study.id))
    people_here = {
        row.id: (called(row.name, row.role, row.id), row.role != Role.ANNOTATOR)
        for row in connection.execute(
            select(person.c.id, person.c.name, person.c.role).where(
                person.c.id.in_(select(assignment.c.person_id).where(assignment.c.study_id == study.id))
            )
        )
    }
    openings = {
        row.id: row.text
        for row in connection.execute(select(prompt.c.id, prompt.c.text).where(prompt.c.study_id == study.id)).all()
    }
    words = {
        row.id: len(row.text.split())
        for row in connection.execute(select(story.c.id, story.c.text).where(story.c.study_id == study.id)).all()
    }
    return tuple(
        _brief(
            row,
            sums.get(row.id),
            controls.get(row.id, ()),
            people_here.get(row.person_id, (row.rater or "somebody", False)),
            openings[row.prompt_id],
            words,
        )
        for row in rows
    )


def _sums(connection: Connection, study: Study) -> dict[int, Row[*tuple[Any, ...]]]:
    """Of each panel's ratings: how many, their range, the controls', contradictions, whether any is out of its time."""
    scheme = study.scheme
    outside = or_(
        rating.c.updated_at < assignment.c.started_at,
        rating.c.updated_at > assignment.c.submitted_at,
    )
    checked = rating_value.c.criterion == CHECK
    value = case((~checked, rating_value.c.value))
    given = (
        select(
            rating.c.assignment_id.label("id"),
            func.count(value).label("answers"),
            func.min(value).label("lowest"),
            func.max(value).label("highest"),
            _straight(scheme).label("straight"),
            func.sum(case((checked & (rating_value.c.value != scheme.check_answer), 1), else_=0)).label("inattentive"),
            func.max(case((outside, 1), else_=0)).label("outside"),
            _control(Source.HUMAN, func.min, study).label("human"),
            _control(Source.NEGATIVE, func.max, study).label("negative"),
            _contradictions(scheme).label("contradictions"),
            pairs.turned(scheme).label("turned"),
        )
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .join(story, story.c.id == rating.c.story_id)
        .where(_handed_in(study.id))
        .group_by(rating.c.assignment_id)
    )
    return {row.id: row for row in connection.execute(given).all()}


def _means(connection: Connection, study: Study) -> tuple[MeanRating, ...]:
    """How stories are rated where control stories are, tries of people who run studies left out."""
    if not study.scheme.controls or study.scheme.unit.of_pairs:
        return ()
    system = case((story.c.source == Source.SYSTEM, story.c.system), else_="")
    rows = connection.execute(
        select(story.c.source, system, func.count(rating.c.id.distinct()), func.avg(rating_value.c.value))
        .select_from(rating)
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .join(story, story.c.id == rating.c.story_id)
        .outerjoin(person, person.c.id == assignment.c.person_id)
        .where(_handed_in(study.id), rating_value.c.criterion.in_(study.rules.judging(study.scheme)))
        .where(or_(person.c.id.is_(None), person.c.role == Role.ANNOTATOR))
        .group_by(story.c.source, system)
    )
    return tuple(MeanRating(Source(row[0]), row[1], row[2], float(row[3])) for row in rows)


def _straight(scheme: Scheme) -> ColumnElement[Any]:
    """How many stories got one and the same number on all criteria, where those are enough to tell."""
    if len(scheme.criteria) < STRAIGHT:
        return literal(0)
    other = rating_value.alias()
    mine = (other.c.rating_id == rating_value.c.rating_id) & (other.c.criterion != CHECK)
    span = select(func.max(other.c.value) - func.min(other.c.value)).where(mine).scalar_subquery()
    first = rating_value.c.criterion == scheme.names[0]  # each story once
    return func.sum(case((first & (span == 0), 1), else_=0))


def _control(source: Source, choose: Any, study: Study) -> ColumnElement[Any]:
    """What the control stories of a source got on the criteria that they are judged by, where there are controls."""
    judging = rating_value.c.criterion.in_(study.rules.judging(study.scheme))
    if not study.scheme.controls or study.scheme.unit.of_pairs:
        return null()
    return choose(case((judging & (story.c.source == source), rating_value.c.value)))  # type: ignore[no-any-return]


def _contradictions(scheme: Scheme) -> ColumnElement[Any]:
    """How many ratings do not go with their deductions: `quality.contradicts`, over columns. Those are left out that
    stayed as they were when the form asked about them.
    """
    if not scheme.deducts:
        return literal(0)
    taken = select(func.sum(deduction.c.points)).where(deduction.c.rating_id == rating.c.id).scalar_subquery()
    points = func.coalesce(taken, 0)
    implied = scheme.highest - points
    least = case((implied < scheme.lowest, scheme.lowest), else_=implied)
    above = rating_value.c.value - least >= CONTRADICTION
    unexplained = and_(points == 0, rating_value.c.value <= lowest_unexplained(scheme))
    unasked = or_(assignment.c.asked_at.is_(None), rating.c.updated_at > assignment.c.asked_at)
    contradicts = and_(rating_value.c.criterion == scheme.main.name, or_(above, unexplained), unasked)
    return func.sum(case((contradicts, 1), else_=0))


def _brief(
    row: Row[*tuple[Any, ...]],
    sums: Row[*tuple[Any, ...]] | None,
    controls: tuple[ControlPair, ...],
    who: tuple[str, bool],
    opening: str,
    words: Mapping[int, int],
) -> PanelSummary:
    """`who`: what the annotator is called, and whether they run studies."""
    annotator, own_try = who
    return PanelSummary(
        id=row.id,
        person_id=row.person_id,
        annotator=annotator,
        unit=slots.slot_of(row),
        prompt=opening,
        answers=sums.answers if sums else 0,
        lowest=sums.lowest if sums else 0.0,
        highest=sums.highest if sums else 0.0,
        human=sums.human if sums else None,
        negative=sums.negative if sums else None,
        contradictions=int(sums.contradictions) if sums else 0,
        straight=int(sums.straight) if sums else 0,
        stories=len(row.stories) if row.story_id is None else 1,
        inattentive=bool(sums.inattentive) if sums else False,
        words=sum(words[story_id] for story_id in {story_id for story_id, _ in row.stories}),
        # An answer outside of the time from claim to hand-in: the clock was set in between and tells nothing.
        seconds=0.0 if sums and sums.outside else float((row.submitted_at - row.started_at).total_seconds()),
        submitted_at=row.submitted_at,
        state=row.state,
        valid=bool(row.valid),
        reason=row.reason,
        overridden=row.overridden,
        payment=row.payment,
        payment_reason=row.payment_reason,
        noted=bool(row.noted),
        controls=controls,
        turned=bool(sums.turned) if sums else False,
        own_try=own_try,
        note_waits=bool(row.note_waits),
    )


def _agreement(connection: Connection, study: Study) -> dict[int, AgreementSummary]:
    """Over the ratings that count, controls left out; imported ones are among the others'."""
    single = rating.c.raters == 1  # a mean says nothing of single raters
    rows = _rated(connection, study, RATER, assignment.c.study_id == study.id, COUNTED, single)
    if not rows:
        return {}
    people, rated, values = zip(*rows, strict=True)
    units = np.unique(np.array(rated, dtype=np.intp), return_inverse=True)[1]
    units, who, given = mean_per_rater(units, np.array(people, dtype=np.intp), np.array(values, dtype=np.float64))
    return at_a_glance(given, units, who)


def _members(connection: Connection, study_id: int) -> tuple[Member, ...]:
    """Everybody invited, and whoever else has rated; by id."""
    rated = select(assignment.c.person_id).where(assignment.c.study_id == study_id)
    tried = select(training_answer.c.person_id).where(training_answer.c.study_id == study_id)
    rows = connection.execute(
        select(person, person.c.id.in_(tried).label("trained"), person.c.id.in_(rated).label("rated"))
        .where(or_(person.c.study_id == study_id, person.c.id.in_(rated)))
        .order_by(person.c.id)
    ).all()
    paid = payments.bonuses_paid(connection, study_id)
    at = now()
    return tuple(
        Member(
            Person(row.id, row.name, Role(row.role), row.study_id, row.qualified),
            row.name if row.erased_at else called(row.name, row.role, row.id),
            _state(row, at),
            paid[row.id] if row.erased_at else row.bonus,  # nobody is left to get the rest
            row.bonus_reason,
            paid[row.id],
            rater=row.name if row.erased_at else "",
            paused=row.paused_at is not None,
            closing_comment=row.closing_comment,
        )
        for row in rows
    )


def _state(row: Row[*tuple[Any, ...]], at: datetime) -> str:
    """Where somebody stands who is not at work; the first of these that holds."""
    states = (
        (row.erased_at is not None, "erased"),
        (row.revoked_at is not None, IMPORTED if row.revoked_at == row.created_at else "link revoked"),
        (row.expires_at is not None and row.expires_at < at, "link expired" if row.crowd_hash is None else "returned"),
        (row.consent == "declined", "did not agree"),
        (row.qualified is False, "failed the practice" if row.trained else "may not take part"),
        (row.paused_at is not None, "paused"),
        (row.completed_at is not None, "finished"),
        (bool(row.rated), "has begun"),
    )
    return next((state for holds, state in states if holds), "invited")
