"""The tables of what researchers keep about stories: their notes, and selections under a name."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Table, Text, UniqueConstraint

from db.columns import UtcDateTime, belongs_to, id_column, metadata

story_note = Table(  # one of each person a story
    "story_note",
    metadata,
    id_column(),
    belongs_to("story", index=False),
    belongs_to("person", nullable=True),
    Column("text", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("story_id", "person_id"),
)

story_selection = Table(
    "story_selection",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    Column("name", String(100), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("study_id", "name"),
    sqlite_autoincrement=True,  # an address or a cached result of a deleted one must never mean another
)

selected_story = Table(
    "selected_story",
    metadata,
    Column("selection_id", Integer, ForeignKey("story_selection.id", ondelete="CASCADE"), primary_key=True),
    Column("story_id", Integer, ForeignKey("story.id", ondelete="CASCADE"), primary_key=True),
    Index("ix_selected_story_story_id", "story_id"),
)
