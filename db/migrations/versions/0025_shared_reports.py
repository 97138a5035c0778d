"""A metric's report can be shown to whoever has its link."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "shared_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("page", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_shared_report_study_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_shared_report_person_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shared_report")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_shared_report_study_id"), "shared_report", ["study_id"])
    op.create_index(op.f("ix_shared_report_person_id"), "shared_report", ["person_id"])


def downgrade() -> None:
    op.drop_table("shared_report")
