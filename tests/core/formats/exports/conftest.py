"""A small export: two prompts, three people, whatever a row may hold."""

from datetime import UTC, datetime, timedelta
from operator import itemgetter
from pathlib import Path

import pytest

from core.annotation.builtin import MANS
from core.annotation.scheme import default_rules
from core.formats.exports.package import Exportable, table_files, write_folder
from core.formats.exports.restored import Restored
from core.formats.exports.rows import AnyRow, ExportedPanel, ExportedRating, ExportedScore, ExportedStory
from core.formats.manifest import StudyHead

WHEN = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
HEAD = StudyHead("a study", "mans", None, default_rules(MANS), "closed", "1", True, False)
ANN = "annotator-0123456789abcdef"
KIM = "annotator-fedcba9876543210"

STORIES = [
    ExportedStory("p1", "It rained.", "p1/a", "system", "a", "=SUM(A1) 😀 they ran\r\ninto 'the' rain."),
    ExportedStory("p1", "It rained.", "p1/h", "human", "", "We stayed in."),
    ExportedStory("p1", "It rained.", "p1/n", "negative", "", "'tis in we stayed."),
    ExportedStory("p2", "", "p2/a", "system", "a", ""),
]


def panel(number: int, annotator: str, stories: list[str], **change: object) -> ExportedPanel:
    """A valid panel that was handed in, but for what is changed."""
    row = {
        "panel": number,
        "prompt_id": stories[0].split("/")[0],
        "story_id": "",
        "annotator": annotator,
        "stories": stories,
        "order_row": number,
        "state": "submitted",
        "valid": True,
        "reason": "",
        "overridden": False,
        "payment": "due",
        "payment_category": "",
        "payment_reason": "",
        "appeal": "",
        "asked_at": None,
        "started_at": WHEN,
        "submitted_at": WHEN + timedelta(minutes=3),
        "guideline_version": "1",
        "app_version": "0.1.0",
        **change,
    }
    return ExportedPanel(**row)  # type: ignore[arg-type]


PANELS = [
    panel(1, ANN, ["p1/n", "p1/a", "p1/h"], asked_at=WHEN),
    panel(2, KIM, ["p1/a", "p1/h", "p1/n"], valid=False, reason="=the human story", appeal="'=no", overridden=True),
    panel(3, "rater 1", ["p2/a"], state="imported", order_row=None, payment=""),
    panel(4, ANN, ["p2/a"], state="open", valid=None, submitted_at=None, payment=""),
]


def rated(of: ExportedPanel, story: ExportedStory, overall: float, **change: object) -> ExportedRating:
    """A rating of a story in a panel, as an export repeats both in it."""
    row = {
        "study": HEAD.name,
        "scheme": HEAD.scheme_key,
        "demonstration": False,
        **{name: getattr(story, name) for name in ("prompt_id", "prompt", "story_id", "source", "system", "story")},
        "position": of.stories.index(story.story_id) + 1 if of.state != "imported" else None,
        "overall": overall,
        "criteria": {},
        "raters": 1,
        "comment": "",
        "deductions": {},
        "evidence": {},
        "evidence_text": {},
        "implied": 5,
        "saved_at": WHEN,
        **{
            name: getattr(of, name)
            for name in ExportedPanel.__slots__
            if name not in ("prompt_id", "story_id", "stories", "order_row", "pair_panel")
        },
        **change,
    }
    return ExportedRating(**row)  # type: ignore[arg-type]


MARKED = {
    "deductions": {"unrelated events": 2, "chaotic scenes": 2},
    "evidence": {"unrelated events": [[9, 10], [11, 15]]},
    "evidence_text": {"unrelated events": ["😀", "they"]},
    "implied": 1,
}
RATINGS = [
    rated(PANELS[0], STORIES[2], 1.0),
    rated(PANELS[0], STORIES[0], 2.0, **MARKED),
    rated(PANELS[0], STORIES[1], 5.0),
    rated(PANELS[1], STORIES[1], 1.0),
    rated(PANELS[2], STORIES[3], 2.5),
    rated(PANELS[3], STORIES[3], 3.0),
]


SCORES = [
    ExportedScore(STORIES[0].story_id, "bleu", "bleu|v:1", 0.1 + 0.2, ""),
    ExportedScore(STORIES[1].story_id, "bleu", "bleu|v:1", None, "the story is empty"),
    ExportedScore(STORIES[0].story_id, "mine, own", "file:0|column:a|negated", -1e-20, ""),
]


def exportable(**tables: list[AnyRow]) -> Exportable:
    """The small study, with other rows in some tables."""
    return Exportable(HEAD, {"stories": STORIES, "panels": PANELS, "ratings": RATINGS, "scores": SCORES, **tables})


def folder_of(out: Path, kind: str, **tables: list[AnyRow]) -> Path:
    """Its export in a folder."""
    write_folder(table_files(exportable(**tables), kind, "0.1.0", WHEN), out)
    return out


@pytest.fixture(params=["csv", "jsonl", "parquet"])
def kind(request: pytest.FixtureRequest) -> str:
    """Each kind of file in turn."""
    return str(request.param)


def rated_in(restored: Restored, place: int) -> tuple[str, ...]:
    """The stories that were rated in a panel of a file of ratings alone, in the order shown."""
    rated = [(rating.position, rating.story_key) for rating in restored.ratings if rating.panel == place]
    return tuple(key for _, key in sorted(rated, key=itemgetter(0)))
