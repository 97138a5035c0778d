"""The human stories of a table by their prompts, in a temporary file."""

import json
from collections.abc import Iterator
from typing import Any

from core.formats.tables import reference_of
from core.scratch.temporary_tables import TemporaryTables
from core.stories import written_references

NEAR = 1_000
"""References that are remembered to see at once that one comes again."""
TABLE = """reference (place INTEGER PRIMARY KEY, prompt INTEGER, mark INTEGER, key INTEGER, entry TEXT)"""
"""Where they lie. Hashes: of the `prompt`'s key, of that and the text (`mark`, NULL for a row of the table), and of the
`key` that the story will have; `entry`: prompt's key, prompt and text as JSON.
"""


class References:
    """Those that are rows of the table, and those that stand in a column: the latter come in as stories of their own.
    They lie in the `tables`, one of which is `TABLE`.
    """

    def __init__(self, tables: TemporaryTables) -> None:
        self._tables = tables
        self._near: dict[int, None] = {}
        self._known: dict[str, str] = {}
        self._places = self._own = 0

    def __len__(self) -> int:
        """How many come in as stories of their own."""
        return self._own

    def add_row(self, prompt_key: str, prompt: str, text: str) -> None:
        """Take in a human story that is a row of the table."""
        self._add(prompt_key, prompt, text, None, None)

    def add(self, prompt_key: str, prompt: str, text: str) -> None:
        """Take in what stands in a column, each once a prompt."""
        mark = hash((prompt_key, text))
        if mark in self._near:
            return
        self._near[mark] = None
        if len(self._near) > NEAR:
            self._near.pop(next(iter(self._near)))
        self._add(prompt_key, prompt, text, mark, hash(reference_of(prompt_key, prompt, text).key))

    def _add(self, prompt_key: str, prompt: str, text: str, mark: int | None, key: int | None) -> None:
        entry = json.dumps([prompt_key, prompt, text])
        self._tables.add("reference", (self._places, hash(prompt_key), mark, key, entry))
        self._places += 1

    def settle(self) -> None:
        """Leave out what a column has twice, and let `written` find each."""
        if not self._places:
            return
        again = "SELECT place, row_number() OVER (PARTITION BY mark ORDER BY place) AS number FROM reference"
        again = f"SELECT place FROM ({again} WHERE mark IS NOT NULL) WHERE number > 1"
        self._tables.run(f"DELETE FROM reference WHERE place IN ({again})")
        self._tables.run("CREATE INDEX reference_of_prompt ON reference (prompt, place)")
        self._own = self._tables.number("SELECT count(*) FROM reference WHERE mark IS NOT NULL")

    def written(self, prompt_key: str) -> str:
        """A prompt's human stories, as they are written for a hash."""
        if not self._places:
            return ""
        known = self._known.get(prompt_key)
        if known is None:
            query = "SELECT entry FROM reference WHERE prompt = ? ORDER BY place"
            entries = [json.loads(entry) for (entry,) in self._tables.rows(query, (hash(prompt_key),))]
            known = written_references([text for key, _, text in entries if key == prompt_key])
            if len(self._known) > NEAR:
                self._known.clear()
            self._known[prompt_key] = known
        return known

    def own(self) -> Iterator[Any]:
        """Prompt's key, prompt and text of each that comes in as a story of its own, in the file's order."""
        for (entry,) in self._tables.rows("SELECT entry FROM reference WHERE mark IS NOT NULL ORDER BY place"):
            yield json.loads(entry)

    def first_taken(self, table: str) -> str | None:
        """The key of the first one whose hash stands among the keys of that table, or of a reference before it."""
        every = (
            f"SELECT key, -1 AS place FROM {table} UNION ALL SELECT key, place FROM reference WHERE mark IS NOT NULL"
        )
        numbered = f"SELECT place, row_number() OVER (PARTITION BY key ORDER BY place) AS number FROM ({every})"
        query = f"SELECT entry FROM reference WHERE place = (SELECT min(place) FROM ({numbered}) WHERE number > 1)"
        for (entry,) in self._tables.rows(query):
            return str(reference_of(*json.loads(entry)).key)
        return None
