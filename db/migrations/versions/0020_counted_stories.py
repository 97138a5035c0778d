"""Stories are counted by study and source without reading them."""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_story_study_id_source", "story", ["study_id", "source"])


def downgrade() -> None:
    op.drop_index("ix_story_study_id_source", "story")
