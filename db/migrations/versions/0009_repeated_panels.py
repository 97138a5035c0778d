"""Imported panels may be several of one rater and prompt; of those that are claimed here there stays one."""

import re
from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

EVERY = "uq_assignment_prompt_id_person_id"
CLAIMED = "uq_assignment_claimed"
_UNIQUE = re.compile(rf",\s*CONSTRAINT {EVERY} UNIQUE \(prompt_id, person_id\)")


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _rebuild(lambda definition: _UNIQUE.sub("", definition))
    else:
        op.drop_constraint(EVERY, "assignment", type_="unique")
    claimed = sa.text("state <> 'imported'")
    op.create_index(
        CLAIMED, "assignment", ["prompt_id", "person_id"], unique=True, sqlite_where=claimed, postgresql_where=claimed
    )


def downgrade() -> None:
    # Of a rater's panels of one prompt the first stays theirs; the ratings of the others stay, without a name.
    first = "SELECT min(id) FROM assignment WHERE person_id IS NOT NULL GROUP BY prompt_id, person_id"
    op.execute(
        "UPDATE assignment SET rater = 'panel ' || id, person_id = NULL "
        f"WHERE person_id IS NOT NULL AND id NOT IN ({first})"
    )
    op.drop_index(CLAIMED, "assignment")
    if op.get_bind().dialect.name == "sqlite":
        unique = f", CONSTRAINT {EVERY} UNIQUE (prompt_id, person_id))"
        _rebuild(lambda definition: definition.rstrip().removesuffix(")") + unique)
    else:
        op.create_unique_constraint(EVERY, "assignment", ["prompt_id", "person_id"])


def _rebuild(changed: Callable[[str], str]) -> None:
    """SQLite's way of changing a constraint: the table is made anew from its own definition, `changed`.

    Dropping a table deletes what hangs on its rows, so ratings and deductions are put aside meanwhile.
    """
    connection = op.get_bind()
    query = "SELECT type, sql FROM sqlite_master WHERE tbl_name = 'assignment' AND sql IS NOT NULL"
    rows = connection.execute(sa.text(query)).all()
    definition = next(row.sql for row in rows if row.type == "table")
    statements = [
        *(f"CREATE TEMP TABLE kept_{table} AS SELECT * FROM {table}" for table in ("rating", "deduction")),
        re.sub(r'^CREATE TABLE "?assignment"?', "CREATE TABLE assignment_anew", changed(definition)),
        "INSERT INTO assignment_anew SELECT * FROM assignment",
        "DROP TABLE assignment",
        "ALTER TABLE assignment_anew RENAME TO assignment",
        *(row.sql for row in rows if row.type == "index"),
        *(f"INSERT INTO {table} SELECT * FROM kept_{table}" for table in ("rating", "deduction")),
        *(f"DROP TABLE kept_{table}" for table in ("rating", "deduction")),
    ]
    for statement in statements:
        connection.exec_driver_sql(statement)
