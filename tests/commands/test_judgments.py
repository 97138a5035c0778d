"""The tables of `judgments`."""

import pytest

from commands.judgments import judgments_tables
from core.analysis.forecast import forecast
from core.analysis.judgments import JudgedStory, Rating, summarise
from core.annotation.builtin import MANS, TURING
from tests.core.analysis.test_judgments import panel_stories


def test_every_part_has_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    found = summarise(panel_stories(), MANS, annotators=3, raters_identified=True)
    judgments_tables("mine", found, forecast(5, found.panels_valid, found.panels_rejected))
    said = " ".join(capsys.readouterr().out.split())
    for words in ("Agreement: not good", "before rejection", "Kendall's W", "By system", "Each annotator", "p = "):
        assert words in said, words
    assert "5 valid panels wanted; 25.0% of 32 panels were rejected, so about 6 more must come in" in said


def test_what_is_missing_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [JudgedStory(f"p{i}", "[red]s[/red]", (Rating(1.0), Rating(-1.0))) for i in range(4)]
    found = summarise(pairs, TURING, annotators=None, raters_identified=False)
    judgments_tables("mine", found, forecast(2, 0, 0))
    said = " ".join(capsys.readouterr().out.split())
    assert "Each annotator against the rest: none, the data hides who rated." in said
    assert "Left to rate: 2 valid panels wanted (no panel was handed in yet)." in said
    assert "m1" in said
    assert "[red]s[/red]" in said
    assert "with controls" not in said  # nothing differs from the valid ratings
