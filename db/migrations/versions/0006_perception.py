"""Perception Scores: what critics said of a study's texts."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "perception",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("trained", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_perception_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_perception")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_perception_study_id"), "perception", ["study_id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_perception_study_id"), table_name="perception")
    op.drop_table("perception")
