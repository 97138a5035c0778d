"""The four tables of an export: what a row of each holds, and what kind of value each column is."""

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class ExportedStory:
    """One story, rated or not; those of a prompt stand together only by `prompt_id`."""

    prompt_id: str
    prompt: str
    story_id: str
    source: str
    system: str
    story: str


@dataclass(frozen=True, slots=True)
class ExportedPanel:
    """What one annotator was given to rate at a time, with or without ratings. Times are aware and in UTC.

    `panel` counts from 1 in the order in which they were begun. `story_id`: the one story that it asks about, "" for
    all. `stories`: ids in the order shown; of pairs the two of each together. `order_row`: the row of the balanced
    design. `pair_panel`: of pairs, which panel of the design it is, from 0.
    """

    panel: int
    prompt_id: str
    story_id: str
    annotator: str
    stories: list[str]
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
class ExportedRating:
    """One rating with all that a later analysis may ask for. Times are aware and in UTC.

    `position`: place in the panel from 1, None of imported ratings. `pair`: of a panel of pairs, which one it is, from
    1, and `compared_with` the story that stood beside this one, which was shown first; 0 and "" of any other.
    `overall`: None where the scheme asks for none; `criteria`: the ratings on all others by name. `comment`: the reason
    in the annotator's own words. `raters`: 1, or how many a mean is of. `evidence`: passages by error type, [start,
    end) in code points of `story`; `evidence_text`: the same passages quoted. `implied`: the rating that the deductions
    add up to, None where the scheme deducts nothing. `asked_at`: when the form asked whether a contradiction is meant;
    `started_at`: claimed, `saved_at`: last changed, `submitted_at`: handed in.
    """

    study: str
    scheme: str
    demonstration: bool
    prompt_id: str
    prompt: str
    story_id: str
    source: str
    system: str
    story: str
    annotator: str
    panel: int
    position: int | None
    overall: float | None
    criteria: dict[str, float]
    raters: int
    comment: str
    deductions: dict[str, int]
    evidence: dict[str, list[list[int]]]
    evidence_text: dict[str, list[str]]
    implied: int | None
    asked_at: datetime | None
    state: str
    valid: bool | None
    reason: str
    overridden: bool
    payment: str
    payment_category: str
    payment_reason: str
    appeal: str
    started_at: datetime | None
    saved_at: datetime | None
    submitted_at: datetime | None
    guideline_version: str
    app_version: str
    pair: int = 0
    compared_with: str = ""


@dataclass(frozen=True, slots=True)
class ExportedScore:
    """A metric's score of a story under one signature; `value` is None where it is undefined, `reason` says why."""

    story_id: str
    metric: str
    signature: str
    value: float | None
    reason: str


AnyRow = ExportedStory | ExportedPanel | ExportedRating | ExportedScore


@dataclass(frozen=True)
class TableOf:
    """A table of an export: its rows' class, and the column that the manifest counts by."""

    row: type[AnyRow]
    counted_by: str
    kinds: dict[str, str] = field(init=False)
    """Column -> text, integer, number, yesno, time or json."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", {column.name: _kind(column.type) for column in fields(self.row)})


def _kind(annotation: Any) -> str:
    names = {
        str: "text",
        int: "integer",
        int | None: "integer",
        float: "number",
        float | None: "number",
        bool: "yesno",
        bool | None: "yesno",
        datetime | None: "time",
    }
    return names.get(annotation, "json")


TABLES = {
    "stories": TableOf(ExportedStory, "source"),
    "panels": TableOf(ExportedPanel, "state"),
    "ratings": TableOf(ExportedRating, "state"),
    "scores": TableOf(ExportedScore, "metric"),
}
"""In the order in which they are written and read: panels name stories, ratings name panels."""
