"""Ratings on several criteria, a row each; those made before are of one, the overall rating. Annotators' own words."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

OVERALL = "overall"


def upgrade() -> None:
    op.create_table(
        "rating_value",
        sa.Column("rating_id", sa.Integer(), nullable=False),
        sa.Column("criterion", sa.String(60), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["rating_id"], ["rating.id"], name="fk_rating_value_rating_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("rating_id", "criterion", name="pk_rating_value"),
    )
    op.execute(
        "INSERT INTO rating_value (rating_id, criterion, value) "
        f"SELECT id, '{OVERALL}', overall FROM rating WHERE overall IS NOT NULL"
    )
    op.drop_column("rating", "overall")
    op.add_column("rating", sa.Column("comment", sa.Text(), nullable=False, server_default=""))
    op.add_column("person", sa.Column("closing_comment", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    # What was said on other criteria has no place in the schema of before, nor have annotators' own words.
    op.drop_column("person", "closing_comment")
    op.drop_column("rating", "comment")
    op.add_column("rating", sa.Column("overall", sa.Float()))
    op.execute(
        "UPDATE rating SET overall = (SELECT value FROM rating_value "
        f"WHERE rating_value.rating_id = rating.id AND criterion = '{OVERALL}')"
    )
    op.drop_table("rating_value")
