"""All published tables, paper by paper."""

from core.published import hanna, naturalness, openmeva, perception, union
from core.published.tables import PublishedTable

TABLES: tuple[PublishedTable, ...] = (
    *union.TABLES,
    *openmeva.TABLES,
    *perception.TABLES,
    *naturalness.TABLES,
    *hanna.TABLES,
)
