"""Names that want to be markup, of systems, metrics and error types, are text on every page of analyses."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.analysis.correlation.metric_order import best_first
from core.annotation.builtin import MANS
from core.annotation.scheme import ErrorType
from core.annotation.studies import Study
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.reading import read_export
from core.formats.latex import latex_table
from core.people import TERMINAL
from core.report.files.html import report_html
from core.report.metric import ReportBasis, metric_report
from core.report.sections.every import sections
from core.scores import RatingChoice
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.annotation import settings
from db.scores import tables
from db.studies import studies
from db.transfer import imports, rating_imports
from tests.pages.conftest import Open
from tests.pages.empty_states import KEYS
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown
from tests.rated import beside_people

SYSTEM, METRIC, TYPE = f"system {MARKUP}", f"metric {MARKUP}", f"type {MARKUP}"
PLACES = [
    ("correlation", tab)
    for tab in ("Table", "Scatter", "By error type", "By system", "Within prompts", "Significance", "How many more?")
] + [
    ("drift", "Quality"),
    ("drift", "System"),
    ("drift", "Dataset"),
    ("difference", ""),
    ("systems", ""),
    ("report", ""),
]


def study() -> Study:
    """Rated and scored, with an error type of the same sort."""
    systems = (SYSTEM, "middle", "high")
    stories = tuple(
        StoryRecord(f"{p}-{s}", str(p), f"Opening {p}.", f"Story {p}-{s}.", Source.SYSTEM, system)
        for p in range(20)
        for s, system in enumerate(systems)
    )
    new_study = studies.create(TERMINAL, "hostile")
    types = (ErrorType(TYPE, (1,), "", ""), *MANS.error_types)
    settings.set_form(TERMINAL, new_study.id, replace(MANS, error_types=types))
    rng = np.random.default_rng(0)
    ratings, values = [], {}
    for number, story in enumerate(stories):
        good = number % 4 == 0
        given = [5, 5, 4] if good else rng.integers(1 + number % 3, 4 + number % 3, 3).clip(1, 4).tolist()
        wrong = () if good else ((TYPE, 1),)
        ratings += [RatingRecord(story.key, f"r{i}", float(value), wrong) for i, value in enumerate(given)]
        values[story.key] = float(np.mean(given) + rng.normal())
    other = {key: float(value + rng.normal()) for key, value in values.items()}
    scores = (ScoreRecord(METRIC, f"file:{MARKUP}", values), ScoreRecord("plain", "file:1", other))
    return imports.import_corpora(TERMINAL, "hostile", [Corpus("mans", stories, tuple(ratings), scores)])


@pytest.mark.parametrize(("name", "tab"), PLACES)
def test_a_page_shows_them_as_they_are(open_page: Open, served: None, owner: str, name: str, tab: str) -> None:
    study()
    page = open_page(name, owner)
    if tab:
        page.session_state[KEYS[name]] = tab
        page.run()
    sentence = words(page).replace(r"\_", "_")
    assert METRIC in sentence
    for text in read_as_markdown(page):
        assert MARKUP not in text
        assert "<i>" not in text
    for drawn in page.get("plotly_chart"):
        spec = json.loads(drawn.proto.spec)
        spec["layout"].pop("uirevision", None)  # is never shown
        labels = json.dumps(spec, ensure_ascii=False)
        assert "<i>" not in labels
        assert "$y$" not in labels
    if (name, tab) == ("correlation", "By error type"):
        assert TYPE in sentence


def test_a_study_of_pairs_shows_them_as_they_are(open_page: Open, served: None, owner: str) -> None:
    stories, ratings, values = [], [], {}
    for p in range(4):
        for s, system in enumerate((SYSTEM, "middle", "high")):
            key = f"{p}-{s}"
            stories.append(StoryRecord(key, str(p), f"Opening {p}.", f"Story {key}.", Source.SYSTEM, system))
            ratings += [RatingRecord(key, f"r{i}", float((p + s + i) % 3 - 1) if s else -1.0) for i in range(3)]
            values[key] = float(s)
    scores = (ScoreRecord(METRIC, f"file:{MARKUP}", values),)
    beside_people("hostile", stories, ratings, scores)
    page = open_page("preferences", owner)
    assert SYSTEM in words(page).replace(r"\_", "_")
    for text in read_as_markdown(page):
        assert MARKUP not in text
        assert "<i>" not in text
    for drawn in page.get("plotly_chart"):
        assert "<i>" not in drawn.proto.spec
        assert "$y$" not in drawn.proto.spec


def test_names_of_criteria_are_text_too(open_page: Open, served: None, owner: str, tmp_path: Path) -> None:
    names = [f"{word} **b** <i>x</i> $y$" for word in ("wit", "mood")]
    rng = np.random.default_rng(1)
    rows = [
        f"{story},{story // 2},{'ab'[story % 2]},A story {story}.,r{rater},{rng.integers(1, 6)},{rng.integers(1, 6)}"
        for story in range(24)
        for rater in range(3)
    ]
    file = tmp_path / "theirs.csv"
    file.write_text("\n".join(["story_id,prompt_id,system,story,annotator,first,second", *rows]), encoding="utf-8")
    choice = ColumnChoice(criteria=tuple(zip(names, ("first", "second"), strict=True)))
    rating_imports.import_ratings(TERMINAL, "hostile criteria", read_export(file, choice=choice))
    page = open_page("judgments", owner)
    page.session_state["judgments_tab"] = "Criteria"
    page.run()
    assert names[0] in words(page)
    assert any("Nearest" in text for text in read_as_markdown(page))
    for text in read_as_markdown(page):
        assert "**b**" not in text
        assert "<i>" not in text
    for drawn in page.get("plotly_chart"):
        spec = json.loads(drawn.proto.spec)
        spec["layout"].pop("uirevision", None)  # is never shown
        assert "<i>" not in json.dumps(spec, ensure_ascii=False)


def test_a_report_and_its_tables_show_them_as_they_are(served: None) -> None:
    from datetime import UTC, datetime

    new_study = study()
    setting = ReportBasis(new_study.name, False, (1, 5), RatingChoice.VALID, {}, 0, 50, datetime.now(UTC))
    report = metric_report(best_first(tables.table(new_study.id)), METRIC, setting)
    file = report_html(report)
    assert "<i>x" not in file
    assert "&lt;i&gt;x" in file
    written = [latex_table(table.rows, table.name, table.name) for part in sections(report) for table in part.tables]
    assert any("type " in text for text in written)
    for text in written:
        set_in_type = "\n".join(line for line in text.splitlines() if not line.startswith("% "))
        assert r"\input" not in set_in_type
        assert "$y$" not in set_in_type
        assert all(line.count("&") - line.count(r"\&") for line in set_in_type.splitlines() if line.endswith(r"\\"))
