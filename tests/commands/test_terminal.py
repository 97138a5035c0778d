"""Tables in a terminal, however narrow."""

import io

import pytest
from rich.console import Console

from commands import terminal

METRICS = ["perplexity", "bertscore-f1", "judge:overall[judge.few_shot=3]"]
COLUMNS = ["metric", "n", "Pearson", "95 % of Pearson", "why undefined"]


@pytest.mark.parametrize("width", [40, 60, 80, 160])
def test_a_metrics_name_never_breaks(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=out, width=width, highlight=False))
    rows = [[name, 70, 0.5, "0.368 … 0.649", "no story has both, however long this is"] for name in METRICS]
    terminal.print_table("[Scores]", COLUMNS, rows)
    said = out.getvalue()
    assert all(name in said for name in METRICS)
    assert "[Scores]" in said
    assert ("┃" in said) == (width >= 80), said
    assert all(len(line) <= width for line in said.splitlines()) or width < 80
    assert "metric: perplexity\n  n: 70\n  Pearson: 0.5000\n" in said or width >= 80
