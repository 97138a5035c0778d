"""The table of the reports that a link shows to anybody."""

from sqlalchemy import Column, LargeBinary, Table, Text

from db.columns import UtcDateTime, belongs_to, id_column, metadata

shared_report = Table(
    "shared_report",
    metadata,
    id_column(),
    belongs_to("study"),
    belongs_to("person", nullable=True),
    Column("metric", Text, nullable=False),  # as the report calls it
    Column("made_at", UtcDateTime, nullable=False),
    Column("page", LargeBinary, nullable=False),  # HTML, as gzip has it
    sqlite_autoincrement=True,  # a link that was ended must never show another report
)
