"""A study's stories are counted by source, and read on from a position, without reading all of them."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_story_study_id_position", "story", ["study_id", "position", "source"])


def downgrade() -> None:
    op.drop_index("ix_story_study_id_position", "story")
