"""An import can be taken back: a study remembers what each brought. Those of before are not known."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_import",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer()),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=60), nullable=False),
        sa.Column("files", sa.JSON(), nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=False),
        sa.Column("end_position", sa.Integer(), nullable=False),
        sa.Column("brought", sa.JSON(), nullable=False),
        sa.Column("signatures", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_import_study_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_study_import_person_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_import")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_study_import_study_id"), "study_import", ["study_id"])
    op.create_index(op.f("ix_study_import_person_id"), "study_import", ["person_id"])
    op.add_column("assignment", sa.Column("import_id", sa.Integer()))
    op.add_column("study", sa.Column("taken_back", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("study", "taken_back")
    op.drop_column("assignment", "import_id")
    op.drop_table("study_import")
