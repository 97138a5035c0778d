"""The panels of a study of pairs: designed from its stories, kept when it is opened, each a slot."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, delete, exists, func, insert, select

from core.annotation.pair_design import Pair, PairRules, PromptStories, pair_panels
from core.annotation.studies import Study
from core.stories import Source, group_of
from db.schema import assignment, pair, pair_panel, prompt, story

BLOCK = 5_000
"""Rows that are inserted at once."""


def designed(connection: Connection, study: Study) -> list[list[Pair]]:
    """The panels that the study's stories, as they are now, make; raises InputError where they make none."""
    rules = study.scheme.pairs or PairRules()
    return pair_panels(_stories(connection, study), rules, controls=study.scheme.controls)


def keep(connection: Connection, study: Study) -> None:
    """Keep the study's panels, of the stories that there are. What somebody has begun stays; pairs of stories that came
    later make panels of their own, after the others.
    """
    begun = exists().where(assignment.c.pair_panel_id == pair_panel.c.id)
    connection.execute(delete(pair_panel).where(pair_panel.c.study_id == study.id, ~begun))
    kept = connection.execute(
        select(pair.c.first_id, pair.c.second_id).join(pair_panel).where(pair_panel.c.study_id == study.id)
    )
    known = {frozenset((row.first_id, row.second_id)) for row in kept}
    last = connection.scalar(select(func.max(pair_panel.c.position)).where(pair_panel.c.study_id == study.id))
    panels = designed(connection, study)
    new = [panel for panel in panels if not all(frozenset(shown) in known for shown in panel)] if known else panels
    _insert(connection, study, new, 0 if last is None else last + 1)


def _insert(connection: Connection, study: Study, panels: Sequence[Sequence[Pair]], start: int) -> None:
    positions = range(start, start + len(panels))
    for at in range(0, len(panels), BLOCK):
        rows = [{"study_id": study.id, "position": position} for position in positions[at : at + BLOCK]]
        connection.execute(insert(pair_panel), rows)
    mine = and_(pair_panel.c.study_id == study.id, pair_panel.c.position >= start)
    ids = dict(connection.execute(select(pair_panel.c.position, pair_panel.c.id).where(mine)).all())
    rows = [
        {"pair_panel_id": ids[position], "place": place, "first_id": first, "second_id": second}
        for position, panel in zip(positions, panels, strict=True)
        for place, (first, second) in enumerate(panel, 1)
    ]
    for at in range(0, len(rows), BLOCK):
        connection.execute(insert(pair), rows[at : at + BLOCK])


def pairs_of(connection: Connection, pair_panel_id: int) -> list[Pair]:
    """The pairs of a panel, in the order in which they are shown."""
    rows = connection.execute(select(pair).where(pair.c.pair_panel_id == pair_panel_id).order_by(pair.c.place))
    return [(row.first_id, row.second_id) for row in rows]


def _stories(connection: Connection, study: Study) -> list[PromptStories]:
    """The stories of every prompt, in the order of the study."""
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
    return [
        PromptStories(named, others.get((number, Source.HUMAN), ()), others.get((number, Source.NEGATIVE), ()))
        for number, named in systems.items()
    ]
