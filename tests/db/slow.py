"""Panels read in the plainest way, rating by rating: what the Monitor reads by sums is compared with that."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row, select

from core.annotation.panel_summary import ControlPair
from core.annotation.quality import contradicts
from core.annotation.scheme import CHECK, Scheme
from core.people import called
from core.stories import Source
from db.annotation import slots
from db.engine import reading
from db.schema import assignment, deduction, person, prompt, rating, rating_value, story
from db.studies import studies
from tests.core.annotation.whole_panel import WholePanel

Rows = list[Row[*tuple[Any, ...]]]


def whole_panels(study_id: int) -> list[WholePanel]:
    """Every panel that annotators handed in, oldest first; imported ratings have no panel."""
    with reading() as connection:
        scheme = studies.locked(connection, study_id, lock=False).scheme
        rows = connection.execute(
            select(assignment, person.c.name, person.c.role, prompt.c.text.label("opening"))
            .outerjoin(person, person.c.id == assignment.c.person_id)
            .join(prompt, prompt.c.id == assignment.c.prompt_id)
            .where(assignment.c.study_id == study_id, assignment.c.state.in_(("submitted", "surplus")))
            .order_by(assignment.c.id)
        ).all()
        about = {row.id: row for row in connection.execute(select(story).where(story.c.study_id == study_id))}
        points: dict[int, dict[str, int]] = {}
        for row in connection.execute(select(deduction)):
            points.setdefault(row.rating_id, {})[row.error_type] = row.points
        given: dict[int, Rows] = {}
        for row in connection.execute(
            select(rating, rating_value.c.value, rating_value.c.criterion).join(rating_value).order_by(rating.c.id)
        ):
            given.setdefault(row.assignment_id, []).append(row)
    return [_panel(row, scheme, given.get(row.id, []), about, points) for row in rows]


def _panel(
    row: Row[*tuple[Any, ...]],
    scheme: Scheme,
    given: Rows,
    about: Mapping[int, Row[*tuple[Any, ...]]],
    points: Mapping[int, Mapping[str, int]],
) -> WholePanel:
    def control(source: Source) -> tuple[float, ...]:
        if not scheme.controls or scheme.unit.of_pairs:
            return ()
        return tuple(
            item.value for item in given if about[item.story_id].source == source and item.criterion == scheme.main.name
        )

    odd = [
        contradicts(scheme, item.value, points.get(item.id, {}))
        for item in given
        if item.criterion == scheme.main.name and (row.asked_at is None or item.updated_at > row.asked_at)
    ]
    return WholePanel(
        id=row.id,
        study_id=row.study_id,
        annotator=called(row.name, row.role, row.person_id) if row.person_id is not None else row.rater or "somebody",
        person_id=row.person_id,
        unit=slots.slot_of(row),
        prompt=row.opening,
        ratings=_ratings(scheme, given, about),
        human=control(Source.HUMAN),
        negative=control(Source.NEGATIVE),
        contradictions=sum(odd),
        words=sum(len(about[story_id].text.split()) for story_id in {story_id for story_id, _ in row.stories}),
        seconds=_seconds(row, given),
        state=row.state,
        valid=bool(row.valid),
        reason=row.reason,
        overridden=row.overridden,
        payment=row.payment,
        payment_reason=row.payment_reason,
        appeal=row.appeal,
        payment_category=row.payment_category,
        others=tuple(item.value for item in given if item.criterion not in (scheme.main.name, CHECK)),
        straight=_straight(scheme, given),
        stories=len(row.stories) if row.story_id is None else 1,
        inattentive=any(item.criterion == CHECK and item.value != scheme.check_answer for item in given),
        submitted_at=row.submitted_at,
        controls=_controls(given, about),
        compared=tuple(item.value for item in given) if scheme.unit.of_pairs else (),
        turned=any(_again(one, other) and one.value * other.value > 0 for one in given for other in given),
    )


def _ratings(scheme: Scheme, given: Rows, about: Mapping[int, Row[*tuple[Any, ...]]]) -> tuple[tuple[int, float], ...]:
    """What is rated and how; of pairs without a damaged story the first showing, from the first story's side."""
    mine = [item for item in given if item.criterion == scheme.main.name]
    if not scheme.unit.of_pairs:
        return tuple((item.story_id, item.value) for item in mine if about[item.story_id].source in scheme.sources)
    found = []
    for item in mine:
        both = sorted((item.story_id, item.against_id))
        damaged = any(about[story_id].source == Source.NEGATIVE for story_id in both)
        if not damaged and not any(_again(other, item) and other.place < item.place for other in mine):
            found.append(((both[0] << 32) + both[1], item.value if both[0] == item.story_id else -item.value))
    return tuple(found)


def _controls(given: Rows, about: Mapping[int, Row[*tuple[Any, ...]]]) -> tuple[ControlPair, ...]:
    found = []
    for item in sorted(given, key=lambda item: item.place):
        if item.against_id is not None:
            damaged = [about[story_id].source == Source.NEGATIVE for story_id in (item.story_id, item.against_id)]
            if damaged == [True, False]:
                found.append(ControlPair(item.against_id, item.story_id, -item.value))
            elif damaged == [False, True]:
                found.append(ControlPair(item.story_id, item.against_id, item.value))
    return tuple(found)


def _again(one: Row[Any], other: Row[Any]) -> bool:
    """Whether two answers are about the same two stories on exchanged sides."""
    return bool(one.story_id == other.against_id and one.against_id == other.story_id)


def _straight(scheme: Scheme, given: Rows) -> int:
    """Stories with the same number on all of three criteria or more."""
    of: dict[int, set[float]] = {}
    for item in given:
        if item.criterion != CHECK:
            of.setdefault(item.story_id, set()).add(item.value)
    return sum(len(values) == 1 for values in of.values()) if len(scheme.criteria) >= 3 else 0


def _seconds(row: Row[*tuple[Any, ...]], given: Rows) -> float:
    """From claim to hand-in; 0 where an answer lies outside of that: the clock was set in between and tells nothing."""
    if any(not row.started_at <= item.updated_at <= row.submitted_at for item in given):
        return 0.0
    return float((row.submitted_at - row.started_at).total_seconds())
