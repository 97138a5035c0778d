"""Judges of pairs: what they say of two stories in both orders, and the second story that a reply is about."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "pair_verdict",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("signature_id", sa.Integer(), nullable=False),
        sa.Column("first_hash", sa.String(length=64), nullable=False),
        sa.Column("second_hash", sa.String(length=64), nullable=False),
        sa.Column("forward", sa.Integer()),
        sa.Column("backward", sa.Integer()),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signature.id"], name=op.f("fk_pair_verdict_signature_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pair_verdict")),
        sa.UniqueConstraint(
            "signature_id",
            "first_hash",
            "second_hash",
            name=op.f("uq_pair_verdict_signature_id_first_hash_second_hash"),
        ),
    )
    op.add_column("judge_reply", sa.Column("against_hash", sa.String(length=64), nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("judge_reply", "against_hash")
    op.drop_table("pair_verdict")
