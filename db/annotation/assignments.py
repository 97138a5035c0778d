"""Annotators' panels: claimed, and taken up again.

Everything that decides who may hold a slot is evaluated inside the transaction that takes it (see `studies.locked`).
"""

import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, bindparam, case, insert, select, update

from core.annotation.onboarding import Outcome
from core.annotation.pair_design import sides_of
from core.annotation.panel import (
    FINISHED,
    AnnotatorTurn,
    Answer,
    End,
    Panel,
    PanelPair,
    PanelStory,
    as_side,
    balanced_order,
    letter,
)
from core.annotation.spans import Span
from core.annotation.studies import Study, StudyState
from core.annotation.submission import missing
from core.annotation.unit import Unit
from core.errors import NotAllowed
from core.languages.words import told
from core.people import Person, Role
from core.stories import Source
from db.annotation import notes, onboarding, recruitment, slots
from db.audit import now, record
from db.engine import reading, writing
from db.people import people
from db.schema import assignment, deduction, person, prompt, rating, rating_value, story
from db.studies import pair_panels, studies
from db.version import APP_VERSION

UNSIGNED_LEASE = timedelta(minutes=2)
"""How long a place is held for an id that nobody has signed, until the first answer: made-up ids hold none for long."""
LAST_MOMENT = timedelta(seconds=10)
"""Before a lease runs out, in which renewing it goes one after the other with claims: longer than a save takes."""

# Put together once: that takes longer than to run them, and every save of an answer runs all of these.
_MINE = select(assignment).where(assignment.c.person_id == bindparam("who"))
_OPEN_FIRST = _MINE.order_by(case((assignment.c.state == "open", 0), else_=1))
_HELD = _MINE.where(assignment.c.id == bindparam("held")).with_for_update()
_RATINGS = select(rating).where(rating.c.assignment_id == bindparam("held"))
_VALUES = select(rating_value).join(rating).where(rating.c.assignment_id == bindparam("held"))
_DEDUCTIONS = select(deduction).join(rating).where(rating.c.assignment_id == bindparam("held"))
_RENEW = update(assignment).where(assignment.c.id == bindparam("held")).values(lease_until=bindparam("until"))


def turn(annotator: Person, *, claim: bool = False) -> AnnotatorTurn:
    """Where this annotator stands: the panel they hold, the end they have come to, or neither if they may begin one.

    With `claim` they begin: a slot is taken in the same transaction that finds it open. Capacity comes before consent,
    and consent before practice: nobody is asked to agree to, or to practise for, a study that has no place for them.
    """
    study_id = study_of(annotator)
    with studies.in_turn(study_id) if claim else nullcontext(), writing() as connection:
        # Who holds a panel, or only looks whether there is one, takes no slot: they do not queue with those who do.
        lock = _may_take(connection, annotator, claim=claim)
        study = studies.locked(connection, study_id, lock=lock)
        people.check(connection, annotator)  # after the lock: whoever is erased while they wait claims nothing
        who = connection.execute(select(person).where(person.c.id == annotator.id)).one()
        mine = connection.execute(
            select(assignment)
            .where(assignment.c.person_id == annotator.id, assignment.c.study_id == study_id)
            .order_by(assignment.c.id)
        ).all()
        # Of two begun, the one whose lease still runs: the other is not put into anybody's hands while they work.
        begun = sorted((row for row in mine if row.state == "open"), key=lapsed)
        held = next((row for row in begun if renew(connection, study, row)), None)
        if held is None:  # what is finished can be handed in all the same, as surplus
            held = next((row for row in begun if not _unrated(connection, study, row)), None)
        done = sorted((row for row in mine if row.state != "open"), key=lambda row: (row.submitted_at, row.id))
        left_one = held is None and bool(mine) and mine[-1].state == "open"
        agreed = not study.consent or who.consent == "given"
        paused = study.rules.pause_after if who.paused_at is not None and who.qualified is not False else 0
        end = step = None
        if held is None:
            slot = _open_slot(connection, study, who, len(done), locked=lock)
            end = None if slot else _end(connection, study, who, len(done), lapsed=left_one)
            if agreed and not paused and end in (None, End.NOT_QUALIFIED):
                step = onboarding.standing(connection, study, who, mine)
            if step is not None and step.outcome is Outcome.FAILED:
                end = End.NOT_QUALIFIED
            if slot and end is None and claim and agreed and (step is None or step.outcome is Outcome.PASSED):
                held = _claim(connection, study, who, slot, lease(connection, study, annotator.id))
    with reading() as connection:  # what is read here keeps nobody waiting who wants to begin or to hand in
        studies.locked(connection, study_id, lock=False)  # it may be gone since
        panel = None if held is None else _panel(connection, study, held)
        most = panel_limit(connection, study)
        reply = notes.reply(connection, done)
    return AnnotatorTurn(
        panel=panel,
        end=end,
        finished=len(done),
        last_rejected=bool(done) and done[-1].valid is False,
        code=recruitment.code_for(study, who, end) if end else "",
        back=recruitment.way_back(study, who, end) if end else "",
        earlier_code=recruitment.code_for(study, who, End.COMPLETE) if end is End.ALREADY_DONE else "",
        consent="" if held is not None or end is not None or agreed else study.consent,
        appeal=done[-1].appeal if done else "",
        lapsed=left_one,
        most=most,
        paused=paused if end is End.NOT_QUALIFIED else 0,
        practice=None if held is not None else step,
        closing_question=study.scheme.closing_question if end in FINISHED else "",
        closing_comment=who.closing_comment,
        reply=reply,
    )


