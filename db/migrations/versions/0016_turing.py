"""Turing pairs are panels of pairs like any other, of one pair each, with the human story as one side."""

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

BLOCK = 5_000
PAIRS = {"a_panel": 1, "a_prompt": 0, "against_human": True, "controls": 2, "repeat": False}
PANELS = {"a_panel": 6, "a_prompt": 0, "against_human": True, "controls": 2, "repeat": True}
FORM: dict[str, Any] = {
    "key": "turing",
    "title": "Turing",
    "error_types": [],
    "unit": "pairs",
    "controls": False,
    "sources": ["system"],
    "shows_prompt": True,
    "reasons_for": [],
    "shares": [],
    "catch_all": "",
    "wanted": 5,
    "comments": False,
    "closing_question": "",
    "check": None,
    "check_answer": 0,
    "pairs": PAIRS,
}
QUESTION = "Which of the two goes on better?"
SIDES = [[-1, "A is better"], [0, "Equally good"], [1, "B is better"]]
BESIDE = [[-1, "Worse than the human story"], [0, "Equally good"], [1, "Better than the human story"]]

_study = sa.table(
    "study",
    sa.column("id"),
    sa.column("scheme"),
    sa.column("state"),
    sa.column("rules", sa.JSON),
    sa.column("form", sa.JSON),
)
_prompt = sa.table("prompt", sa.column("id"), sa.column("position"))
_story = sa.table(
    "story",
    *map(sa.column, ("id", "study_id", "prompt_id", "position", "source", "system")),
)
_assignment = sa.table(
    "assignment",
    *map(sa.column, ("id", "study_id", "prompt_id", "state", "story_id", "pair_panel_id")),
    sa.column("stories", sa.JSON),
)
_rating = sa.table("rating", *map(sa.column, ("id", "assignment_id", "story_id", "place", "against_id")))
_value = sa.table("rating_value", *map(sa.column, ("rating_id", "criterion", "value")))
_panel = sa.table("pair_panel", *map(sa.column, ("id", "study_id", "position")))
_pair = sa.table("pair", *map(sa.column, ("pair_panel_id", "place", "first_id", "second_id")))


def upgrade() -> None:
    connection = op.get_bind()
    for study in connection.execute(sa.select(_study).where(_study.c.scheme == "turing")).all():
        if (study.form or {}).get("unit") != "pairs":
            _move(connection, study)


def downgrade() -> None:
    """The program of before knows panels of pairs, but not as what this scheme is built in as."""
    built_in = {**FORM, "controls": True, "pairs": PANELS, "criteria": [_asked(QUESTION, "preference", SIDES)]}
    connection = op.get_bind()
    for study in connection.execute(sa.select(_study).where(_study.c.scheme == "turing")).all():
        if study.form is None:
            connection.execute(sa.update(_study).where(_study.c.id == study.id).values(form=built_in))


def _asked(question: str, name: str, scale: Sequence[Sequence[Any]]) -> dict[str, Any]:
    return {"name": name, "question": question, "scale": scale, "level": "ordinal", "example": ""}


def _move(connection: sa.Connection, study: Any) -> None:
    stories = _stories(connection, study)
    human: dict[int, int] = {}
    for row in stories:
        if row.source == "human":
            human.setdefault(row.prompt_id, row.id)
    systems = {row.id: row for row in stories if row.source == "system"}
    mine = sa.select(_assignment).where(_assignment.c.study_id == study.id).order_by(_assignment.c.id)
    panels = connection.execute(mine).all()
    ratings = connection.execute(
        sa.select(_rating)
        .join(_assignment, _assignment.c.id == _rating.c.assignment_id)
        .where(_assignment.c.study_id == study.id)
        .order_by(_rating.c.id)
    ).all()
    of_single_stories = all(panel.state == "imported" for panel in panels) and any(
        systems[row.story_id].prompt_id not in human for row in ratings if row.story_id in systems
    )
    prompts = len({row.prompt_id for row in systems.values() if row.prompt_id in human})
    _change_form(connection, study, prompts, of_single_stories=of_single_stories)
    if of_single_stories:
        return
    beside = {
        panel.id: next((number for number, _ in panel.stories if number != panel.story_id), None)
        for panel in panels
        if panel.state != "imported"
    }
    had = [(panel.story_id, beside.get(panel.id)) for panel in panels]
    slots = _slots(connection, study, systems, human, had)
    _move_ratings(connection, panels, ratings, {row.id: human.get(row.prompt_id) for row in systems.values()})
    _run(
        connection,
        sa.update(_assignment)
        .where(_assignment.c.id == sa.bindparam("one"))
        .values(story_id=None, pair_panel_id=sa.bindparam("panel")),
        ({"one": panel.id, "panel": slots.get(pair)} for panel, pair in zip(panels, had, strict=True)),
    )


