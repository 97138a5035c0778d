"""Who runs several studies goes on in the one of their last visit."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("last_study", sa.Integer()))


def downgrade() -> None:
    op.drop_column("person", "last_study")
