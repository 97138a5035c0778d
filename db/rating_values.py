"""What ratings say on a target, as something to join ratings with."""

from functools import lru_cache

from sqlalchemy import Subquery, exists, func, select

from core.annotation.target import Target
from db.schema import rating, rating_value

ANSWERED = exists().where(rating_value.c.rating_id == rating.c.id)
"""A rating that says something on any criterion."""


@lru_cache(maxsize=64)
def values_of(target: Target) -> Subquery:
    """`rating_id` and `value` of every rating that says something on the target: of a mean, on all of its criteria."""
    if len(target.criteria) == 1:
        return (
            select(rating_value.c.rating_id, rating_value.c.value)
            .where(rating_value.c.criterion == target.criteria[0])
            .subquery()
        )
    return (
        select(rating_value.c.rating_id, func.avg(rating_value.c.value).label("value"))
        .where(rating_value.c.criterion.in_(target.criteria))
        .group_by(rating_value.c.rating_id)
        .having(func.count() == len(target.criteria))
        .subquery()
    )
