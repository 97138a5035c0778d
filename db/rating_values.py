"""What ratings say on a target, as something to join ratings with."""

from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, case, exists, func, select, union_all

from core.annotation.criterion import PREFERENCE
from core.annotation.target import Target
from core.stories import Source
from db.schema import rating, rating_value, story

ANSWERED = exists().where(rating_value.c.rating_id == rating.c.id)
"""A rating that says something on any criterion."""
CHANGE_JUDGMENTS = (
    *("panel submitted", "surplus counted", "imported", "import taken back"),
    *("verdict overridden", "panels judged again", "form changed", "erased", "scores deleted"),
)
"""Events after which an analysis must be made anew; an answer counts only once its panel is handed in."""


def _first_showing() -> ColumnElement[bool]:
    """Of a pair that a panel shows again on the other sides, the first time: the second says whether a person agrees
    with themselves, and is no judgment more.
    """
    earlier = rating.alias()
    return ~exists().where(
        earlier.c.assignment_id == rating.c.assignment_id,
        earlier.c.story_id == rating.c.against_id,
        earlier.c.against_id == rating.c.story_id,
        earlier.c.place < rating.c.place,
    )


def _is(column: ColumnElement[Any], source: Source) -> ColumnElement[bool]:
    """Whether the story whose id stands in a column is from there."""
    return exists().where(story.c.id == column, story.c.source == source)


def _undamaged(column: ColumnElement[Any]) -> ColumnElement[bool]:
    return ~_is(column, Source.NEGATIVE)


UNDAMAGED_PAIR = and_(rating.c.against_id.is_not(None), _undamaged(rating.c.story_id), _undamaged(rating.c.against_id))
"""Ratings that say how one story compares with another, neither of them damaged."""
JUDGED_PAIR = and_(UNDAMAGED_PAIR, _first_showing())
"""The same, each pair of a panel once."""


@lru_cache(maxsize=64)
def values_of(target: Target) -> Subquery:
    """`rating_id`, `story_id` and `value` of every rating that says something on the target: of a mean, on all of its
    criteria; of preferences one row for either story, 1 where it was found better, 0 worse, .5 neither; beside people's
    stories one row for the system's, above 0 where it was found better.
    """
    if target.is_preference:
        return _comparisons()
    if target.beside_people:
        return _beside_people()
    if len(target.criteria) == 1:
        return (
            select(rating_value.c.rating_id, rating.c.story_id, rating_value.c.value)
            .join(rating, rating.c.id == rating_value.c.rating_id)
            .where(rating_value.c.criterion == target.criteria[0])
            .subquery()
        )
    return (
        select(rating_value.c.rating_id, rating.c.story_id, func.avg(rating_value.c.value).label("value"))
        .join(rating, rating.c.id == rating_value.c.rating_id)
        .where(rating_value.c.criterion.in_(target.criteria))
        .group_by(rating_value.c.rating_id, rating.c.story_id)
        .having(func.count() == len(target.criteria))
        .subquery()
    )


def _comparisons() -> Subquery:
    def of(side: ColumnElement[Any], sign: int) -> Select[Any]:
        found = sign * rating_value.c.value
        return (
            select(
                rating_value.c.rating_id,
                side.label("story_id"),
                case((found > 0, 1.0), (found < 0, 0.0), else_=0.5).label("value"),
            )
            .join(rating, rating.c.id == rating_value.c.rating_id)
            .where(rating_value.c.criterion == PREFERENCE, JUDGED_PAIR)
        )

    return union_all(of(rating.c.story_id, 1), of(rating.c.against_id, -1)).subquery()


def _beside_people() -> Subquery:
    def of(side: ColumnElement[Any], beside: ColumnElement[Any], sign: int) -> Select[Any]:
        return (
            select(rating_value.c.rating_id, side.label("story_id"), (sign * rating_value.c.value).label("value"))
            .join(rating, rating.c.id == rating_value.c.rating_id)
            .where(rating_value.c.criterion == PREFERENCE, JUDGED_PAIR)
            .where(_is(side, Source.SYSTEM), _is(beside, Source.HUMAN))
        )

    first, second = rating.c.story_id, rating.c.against_id
    return union_all(of(first, second, 1), of(second, first, -1)).subquery()
