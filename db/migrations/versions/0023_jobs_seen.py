"""Whoever asked for work is told once that it has ended: when they last looked is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("jobs_seen_at", sa.DateTime()))


def downgrade() -> None:
    op.drop_column("person", "jobs_seen_at")
