"""What the rows of a file of ratings say, taken in one by one: what they bring, and hashes of what has been seen of
them, lie in temporary files.
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.analysis.judgments.repeats import repeats_text
from core.annotation.builtin import SCHEMES
from core.annotation.criterion import OVERALL
from core.annotation.scale import scale_between
from core.formats.columns import scale_in
from core.formats.exports.cell_kinds import VOTE_SCALE
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.criterion_columns import LONG, CriterionColumns
from core.formats.exports.decoding import Sheet
from core.formats.exports.gathered_stories import GatheredStories
from core.formats.exports.gathered_values import GatheredValues
from core.formats.exports.restored import (
    Restored,
    RestoredPanel,
    RestoredRating,
    RestoredScore,
    is_pseudonym,
    panel_of,
    rating_of,
)
from core.formats.scores import MetricColumn, signature_of
from core.scratch.hash_table import HashTable
from core.scratch.number_list import NumberList
from core.scratch.spool import Spool
from core.stories import Source, name_of, source_called
from core.text_files import LONGEST_KEY
from core.wording import so_many

_OF_A_PANEL = (
    *("prompt_id", "annotator", "state", "valid", "reason", "overridden", "payment", "payment_category"),
    *("payment_reason", "appeal", "asked_at", "started_at", "submitted_at", "guideline_version", "app_version"),
)


def score_field(column: MetricColumn) -> str:
    """What the cell of a metric's score is called among a row's fields."""
    return f"score {column.metric}"


@dataclass(frozen=True, slots=True)
class _Begun:
    """The first row of a panel: its line, and what it says of the panel (`_OF_A_PANEL`)."""

    number: int
    said: tuple[Any, ...]


class Gathered:
    """Panels as rows arrive: each has the rows of one annotator and prompt, or of one number of the column `panel`."""

    def __init__(self, sheet: Sheet, columns: CriterionColumns, choice: ColumnChoice, *, ours: bool) -> None:
        self.ratings = Spool(RestoredRating)
        self._sheet, self._columns, self._choice, self._ours = sheet, columns, choice, ours
        self._panels, self._scores = Spool(RestoredPanel), Spool(RestoredScore)
        self._stories = GatheredStories(sheet)
        self._values = GatheredValues(sheet, choice.steps)
        self._scheme_key = ""
        self._signatures = {
            metric: signature_of(sheet.path, metric.column or metric.metric, negated=metric.negate)
            for metric in choice.scores
        }
        self._scored, self._rated, self._known_ratings = HashTable(), HashTable(), HashTable()
        self._people: Counter[tuple[Source, str]] = Counter()
        self._kinds: dict[bool, int] = {}
        self._places, self._begun = HashTable(), Spool(_Begun)
        self._said, self._persons = NumberList(), NumberList()
        self._unnamed = HashTable()
        self._repeated = 0

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Take a row in; raises InputError where it contradicts one before it."""
        self._name_story(row)
        self._check(number, row)
        self._stories.add(number, row)
        if self._choice.raters:
            row["raters"] = self._choice.raters
        for metric in self._choice.scores:
            value = row[score_field(metric)]
            if value is not None and self._scored.add(hash((metric, row["story_id"]))):
                signed = -value if metric.negate else value
                self._scores.append(RestoredScore(row["story_id"], metric.metric, self._signatures[metric], signed, ""))
        for rater in range(self._columns.raters):
            cells = {name: row[self._columns.field(name, rater)] for name in self._columns.columns}
            values = {name: value for name, value in cells.items() if value is not None}
            if self._columns.raters == LONG:
                self._add_rating(number, {**row, "values": values})
            elif values:
                averaged = (row.get("raters") or 1) > 1  # which is nobody's
                person = self._columns.people[rater] if self._columns.people and not averaged else ""
                self._add_rating(number, {**row, "values": values, "annotator": person}, f"rater {rater + 1}")

    def _add_rating(self, number: int, row: dict[str, Any], called: str = "") -> None:
        """Take in one rater's rating; `called`: what stands for the rater of a column."""
        panel = row.get("panel") or ""
        averaged = (row.get("raters") or 1) > 1
        self._check_kind(number, averaged=averaged)
        person = is_pseudonym(row["annotator"]) if self._ours else bool(row["annotator"])
        if averaged and person:
            what = f"a mean of {row['raters']} raters is of no single annotator; leave that column out."
            raise self._sheet.problem(number, "annotator", what)
        if not row["annotator"] and not self._ours:
            row["annotator"] = called or self._nameless(panel, row["story_id"], "mean" if averaged else "rater")
        place = self._panel(number, row, panel, person=person)
        rating = rating_of(self._sheet, number, row, place)
        if not self._rated.add(hash((place, row["story_id"]))):
            apart = (
                f" in the panel {panel[:60]!r}."
                if panel
                else "; if in two panels, name the column of their ids (panel)."
            )
            what = f"{row['annotator'][:60]!r} rates {row['story_id'][:60]!r} twice{apart}"
            raise self._sheet.problem(number, "story_id", what)
        if self._persons[place]:
            self._repeated += not self._known_ratings.add(hash((row["annotator"], row["story_id"])))
        self._values.add(rating)
        self.ratings.append(rating)

    def _panel(self, number: int, row: dict[str, Any], panel: str, *, person: bool) -> int:
        """The place of a row's panel, which may begin here; every row says of its panel the same."""
        key = hash((panel,) if self._ours else (panel, row["annotator"], row["prompt_id"]))
        said = tuple(map(row.get, _OF_A_PANEL))
        place = self._places.setdefault(key, len(self._panels))
        if place == len(self._panels):
            self._panels.append(panel_of(self._sheet, number, row, stories=(), asked="", person=person))
            self._begun.append(_Begun(number, said))
            self._said.append(hash(said))
            self._persons.append(person)
        elif self._said[place] != hash(said):
            begun = self._begun[place]
            for column, value, first in zip(_OF_A_PANEL, said, begun.said, strict=True):
                if value != first:
                    what = f"{self._sheet.unit} {begun.number} says {str(first)[:40]!r} of the same panel."
                    raise self._sheet.problem(number, column, what)
        return place

    def _check_kind(self, number: int, *, averaged: bool) -> None:
        """Single ratings and means are two kinds of data: a file has one of them, unless we wrote it."""
        self._kinds.setdefault(averaged, number)
        if len(self._kinds) > 1 and not self._ours:
            one, other = ("a mean of several raters", "a single rating") if averaged else ("a single rating", "a mean")
            what = (
                f"this is {one}, and {self._sheet.unit} {self._kinds[not averaged]} is {other}; give ratings and means "
                "a file each."
            )
            raise self._sheet.problem(number, "raters", what)

    def _name_story(self, row: dict[str, Any]) -> None:
        """A story without an id is known by what it says, so that each of its ratings finds it."""
        if "story_id" not in row and row.get("story"):
            row["story_id"] = name_of(row.get("prompt") or "", row.get("system") or "", row["story"])
        if not row.get("source") and not self._ours:
            source = _called(row.get("system") or "")
            if source is not Source.SYSTEM:
                row["source"] = source
                self._people[source, row["system"]] += 1

    def _nameless(self, panel: str, story: str, what: str) -> str:
        """What stands for a rater who is not named: the panel, else the place among the story's ratings."""
        if panel:
            return f"panel {panel}"[:LONGEST_KEY]
        return f"{what} {self._unnamed.count(hash((story, what)))}"

    def _check(self, number: int, row: dict[str, Any]) -> None:
        row["annotator"] = row.get("annotator") or ""
        row["source"] = (row.get("source") or Source.SYSTEM).lower()
        for column in ("story_id", "prompt_id", "system", "panel"):
            if len(row.get(column) or "") > LONGEST_KEY:
                raise self._sheet.problem(number, column, f"an id or name has at most {LONGEST_KEY} characters.")
        if not row["story_id"]:
            raise self._sheet.problem(number, "story_id", "there is no id of a story.")
        if row["source"] not in _SOURCES:
            what = f"a source is human, system or negative, not {row['source'][:20]!r}."
            raise self._sheet.problem(number, "source", what)
        scheme = row.get("scheme") or self._scheme_key
        if scheme and (scheme not in SCHEMES or self._scheme_key not in ("", scheme)):
            what = f"there is one scheme a file, of {', '.join(SCHEMES)}; not {scheme[:20]!r}."
            raise self._sheet.problem(number, "scheme", what)
        self._scheme_key = scheme

    def restored(self, warned_of: Collection[str]) -> Restored:
        """All that the file brings, when no row comes any more. `warned_of`: unused columns that a warning names.
        Raises InputError for a reference whose id a story has, and for a rating outside of the scale that was given.
        """
        stories = self._stories.settled()
        self._values.check()
        return Restored(
            sheet=self._sheet,
            manifest=None,
            scheme_key=self._scheme_key,
            stories=stories,
            panels=self._panels,
            ratings=self.ratings,
            raters_identified=all(self._persons),
            notices=self._notices(warned_of),
            scores=self._scores,
            scale=self._choice.steps or self._scale_in_names() or (VOTE_SCALE if self._sheet.votes else ()),
            criteria=self._values.criteria,
            ends=self._values.ends,
        )

    def _scale_in_names(self) -> tuple[tuple[int, str], ...]:
        """The steps of the scale that all columns with ratings name, as in "Fluency (1-7)", if it holds the ratings."""
        columns = [column for own in self._columns.columns.values() for column in own]
        columns += [self._sheet.named[OVERALL]] if OVERALL in self._sheet.named else []
        named = {scale_in(column) for column in columns}
        scale = named.pop() if len(named) == 1 else None
        least, most = self._values.ends
        if scale is None or not scale[0] <= least.value <= most.value <= scale[1]:
            return ()
        return scale_between(f"{scale[0]}..{scale[1]}")

    def _notices(self, warned_of: Collection[str]) -> tuple[str, ...]:
        """What was read as what, where the file does not say so itself."""
        notices = list(self._stories.notices())
        notices += self._sheet.commas.notices
        if votes := self._sheet.votes.total():
            notices.append(f"{so_many(votes, 'rating')} in words: yes (or true) was read as 1, no (or false) as 0.")
        notices += self._sheet.unused(warned_of)
        if self._repeated:
            notices.append(repeats_text(self._repeated))
        names = self._values.criteria
        if names != (OVERALL,) and self._choice.criteria is None and not self._ours:
            notices.append(f"Criteria found by the columns' names: {', '.join(names)}.")
        if self._columns.people and any(self._persons):
            notices.append(self._columns.people_text())
        notices += self._values.lacking()
        for source, what in ((Source.HUMAN, "people's"), (Source.NEGATIVE, "negative")):
            if called := [f"“{system}”" for kind, system in self._people if kind is source]:
                notices.append(
                    f"By their names, the stories of {', '.join(called)[:300]} count as {what}. If a system wrote "
                    "them, say so in a column “source”: system."
                )
        known = self._choice.raters or self._choice.scale or True in self._kinds or self._ours
        return (*notices, *(() if known else self._values.between()), *self._values.unused())


_SOURCES = frozenset(Source)
_called = lru_cache(1_000)(source_called)
