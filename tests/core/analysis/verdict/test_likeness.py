"""Whether two metrics rank stories alike, beside SciPy, and what is said of it."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from core.analysis.verdict.likeness import Likeness, likeness
from core.scores import ScoreColumn, ScoreTable

NUMBER = 60


def table(*columns: object, words: object = None) -> ScoreTable:
    lengths = range(1, NUMBER + 1) if words is None else words
    texts = tuple("w " * number for number in lengths)  # type: ignore[attr-defined]
    blank = ("",) * NUMBER
    made = tuple(
        ScoreColumn(f"m{i}", f"m{i}|v:1", np.asarray(values, dtype=float), {}) for i, values in enumerate(columns)
    )
    return ScoreTable(blank, blank, blank, texts, np.zeros(NUMBER), made)


def test_it_is_scipy_s_rho_over_stories_that_both_score() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.integers(0, 9, NUMBER).astype(float), rng.normal(size=NUMBER)
    one[:7], other[5:9] = np.nan, np.nan
    found = likeness(table(one, other), ("a", "b"), 0, 1)
    assert found is not None
    both = np.isfinite(one) & np.isfinite(other)
    assert found.n == both.sum()
    assert found.rho == pytest.approx(spearmanr(one[both], other[both]).statistic)
    assert found.words is not None
    lengths = np.arange(1, NUMBER + 1)[both]
    assert found.words == pytest.approx([spearmanr(side[both], lengths).statistic for side in (one, other)])


def test_nothing_is_said_of_few_stories_or_of_equal_scores() -> None:
    rising = np.arange(NUMBER, dtype=float)
    few = np.where(rising < 29, rising, np.nan)
    assert likeness(table(rising, few), ("a", "b"), 0, 1) is None
    assert likeness(table(rising, np.ones(NUMBER)), ("a", "b"), 0, 1) is None
    alike = likeness(table(rising, rising, words=[5] * NUMBER), ("a", "b"), 0, 1)
    assert alike is not None
    assert alike.words is None


def test_in_words() -> None:
    def said(rho: float, *words: float) -> str:
        return Likeness(("bleu", "ppl"), 1200, rho, (words[0], words[1]) if words else None).text

    assert said(0.05, -0.612, 0.1) == (
        "The two put the 1,200 stories that both have scored in orders that have nothing in common, as metrics do that "
        "look at different things (Spearman's ρ 0.05). Longer stories get lower scores from bleu (ρ with length −0.61)."
    )
    assert said(0.9).endswith("both have scored in much the same order (Spearman's ρ 0.90).")
    assert "orders that are hardly alike, as metrics do that look at different things (Spearman's ρ 0.10)" in said(0.1)
    assert said(-0.1).endswith("in orders that are a little opposed (Spearman's ρ −0.10).")
    assert said(0.5, 0.1, -0.1).endswith("that are only loosely alike (Spearman's ρ 0.50). Neither follows length.")
    assert said(-0.4, 0.5, -0.5).endswith(
        "orders that are opposed (Spearman's ρ −0.40). Longer stories get higher scores from bleu (ρ with length 0.50) "
        "and lower ones from ppl (ρ with length −0.50)."
    )
