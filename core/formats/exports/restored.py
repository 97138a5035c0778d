"""The content of an import of ratings, checked for consistency: stories, panels, ratings, each with its place in the
file.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from core.annotation.criterion import OVERALL
from core.annotation.past_imports import RowsLeftOut
from core.annotation.quality import Payment
from core.annotation.submission import checked_comment
from core.errors import InputError
from core.formats.exports.decoding import Sheet
from core.formats.manifest import Manifest
from core.formats.stories.empty_rows import NO_ROWS, EmptyRows
from core.formats.stories.lacking import Lacking
from core.stories import StoryRecord

STATES = ("open", "submitted", "imported", "surplus")
MOST_RATERS = 1_000_000
_PSEUDONYM = re.compile(r"(annotator|researcher|owner)-[0-9a-f]{16}")
_MOST = {"annotator": 200, "guideline_version": 40, "app_version": 20, "payment_category": 20}
"""Characters that the database takes."""
_NONE: dict[str, Any] = {}
"""What most ratings have of deductions and evidence: one for all, as a million of them would take 130 MB."""


def is_pseudonym(annotator: str) -> bool:
    """Whether an export made this name for a person."""
    return _PSEUDONYM.fullmatch(annotator) is not None


@dataclass(frozen=True, slots=True)
class RestoredPanel:
    """A panel as `rows.ExportedPanel`. `number`: its line. `person`: whether `annotator` is one and the same person
    wherever the name stands, or merely a column of ratings. Without a time it is the import's; "" of a version is the
    study's and the program's own.
    """

    number: int
    prompt_key: str
    story_key: str
    annotator: str
    person: bool
    stories: tuple[str, ...]
    order_row: int | None
    state: str
    valid: bool | None
    reason: str
    overridden: bool
    payment: str
    payment_category: str
    payment_reason: str
    appeal: str
    asked_at: datetime | None
    started_at: datetime | None
    submitted_at: datetime | None
    guideline_version: str
    app_version: str
    pair_panel: int | None = None


@dataclass(frozen=True, slots=True)
class RestoredRating:
    """A rating; `panel` counts from 0 in `Restored.panels`, `number` is its line. `values` by criterion. `raters`: 1,
    or how many a mean is of. `evidence` by error type. `pair`: which of a panel's pairs it is, from 1, and
    `compared_with` the story beside it; 0 and "" of a story by itself. `position`: its story's place in a panel whose
    stories nothing else tells.
    """

    number: int
    panel: int
    story_key: str
    values: dict[str, float]
    raters: int
    deductions: dict[str, int]
    evidence: dict[str, list[list[int]]]
    evidence_text: dict[str, list[str]] | None
    saved_at: datetime | None
    comment: str = ""
    pair: int = 0
    compared_with: str = ""
    position: int = 0

    @property
    def overall(self) -> float | None:
        """The overall rating, None where there is none."""
        return self.values.get(OVERALL)


@dataclass(frozen=True)
class RestoredScore:
    """A score of a story, `value` None where it is undefined for this `reason`."""

    story_key: str
    metric: str
    signature: str
    value: float | None
    reason: str


@dataclass(frozen=True)
class RatedValue:
    """A number of a file, the line or row that it stands in, and the criterion that it is on."""

    value: float
    number: int
    criterion: str


@dataclass(frozen=True)
class Restored:
    """All that one export, or one file of ratings, brings; of a long one, `Spool`s.

    `manifest` is None for a file of ratings alone; then `scheme_key` is what the file says, "" where it does not,
    `stories` are those whose text it has, and panels of single stories hold none yet: they have those that were rated,
    and are cut by prompts where the stories are known. `sheet` is the file of the ratings, for messages. `scale`: the
    steps and labels that its ratings are on, where that was said; a file that does not say is on the study's own.
    `criteria`: what a file of ratings alone has ratings of; an export's form says that. `ends`: its lowest and highest
    rating, each the first of several. `empty`: the rows of a file of ratings alone whose story is empty; `nameless`:
    those of them that have no id either, unless they were left out: nobody knows what they rate. `lacking`: what its
    stories lack. `left_out`: what did not come in, as it was asked for. `rejected`: rows whose work was
    rejected on MTurk, of a file of which all rows count.
    """

    sheet: Sheet
    manifest: Manifest | None
    scheme_key: str
    stories: Sequence[StoryRecord]
    panels: Sequence[RestoredPanel]
    ratings: Sequence[RestoredRating]
    raters_identified: bool
    notices: tuple[str, ...] = ()
    scores: Sequence[RestoredScore] = ()
    scale: tuple[tuple[int, str], ...] = ()
    criteria: tuple[str, ...] = (OVERALL,)
    ends: tuple[RatedValue, RatedValue] | None = None
    empty: EmptyRows = NO_ROWS
    nameless: EmptyRows = NO_ROWS
    lacking: tuple[Lacking, ...] = ()
    left_out: tuple[RowsLeftOut, ...] = ()
    rejected: int = 0

    @property
    def said(self) -> tuple[str, ...]:
        """What is to be known of it, in sentences: what was left out, and what was read as what."""
        return (*(one.sentence for one in self.left_out), *self.notices)

    def check_named(self) -> None:
        """Raise InputError for ratings of nobody knows what."""
        if self.nameless.number:
            rows = self.nameless.named
            raise InputError(
                f"{self.sheet.path.name}: {rows} {'has' if self.nameless.number == 1 else 'have'} neither a story nor "
                "its id. Leave out what is empty, or complete the file."
            )

    def column_of(self, criterion: str) -> str:
        """The field of a criterion's cell, for messages; its columns, where there are several."""
        fields = [field for field in self.sheet.named if field.split(" ", 2)[::2] == ["criterion", criterion]]
        if len(fields) > 1:
            return " + ".join(self.sheet.named[field] for field in fields)
        return fields[0] if fields else OVERALL if criterion == OVERALL else "criteria"

    def check_prompt(self, rating: RestoredRating, panel: RestoredPanel, key: str | None) -> str:
        """The prompt `key` of the story that was rated; raises InputError, naming the line, for a story that is unknown
        (None), or of another prompt than the file says.
        """
        if key is None:
            what = f"there is no story {rating.story_key[:60]!r}; import the stories first."
            raise self.sheet.problem(rating.number, "story_id", what)
        if panel.prompt_key not in ("", key):
            what = f"the story {rating.story_key[:60]!r} belongs to the prompt {key[:60]!r}."
            raise self.sheet.problem(rating.number, "prompt_id", what)
        return key

    def placed(self, prompt_of: Mapping[str, str]) -> "Restored":
        """The same with every panel cut into one a prompt, and the pairs that each has; `prompt_of` is the prompt of
        each story by id. For studies of pairs: it holds all in memory.

        Raises InputError naming the line of a story that is unknown, or of another prompt than the file says.
        """
        panels: list[RestoredPanel] = []
        places: dict[tuple[int, str], int] = {}
        ratings = []
        for rating in self.ratings:
            panel = self.panels[rating.panel]
            key = self.check_prompt(rating, panel, prompt_of.get(rating.story_key))
            place = places.setdefault((rating.panel, key), len(panels))
            if place == len(panels):
                panels.append(replace(panel, prompt_key=key, stories=()))
            if rating.pair:
                self._check_beside(rating, key, prompt_of)
                both = (*panels[place].stories, rating.story_key, rating.compared_with)
                panels[place] = replace(panels[place], stories=both)
                rating = replace(rating, pair=len(both) // 2)
            ratings.append(rating if rating.panel == place else replace(rating, panel=place))
        return replace(self, panels=tuple(panels), ratings=tuple(ratings))

    def _check_beside(self, rating: "RestoredRating", prompt: str, prompt_of: Mapping[str, str]) -> None:
        beside = prompt_of.get(rating.compared_with)
        if beside == prompt:
            return
        what = f"there is no story {rating.compared_with[:60]!r}; import the stories first."
        if beside is not None:
            what = (
                f"{rating.story_key[:60]!r} and {rating.compared_with[:60]!r} are stories of two prompts; a preference "
                "is between two of one."
            )
        raise self.sheet.problem(rating.number, "b_id", what)


def panel_of(
    sheet: Sheet, number: int, row: Mapping[str, Any], *, stories: tuple[str, ...], asked: str, person: bool
) -> RestoredPanel:
    """The panel of a row, whichever of its columns there are; raises InputError naming the cell that cannot be.

    `asked`: the one story that it is for, "" for all of the prompt.
    """
    for column, most in _MOST.items():
        if len(row.get(column) or "") > most:
            raise sheet.problem(number, column, f"there are more than {most} characters.")
    state = row.get("state") or "imported"
    if state not in STATES:
        raise sheet.problem(number, "state", f"a state is {', '.join(STATES)}, not {state[:20]!r}.")
    valid = True if state == "imported" and row.get("valid") is None else row.get("valid")
    if (valid is None) != (state == "open"):
        raise sheet.problem(number, "valid", "True or False of what was handed in, empty of what was not.")
    payment = row.get("payment") or ""
    if payment and payment not in set(Payment):
        raise sheet.problem(number, "payment", f"a payment is {', '.join(Payment)} or nothing, not {payment[:20]!r}.")
    return RestoredPanel(
        number=number,
        prompt_key=row["prompt_id"],
        story_key=asked,
        annotator=row.get("annotator") or "",
        person=person,
        stories=stories,
        order_row=row.get("order_row"),
        state=state,
        valid=valid,
        reason=row.get("reason") or "",
        overridden=bool(row.get("overridden")),
        payment=payment,
        payment_category=row.get("payment_category") or "",
        payment_reason=row.get("payment_reason") or "",
        appeal=row.get("appeal") or "",
        asked_at=row.get("asked_at"),
        started_at=row.get("started_at"),
        submitted_at=row.get("submitted_at"),
        guideline_version=row.get("guideline_version") or "",
        app_version=row.get("app_version") or "",
        pair_panel=row.get("pair_panel"),
    )


def rating_of(sheet: Sheet, number: int, row: Mapping[str, Any], panel: int) -> RestoredRating:
    """The rating of a row; raises InputError naming the cell that cannot be."""
    values = _values(sheet, number, row)
    deductions = row.get("deductions") or _NONE
    if not isinstance(deductions, dict) or not all(type(points) is int for points in deductions.values()):
        raise sheet.problem(number, "deductions", 'expected an object from error type to points, such as {"logic": 2}.')
    evidence = row.get("evidence") or _NONE
    if not isinstance(evidence, dict) or not all(map(_are_spans, evidence.values())):
        raise sheet.problem(
            number, "evidence", 'expected an object such as {"logic": [[start, end]]}, in whole numbers.'
        )
    return RestoredRating(
        number,
        panel,
        sys.intern(row["story_id"]),  # which is one of a story's many ratings, or of a criterion's
        values,
        _raters(sheet, number, row, has_reasons=bool(deductions)),
        deductions,
        evidence,
        (row["evidence_text"] or {}) if "evidence_text" in row and evidence else None,
        row.get("saved_at"),
        _comment(sheet, number, row),
        row.get("pair") or 0,
        row.get("compared_with") or "",
        row.get("position") or 0,
    )


def _values(sheet: Sheet, number: int, row: Mapping[str, Any]) -> dict[str, float]:
    """What the row says on each criterion: those in the column `criteria`, and those that have columns of their own."""
    given = row.get("criteria") or {}
    if not isinstance(given, dict) or not all(type(value) in (int, float) for value in given.values()):
        raise sheet.problem(number, "criteria", 'expected an object from criterion to rating, such as {"empathy": 3}.')
    overall = {} if row.get("overall") is None else {OVERALL: row["overall"]}
    values = {**overall, **{str(name): float(value) for name, value in given.items()}, **row.get("values", {})}
    if not values:
        raise sheet.problem(number, "overall", "there is no rating.")
    return _same(tuple(values.items()))


@lru_cache(10_000)
def _same(values: tuple[tuple[str, float], ...]) -> dict[str, float]:
    """Ratings that say the same have one dict between them: a million on a scale of five would take 200 MB."""
    return dict(values)


def _comment(sheet: Sheet, number: int, row: Mapping[str, Any]) -> str:
    try:
        return checked_comment(row.get("comment") or "")
    except InputError as error:
        raise sheet.problem(number, "comment", str(error)) from None


def _raters(sheet: Sheet, number: int, row: Mapping[str, Any], *, has_reasons: bool) -> int:
    """How many raters the rating is of; a mean has none of what one rater does."""
    raters = row.get("raters")
    if raters is None:
        if "raters" in row:
            raise sheet.problem(number, "raters", "there is no number of raters.")
        return 1
    if not 1 <= raters <= MOST_RATERS:
        what = f"a rating is of 1 to {MOST_RATERS:,} raters, not {raters:,}."
        raise sheet.problem(number, "raters", what)
    if raters > 1 and (has_reasons or row.get("state", "imported") not in ("", "imported")):
        raise sheet.problem(
            number, "raters", f"a mean of {raters} raters has no deductions, and was not handed in here."
        )
    return int(raters)


def _are_spans(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(span, list) and len(span) == 2 and all(type(end) is int for end in span) for span in value
    )
