"""How long annotators' personal data are kept after a study is closed: until somebody erases them, as before."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("study", sa.Column("retention_days", sa.Integer()))


def downgrade() -> None:
    op.drop_column("study", "retention_days")