def _may_take(connection: Connection, annotator: Person, *, claim: bool) -> bool:
    """Whether a slot may change hands: one is asked for, or a lease has run out, or will before the page is there."""
    open_ones = select(assignment).where(assignment.c.person_id == annotator.id, assignment.c.state == "open")
    leases = [lapsed(row, ahead=LAST_MOMENT) for row in connection.execute(open_ones)]
    return all(leases) and (claim or bool(leases))


def panel_limit(connection: Connection, study: Study) -> int:
    """How many panels one person can get: one of every prompt, or each that has pairs, unless the rules say fewer."""
    most = slots.for_one_person(connection, study)
    return min(most, study.rules.assignments_a_person or most)


def study_of(annotator: Person) -> int:
    if annotator.study_id is None or annotator.id is None:
        raise told(NotAllowed, "errors.no_study")
    return annotator.study_id


def _open_slot(
    connection: Connection, study: Study, who: Row[Any], finished: int, *, locked: bool
) -> slots.Slot | None:
    """A slot that this person may take; None where they may not, or there is none."""
    most = study.rules.assignments_a_person
    refused = who.qualified is False or who.paused_at is not None or (study.consent and who.consent == "declined")
    if refused or (most and finished >= most) or study.state is not StudyState.OPEN:
        return None
    if not locked:
        if (slot := slots.sure(connection, study, who.id)) is not None:
            return slot
        studies.locked(connection, study.id)  # work in surplus may have to take what is open
    return slots.free(connection, study, who.id)


def _end(connection: Connection, study: Study, who: Row[Any], finished: int, *, lapsed: bool) -> End:
    """Why a person without a panel, to whom no slot is open, cannot begin one."""
    if who.qualified is False or who.paused_at is not None:
        return End.NOT_QUALIFIED
    if study.consent and who.consent == "declined":
        return End.NO_CONSENT
    most = study.rules.assignments_a_person
    if lapsed and not (most and finished >= most):
        return End.EXPIRED
    if finished:
        return _completed(connection, study, who)
    return End.FULL if study.state is StudyState.OPEN else End.CLOSED


def _completed(connection: Connection, study: Study, who: Row[Any]) -> End:
    """They have rated all there is for them: just now, or before this visit."""
    if who.role == Role.ANNOTATOR and who.completed_at is None:
        connection.execute(update(person).where(person.c.id == who.id).values(completed_at=now()))
        record(connection, "completed", Person(who.id, who.name, Role(who.role), study.id), study.id)
    return End.COMPLETE if who.returned_at is None else End.ALREADY_DONE


def lapsed(held: Row[Any], *, ahead: timedelta = timedelta()) -> bool:
    """Whether a panel was left for so long that its lease has run out, or will within the time `ahead`."""
    return bool(held.lease_until is None or held.lease_until <= now() + ahead)


