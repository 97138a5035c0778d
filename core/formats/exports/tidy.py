"""A file of ratings alone, one a row, by Fabula or another program: most columns may be missing."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from core.analysis.judgments.repeats import repeats_text
from core.annotation.builtin import SCHEMES
from core.errors import InputError
from core.formats.exports.choice import FIELDS, ColumnChoice
from core.formats.exports.decoding import Sheet, later_fields, names_of, sheet_of
from core.formats.exports.restored import Restored, RestoredPanel, RestoredRating, is_pseudonym, panel_of, rating_of
from core.formats.tables import prompt_key_of, reference_of
from core.stories import Source, StoryRecord
from core.text_files import LONGEST_KEY, empty_notice

REQUIRED = ("story_id", "overall")
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
    fields = choice.fields(path.name, names, REQUIRED)
    if choice.defaults:
        later = later_fields(path, FIELDS, fields, names)
        fields |= {field: column for field, column in later.items() if field != "raters"}
    sheet = sheet_of(path, FIELDS, fields, names, dict(choice.rows))
    gathered = _Gathered(sheet, ours=set(_OURS) <= set(names))
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
    return Restored(
        sheet=sheet,
        manifest=None,
        scheme_key=gathered.scheme_key,
        stories=tuple(stories),
        panels=tuple(gathered.panels()),
        ratings=tuple(gathered.ratings),
        raters_identified=all(panel.person for panel in gathered.panels()),
        notices=notices + _on_scale(sheet, gathered.ratings, steps),
        scale=steps,
    )


def _on_scale(sheet: Sheet, ratings: Sequence[RestoredRating], steps: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    """That an end of the scale was never used, where one was given; raises InputError for a rating outside of it."""
    if not steps:
        return ()
    lowest, highest = steps[0][0], steps[-1][0]
    for rating in ratings:
        if not lowest <= rating.overall <= highest:
            what = f"a rating of {rating.overall:g} is outside the scale {lowest} to {highest}."
            raise sheet.problem(rating.number, "overall", what)
    least, most = min(rating.overall for rating in ratings), max(rating.overall for rating in ratings)
    if (least, most) == (lowest, highest):
        return ()
    return (f"The scale goes from {lowest} to {highest}, and the ratings from {least:g} to {most:g}.",)


@dataclass(frozen=True)
class _Begun:
    """A panel of which a row has been seen: its first row, and the stories with their places so far."""

    number: int
    first: dict[str, Any]
    person: bool
    shown: list[tuple[int, str]]


class _Gathered:
    """Panels as rows arrive: each has the rows of one annotator and prompt, or of one number of the column `panel`."""

    def __init__(self, sheet: Sheet, *, ours: bool) -> None:
        self.ratings: list[RestoredRating] = []
        self.stories: dict[str, StoryRecord] = {}
        self.scheme_key = ""
        self.loose_references = 0
        self._sheet = sheet
        self._ours = ours
        self._references: dict[tuple[str, str], int] = {}
        self._prompts: dict[str, str] = {}
        self._begun: dict[tuple[Any, ...], _Begun] = {}
        self._places: dict[tuple[Any, ...], int] = {}
        self._rated: set[tuple[int, str]] = set()
        self._unnamed: Counter[tuple[str, str]] = Counter()

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Take a row in; raises InputError where it contradicts one before it."""
        self._check(number, row)
        self._add_story(number, row)
        panel = row.get("panel") or ""
        averaged = (row.get("raters") or 1) > 1
        person = is_pseudonym(row["annotator"]) if self._ours else bool(row["annotator"])
        if averaged and person:
            what = f"a mean of {row['raters']} raters is of no single annotator; leave that column out."
            raise self._sheet.problem(number, "annotator", what)
        if not row["annotator"] and not self._ours:
            row["annotator"] = self._nameless(panel, row["story_id"], "mean" if averaged else "rater")
        key = (panel,) if self._ours else (panel, row["annotator"], row["prompt_id"])
        first = {column: row.get(column) for column in _OF_A_PANEL}
        begun = self._begun.setdefault(key, _Begun(number, first, person, []))
        self._check_same(number, first, begun)
        place = self._places.setdefault(key, len(self._places))
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

    def _check_same(self, number: int, row: dict[str, Any], begun: _Begun) -> None:
        """Every row says of its panel the same."""
        for column, value in row.items():
            if value != begun.first[column]:
                part = f"{self._sheet.unit} {begun.number} says {str(begun.first[column])[:40]!r} of the same panel."
                raise self._sheet.problem(number, column, part)

    def repeated(self) -> int:
        """How many ratings are not a rater's first of their story."""
        begun = list(self._begun.values())
        known = [
            (begun[rating.panel].first["annotator"], rating.story_key)
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
                begun.first,
                stories=tuple(story for _, story in sorted(begun.shown, key=itemgetter(0))),
                asked="",
                person=begun.person,
            )
            for begun in self._begun.values()
        ]
