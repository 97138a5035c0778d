"""Whoever asked for several jobs sees how each has ended: of each it is kept that they have."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("job", sa.Column("seen_at", sa.DateTime()))


def downgrade() -> None:
    op.drop_column("job", "seen_at")