def renew(connection: Connection, study: Study, held: Row[Any]) -> bool:
    """Activity renews a lease. One that has run out comes back only if nobody has taken its slot since: then the
    study must be locked. Returns whether the slot is held.
    """
    if lapsed(held) and slots.is_full(connection, study, slots.slot_of(held), besides=held.id):
        return False
    length = lease(connection, study, held.person_id, held.id)
    if length is not UNSIGNED_LEASE:  # which only an answer makes longer
        connection.execute(_RENEW, {"held": held.id, "until": now() + length})
    return True


def lease(connection: Connection, study: Study, person_id: int | None, held: int | None = None) -> timedelta:
    """How long a panel is kept after what somebody has done: as the rules say, but until their first answer only
    briefly for those who come from a platform with an id that they may have made up.
    """
    usual = timedelta(minutes=study.rules.lease_minutes)
    if not study.recruitment.platform or study.recruitment.signed:
        return usual
    from_platform = select(person.c.id).where(person.c.id == person_id, person.c.crowd_hash.is_not(None))
    if connection.scalar(from_platform) is None:
        return usual
    answered = select(rating.c.id).where(rating.c.assignment_id == held).limit(1)
    return usual if held is not None and connection.scalar(answered) is not None else UNSIGNED_LEASE


def _claim(connection: Connection, study: Study, who: Row[Any], slot: slots.Slot, length: timedelta) -> Row[Any]:
    """Take an open slot, with its stories in the next order of the balanced design."""
    row, shown = _next_order(connection, study, slot)
    held = connection.execute(
        insert(assignment)
        .values(
            study_id=study.id,
            **slot._asdict(),
            person_id=who.id,
            rater="",
            state="open",
            stories=[[story_id, secrets.token_urlsafe(9)] for story_id in shown],
            order_row=row,
            started_at=now(),
            lease_until=now() + length,
            reason="",
            guideline_version=study.guideline_version,
            app_version=APP_VERSION,
        )
        .returning(assignment)
    ).one()
    if who.completed_at is not None or who.returned_at is not None:  # who goes on has not finished yet
        connection.execute(update(person).where(person.c.id == who.id).values(completed_at=None, returned_at=None))
    by = Person(who.id, who.name, Role(who.role), study.id)
    record(connection, "panel claimed", by, study.id, assignment=held.id, order_row=row, **slot._asdict())
    return held


def _next_order(connection: Connection, study: Study, slot: slots.Slot) -> tuple[int, list[int]]:
    """The row of the design that is next, and the stories of a slot in its order; of pairs, both of each together."""
    if slot.pair_panel_id is not None:
        row = slots.next_row(connection, study, 2, slot.pair_panel_id)
        panel = pair_panels.pairs_of(connection, slot.pair_panel_id)
        return row, [story_id for pair in panel for story_id in sides_of(pair, row)]
    members = stories_for(connection, study, slot)
    row = slots.next_row(connection, study, len(members))
    return row, [members[i].id for i in balanced_order(len(members), row)]


def stories_for(connection: Connection, study: Study, slot: slots.Slot) -> list[Row[*tuple[Any, ...]]]:
    """The stories of an assignment before they are put in order, always in the same one: the design permutes these.

    A panel has every system's story, one human and one negative.
    """
    rows = connection.execute(
        select(story.c.id, story.c.source, story.c.system)
        .where(story.c.prompt_id == slot.prompt_id)
        .order_by(story.c.system, story.c.position)
    ).all()
    if not study.scheme.unit.of_prompt:
        return [row for row in rows if row.id == slot.story_id]
    rated = [row for row in rows if row.source in study.scheme.sources]
    first = {source: next(([row] for row in rows if row.source == source), []) for source in Source}
    return rated + (first[Source.HUMAN] + first[Source.NEGATIVE] if study.scheme.controls else [])


class Rated(NamedTuple):
    """What a rating of an assignment is about: a story, and of a panel of pairs, which pair it is (from 1) and the
    story beside it, which is shown second.
    """

    story_id: int
    place: int = 0
    against_id: int | None = None


