"""Researchers note something about a story, and keep some of a study's stories under a name."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "story_note",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"], name=op.f("fk_story_note_story_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_story_note_person_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story_note")),
        sa.UniqueConstraint("story_id", "person_id", name=op.f("uq_story_note_story_id_person_id")),
    )
    op.create_index(op.f("ix_story_note_person_id"), "story_note", ["person_id"])
    op.create_table(
        "story_selection",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_story_selection_study_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story_selection")),
        sa.UniqueConstraint("study_id", "name", name=op.f("uq_story_selection_study_id_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "selected_story",
        sa.Column("selection_id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["selection_id"],
            ["story_selection.id"],
            name=op.f("fk_selected_story_selection_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["story_id"], ["story.id"], name=op.f("fk_selected_story_story_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("selection_id", "story_id", name=op.f("pk_selected_story")),
    )
    op.create_index("ix_selected_story_story_id", "selected_story", ["story_id"])


def downgrade() -> None:
    op.drop_table("selected_story")
    op.drop_table("story_selection")
    op.drop_table("story_note")
