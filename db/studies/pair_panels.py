"""The panels of a study of pairs: designed from its stories, kept when it is opened, each a slot."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection, delete, exists, func, insert, select

from core.annotation.pair_design import Pair, PairRules, PromptStories, pair_panels
from core.annotation.studies import Study
from core.errors import InputError
from core.stories import Source, group_of
from db.schema import assignment, pair, pair_panel, prompt, story

BLOCK = 5_000
"""Rows that are inserted at once."""


def designed(connection: Connection, study: Study, known: Collection[frozenset[int]] = ()) -> list[list[Pair]]:
    """The panels that the study's stories, as they are now, make without the pairs that are `known`; raises InputError
    where they make none.
    """
    return _designed(study, _stories(connection, study), known)


def as_opened(connection: Connection, study: Study) -> list[list[Pair]]:
    """What `designed` gives once opening the study has made the damaged stories that it lacks: each of these is minus
    the id of its prompt.
    """
    with_damaged = {
        number: stories if stories.damaged or not stories.systems else replace(stories, damaged=(-number,))
        for number, stories in _stories(connection, study).items()
    }
    return _designed(study, with_damaged)


def _designed(
    study: Study, stories: Mapping[int, PromptStories], known: Collection[frozenset[int]] = ()
) -> list[list[Pair]]:
    rules = study.scheme.pairs or PairRules()
    return pair_panels(list(stories.values()), rules, controls=study.scheme.controls, known=known)


def keep(connection: Connection, study: Study) -> None:
    """Keep the study's panels, of the stories that there are. What somebody has begun stays; pairs that are in none of
    these, such as those of stories that came later, make panels after them.
    """
    begun = exists().where(assignment.c.pair_panel_id == pair_panel.c.id)
    connection.execute(delete(pair_panel).where(pair_panel.c.study_id == study.id, ~begun))
    kept = connection.execute(
        select(pair.c.first_id, pair.c.second_id).join(pair_panel).where(pair_panel.c.study_id == study.id)
    )
    known = {frozenset((row.first_id, row.second_id)) for row in kept}
    last = connection.scalar(select(func.max(pair_panel.c.position)).where(pair_panel.c.study_id == study.id))
    start = 0 if last is None else last + 1
    _insert(connection, study, dict(enumerate(designed(connection, study, known), start)))


def restore(connection: Connection, study: Study, panels: Mapping[int, Sequence[Pair]]) -> dict[int, int]:
    """Keep the panels of an export by their positions, as they were; their ids by position. Raises InputError for a
    study that has some already.
    """
    if panels and connection.scalar(select(pair_panel.c.id).where(pair_panel.c.study_id == study.id).limit(1)):
        raise InputError(f"The study {study.name!r} has panels of pairs already; import this export into a new study.")
    return _insert(connection, study, panels)


def _insert(connection: Connection, study: Study, panels: Mapping[int, Sequence[Pair]]) -> dict[int, int]:
    """Panels by position; returns their ids by position."""
    positions = [{"study_id": study.id, "position": position} for position in panels]
    for at in range(0, len(positions), BLOCK):
        connection.execute(insert(pair_panel), positions[at : at + BLOCK])
    known = connection.execute(select(pair_panel.c.position, pair_panel.c.id).where(pair_panel.c.study_id == study.id))
    ids = {row.position: row.id for row in known}
    rows = [
        {"pair_panel_id": ids[position], "place": place, "first_id": first, "second_id": second}
        for position, panel in panels.items()
        for place, (first, second) in enumerate(panel, 1)
    ]
    for at in range(0, len(rows), BLOCK):
        connection.execute(insert(pair), rows[at : at + BLOCK])
    return ids


def pairs_of(connection: Connection, pair_panel_id: int) -> list[Pair]:
    """The pairs of a panel, in the order in which they are shown."""
    rows = connection.execute(select(pair).where(pair.c.pair_panel_id == pair_panel_id).order_by(pair.c.place))
    return [(row.first_id, row.second_id) for row in rows]


def _stories(connection: Connection, study: Study) -> dict[int, PromptStories]:
    """The stories of every prompt, by its id, in the order of the study."""
    rows = connection.execute(
        select(story.c.prompt_id, story.c.id, story.c.source, story.c.system)
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.study_id == study.id)
        .order_by(prompt.c.position, story.c.position)
    ).all()
    systems: dict[int, dict[str, list[int]]] = {}
    others: dict[tuple[int, str], list[int]] = {}
    for row in rows:
        of_prompt = systems.setdefault(row.prompt_id, {})
        if row.source == Source.SYSTEM:
            of_prompt.setdefault(group_of(row.source, row.system), []).append(row.id)
        else:
            others.setdefault((row.prompt_id, row.source), []).append(row.id)
    return {
        number: PromptStories(named, others.get((number, Source.HUMAN), ()), others.get((number, Source.NEGATIVE), ()))
        for number, named in systems.items()
    }