def answers(connection: Connection, assignment_id: int) -> dict[tuple[int, int], Answer]:
    """The saved answers of an assignment, by story and place (see `Rated`)."""
    rows = connection.execute(_RATINGS, {"held": assignment_id}).all()
    values: dict[int, dict[str, int]] = {row.id: {} for row in rows}
    for row in connection.execute(_VALUES, {"held": assignment_id}):
        values[row.rating_id][row.criterion] = int(row.value)
    deducted: dict[int, dict[str, int]] = {row.id: {} for row in rows}
    spans: dict[int, dict[str, tuple[Span, ...]]] = {row.id: {} for row in rows}
    for row in connection.execute(_DEDUCTIONS, {"held": assignment_id}):
        deducted[row.rating_id][row.error_type] = row.points
        if row.spans:
            spans[row.rating_id][row.error_type] = tuple((start, end) for start, end in row.spans)
    return {
        (row.story_id, row.place): Answer(values[row.id], deducted[row.id], row.updated_at, spans[row.id], row.comment)
        for row in rows
    }


def rated_of(unit: Unit, held: Row[Any]) -> list[Rated]:
    """What an assignment asks about, in the order in which it is shown: of a pair the story shown first."""
    shown = [story_id for story_id, _ in held.stories]
    if unit.of_pairs:
        return [Rated(shown[at], at // 2 + 1, shown[at + 1]) for at in range(0, len(shown), 2)]
    return [Rated(story_id) for story_id in shown]


def displayed_answer(answer: Answer, unit: Unit) -> Answer:
    """An answer as the form shows it: of a pair, which side is better."""
    if not unit.of_pairs:
        return answer
    return replace(answer, values={name: as_side(value) for name, value in answer.values.items()})


def _panel(connection: Connection, study: Study, held: Row[Any]) -> Panel:
    unit = study.scheme.unit
    rows = connection.execute(
        select(story.c.id, story.c.text, prompt.c.text.label("opening"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.id.in_([story_id for story_id, _ in held.stories]))
    )
    about = {row.id: row for row in rows}
    saved = answers(connection, held.id)
    given = [displayed_answer(saved.get(rated[:2], Answer()), unit) for rated in rated_of(unit, held)]
    opening = about[held.stories[0][0]].opening if study.scheme.shows_prompt else ""
    stories = tuple(
        PanelStory(
            token,
            letter(place % 2 if unit.of_pairs else place),
            about[story_id].text,
            Answer() if unit.of_pairs else given[place],
        )
        for place, (story_id, token) in enumerate(held.stories)
    )
    pairs = tuple(
        PanelPair(
            about[held.stories[2 * place][0]].opening if study.scheme.shows_prompt else "",
            (stories[2 * place], stories[2 * place + 1]),
            answer,
        )
        for place, answer in enumerate(given if unit.of_pairs else ())
    )
    return Panel(stories[0].token, "" if unit.of_pairs else opening, stories, pairs)


def held_with(connection: Connection, annotator: Person, token: str) -> tuple[Row[Any], int]:
    """The annotator's own panel that holds this story token, locked until the transaction ends, and where in it that
    story is shown, from 0.

    Raises NotAllowed for any other token.
    """
    for row in connection.execute(_OPEN_FIRST, {"who": annotator.id}):  # read no further than needed
        for place, (_, known) in enumerate(row.stories):
            if secrets.compare_digest(known.encode(), token.encode()):
                if row.state == "open" and lapsed(row, ahead=LAST_MOMENT):
                    studies.locked(connection, row.study_id)  # before the panel, as in `turn` and `submit`: no deadlock
                held = connection.execute(_HELD, {"who": annotator.id, "held": row.id}).one_or_none()
                if held is not None:  # else its study has been deleted in this moment
                    return held, place
    raise told(NotAllowed, "errors.not_yours")


def rated_at(unit: Unit, held: Row[Any], shown: int) -> Rated:
    """What is rated by the story shown in a place, from 0: whichever of a pair's two it is, the same."""
    return rated_of(unit, held)[shown // 2 if unit.of_pairs else shown]


def _unrated(connection: Connection, study: Study, held: Row[Any]) -> bool:
    """Whether ratings are missing in a panel."""
    return bool(missing(study.scheme, by_letter(study, held, answers(connection, held.id))))


def by_letter(study: Study, held: Row[Any], given: Mapping[tuple[int, int], Answer]) -> dict[str, Answer]:
    """The answers of a panel by the letter of each story that needs one; of pairs, by the number of each."""
    unit = study.scheme.unit
    return {
        str(place + 1) if unit.of_pairs else letter(place): given.get(rated[:2], Answer())
        for place, rated in enumerate(rated_of(unit, held))
    }
