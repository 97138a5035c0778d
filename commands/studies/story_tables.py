"""`import stories`: tables read by the given options, and a summary of how they were read."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import InputError
from core.formats.columns import parts_of
from core.formats.scores import MetricColumn, scores_beside
from core.formats.tables import Table, choose_columns, read_table, repeats, select_rows, stories_of
from core.stories import Corpus, Source


@dataclass(frozen=True)
class TableReader:
    """What was said about tables: their columns and rows, which systems are controls, which columns hold scores."""

    columns: dict[str, str]
    rows: dict[str, str]
    sources: dict[str, Source]
    scores: Sequence[MetricColumn]
    once: bool

    def read(self, path: Path) -> Corpus:
        """One table's stories and scores, with what to know of how they were read."""
        table = select_rows(read_table(path), self.rows)
        chosen = choose_columns(table, self.columns)
        repeated = repeats(table, chosen)
        if repeated.of_ratings and not self.once:
            raise InputError(
                f"{table.name}: {repeated.sentence} "
                "Import it with `import fabula`, or take each story once with --once."
            )
        corpus = stories_of(table, chosen, defaults=False, sources=self.sources, once=self.once)
        keys = {story.key for story in corpus.stories if story.source is not Source.HUMAN}
        scores = scores_beside(path, table, chosen, self.scores, keys) if self.scores else ()
        notices = [
            *corpus.notices,
            *_called_like_controls(corpus),
            _read_from(table, chosen, [score.column or score.metric for score in self.scores]),
        ]
        if repeated.stories < repeated.rows and not self.once:
            notices.append(
                f"{repeated.rows - repeated.stories:,} rows of {table.name} repeat prompt, system and text of an "
                "earlier row, and came in as stories of their own; with --once each story comes in once."
            )
        return replace(corpus, scores=scores, notices=tuple(notices))

    def check_systems(self, corpora: Sequence[Corpus]) -> None:
        """Raise InputError where a system was named that no file has."""
        systems = sorted({story.system for corpus in corpora for story in corpus.stories if story.system})
        for name in self.sources:
            if name not in systems:
                known = ", ".join(systems)[:300] or "none; name their column with --map system=COLUMN"
                raise InputError(f"There is no system {name!r} in the file; there are: {known}.")


def _called_like_controls(corpus: Corpus) -> list[str]:
    """One sentence per system whose name says that its stories may be controls."""
    hints = {
        Source.HUMAN: "If people wrote them, they are human references, by which MANS panels are judged",
        Source.NEGATIVE: "If they were made bad on purpose, they are negative stories, by which MANS panels are judged",
    }
    counts = Counter(story.system for story in corpus.stories if story.source is Source.SYSTEM)
    return [
        f"{counts[name]:,} stories are of a system called {name!r} and came in like any other system's. "
        f"{hints[source]}: import into a new study with --{source}-system {shlex.quote(name)}."
        for name, source in corpus.called_like_controls().items()
    ]


def _read_from(table: Table, chosen: dict[str, str], scores: Sequence[str]) -> str:
    """Which column was read as what, and which were not."""
    read = ", ".join(f"{field} from {column}" for field, column in chosen.items())
    used = {part for column in (*chosen.values(), *scores) for part in parts_of(column, table.columns)}
    left = ", ".join(column for column in table.columns if column not in used)[:300]
    return f"{table.name}: {read}{f'; not read: {left}' if left else ''}."
