"""Annotating: evidence spans, training, crowd platforms, payment and bonuses."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def _columns() -> dict[str, list[sa.Column[Any]]]:
    return {
        "study": [
            sa.Column("training", sa.JSON()),
            sa.Column("recruitment", sa.JSON(), nullable=False, server_default="{}"),
            sa.Column("join_token", sa.String(length=40)),
            sa.Column("payment", sa.JSON(), nullable=False, server_default="{}"),
        ],
        "person": [
            sa.Column("crowd_hash", sa.String(length=64)),
            sa.Column("submission", sa.Text(), nullable=False, server_default=""),
            sa.Column("email", sa.Text()),
            sa.Column("bonus", sa.Integer(), nullable=False, server_default="0"),
            sa.Column("bonus_reason", sa.Text(), nullable=False, server_default=""),
            sa.Column("erased_at", sa.DateTime()),
        ],
        "assignment": [
            sa.Column("payment_category", sa.String(length=20), nullable=False, server_default=""),
            sa.Column("asked_at", sa.DateTime()),
        ],
        "deduction": [sa.Column("spans", sa.JSON(), nullable=False, server_default="[]")],
    }


INDEXES = (
    ("ix_study_join_token", "study", ["join_token"], True),
    ("ix_person_study_id_crowd_hash", "person", ["study_id", "crowd_hash"], True),
    ("ix_person_email", "person", ["email"], True),
    ("ix_event_study_id_id", "event", ["study_id", "id"], False),
)


def upgrade() -> None:
    for table, columns in _columns().items():
        for column in columns:
            op.add_column(table, column)
    for name, table, names, unique in INDEXES:
        op.create_index(name, table, names, unique=unique)
    op.create_table(
        "training_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("item", sa.Integer(), nullable=False),
        sa.Column("overall", sa.Integer(), nullable=False),
        sa.Column("error_types", sa.JSON(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_training_answer_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_training_answer_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_training_answer")),
        sa.UniqueConstraint(
            "person_id", "study_id", "attempt", "item", name=op.f("uq_training_answer_person_id_study_id_attempt_item")
        ),
    )
    op.create_index("ix_training_answer_study_id", "training_answer", ["study_id"])


def downgrade() -> None:
    op.drop_table("training_answer")
    for name, table, _, _ in INDEXES:
        op.drop_index(name, table)
    for table, columns in _columns().items():
        for column in columns:
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column.name}")
