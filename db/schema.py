"""The tables; those of judges, notes on stories, past imports and shared reports have their own files. Only this room's
functions touch them.
"""

from sqlalchemy import (
    JSON,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

from db.columns import UtcDateTime, belongs_to, id_column
from db.columns import metadata as metadata
from db.import_tables import study_import as study_import
from db.judge_tables import judge_probe as judge_probe
from db.judge_tables import judge_reply as judge_reply
from db.judge_tables import judge_template as judge_template
from db.judge_tables import pair_verdict as pair_verdict
from db.report_tables import shared_report as shared_report
from db.story_tables import selected_story as selected_story
from db.story_tables import story_note as story_note
from db.story_tables import story_selection as story_selection

study = Table(
    "study",
    metadata,
    id_column(),
    Column("name", String(200), nullable=False, unique=True),
    Column("scheme", String(40), nullable=False),
    Column("rules", JSON, nullable=False),
    Column("state", String(10), nullable=False),
    Column("raters_identified", Boolean, nullable=False),
    Column("demonstration", Boolean, nullable=False),
    Column("guideline_version", String(40), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("form", JSON),  # the study's own scheme, where it has one
    Column("consent", Text, nullable=False, server_default=""),
    Column("codes", JSON, nullable=False, server_default="{}"),
    Column("training", JSON),  # what annotators try their hand at first, where the study has that
    Column("recruitment", JSON, nullable=False, server_default="{}"),
    Column("join_token", String(40)),  # of the one address that a crowd platform sends everybody to; no secret
    Column("payment", JSON, nullable=False, server_default="{}"),
    Column("retention_days", Integer),  # of annotators' personal data, once the study is closed
    Column("archived_at", UtcDateTime),  # out of the lists
    Column("deleted_at", UtcDateTime),  # not to be found, but to be had back for some days
    # Which is free for another study meanwhile; none of an import under way, which nobody finds until it is whole.
    Column("deleted_name", String(200)),
    Column("judge_consent", JSON),  # the addresses that texts may be sent to, who agreed and when
    # So many imports: on SQLite another one's stories may have their ids, so that what is kept of texts is of before.
    Column("taken_back", Integer, nullable=False, server_default="0"),
    Index("ix_study_join_token", "join_token", unique=True),
    CheckConstraint("state IN ('draft', 'open', 'closed')", name="state"),
    sqlite_autoincrement=True,  # a job of a deleted study must never meet a new study of the same id
)

prompt = Table(
    "prompt",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    Column("key", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("study_id", "key"),
)

story = Table(
    "story",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    belongs_to("prompt"),
    Column("key", Text, nullable=False),
    Column("position", Integer, nullable=False),
    Column("source", String(10), nullable=False),
    Column("system", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("sentences", JSON, nullable=False),
    Column("content_hash", String(64), nullable=False, index=True),
    UniqueConstraint("study_id", "key"),
    CheckConstraint("source IN ('human', 'system', 'negative')", name="source"),
    # They are scored a part at a time, in this order; and counted by source without a look at their texts.
    Index("ix_story_study_id_position", "study_id", "position", "source"),
)

person = Table(
    "person",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("role", String(20), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    belongs_to("study", nullable=True, index=True),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime),
    Column("revoked_at", UtcDateTime),
    Column("consent", String(10), nullable=False, server_default=""),
    Column("qualified", Boolean),
    Column("completed_at", UtcDateTime),
    Column("returned_at", UtcDateTime),
    Column("paused_at", UtcDateTime),  # by the rule about rejected panels
    Column("resumed_at", UtcDateTime),  # when somebody let them go on: panels from before pause nobody again
    Column("crowd_hash", String(64)),  # keyed: the platform's own id of the person is never stored
    Column("submission", Text, nullable=False, server_default=""),
    Column("email", Text),
    Column("bonus", Integer, nullable=False, server_default="0"),  # in hundredths of the study's currency
    Column("bonus_reason", Text, nullable=False, server_default=""),
    Column("erased_at", UtcDateTime),
    Column("closing_comment", Text, nullable=False, server_default=""),
    Column("last_study", Integer),  # of who runs several, the id of the one looked at last, which may be gone by now
    Column("jobs_seen_at", UtcDateTime),  # when they last looked at how their own jobs had ended
    Index("ix_person_study_id_crowd_hash", "study_id", "crowd_hash", unique=True),
    Index("ix_person_email", "email", unique=True),
    CheckConstraint("role IN ('owner', 'researcher', 'annotator')", name="role"),
)

session = Table(  # a browser that somebody was let in by
    "session",
    metadata,
    id_column(),
    belongs_to("person"),
    Column("key_hash", String(64), nullable=False, unique=True),  # of what the browser's cookie holds
    Column("opened_by", String(10), nullable=False),
    Column("browser", String(60), nullable=False),
    Column("began_at", UtcDateTime, nullable=False),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
)

study_researcher = Table(  # the studies that a researcher runs; owners run all
    "study_researcher",
    metadata,
    Column("study_id", Integer, ForeignKey("study.id", ondelete="CASCADE"), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id", ondelete="CASCADE"), primary_key=True, index=True),
)

pair_panel = Table(  # a slot of a study of pairs: those that one annotator gets together
    "pair_panel",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("study_id", "position"),
)

pair = Table(
    "pair",
    metadata,
    Column("pair_panel_id", Integer, ForeignKey("pair_panel.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Integer, primary_key=True),  # from 1, as they are shown
    Column("first_id", Integer, ForeignKey("story.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("second_id", Integer, ForeignKey("story.id", ondelete="CASCADE"), nullable=False, index=True),
)

assignment = Table(
    "assignment",
    metadata,
    id_column(),
    belongs_to("study"),
    belongs_to("prompt"),
    belongs_to("person", nullable=True),
    Column("rater", Text, nullable=False),
    Column("state", String(10), nullable=False),
    Column("stories", JSON, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("lease_until", UtcDateTime),
    Column("submitted_at", UtcDateTime),
    Column("valid", Boolean),
    Column("reason", Text, nullable=False),
    Column("guideline_version", String(40), nullable=False),
    Column("app_version", String(20), nullable=False),
    # What the slot is for, where that is one story and not the prompt's whole panel.
    belongs_to("story", nullable=True, ondelete="CASCADE"),
    Column("order_row", Integer),
    Column("overridden", Boolean, nullable=False, server_default=false()),
    Column("payment", String(10), nullable=False, server_default=""),
    Column("payment_reason", Text, nullable=False, server_default=""),
    Column("appeal", Text, nullable=False, server_default=""),
    Column("payment_category", String(20), nullable=False, server_default=""),
    Column("asked_at", UtcDateTime),  # when the form asked whether ratings far from their deductions are meant
    # What the slot is for, where that is a panel of pairs: `prompt_id` is then that of the first of them.
    belongs_to("pair_panel", nullable=True),
    Column("import_id", Integer),  # what brought it; no key, by which every study's end would look through all panels
    Index(
        "uq_assignment_claimed",  # nobody is handed a prompt twice; an import may hold several panels of one rater
        *("prompt_id", "person_id"),
        unique=True,
        sqlite_where=text("state <> 'imported' AND pair_panel_id IS NULL"),
        postgresql_where=text("state <> 'imported' AND pair_panel_id IS NULL"),
    ),
    Index("uq_assignment_pairs", "pair_panel_id", "person_id", unique=True),  # nor the same pairs
    CheckConstraint("state IN ('open', 'submitted', 'imported', 'surplus')", name="state"),
)

rating = Table(
    "rating",
    metadata,
    id_column(),
    belongs_to("assignment", index=False),
    belongs_to("story"),
    Column("raters", Integer, nullable=False, server_default="1"),  # of an import's means: how many are behind it
    Column("updated_at", UtcDateTime, nullable=False),
    Column("comment", Text, nullable=False, server_default=""),
    # Of a pair: which of the panel's it is, from 1, and the story that was shown beside this one, which stood first.
    Column("place", Integer, nullable=False, server_default="0"),
    Column("against_id", Integer, ForeignKey("story.id", ondelete="CASCADE"), index=True),
    UniqueConstraint("assignment_id", "story_id", "place"),
)

rating_value = Table(  # what a rating says of its story on one criterion; no row where nothing is said (any more)
    "rating_value",
    metadata,
    Column("rating_id", Integer, ForeignKey("rating.id", ondelete="CASCADE"), primary_key=True),
    Column("criterion", String(60), primary_key=True),
    Column("value", Float, nullable=False),
)

deduction = Table(
    "deduction",
    metadata,
    id_column(),
    belongs_to("rating", index=False),
    Column("error_type", Text, nullable=False),
    Column("points", Integer, nullable=False),
    Column("spans", JSON, nullable=False, server_default="[]"),  # evidence: [start, end) in code points of the story
    UniqueConstraint("rating_id", "error_type"),
)

training_answer = Table(
    "training_answer",
    metadata,
    id_column(),
    belongs_to("person", index=False),
    belongs_to("study"),
    Column("attempt", Integer, nullable=False),
    Column("item", Integer, nullable=False),
    Column("overall", Integer, nullable=False),
    Column("error_types", JSON, nullable=False),
    Column("correct", Boolean, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("person_id", "study_id", "attempt", "item"),
)

event = Table(
    "event",
    metadata,
    id_column(),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", String(40), nullable=False),
    # The log outlives what it speaks of, so these are plain numbers, not foreign keys.
    Column("study_id", Integer),
    Column("person_id", Integer),
    Column("detail", JSON, nullable=False),
    Index("ix_event_study_id_kind", "study_id", "kind"),
    Index("ix_event_study_id_id", "study_id", "id"),
)

signature = Table(
    "signature",
    metadata,
    id_column(),
    Column("metric", Text, nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("metric", "text"),
)

score_run = Table(
    "score_run",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    belongs_to("signature"),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("study_id", "signature_id"),
)

score = Table(
    "score",
    metadata,
    id_column(),
    belongs_to("signature", index=False),
    # Computed scores belong to a text, wherever it stands; imported ones to the story the file names.
    Column("content_hash", String(64)),
    Column("story_id", Integer, ForeignKey("story.id", ondelete="CASCADE")),
    Column("value", Float),
    Column("reason", Text, nullable=False),
    UniqueConstraint("signature_id", "content_hash"),
    UniqueConstraint("signature_id", "story_id"),
    Index("ix_score_story_id", "story_id"),
)

job = Table(
    "job",
    metadata,
    id_column(),
    Column("kind", String(20), nullable=False),
    belongs_to("study", nullable=True),
    belongs_to("person", nullable=True),
    Column("settings", JSON, nullable=False),
    Column("state", String(12), nullable=False, index=True),
    Column("runner", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("message", Text, nullable=False),
    Column("cancel_requested", Boolean, nullable=False),
    Column("result", JSON),
    Column("created_at", UtcDateTime, nullable=False),
    Column("started_at", UtcDateTime),
    Column("heartbeat_at", UtcDateTime),
    Column("ended_at", UtcDateTime),
    Column("seen_at", UtcDateTime),  # when whoever asked for it went to see how it had ended
    CheckConstraint("state IN ('queued','running','done','failed','cancelled','interrupted')", name="state"),
)

token_text = Table(
    "token_text",
    metadata,
    id_column(),
    Column("signature", Text, nullable=False),
    Column("text_hash", String(64), nullable=False),
    Column("packed", LargeBinary, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("signature", "text_hash"),
)

model_checkpoint = Table(
    "model_checkpoint",
    metadata,
    id_column(),
    Column("name", String(100), nullable=False, unique=True),
    Column("kind", String(40), nullable=False),
    Column("base", Text, nullable=False),
    Column("card", JSON, nullable=False),
    Column("place", Text, nullable=False),  # the folder's name: see core/checkpoints/store.py
    Column("weights_hash", String(64), nullable=False, unique=True),
    Column("created_at", UtcDateTime, nullable=False),
)

perception = Table(
    "perception",
    metadata,
    id_column(),
    belongs_to("study", index=True),
    Column("settings", JSON, nullable=False),
    Column("trained", JSON, nullable=False),  # see core/training/perception/scores.py
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,  # what was shown of a deleted one must never stand for another
)

test_set = Table(
    "test_set",
    metadata,
    id_column(),
    Column("name", String(200), nullable=False, unique=True),
    Column("test", String(20), nullable=False),
    Column("about", JSON, nullable=False),  # what it was made from and with: see core/perturb/test_sets/about.py
    Column("created_at", UtcDateTime, nullable=False),
    sqlite_autoincrement=True,  # a page that shows a deleted one must never show another
)

test_case = Table(
    "test_case",
    metadata,
    id_column(),
    belongs_to("test_set", index=False),
    Column("position", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("of", String(12), nullable=False),
    Column("aspect", Text, nullable=False),
    Column("label", Integer, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("original", Text, nullable=False),
    Column("text", Text),  # none: the original
    Column("steps", JSON, nullable=False),
    Column("edits", JSON, nullable=False),
    Column("acceptable", Float),
    Column("struck", Boolean, nullable=False),
    UniqueConstraint("test_set_id", "position"),
    Index("ix_test_case_test_set_id_aspect", "test_set_id", "aspect"),
)

test_run = Table(
    "test_run",
    metadata,
    id_column(),
    belongs_to("test_set", index=False),
    belongs_to("signature"),
    Column("updated_at", UtcDateTime, nullable=False),
    UniqueConstraint("test_set_id", "signature_id"),
)
