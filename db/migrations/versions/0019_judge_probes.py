"""What was rated to measure a judge's biases."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "judge_probe",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Integer(), nullable=False),
        sa.Column("signature_id", sa.Integer(), nullable=False),
        sa.Column("check", sa.String(length=20), nullable=False),
        sa.Column("variant", sa.String(length=60), nullable=False),
        sa.Column("before", sa.Float()),
        sa.Column("after", sa.Float()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"], name=op.f("fk_judge_probe_story_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signature.id"], name=op.f("fk_judge_probe_signature_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_probe")),
        sa.UniqueConstraint(
            "story_id",
            "signature_id",
            "check",
            "variant",
            name=op.f("uq_judge_probe_story_id_signature_id_check_variant"),
        ),
    )
    op.create_index(op.f("ix_judge_probe_signature_id"), "judge_probe", ["signature_id"])


def downgrade() -> None:
    op.drop_table("judge_probe")
