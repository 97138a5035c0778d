"""Sessions: a browser that a link, a platform or a sign-in let in; and the studies that each researcher was given."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("opened_by", sa.String(10), nullable=False),
        sa.Column("browser", sa.String(60), nullable=False),
        sa.Column("began_at", sa.DateTime(), nullable=False),
        sa.Column("seen_at", sa.DateTime(), nullable=False),
        sa.Column("ended_at", sa.DateTime()),
        sa.PrimaryKeyConstraint("id", name="pk_session"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_session_person_id", ondelete="CASCADE"),
        sa.UniqueConstraint("key_hash", name="uq_session_key_hash"),
    )
    op.create_index("ix_session_person_id", "session", ["person_id"])
    op.create_table(
        "study_researcher",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("study_id", "person_id", name="pk_study_researcher"),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name="fk_study_researcher_study_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name="fk_study_researcher_person_id", ondelete="CASCADE"),
    )
    op.create_index("ix_study_researcher_person_id", "study_researcher", ["person_id"])
    # Until now every researcher ran every study: nobody loses one that they may be working on.
    op.execute(
        "INSERT INTO study_researcher (study_id, person_id) "
        "SELECT study.id, person.id FROM study CROSS JOIN person WHERE person.role = 'researcher'"
    )


def downgrade() -> None:
    op.drop_index("ix_study_researcher_person_id", "study_researcher")
    op.drop_table("study_researcher")
    op.drop_index("ix_session_person_id", "session")
    op.drop_table("session")
