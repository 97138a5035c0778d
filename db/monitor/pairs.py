"""What the Monitor reads of panels of pairs: how pairs compare, their controls, who contradicts themselves."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, literal, or_, select

from core.annotation.panel_summary import ControlPair
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.stories import Source
from db.rating_values import JUDGED_PAIR
from db.schema import assignment, rating, rating_value, story


def compared(
    connection: Connection, whose: ColumnElement[Any], *which: ColumnElement[bool]
) -> list[tuple[Any, int, float]]:
    """Of the judgments that meet these conditions, controls left out: whose it is, a number for its two stories, and
    how the one that came first into the study compares.
    """
    query = (
        select(whose, rating.c.story_id, rating.c.against_id, rating_value.c.value)
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(*which, JUDGED_PAIR)
    )
    return [
        (row[0], (min(row[1:3]) << 32) + max(row[1:3]), row[3] if row[1] < row[2] else -row[3])
        for row in connection.execute(query)
    ]


def control_pairs(
    connection: Connection, study: Study, handed_in: ColumnElement[bool]
) -> dict[int, tuple[ControlPair, ...]]:
    """The answers about pairs of which one story is damaged, by panel; `handed_in`: the panels, as a condition."""
    if not (study.scheme.unit.of_pairs and study.scheme.controls):
        return {}
    beside = story.alias("beside")
    first, second = (table.c.source == Source.NEGATIVE for table in (story, beside))
    rows = connection.execute(
        select(rating.c.assignment_id, rating.c.story_id, rating.c.against_id, rating_value.c.value)
        .add_columns(first.label("damaged"))
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .join(story, story.c.id == rating.c.story_id)
        .join(beside, beside.c.id == rating.c.against_id)
        .where(handed_in, or_(first & ~second, ~first & second))
        .order_by(rating.c.assignment_id, rating.c.place)
    )
    by_panel: dict[int, list[ControlPair]] = {}
    for panel_id, one, other, value, damaged in rows:
        answer = ControlPair(other, one, -value) if damaged else ControlPair(one, other, value)
        by_panel.setdefault(panel_id, []).append(answer)
    return {panel_id: tuple(answers) for panel_id, answers in by_panel.items()}


def turned(scheme: Scheme) -> ColumnElement[Any]:
    """Whether of a pair that is shown again, on the other sides, the other story was found better."""
    if not scheme.unit.of_pairs:
        return literal(0)
    earlier, earlier_value = rating.alias(), rating_value.alias()
    before = (
        select(earlier_value.c.value)
        .join(earlier, earlier.c.id == earlier_value.c.rating_id)
        .where(
            earlier.c.assignment_id == rating.c.assignment_id,
            earlier.c.story_id == rating.c.against_id,
            earlier.c.against_id == rating.c.story_id,
            earlier.c.place < rating.c.place,
        )
        .limit(1)
        .scalar_subquery()
    )
    return func.max(case((before * rating_value.c.value > 0, 1), else_=0))
