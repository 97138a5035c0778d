"""Panels as a study's owner sees them: what was handed in, verdicts changed by hand, payment."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select, update

from core.annotation.monitor.bad_controls import BadControlPair
from core.annotation.panel import Answer, letter
from core.annotation.panel_summary import PanelSummary, StorySoFar
from core.annotation.quality import HandedIn, PanelVerdict, Payment, ReadStory, contradiction_note, judge_summary
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.errors import InputError, NotFound
from core.people import Person, Role, called
from core.stories import Source
from db.annotation import assignments, notes, pauses, settings, slots
from db.audit import record
from db.engine import reading, writing
from db.monitor import monitor
from db.people import people
from db.rating_values import ANSWERED
from db.schema import assignment, event, person, prompt, rating, story
from db.studies import studies

LONGEST_REASON = 1_000
DECISIONS = ("panel claimed", "panel submitted", "surplus counted", "verdict overridden", "payment set", "appeal")


def panel(study_id: int, panel_id: int) -> HandedIn:
    """A panel that was handed in; raises NotFound for any other."""
    with reading() as connection:
        row = connection.execute(
            select(assignment, person.c.name, person.c.role, prompt.c.text.label("opening"))
            .add_columns(notes.waits().label("note_waits"))
            .outerjoin(person, person.c.id == assignment.c.person_id)
            .join(prompt, prompt.c.id == assignment.c.prompt_id)
            .where(assignment.c.study_id == study_id, assignment.c.id == panel_id)
            .where(assignment.c.state.in_(("submitted", "surplus")))
        ).one_or_none()
    if row is None:
        raise NotFound("This panel is not there any more.")
    return HandedIn(
        id=row.id,
        study_id=row.study_id,
        annotator=called(row.name, row.role, row.person_id) if row.person_id is not None else row.rater or "somebody",
        prompt=row.opening,
        state=row.state,
        valid=bool(row.valid),
        reason=row.reason,
        overridden=row.overridden,
        payment=row.payment,
        payment_reason=row.payment_reason,
        payment_category=row.payment_category,
        appeal=row.appeal,
        note_waits=bool(row.note_waits),
    )


def newest_by(by: Person, study_id: int) -> HandedIn | None:
    """What this person has handed in last of a study; None before they have handed in any."""
    handed_in = (
        select(assignment.c.id)
        .where(assignment.c.study_id == study_id, assignment.c.person_id == by.id)
        .where(assignment.c.state.in_(("submitted", "surplus")))
    )
    with reading() as connection:
        newest = connection.scalar(
            handed_in.order_by(assignment.c.submitted_at.desc(), assignment.c.id.desc()).limit(1)
        )
    return None if newest is None else panel(study_id, newest)


def stories_of(panel_id: int) -> list[ReadStory]:
    """The stories of a panel as they were shown, with the answers as they are stored."""
    with reading() as connection:
        row = connection.execute(select(assignment).where(assignment.c.id == panel_id)).one_or_none()
        if row is None:
            raise NotFound("This panel is not there any more.")
        study = studies.locked(connection, row.study_id, lock=False)
        shown = [story_id for story_id, _ in row.stories]
        about = {
            item.id: item
            for item in connection.execute(
                select(story, prompt.c.text.label("opening")).join(prompt).where(story.c.id.in_(shown))
            )
        }
        given = assignments.answers(connection, panel_id)
    unit, result = study.scheme.unit, []
    for at, story_id in enumerate(shown):
        place = at // 2 + 1 if unit.of_pairs else 0
        item = about[story_id]
        answer = given.get((story_id, place), Answer())  # of a pair, what was said stands with the first story
        meant = row.asked_at is not None and answer.saved_at is not None and answer.saved_at <= row.asked_at
        result.append(
            ReadStory(
                letter(at % 2 if unit.of_pairs else at),
                _origin(item),
                item.text,
                answer.values,
                answer.deductions,
                answer.spans,
                answer.comment,
                item.opening if unit.of_pairs else "",
                place,
                contradiction_note(study.scheme, study.rules, Source(item.source), answer, meant=meant),
            )
        )
    return result


def history(study_id: int, panel_id: int) -> list[tuple[datetime, str, str]]:
    """What the log has on a panel but for its single answers, oldest first: when, what, and the particulars as JSON."""
    mine = (event.c.study_id == study_id) & event.c.kind.in_(DECISIONS)
    this = event.c.detail["assignment"].as_integer() == panel_id
    with reading() as connection:
        rows = connection.execute(
            select(event.c.at, event.c.kind, event.c.detail).where(mine, this).order_by(event.c.id)
        ).all()
    return [
        (row.at, row.kind, json.dumps({k: v for k, v in row.detail.items() if k != "assignment"}, ensure_ascii=False))
        for row in rows
    ]


def stories_so_far(story_ids: Collection[int]) -> dict[int, StorySoFar]:
    """Of these stories, by their ids, where each is from and how many ratings count, those of an import among them."""
    counting = (
        select(rating.c.story_id, func.count().label("number"))
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(rating.c.story_id.in_(story_ids), slots.FILLS, ANSWERED)
        .group_by(rating.c.story_id)
        .subquery()
    )
    with reading() as connection:
        rows = connection.execute(
            select(story, func.coalesce(counting.c.number, 0).label("ratings"))
            .outerjoin(counting, counting.c.story_id == story.c.id)
            .where(story.c.id.in_(story_ids))
        ).all()
    return {row.id: StorySoFar(_origin(row), row.ratings) for row in rows}


def control_stories(study_id: int) -> dict[tuple[int, str], str]:
    """The text of each prompt's human and negative control, by prompt's id and source."""
    with reading() as connection:
        rows = connection.execute(
            select(story.c.prompt_id, story.c.source, story.c.text)
            .where(story.c.study_id == study_id, story.c.source != Source.SYSTEM)
            .order_by(story.c.system.desc(), story.c.position.desc())
        )
        return {(row.prompt_id, row.source): row.text for row in rows}  # the first of several, as in `stories_for`


def control_pair_stories(study_id: int, pairs: Sequence[BadControlPair]) -> dict[int, ReadStory]:
    """The stories of control pairs, by their ids, with their opening and where they are from."""
    wanted = {number for pair in pairs for number in (pair.undamaged, pair.damaged)}
    with reading() as connection:
        rows = connection.execute(
            select(story, prompt.c.text.label("opening"))
            .join(prompt)
            .where(story.c.study_id == study_id, story.c.id.in_(wanted))
        ).all()
    return {row.id: ReadStory("", _origin(row), row.text, {}, {}, opening=row.opening) for row in rows}


def _origin(row: Row[Any]) -> str:
    """The system that wrote a story, or what it is where none did."""
    return str(row.system if row.source == Source.SYSTEM else row.source)


def override(by: Person, assignment_id: int, *, valid: bool, reason: str) -> None:
    """Decide by hand whether a panel counts; the rule no longer touches it. The log keeps who, when and what was; why,
    the panel alone: the log is for good, and a reason may speak of a person.

    A panel that counts again takes a slot if one is left and is surplus otherwise; one that no longer counts reopens
    its slot, or gives it to a panel in surplus. Raises InputError without a reason.
    """
    with writing() as connection:
        _override(connection, by, assignment_id, valid, reason)


def override_all(by: Person, assignment_ids: Sequence[int], *, valid: bool, reason: str) -> int:
    """`override` of several panels, all or none, those that are so already left as they are; how many have changed."""
    with writing() as connection:
        return sum(
            _override(connection, by, assignment_id, valid, reason, again=False)
            for assignment_id in sorted(assignment_ids)
        )


def _override(
    connection: Connection, by: Person, assignment_id: int, valid: bool, reason: str, *, again: bool = True
) -> bool:
    """Whether it was done: not where it is so already, unless `again`, which makes the rule's verdict a person's."""
    row, study = _own(connection, by, assignment_id)
    why = _reason(reason)
    if bool(row.valid) is valid and not again:
        return False
    _judge(connection, row, PanelVerdict(valid, why), overridden=True)
    record(
        connection,
        "verdict overridden",
        by,
        study.id,
        assignment=row.id,
        before={"valid": row.valid, "state": row.state},
        after={"valid": valid, "characters": len(why)},
    )
    slots.promote(connection, study, slots.slot_of(row))
    if row.person_id is not None:
        pauses.settle(connection, study, row.person_id)
    return True


def pay(by: Person, assignment_id: int, payment: Payment, reason: str = "", category: str = "") -> None:
    """Say whether a panel is paid, apart from whether it counts; raises InputError where it is withheld without why.

    The log keeps what that adds to the sum paid, below 0 where a payment is taken back: its entries add up to that sum.
    `category`: of a study on Prolific, which of the platform's the reason falls under (see `recruitment.REJECTIONS`).
    """
    with writing() as connection:
        _pay(connection, by, assignment_id, payment, reason, category)


def pay_each(by: Person, assignment_ids: Sequence[int], payment: Payment, reason: str = "", category: str = "") -> int:
    """`pay` of several panels, all or none; how many there were."""
    with writing() as connection:
        for assignment_id in sorted(assignment_ids):
            _pay(connection, by, assignment_id, payment, reason, category)
    return len(assignment_ids)


def _pay(connection: Connection, by: Person, assignment_id: int, payment: Payment, reason: str, category: str) -> None:
    row, study = _own(connection, by, assignment_id)
    why = _reason(reason) if payment is Payment.WITHHELD or reason.strip() else ""
    kept = study.recruitment.category_for(why, category) if payment is Payment.WITHHELD else ""
    connection.execute(
        update(assignment)
        .where(assignment.c.id == row.id)
        .values(payment=payment, payment_reason=why, payment_category=kept)
    )
    record(
        connection,
        "payment set",
        by,
        study.id,
        assignment=row.id,
        hundredths=study.payment.hundredths(row.submitted_at)
        * ((payment == Payment.PAID) - (row.payment == Payment.PAID)),
        currency=study.payment.currency,
        before={"payment": row.payment, "category": row.payment_category},
        after={"payment": payment, "category": kept, "characters": len(why)},  # not the reason: see `override`
    )


def rejudge(by: Person, study_id: int, rules: QualityRules) -> int:
    """Give a study these rules and judge the panels collected by them, both or neither; how many verdicts changed.

    Panels that a person has decided on keep that decision. Raises InputError for rules that do not fit the scheme.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        study = settings.store_rules(connection, by, study_id, rules)
        number = 0
        for panel in monitor.briefs(connection, study):
            verdict = judge_summary(panel, rules)
            if panel.overridden or (verdict.valid, verdict.reason) == (panel.valid, panel.reason):
                continue
            _judge(connection, panel, verdict, overridden=False)
            number += verdict.valid != panel.valid
        slots.promote_all(connection, study)
        pauses.settle(connection, study)
        record(connection, "panels judged again", by, study_id, rules=rules.as_dict(), changed=number)
    return number


