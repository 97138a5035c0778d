"""Trained metrics: what there is, with their cards."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "model_checkpoint",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("card", sa.JSON(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("weights_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_model_checkpoint")),
        sa.UniqueConstraint("name", name=op.f("uq_model_checkpoint_name")),
        sa.UniqueConstraint("weights_hash", name=op.f("uq_model_checkpoint_weights_hash")),
    )


def downgrade() -> None:
    op.drop_table("model_checkpoint")