def _stories(connection: sa.Connection, study: Any) -> Sequence[Any]:
    return connection.execute(
        sa.select(_story)
        .join(_prompt, _prompt.c.id == _story.c.prompt_id)
        .where(_story.c.study_id == study.id)
        .order_by(_prompt.c.position, _story.c.system, _story.c.position)
    ).all()


def _change_form(connection: sa.Connection, study: Any, prompts: int, *, of_single_stories: bool) -> None:
    """`of_single_stories`: ratings came without the human stories; they stay what the analyses have read them as."""
    known, rules = study.form or {}, dict(study.rules)
    question = known.get("question") or next((c["question"] for c in known.get("criteria", ())), QUESTION)
    kept = {name: known[name] for name in ("title", "shows_prompt", "wanted", "closing_question") if name in known}
    form = {**FORM, **kept}
    if of_single_stories:
        form |= {"key": "criteria", "unit": "story", "pairs": None, "shares": [["m1", [0, 1]]]}
        form["criteria"] = [_asked(question, "overall", BESIDE)]
    else:
        form["criteria"] = [_asked(question, "preference", SIDES)]
        if not rules.get("assignments_a_person"):  # nobody got two stories of a prompt
            rules["assignments_a_person"] = prompts
    values = {"scheme": form["key"], "form": form, "rules": rules}
    connection.execute(sa.update(_study).where(_study.c.id == study.id).values(**values))


def _slots(
    connection: sa.Connection,
    study: Any,
    systems: dict[int, Any],
    human: dict[int, int],
    had: Sequence[tuple[int | None, int | None]],
) -> dict[tuple[int | None, int | None], int]:
    """A panel for each system's story and the human one, by both; none as long as the study has not been opened."""
    wanted: dict[tuple[int | None, int | None], None] = {}
    if study.state != "draft":
        wanted = {(row.id, human[row.prompt_id]): None for row in systems.values() if row.prompt_id in human}
    wanted |= {pair: None for pair in had if None not in pair}
    _run(
        connection,
        sa.insert(_panel),
        ({"study_id": study.id, "position": position} for position in range(len(wanted))),
    )
    query = sa.select(_panel.c.id).where(_panel.c.study_id == study.id).order_by(_panel.c.position)
    result = dict(zip(wanted, connection.scalars(query).all(), strict=True))
    _run(
        connection,
        sa.insert(_pair),
        (
            {"pair_panel_id": number, "place": 1, "first_id": first, "second_id": second}
            for (first, second), number in result.items()
        ),
    )
    return result


def _move_ratings(
    connection: sa.Connection, panels: Sequence[Any], ratings: Sequence[Any], human: dict[int, int | None]
) -> None:
    """A rating is of the story shown first, beside the other; an import's, which was not shown, of the system's."""
    of = {panel.id: panel for panel in panels}
    shown: dict[int, list[list[Any]]] = {}
    moved, turned = [], []
    for row in ratings:
        panel, beside = of[row.assignment_id], human.get(row.story_id)
        if panel.state != "imported":
            (first, _), (second, _) = panel.stories
            moved.append({"one": row.id, "story": first, "beside": second, "at": 1})
            if first != row.story_id:
                turned.append({"one": row.id})
        elif beside is not None:
            stories = shown.setdefault(panel.id, [])
            stories += [[row.story_id, ""], [beside, ""]]
            moved.append({"one": row.id, "story": row.story_id, "beside": beside, "at": len(stories) // 2})
    _run(
        connection,
        sa.update(_rating)
        .where(_rating.c.id == sa.bindparam("one"))
        .values(story_id=sa.bindparam("story"), against_id=sa.bindparam("beside"), place=sa.bindparam("at")),
        moved,
    )
    _run(
        connection,
        sa.update(_value)
        .where(_value.c.rating_id == sa.bindparam("one"), _value.c.criterion == "overall")
        .values(criterion="preference"),
        ({"one": row.id} for row in ratings),
    )
    _run(
        connection,
        sa.update(_value).where(_value.c.rating_id == sa.bindparam("one")).values(value=-_value.c.value),
        turned,
    )
    _run(
        connection,
        sa.update(_assignment)
        .where(_assignment.c.id == sa.bindparam("one"))
        .values(stories=sa.bindparam("shown", type_=sa.JSON)),
        ({"one": number, "shown": stories} for number, stories in shown.items()),
    )


def _run(connection: sa.Connection, statement: Any, rows: Iterable[dict[str, Any]]) -> None:
    given = list(rows)
    for at in range(0, len(given), BLOCK):
        connection.execute(statement, given[at : at + BLOCK])
