"""Annotators whom the rule about rejected panels has paused, and when somebody let them go on."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("paused_at", sa.DateTime()))
    op.add_column("person", sa.Column("resumed_at", sa.DateTime()))


def downgrade() -> None:
    op.drop_column("person", "resumed_at")
    op.drop_column("person", "paused_at")
