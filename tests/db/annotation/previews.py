"""What several tests of previews share."""

from sqlalchemy import func, select

from db.engine import reading
from db.schema import metadata


def rows() -> dict[str, int]:
    """How many rows every table has."""
    with reading() as connection:
        return {
            name: connection.scalar(select(func.count()).select_from(table)) or 0
            for name, table in metadata.tables.items()
        }
