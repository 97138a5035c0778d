"""A file of ratings alone, one a row, by Fabula or another program: most columns may be missing."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from core.analysis.judgments.repeats import repeats_text
from core.annotation.builtin import SCHEMES
from core.annotation.criterion import OVERALL
from core.errors import InputError
from core.formats.columns import is_wording, plain
from core.formats.exports.choice import FIELDS, ColumnChoice
from core.formats.exports.criterion_columns import LONG, CriterionColumns
from core.formats.exports.decoding import Sheet, first_cells, later_fields, names_of, sheet_of
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
from core.formats.tables import prompt_key_of, reference_of
from core.stories import Source, StoryRecord, source_called
from core.text_files import LONGEST_KEY, empty_notice

REQUIRED = ("story_id", "overall")
"""Fields that a file has: of a story its text will do, and of ratings those on any criterion."""
_OURS = ("panel", "demonstration", "app_version")
"""Columns that together only an export has: there whoever is a person has a pseudonym."""
_OF_A_PANEL = (
    *("prompt_id", "annotator", "state", "valid", "reason", "overridden", "payment", "payment_category"),
    *("payment_reason", "appeal", "asked_at", "started_at", "submitted_at", "guideline_version", "app_version"),
)


def read_tidy(path: Path, tell: Callable[[int, int, str], None], choice: ColumnChoice) -> Restored:
    """Read such a file; `tell` hears how many rows are read. Raises InputError naming the cell that cannot be used.

    Without the column `story` the stories must be in the study already; then a panel's prompt is "" where the file does
    not name it, and its stories may be those of several prompts (see `Restored.placed`).
    """
    steps = choice.steps
    names = names_of(path, choice.wanted)
    if path.suffix.lower() == ".jsonl" and not names:
        raise InputError(f"{path.name} holds no ratings.")
    fields, criteria = _columns(path, names, choice)
    scored = {_score_field(column): column.column or column.metric for column in choice.scores}
    kinds = {**FIELDS, **dict.fromkeys([*criteria.fields(), *scored], "number")}
    sheet = sheet_of(path, kinds, fields | criteria.fields() | scored, names, dict(choice.rows))
    gathered = _Gathered(sheet, criteria, choice, ours=set(_OURS) <= set(names))
    for number, row in sheet.rows():
        gathered.add(number, row)
        if len(gathered.ratings) % 5_000 == 0:
            tell(len(gathered.ratings), 0, "Reading")
    if not gathered.ratings:
        having = " and ".join(f"{column}={value}" for column, value in choice.rows)
        raise InputError(f"{path.name} holds no ratings{f' with {having}' if having else ''}.")
    stories = gathered.every_story()
    notices = empty_notice([story.text for story in stories])
    if gathered.loose_references:
        what = f"{gathered.loose_references:,} ratings have a reference without the story's text"
        notices += (f"{what}: such references were left out; import them with the stories.",)
    if sheet.unknown:
        notices += (f"Columns that mean nothing here were left out: {', '.join(sheet.unknown)[:300]}.",)
    if repeated := gathered.repeated():
        notices += (repeats_text(repeated),)
    notices += gathered.notes()
    panels = tuple(gathered.panels())
    return Restored(
        sheet=sheet,
        manifest=None,
        scheme_key=gathered.scheme_key,
        stories=tuple(stories),
        panels=panels,
        ratings=tuple(gathered.ratings),
        raters_identified=all(panel.person for panel in panels),
        notices=notices + _on_scale(sheet, gathered.ratings, steps),
        scores=tuple(gathered.scores(path)),
        scale=steps,
        criteria=gathered.criteria(),
    )


def _score_field(column: MetricColumn) -> str:
    return f"score {column.metric}"


def _columns(path: Path, names: Sequence[str], choice: ColumnChoice) -> tuple[dict[str, str], CriterionColumns]:
    """The columns of the fields, and those of the criteria; raises InputError where too little is there."""
    fields = choice.fields(path.name, names, ())
    criteria = choice.criterion_columns(path.name, names, fields.values())
    human = next((name for name in names if plain(name) == "human"), None)
    if human and criteria.columns and choice.defaults and any(map(is_wording, first_cells(path, human))):
        fields.setdefault("reference", human)
    if OVERALL in criteria.columns:
        fields.pop(OVERALL, None)
    have = {*fields, *([OVERALL] if criteria.columns or "criteria" in fields else [])}
    if "story" in fields:
        have.add("story_id")
    choice.check_required(path.name, names, [field for field in REQUIRED if field not in have])
    if choice.defaults:
        later = later_fields(path, FIELDS, fields, names)
        skipped = (
            {"raters"} | ({OVERALL} if criteria.columns else set()) | ({"story_id"} if "story" in fields else set())
        )
        fields |= {field: column for field, column in later.items() if field not in skipped}
    return fields, criteria


def _on_scale(sheet: Sheet, ratings: Sequence[RestoredRating], steps: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    """That an end of the scale was never used, where one was given; raises InputError for a rating outside of it."""
    if not steps:
        return ()
    lowest, highest = steps[0][0], steps[-1][0]
    for rating in ratings:
        for name, value in rating.values.items():
            if not lowest <= value <= highest:
                what = f"a rating of {value:g} is outside the scale {lowest} to {highest}."
                raise sheet.problem(rating.number, name if name == OVERALL else f"criterion 0 {name}", what)
    every = [value for rating in ratings for value in rating.values.values()]
    least, most = min(every), max(every)
    if (least, most) == (lowest, highest):
        return ()
    return (f"The scale goes from {lowest} to {highest}, and the ratings from {least:g} to {most:g}.",)


@dataclass(frozen=True, slots=True)
class _Begun:
    """A panel of which a row has been seen: where it stands among the panels, what its first row says (`_OF_A_PANEL`),
    and the stories with their places so far.
    """

    number: int
    place: int
    first: tuple[Any, ...]
    person: bool
    shown: list[tuple[int, str]]


class _Gathered:
    """Panels as rows arrive: each has the rows of one annotator and prompt, or of one number of the column `panel`."""

    def __init__(self, sheet: Sheet, columns: CriterionColumns, choice: ColumnChoice, *, ours: bool) -> None:
        self.ratings: list[RestoredRating] = []
        self.stories: dict[str, StoryRecord] = {}
        self.scheme_key = ""
        self.loose_references = 0
        self._sheet = sheet
        self._columns = columns
        self._choice = choice
        self._scores: dict[tuple[MetricColumn, str], float] = {}
        self._ours = ours
        self._people: Counter[str] = Counter()
        self._kinds: dict[bool, int] = {}
        self._references: dict[tuple[str, str], int] = {}
        self._prompts: dict[str, str] = {}
        self._begun: dict[tuple[Any, ...], _Begun] = {}
        self._rated: set[tuple[int, str]] = set()
        self._unnamed: Counter[tuple[str, str]] = Counter()

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Take a row in; raises InputError where it contradicts one before it."""
        self._name_story(row)
        self._check(number, row)
        self._add_story(number, row)
        if self._choice.raters:
            row["raters"] = self._choice.raters
        for metric in self._choice.scores:
            value = row[_score_field(metric)]
            if value is not None:
                self._scores.setdefault((metric, row["story_id"]), -value if metric.negate else value)
        for rater in range(self._columns.raters):
            cells = {name: row[self._columns.field(name, rater)] for name in self._columns.columns}
            values = {name: value for name, value in cells.items() if value is not None}
            if self._columns.raters == LONG:
                self._add_rating(number, {**row, "values": values})
            elif values:
                self._add_rating(number, {**row, "values": values, "annotator": ""}, f"rater {rater + 1}")

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
        key = (panel,) if self._ours else (panel, row["annotator"], row["prompt_id"])
        first = tuple(map(row.get, _OF_A_PANEL))
        begun = self._begun.get(key)
        if begun is None:
            begun = self._begun[key] = _Begun(number, len(self._begun), first, person, [])
        self._check_same(number, first, begun)
        place = begun.place
        rating = rating_of(self._sheet, number, row, place)
        if (place, row["story_id"]) in self._rated:
            apart = (
                f" in the panel {panel[:60]!r}."
                if panel
                else "; if in two panels, name the column of their ids (panel)."
            )
            what = f"{row['annotator'][:60]!r} rates {row['story_id'][:60]!r} twice{apart}"
            raise self._sheet.problem(number, "story_id", what)
        self._rated.add((place, row["story_id"]))
        begun.shown.append((row.get("position") or 0, row["story_id"]))
        self.ratings.append(rating)

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
            said = "\0".join((row.get("prompt") or "", row.get("system") or "", row["story"]))
            row["story_id"] = f"story-{hashlib.sha256(said.encode()).hexdigest()[:12]}"
        if not row.get("source") and not self._ours:
            source = source_called(row.get("system") or "")
            if source is not Source.SYSTEM:
                row["source"] = source
                self._people[f"{row['system']} ({source})"] += 1

    def criteria(self) -> tuple[str, ...]:
        """The criteria that the ratings are on, in the order of the file."""
        return tuple(dict.fromkeys(name for rating in self.ratings for name in rating.values))

    def scores(self, path: Path) -> Iterator[RestoredScore]:
        """The stories' scores that stand beside their ratings, the first one of each."""
        signatures = {
            metric: signature_of(path, metric.column or metric.metric, negated=metric.negate)
            for metric in self._choice.scores
        }
        for (metric, story), value in self._scores.items():
            yield RestoredScore(story, metric.metric, signatures[metric], value, "")

    def notes(self) -> tuple[str, ...]:
        """What was read as what, where the file does not say so itself."""
        names, notes = self.criteria(), []
        if names != (OVERALL,) and self._choice.criteria is None and not self._ours:
            notes.append(f"Criteria found by the columns' names: {', '.join(names)}.")
        for name in names:
            lacking = sum(name not in rating.values for rating in self.ratings)
            if lacking:
                notes.append(f"{lacking:,} of {len(self.ratings):,} ratings say nothing on {name}.")
        if self._people:
            notes.append(f"Told by their names to be no system's: {', '.join(self._people)}.")
        between = sum(any(value % 1 for value in rating.values.values()) for rating in self.ratings)
        known = self._choice.raters or self._choice.scale or True in self._kinds or self._ours
        if between > len(self.ratings) / 3 and not known:
            notes.append(
                f"{between:,} of {len(self.ratings):,} ratings are no whole numbers. If they are means, import "
                "them with the number of raters, or their agreement is taken for that of single ratings."
            )
        return tuple(notes)

    def _nameless(self, panel: str, story: str, what: str) -> str:
        """What stands for a rater who is not named: the panel, else the place among the story's ratings."""
        if panel:
            return f"panel {panel}"[:LONGEST_KEY]
        self._unnamed[story, what] += 1
        return f"{what} {self._unnamed[story, what]}"

    def _check(self, number: int, row: dict[str, Any]) -> None:
        row["annotator"] = row.get("annotator") or ""
        row["source"] = (row.get("source") or Source.SYSTEM).lower()
        for column in ("story_id", "prompt_id", "system", "panel"):
            if len(row.get(column) or "") > LONGEST_KEY:
                raise self._sheet.problem(number, column, f"an id or name has at most {LONGEST_KEY} characters.")
        if not row["story_id"]:
            raise self._sheet.problem(number, "story_id", "there is no id of a story.")
        if row["source"] not in set(Source):
            what = f"a source is human, system or negative, not {row['source'][:20]!r}."
            raise self._sheet.problem(number, "source", what)
        scheme = row.get("scheme") or self.scheme_key
        if scheme and (scheme not in SCHEMES or self.scheme_key not in ("", scheme)):
            what = f"there is one scheme a file, of {', '.join(SCHEMES)}; not {scheme[:20]!r}."
            raise self._sheet.problem(number, "scheme", what)
        self.scheme_key = scheme

    def _add_story(self, number: int, row: dict[str, Any]) -> None:
        """Keep the story's text where the file has it, and say which prompt it belongs to."""
        row["prompt_id"] = row.get("prompt_id") or ""
        if not row.get("story"):
            self.loose_references += bool(row.get("reference"))
            return
        prompt = row.get("prompt") or ""
        row["prompt_id"] = row["prompt_id"] or prompt_key_of(prompt) or row["story_id"]
        record = StoryRecord(
            row["story_id"], row["prompt_id"], prompt, row["story"], Source(row["source"]), row.get("system") or ""
        )
        if self.stories.setdefault(record.key, record) != record:
            what = f"{record.key[:60]!r} has another text, prompt, source or system further up."
            raise self._sheet.problem(number, "story_id", what)
        if self._prompts.setdefault(record.prompt_key, prompt) != prompt:
            what = f"the prompt {record.prompt_key[:60]!r} has another text further up."
            raise self._sheet.problem(number, "prompt", what)
        if row.get("reference"):
            self._references.setdefault((record.prompt_key, row["reference"]), number)

    def every_story(self) -> list[StoryRecord]:
        """The rated stories, and the references that are not among them."""
        human = {(story.prompt_key, story.text) for story in self.stories.values() if story.source is Source.HUMAN}
        result = dict(self.stories)
        for (prompt_key, text), number in self._references.items():
            if (prompt_key, text) in human:
                continue
            record = reference_of(prompt_key, self._prompts[prompt_key], text)
            if result.setdefault(record.key, record) != record:
                what = f"the id {record.key[:60]!r} of a story is needed for this reference; rename the story's id."
                raise self._sheet.problem(number, "reference", what)
        return list(result.values())

    def _check_same(self, number: int, said: tuple[Any, ...], begun: _Begun) -> None:
        """Every row says of its panel the same."""
        if said == begun.first:
            return
        for column, value, first in zip(_OF_A_PANEL, said, begun.first, strict=True):
            if value != first:
                part = f"{self._sheet.unit} {begun.number} says {str(first)[:40]!r} of the same panel."
                raise self._sheet.problem(number, column, part)

    def repeated(self) -> int:
        """How many ratings are not a rater's first of their story."""
        begun = list(self._begun.values())
        known = [
            (begun[rating.panel].first[_OF_A_PANEL.index("annotator")], rating.story_key)
            for rating in self.ratings
            if begun[rating.panel].person
        ]
        return len(known) - len(set(known))

    def panels(self) -> list[RestoredPanel]:
        """The panels, in the order in which they began."""
        return [
            panel_of(
                self._sheet,
                begun.number,
                dict(zip(_OF_A_PANEL, begun.first, strict=True)),
                stories=tuple(story for _, story in sorted(begun.shown, key=itemgetter(0))),
                asked="",
                person=begun.person,
            )
            for begun in self._begun.values()
        ]