def _judge(connection: Connection, panel: Row[Any] | PanelSummary, verdict: PanelVerdict, *, overridden: bool) -> None:
    """Store a verdict. What becomes valid waits in surplus until `slots.promote` finds a slot for it."""
    state = "submitted" if not verdict.valid else panel.state if panel.valid else "surplus"
    connection.execute(
        update(assignment)
        .where(assignment.c.id == panel.id)
        .values(valid=verdict.valid, reason=verdict.reason, overridden=overridden, state=state)
    )


def _own(connection: Connection, by: Person, assignment_id: int) -> tuple[Row[Any], Study]:
    """A panel that was handed in, and its study, locked."""
    by.must_be(Role.RESEARCHER)
    study_id = connection.scalar(select(assignment.c.study_id).where(assignment.c.id == assignment_id))
    people.check(connection, by, study_id)
    if study_id is None:
        raise NotFound("This panel is not there any more.")
    study = studies.locked(connection, study_id)
    row = connection.execute(select(assignment).where(assignment.c.id == assignment_id)).one()
    if row.state not in ("submitted", "surplus"):
        raise InputError("Only a panel that was handed in can be decided on.")
    return row, study


def _reason(reason: str) -> str:
    if not reason.strip() or len(reason) > LONGEST_REASON or "\0" in reason:
        raise InputError(f"Give a reason of 1 to {LONGEST_REASON:,} characters: it is kept with the decision.")
    return reason.strip()
