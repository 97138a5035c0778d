"""Judges: the templates of their prompts, what they replied, and where a study's texts may be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("study", sa.Column("judge_consent", sa.JSON()))
    op.create_table(
        "judge_template",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("way", sa.String(length=20), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_judge_template_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_template")),
        sa.UniqueConstraint("study_id", "name", "version", name=op.f("uq_judge_template_study_id_name_version")),
    )
    op.create_table(
        "judge_reply",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("probabilities", sa.JSON()),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("reply_tokens", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judge_reply")),
        sa.UniqueConstraint("key", name=op.f("uq_judge_reply_key")),
    )
    op.create_index(op.f("ix_judge_reply_content_hash"), "judge_reply", ["content_hash"])


def downgrade() -> None:
    op.drop_table("judge_reply")
    op.drop_table("judge_template")
    op.drop_column("study", "judge_consent")
