"""Test sets: stories that are wrong in one aspect, or say the same in other words, and which metrics have read them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "test_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("test", sa.String(20), nullable=False),
        sa.Column("about", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_set")),
        sa.UniqueConstraint("name", name=op.f("uq_test_set_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "test_case",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("of", sa.String(12), nullable=False),
        sa.Column("aspect", sa.Text(), nullable=False),
        sa.Column("label", sa.Integer(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("original", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("steps", sa.JSON(), nullable=False),
        sa.Column("edits", sa.JSON(), nullable=False),
        sa.Column("acceptable", sa.Float(), nullable=True),
        sa.Column("struck", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name=op.f("fk_test_case_test_set_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_case")),
        sa.UniqueConstraint("test_set_id", "position", name=op.f("uq_test_case_test_set_id_position")),
    )
    op.create_index(op.f("ix_test_case_test_set_id_aspect"), "test_case", ["test_set_id", "aspect"], unique=False)
    op.create_table(
        "test_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("test_set_id", sa.Integer(), nullable=False),
        sa.Column("signature_id", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["test_set_id"], ["test_set.id"], name=op.f("fk_test_run_test_set_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signature.id"], name=op.f("fk_test_run_signature_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_test_run")),
        sa.UniqueConstraint("test_set_id", "signature_id", name=op.f("uq_test_run_test_set_id_signature_id")),
    )
    op.create_index(op.f("ix_test_run_signature_id"), "test_run", ["signature_id"], unique=False)


def downgrade() -> None:
    op.drop_table("test_run")
    op.drop_table("test_case")
    op.drop_table("test_set")
