"""The tables of `judgments`."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from commands import terminal
from commands.analysis.judgments import judgments_tables
from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import summarise
from core.analysis.judgments.texts import StudyText, text_statistics
from core.annotation.builtin import MANS, TURING
from core.annotation.monitor.forecast import forecast
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study, StudyState
from core.annotation.target import on_target, usual_target
from core.stories import Source
from tests.core.analysis.judgments.error_types import study_with_deductions as with_deductions
from tests.core.analysis.judgments.judgments import panel_stories

MINE = Study(1, "mine", "mans", QualityRules(), StudyState.OPEN, True, False, "1", datetime(2026, 1, 1, tzinfo=UTC))
TEXTS = text_statistics({"p": "Once."}, [StudyText("p", "s", Source.SYSTEM, 3, 1)])


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal so wide that no word of a table is cut, wherever the tests run."""
    monkeypatch.setattr(terminal.console, "width", 250)


def printed(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_every_part_has_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    judgments = summarise(panel_stories(), MANS, annotators=3, raters_identified=True)
    left = forecast(5, judgments.panels_valid, judgments.panels_rejected)
    judgments_tables(MINE, judgments, TEXTS, left, {1: "Ada [b]x[/b] (annotator 1)"})
    sentence = printed(capsys)
    for words in ("before rejection", "Kendall's W", "By system", "median", "Each annotator", "p = ", "story tokens"):
        assert words in sentence, words
    assert "Agreement: not good (alpha, interval, but over 24 stories of 8 prompts alone)" in sentence
    assert "5 valid panels wanted; 25.0% of 32 panels were rejected, so about 6 more must come in" in sentence
    assert "[b]x[/b]" in sentence
    assert "annotator 2" in sentence  # who is gone has a number
    assert "Error types: none, no rating that counts gives an error type." in sentence


def test_error_types_and_deductions(capsys: pytest.CaptureFixture[str]) -> None:
    judgments = summarise(with_deductions(), MANS, annotators=None, raters_identified=False)
    judgments_tables(MINE, judgments, TEXTS, forecast(0, 0, 0), {})
    sentence = printed(capsys)
    for words in ("share of a system's ratings", "Pearson's r over stories", "points taken off a rating"):
        assert words in sentence, words


def test_what_is_missing_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [JudgedStory(f"p{i}", "[red]s[/red]", (Rating(1.0), Rating(-1.0))) for i in range(4)]
    scheme = on_target(TURING, usual_target(TURING))
    judgments = summarise(pairs, scheme, annotators=None, raters_identified=False)
    judgments_tables(replace(MINE, scheme_key="turing"), judgments, TEXTS, forecast(2, 0, 0), {})
    sentence = printed(capsys)
    assert "Each annotator against the rest: none, the data hides who rated." in sentence
    assert "Left to rate: 2 valid panels of pairs wanted (no panel was handed in yet)." in sentence
    assert "m1" in sentence
    assert "[red]s[/red]" in sentence


def test_an_empty_study_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = summarise([], MANS, annotators=0, raters_identified=True)
    left = forecast(0, 0, 0)
    judgments_tables(MINE, nothing, text_statistics({}, []), left, {})
    assert "The study 'mine' has no stories yet: `import` some." in printed(capsys)
    judgments_tables(MINE, nothing, TEXTS, left, {})
    assert "Nothing has been handed in yet for 'mine': `people invite --role annotator`" in printed(capsys)
    judgments_tables(replace(MINE, state=StudyState.DRAFT), nothing, TEXTS, left, {})
    sentence = printed(capsys)
    assert "open it for annotation on its Overview, or `import` ratings" in sentence
    assert "story tokens" in sentence
    assert "Kendall" not in sentence
    rejected = [JudgedStory(s.prompt, s.group, (), s.control, s.ratings) for s in panel_stories()]
    judgments = summarise(rejected, MANS, annotators=0, raters_identified=True)
    judgments_tables(MINE, judgments, TEXTS, left, {})
    assert "all that was handed in (24) was rejected" in printed(capsys)
