"""What tables share: their collection, times, names of constraints, numbers of rows."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, DateTime, Dialect, ForeignKey, Integer, MetaData, TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """Aware UTC times on both databases; SQLite keeps no time zone of its own."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC).replace(tzinfo=None) if value is not None else None

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None else None


NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=NAMING)
"""Of all tables."""


metadata = MetaData(naming_convention=NAMING)
"""All tables: complete once `db.schema` is imported."""


def id_column() -> Column[int]:
    """A table's own number."""
    return Column("id", Integer, primary_key=True)


def belongs_to(
    table: str, *, nullable: bool = False, name: str | None = None, index: bool = True, ondelete: str | None = None
) -> Column[int]:
    """A row of another table: the one that names it goes with it, or, where it is `nullable`, stays without."""
    reference = ForeignKey(f"{table}.id", ondelete=ondelete or ("SET NULL" if nullable else "CASCADE"))
    return Column(name or f"{table}_id", Integer, reference, nullable=nullable, index=index)
