"""Imported ratings that are means: how many raters are behind each."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("rating", sa.Column("raters", sa.Integer(), nullable=False, server_default="1"))


def downgrade() -> None:
    op.drop_column("rating", "raters")
