"""A study as its judges see it: its form, its templates, the stories that people rated, the replies that are kept."""

from collections.abc import Mapping, Sequence

from sqlalchemy import func, select

from core.annotation.target import Target
from core.judges.asking import Reply, Request
from core.judges.halves import Half
from core.judges.prompt import Shot
from core.judges.study import JudgedStudy
from db.engine import reading
from db.judges import replies, templates
from db.rating_values import values_of
from db.ratings.ratings import COUNTED, RATER, SINGLE
from db.schema import assignment, prompt, rating, story
from db.studies import halves, studies


class StoredReplies:
    """The replies of all studies."""

    def find(self, keys: Sequence[str]) -> Mapping[str, Reply]:
        """Those of these questions that were asked before."""
        return replies.replies_for(keys)

    def keep(self, model: str, request: Request, reply: Reply) -> None:
        """Keep one."""
        replies.keep_reply(model, request, reply)


def judged_study(study_id: int) -> JudgedStudy:
    """What the judges of a study are given; the rated stories are read when they are asked for."""
    scheme = studies.get(study_id).scheme
    return JudgedStudy(scheme, tuple(templates.templates(study_id)), lambda: rated(study_id), StoredReplies())


def rated(study_id: int) -> list[Shot]:
    """The stories of a study that people have rated, in import order, with their mean counted ratings by criterion;
    several ratings of a story by one rater are one, their mean.
    """
    with reading() as connection:
        scheme = studies.locked(connection, study_id, lock=False).scheme
        means: dict[int, dict[str, float]] = {}
        for name in scheme.names:
            given = values_of(Target((name,)))
            each = (
                select(given.c.story_id, func.avg(given.c.value).label("value"))
                .add_columns(func.max(rating.c.raters).label("raters"))
                .join(given, given.c.rating_id == rating.c.id)
                .join(assignment, assignment.c.id == rating.c.assignment_id)
                .where(assignment.c.study_id == study_id, COUNTED)
                .group_by(given.c.story_id, RATER)
                .subquery()
            )
            mean = func.sum(each.c.value * each.c.raters) / func.sum(each.c.raters)
            for story_id, value in connection.execute(select(each.c.story_id, mean).group_by(each.c.story_id)):
                means.setdefault(story_id, {})[name] = float(value)
        rows = connection.execute(
            select(story.c.id, prompt.c.text.label("prompt"), story.c.text, story.c.prompt_id)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id)
            .order_by(story.c.position)
        ).all()
        held_out = halves.prompt_ids(connection, study_id, Half.HELD_OUT)
    return [Shot(row.prompt, row.text, means[row.id], row.prompt_id in held_out) for row in rows if row.id in means]


def rated_by_each(study_id: int, positions: Sequence[int] | None = None) -> list[int]:
    """How many of the stories at these positions, or of all, each known person has rated, those with most first."""
    query = (
        select(func.count(func.distinct(story.c.id)))
        .join(rating, rating.c.story_id == story.c.id)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(story.c.study_id == study_id, COUNTED, *SINGLE)
        .group_by(assignment.c.person_id)
    )
    if positions is not None:
        query = query.where(story.c.position.in_(positions))
    with reading() as connection:
        return sorted(connection.scalars(query), reverse=True)
