"""An import as its study remembers it: of what files it was, what it brought, and what goes where it is taken back."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from core.stories import Source
from core.wording import so_many

STORIES, RATINGS, EXPORT = "Stories", "Ratings", "Fabula's export"
PREFERENCES, SCORES, JUDGES = "Preferences", "Metric scores", "Judges' ratings"
"""Kinds of imports; those of other programs' formats are called as these are."""
NAMED = 3
"""Files of one import that are named, and metrics."""


@dataclass(frozen=True)
class Origin:
    """What an import was read from: the kind, in words, and the names of the files."""

    kind: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportCounts:
    """Stories by source, ratings, and the metrics whose scores came without stories."""

    stories: Mapping[Source, int]
    ratings: int = 0
    metrics: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All that there is any of."""
        return _in_words(self.stories, self.ratings, _named(tuple(dict.fromkeys(self.metrics))))


@dataclass(frozen=True)
class RowsLeftOut:
    """What of a file did not come in, as it was asked for, in a `sentence`. `rows`: how many of the file's, `why` in a
    few words; 0 and "" of an import that kept the sentence alone.
    """

    sentence: str
    rows: int = 0
    why: str = ""


def left_out_briefly(left_out: Sequence[RowsLeftOut]) -> str:
    """How many rows imports left out, and why, to stand beside a number: "27 more rows were left out at the import:
    rejected on MTurk"; "" where nothing was.
    """
    rows: Counter[str] = Counter()
    for one in left_out:
        rows[one.why] += one.rows
    number = rows.total()
    if not number:
        return ""
    reasons = [why for why, many in rows.items() if many]
    why = reasons[0] if len(reasons) == 1 else ", ".join(f"{why} ({rows[why]:,})" for why in reasons)
    return f"{so_many(number, 'more row')} {'was' if number == 1 else 'were'} left out at the import: {why}"


@dataclass(frozen=True)
class PastImport:
    """One import. `at` in UTC; `who` made it, "" for the terminal. `left_out`: what of the files did not come in as it
    was asked for.
    """

    id: int
    at: datetime
    who: str
    origin: Origin
    brought: ImportCounts
    left_out: tuple[RowsLeftOut, ...] = ()

    @property
    def name(self) -> str:
        """What the files are called, and where that is not known the kind."""
        return _named(self.origin.files) or self.origin.kind


@dataclass(frozen=True)
class TakingBack:
    """What goes where an import is taken back: what is there of what it `brought`, negative stories that were `made`
    for its prompts, `notes` on its stories. `refusal`: why it stays, "" where it can go.
    """

    brought: ImportCounts
    made: int = 0
    notes: int = 0
    refusal: str = ""

    @property
    def sentence(self) -> str:
        """What is removed."""
        parts = [self.brought.words or "nothing that is there any more"]
        if any(self.brought.stories.values()):
            alone = sum(self.brought.stories.values()) == 1
            theirs = "the stories'" if self.brought.ratings else "its" if alone else "their"
            parts[0] += f", with {theirs} scores"
        if self.made:
            parts.append(f"{so_many(self.made, 'negative story', 'negative stories')} that Fabula made for its prompts")
        if self.notes:
            parts.append(so_many(self.notes, "note"))
        return f"This removes {'; '.join(parts)}."


def counts_text(kinds: Mapping[Source, int], ratings: int, metrics: int) -> str:
    """What a file holds; what there is none of is left out."""
    return _in_words(kinds, ratings, so_many(metrics, "metric") if metrics else "")


def asks_now(before: Sequence[str], now: Sequence[str]) -> str:
    """Which criteria a study's form asks for since an import brought others than those of `before`; "" where it brought
    none.
    """
    if tuple(before) == tuple(now):
        return ""
    return f"Its form asks for {', '.join(now)} now, in place of {', '.join(before)}."


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _in_words(kinds: Mapping[Source, int], ratings: int, scored_by: str) -> str:
    counts = (
        (kinds.get(Source.SYSTEM, 0), "story", "stories"),
        (kinds.get(Source.HUMAN, 0), "human reference", ""),
        (kinds.get(Source.NEGATIVE, 0), "negative story", "negative stories"),
        (ratings, "rating", ""),
    )
    words = [so_many(number, name, many) for number, name, many in counts if number]
    words += [f"scores of {scored_by}"] if scored_by else []
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
