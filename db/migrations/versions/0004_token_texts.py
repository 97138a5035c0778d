"""The token view: what models thought of the texts that were read last."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "token_text",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        sa.Column("text_hash", sa.String(length=64), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_token_text")),
        sa.UniqueConstraint("signature", "text_hash", name=op.f("uq_token_text_signature_text_hash")),
    )


def downgrade() -> None:
    op.drop_table("token_text")
