"""Studies that are put away: archived, or deleted and still to be had back."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("study", sa.Column("archived_at", sa.DateTime(), nullable=True))
    op.add_column("study", sa.Column("deleted_at", sa.DateTime(), nullable=True))
    op.add_column("study", sa.Column("deleted_name", sa.String(200), nullable=True))


def downgrade() -> None:
    # Who knows nothing of deleted studies would show them again, under names that nobody gave.
    op.execute("DELETE FROM study WHERE deleted_at IS NOT NULL")
    for column in ("deleted_name", "deleted_at", "archived_at"):
        op.drop_column("study", column)
