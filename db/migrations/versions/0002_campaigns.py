"""Campaigns: forms of a study's own, consent, ends with codes, payment, appeals; the event log takes no change.

Columns with a foreign key are added by hand: SQLite would otherwise rebuild the table, and dropping the old one would
delete every rating that hangs on it.
"""

import json
import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ENDS = ("complete", "full", "not qualified", "expired", "no consent", "already done", "closed")
APPEND_ONLY = "the event log is append-only"


def _columns() -> dict[str, list[sa.Column[Any]]]:
    return {
        "study": [
            sa.Column("form", sa.JSON()),
            sa.Column("consent", sa.Text(), nullable=False, server_default=""),
            sa.Column("codes", sa.JSON(), nullable=False, server_default="{}"),
        ],
        "person": [
            sa.Column("consent", sa.String(length=10), nullable=False, server_default=""),
            sa.Column("qualified", sa.Boolean()),
            sa.Column("completed_at", sa.DateTime()),
            sa.Column("returned_at", sa.DateTime()),
        ],
        "assignment": [
            sa.Column("order_row", sa.Integer()),
            sa.Column("overridden", sa.Boolean(), nullable=False, server_default=sa.false()),
            sa.Column("payment", sa.String(length=10), nullable=False, server_default=""),
            sa.Column("payment_reason", sa.Text(), nullable=False, server_default=""),
            sa.Column("appeal", sa.Text(), nullable=False, server_default=""),
        ],
    }


def upgrade() -> None:
    for table, columns in _columns().items():
        for column in columns:
            op.add_column(table, column)
    op.execute(
        "ALTER TABLE assignment ADD COLUMN story_id INTEGER "
        "CONSTRAINT fk_assignment_story_id REFERENCES story (id) ON DELETE CASCADE"
    )
    op.create_index("ix_assignment_story_id", "assignment", ["story_id"])
    _name_rated_stories()
    _give_codes()
    op.drop_index("ix_event_study_id", "event")
    op.create_index("ix_event_study_id_kind", "event", ["study_id", "kind"])
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER event_no_{change.lower()} BEFORE {change} ON event "
                f"BEGIN SELECT RAISE(ABORT, '{APPEND_ONLY}'); END"
            )
    else:
        op.execute(
            "CREATE FUNCTION event_append_only() RETURNS trigger AS $$ "
            f"BEGIN RAISE EXCEPTION '{APPEND_ONLY}'; END $$ LANGUAGE plpgsql"
        )
        op.execute(
            "CREATE TRIGGER event_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON event "
            "FOR EACH STATEMENT EXECUTE FUNCTION event_append_only()"
        )


def _name_rated_stories() -> None:
    """Slots of single stories and of pairs, which are there if this database has been down from here before."""
    connection = op.get_bind()
    rows = connection.execute(
        sa.text(
            "SELECT assignment.id, assignment.stories, study.scheme FROM assignment "
            "JOIN study ON study.id = assignment.study_id "
            "WHERE study.scheme IN ('union', 'turing', 'likeliness') AND assignment.state <> 'imported'"
        )
    ).all()
    systems = sa.text("SELECT id FROM story WHERE source = 'system' AND id IN :ids").bindparams(
        sa.bindparam("ids", expanding=True)
    )
    for row in rows:
        stories = json.loads(row.stories) if isinstance(row.stories, str) else row.stories
        rated = stories[0][0]
        if row.scheme == "turing":
            rated = connection.execute(systems, {"ids": [story for story, _ in stories]}).scalar_one()
        connection.execute(
            sa.text("UPDATE assignment SET story_id = :story WHERE id = :id"), {"story": rated, "id": row.id}
        )


def _give_codes() -> None:
    """A completion code for every end of the studies there are."""
    connection = op.get_bind()
    for study_id in connection.execute(sa.text("SELECT id FROM study")).scalars().all():
        codes = json.dumps({end: secrets.token_hex(4).upper() for end in ENDS})
        connection.execute(sa.text("UPDATE study SET codes = :codes WHERE id = :id"), {"codes": codes, "id": study_id})


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(f"DROP TRIGGER event_no_{change}")
    else:
        op.execute("DROP TRIGGER event_append_only ON event")
        op.execute("DROP FUNCTION event_append_only")
    op.drop_index("ix_event_study_id_kind", "event")
    op.create_index("ix_event_study_id", "event", ["study_id"])
    op.drop_index("ix_assignment_story_id", "assignment")
    op.execute("ALTER TABLE assignment DROP COLUMN story_id")
    for table, columns in _columns().items():
        for column in columns:
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column.name}")
