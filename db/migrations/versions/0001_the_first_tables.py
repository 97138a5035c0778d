"""The first tables"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_event_study_id"), ["study_id"], unique=False)

    op.create_table(
        "signature",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_signature")),
        sa.UniqueConstraint("metric", "text", name=op.f("uq_signature_metric_text")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("scheme", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("raters_identified", sa.Boolean(), nullable=False),
        sa.Column("demonstration", sa.Boolean(), nullable=False),
        sa.Column("guideline_version", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("state IN ('draft', 'open', 'closed')", name=op.f("ck_study_state")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("name", name=op.f("uq_study_name")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=True),
        sa.Column("revoked_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("role IN ('owner', 'researcher', 'annotator')", name=op.f("ck_person_role")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_person_study_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_person_token_hash")),
    )
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_person_study_id"), ["study_id"], unique=False)

    op.create_table(
        "prompt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_prompt_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_prompt")),
        sa.UniqueConstraint("study_id", "key", name=op.f("uq_prompt_study_id_key")),
    )
    op.create_table(
        "score_run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("signature_id", sa.Integer(), nullable=False),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signature.id"], name=op.f("fk_score_run_signature_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_score_run_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score_run")),
        sa.UniqueConstraint("study_id", "signature_id", name=op.f("uq_score_run_study_id_signature_id")),
    )
    with op.batch_alter_table("score_run", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_score_run_signature_id"), ["signature_id"], unique=False)

    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("prompt_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("stories", sa.JSON(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("lease_until", sa.DateTime(), nullable=True),
        sa.Column("submitted_at", sa.DateTime(), nullable=True),
        sa.Column("valid", sa.Boolean(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("guideline_version", sa.String(length=40), nullable=False),
        sa.Column("app_version", sa.String(length=20), nullable=False),
        sa.CheckConstraint("state IN ('open', 'submitted', 'imported', 'surplus')", name=op.f("ck_assignment_state")),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name=op.f("fk_assignment_person_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(["prompt_id"], ["prompt.id"], name=op.f("fk_assignment_prompt_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_assignment_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
        sa.UniqueConstraint("prompt_id", "person_id", name=op.f("uq_assignment_prompt_id_person_id")),
    )
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_assignment_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_prompt_id"), ["prompt_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_assignment_study_id"), ["study_id"], unique=False)

    op.create_table(
        "job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("runner", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=True),
        sa.Column("heartbeat_at", sa.DateTime(), nullable=True),
        sa.Column("ended_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued','running','done','failed','cancelled','interrupted')", name=op.f("ck_job_state")
        ),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_job_person_id"), ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_job_study_id"), ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_job_person_id"), ["person_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_job_state"), ["state"], unique=False)
        batch_op.create_index(batch_op.f("ix_job_study_id"), ["study_id"], unique=False)

    op.create_table(
        "story",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("prompt_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("source", sa.String(length=10), nullable=False),
        sa.Column("system", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sentences", sa.JSON(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.CheckConstraint("source IN ('human', 'system', 'negative')", name=op.f("ck_story_source")),
        sa.ForeignKeyConstraint(["prompt_id"], ["prompt.id"], name=op.f("fk_story_prompt_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_story_study_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_story")),
        sa.UniqueConstraint("study_id", "key", name=op.f("uq_story_study_id_key")),
    )
    with op.batch_alter_table("story", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_story_content_hash"), ["content_hash"], unique=False)
        batch_op.create_index(batch_op.f("ix_story_prompt_id"), ["prompt_id"], unique=False)

    op.create_table(
        "rating",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Integer(), nullable=False),
        sa.Column("overall", sa.Float(), nullable=True),
        sa.Column("updated_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"], ["assignment.id"], name=op.f("fk_rating_assignment_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"], name=op.f("fk_rating_story_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rating")),
        sa.UniqueConstraint("assignment_id", "story_id", name=op.f("uq_rating_assignment_id_story_id")),
    )
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_rating_story_id"), ["story_id"], unique=False)

    op.create_table(
        "score",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("signature_id", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=True),
        sa.Column("story_id", sa.Integer(), nullable=True),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["signature_id"], ["signature.id"], name=op.f("fk_score_signature_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["story_id"], ["story.id"], name=op.f("fk_score_story_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_score")),
        sa.UniqueConstraint("signature_id", "content_hash", name=op.f("uq_score_signature_id_content_hash")),
        sa.UniqueConstraint("signature_id", "story_id", name=op.f("uq_score_signature_id_story_id")),
    )
    with op.batch_alter_table("score", schema=None) as batch_op:
        batch_op.create_index("ix_score_story_id", ["story_id"], unique=False)

    op.create_table(
        "deduction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rating_id", sa.Integer(), nullable=False),
        sa.Column("error_type", sa.Text(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["rating_id"], ["rating.id"], name=op.f("fk_deduction_rating_id"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deduction")),
        sa.UniqueConstraint("rating_id", "error_type", name=op.f("uq_deduction_rating_id_error_type")),
    )


def downgrade() -> None:
    op.drop_table("deduction")
    with op.batch_alter_table("score", schema=None) as batch_op:
        batch_op.drop_index("ix_score_story_id")

    op.drop_table("score")
    with op.batch_alter_table("rating", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_rating_story_id"))

    op.drop_table("rating")
    with op.batch_alter_table("story", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_story_prompt_id"))
        batch_op.drop_index(batch_op.f("ix_story_content_hash"))

    op.drop_table("story")
    with op.batch_alter_table("job", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_job_study_id"))
        batch_op.drop_index(batch_op.f("ix_job_state"))
        batch_op.drop_index(batch_op.f("ix_job_person_id"))

    op.drop_table("job")
    with op.batch_alter_table("assignment", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_assignment_study_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_prompt_id"))
        batch_op.drop_index(batch_op.f("ix_assignment_person_id"))

    op.drop_table("assignment")
    with op.batch_alter_table("score_run", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_score_run_signature_id"))

    op.drop_table("score_run")
    op.drop_table("prompt")
    with op.batch_alter_table("person", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_person_study_id"))

    op.drop_table("person")
    op.drop_table("study")
    op.drop_table("signature")
    with op.batch_alter_table("event", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_event_study_id"))

    op.drop_table("event")
