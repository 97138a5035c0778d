"""Panels of pairs, and ratings that say how a story compares with another."""

import re
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

CLAIMED = "uq_assignment_claimed"
ONCE = "uq_rating_assignment_id_story_id"
ONCE_A_PLACE = "uq_rating_assignment_id_story_id_place"
AGAINST = "CONSTRAINT fk_rating_against_id FOREIGN KEY(against_id) REFERENCES story (id) ON DELETE CASCADE"


def upgrade() -> None:
    op.create_table(
        "pair_panel",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name="fk_pair_panel_study_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_pair_panel"),
        sa.UniqueConstraint("study_id", "position", name="uq_pair_panel_study_id_position"),
    )
    op.create_table(
        "pair",
        sa.Column("pair_panel_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("first_id", sa.Integer(), nullable=False),
        sa.Column("second_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["pair_panel_id"], ["pair_panel.id"], name="fk_pair_pair_panel_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["first_id"], ["story.id"], name="fk_pair_first_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["second_id"], ["story.id"], name="fk_pair_second_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("pair_panel_id", "place", name="pk_pair"),
    )
    op.create_index("ix_pair_first_id", "pair", ["first_id"])
    op.create_index("ix_pair_second_id", "pair", ["second_id"])
    op.execute(
        "ALTER TABLE assignment ADD COLUMN pair_panel_id INTEGER "
        "CONSTRAINT fk_assignment_pair_panel_id REFERENCES pair_panel (id) ON DELETE SET NULL"
    )
    op.create_index("ix_assignment_pair_panel_id", "assignment", ["pair_panel_id"])
    op.drop_index(CLAIMED, "assignment")
    _claimed("state <> 'imported' AND pair_panel_id IS NULL")
    op.create_index("uq_assignment_pairs", "assignment", ["pair_panel_id", "person_id"], unique=True)
    op.add_column("rating", sa.Column("place", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("rating", sa.Column("against_id", sa.Integer()))
    if op.get_bind().dialect.name == "sqlite":
        unique = f"CONSTRAINT {ONCE_A_PLACE} UNIQUE (assignment_id, story_id, place)"
        _rebuild(lambda definition: _with_keys(definition, unique, AGAINST))
    else:
        op.drop_constraint(ONCE, "rating", type_="unique")
        op.create_unique_constraint(ONCE_A_PLACE, "rating", ["assignment_id", "story_id", "place"])
        op.create_foreign_key("fk_rating_against_id", "rating", "story", ["against_id"], ["id"], ondelete="CASCADE")
    op.create_index("ix_rating_against_id", "rating", ["against_id"])


def downgrade() -> None:
    # Comparisons in panels have no place in the schema of before; all else stays.
    of_pairs = "SELECT id FROM assignment WHERE pair_panel_id IS NOT NULL"
    op.execute(f"DELETE FROM rating WHERE place > 0 OR assignment_id IN ({of_pairs})")
    op.execute("DELETE FROM assignment WHERE pair_panel_id IS NOT NULL")
    op.drop_index("ix_rating_against_id", "rating")
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(lambda definition: _with_keys(definition, f"CONSTRAINT {ONCE} UNIQUE (assignment_id, story_id)"))
    else:
        op.drop_constraint("fk_rating_against_id", "rating", type_="foreignkey")
        op.drop_constraint(ONCE_A_PLACE, "rating", type_="unique")
        op.create_unique_constraint(ONCE, "rating", ["assignment_id", "story_id"])
    op.drop_column("rating", "against_id")
    op.drop_column("rating", "place")
    op.drop_index("uq_assignment_pairs", "assignment")
    op.drop_index(CLAIMED, "assignment")
    op.drop_index("ix_assignment_pair_panel_id", "assignment")
    op.drop_column("assignment", "pair_panel_id")
    _claimed("state <> 'imported'")
    op.drop_table("pair")
    op.drop_table("pair_panel")


def _claimed(where: str) -> None:
    condition = sa.text(where)
    op.create_index(
        CLAIMED,
        "assignment",
        ["prompt_id", "person_id"],
        unique=True,
        sqlite_where=condition,
        postgresql_where=condition,
    )


def _with_keys(definition: str, *keys: str) -> str:
    """A table's definition with these constraints in place of those that this migration gives it or takes from it."""
    for name in (ONCE, ONCE_A_PLACE):
        definition = re.sub(rf",\s*CONSTRAINT {name} UNIQUE \([a-z_, ]+\)", "", definition)
    definition = definition.replace(f", {AGAINST}", "")
    return definition.rstrip().removesuffix(")") + "".join(f", {key}" for key in keys) + ")"


def _rebuild(changed: Callable[[str], str]) -> None:
    """SQLite's way of changing a constraint: the table of ratings is made anew from its own definition, `changed`.

    Dropping it deletes what hangs on its rows, which is put aside meanwhile.
    """
    connection = op.get_bind()
    query = "SELECT type, sql FROM sqlite_master WHERE tbl_name = 'rating' AND sql IS NOT NULL"
    rows = connection.execute(sa.text(query)).all()
    definition = next(row.sql for row in rows if row.type == "table")
    hanging = ("rating_value", "deduction")
    statements = [
        *(f"CREATE TEMP TABLE kept_{table} AS SELECT * FROM {table}" for table in hanging),
        re.sub(r'^CREATE TABLE "?rating"?', "CREATE TABLE rating_anew", changed(definition)),
        "INSERT INTO rating_anew SELECT * FROM rating",
        "DROP TABLE rating",
        "ALTER TABLE rating_anew RENAME TO rating",
        *(row.sql for row in rows if row.type == "index"),
        *(f"INSERT INTO {table} SELECT * FROM kept_{table}" for table in hanging),
        *(f"DROP TABLE kept_{table}" for table in hanging),
    ]
    for statement in statements:
        connection.exec_driver_sql(statement)
