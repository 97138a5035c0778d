"""The table of what studies remember of imports."""

from sqlalchemy import JSON, Column, Integer, String, Table

from db.columns import UtcDateTime, belongs_to, id_column, metadata

study_import = Table(  # until it is taken back
    "study_import",
    metadata,
    id_column(),
    belongs_to("study"),
    belongs_to("person", nullable=True),
    Column("at", UtcDateTime, nullable=False),
    Column("kind", String(60), nullable=False),
    Column("files", JSON, nullable=False),
    # Its stories are those at these positions: whoever stores some holds the study, and nothing takes a place again.
    Column("first_position", Integer, nullable=False),
    Column("end_position", Integer, nullable=False),
    Column("brought", JSON, nullable=False),  # numbers, what was left out: see core/annotation/past_imports.py
    Column("signatures", JSON, nullable=False),  # of scores that came without stories, and their metrics
    Column("settings", JSON, nullable=False),  # the study's columns that it changed, before and after
    sqlite_autoincrement=True,  # a panel of one that was taken back must never be another's
)
