"""Wordings on the development half, two of them by the paired test, one on the held-out half, and their words."""

import numpy as np
import pytest
from scipy import stats

from core.analysis.judges.reported import reported
from core.analysis.judges.trial import put_on_trial
from core.analysis.judges.wordings import changes, compare_wordings, report_wording, wordings
from core.analysis.significance.tests import compare_metrics, settings
from core.annotation.builtin import MANS
from core.errors import InputError
from core.judges.template import Template, Way
from tests.core.analysis.judges.worded import HELD_OUT, on_held_out, worded_table

TABLE = worded_table()
OTHER = on_held_out(TABLE.prompts)


def test_every_wording_that_was_tried_is_listed_with_its_agreement_there() -> None:
    found = wordings(TABLE, ("overall",), HELD_OUT, resamples=100)
    assert [row.asked.template for row in found.rows] == ["standard", "mine.1", "mine.2", "mine.10"]
    assert {(row.asked.way, row.asked.model) for row in found.rows} == {("points", "big")}
    assert [row.asked.own for row in found.rows] == [False, True, True, True]
    assert found.rated == int((~OTHER).sum())
    assert [row.held_out for row in found.rows[:3]] == [int(OTHER.sum())] * 2 + [0]
    for row, column in zip(found.rows, TABLE.columns[:4], strict=True):
        r = stats.pearsonr(column.values[~OTHER], TABLE.human[~OTHER]).statistic
        of = row.correlation.pearson
        assert of.value == pytest.approx(r, abs=1e-12)
        assert of.low is not None
        assert of.high is not None
        assert of.low < r < of.high
    assert found.tried.wordings == 3
    assert wordings(TABLE, ("coherence",), HELD_OUT).rows == ()


@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_two_are_compared_by_the_test_of_two_metrics_on_that_half(coefficient: str) -> None:
    found = wordings(TABLE, ("overall",), HELD_OUT, resamples=0)
    asked = settings(coefficient, 2, seed=3)
    row = compare_wordings(TABLE, found.named("mine.2"), found.named("mine.1"), HELD_OUT, asked)
    columns = np.column_stack([TABLE.columns[number].values[~OTHER] for number in (2, 1)])
    prompts = [prompt for prompt, other in zip(TABLE.prompts, OTHER, strict=True) if not other]
    names = ["judge:overall[big, template=mine.2]", "judge:overall[big, template=mine.1]"]
    (same,) = compare_metrics(columns, TABLE.human[~OTHER], prompts, names, asked).rows
    assert row == same  # mine.2 is the better one, and so the first there too
    assert row.difference is not None
    assert row.difference > 0


def test_one_is_reported_on_the_held_out_half_alone() -> None:
    found = wordings(TABLE, ("overall",), HELD_OUT, resamples=0)
    of = report_wording(TABLE, found.named("judge:overall[big, template=mine.1]"), HELD_OUT, resamples=100)
    r = stats.spearmanr(TABLE.columns[1].values[OTHER], TABLE.human[OTHER]).statistic
    assert (of.n, of.spearman.value) == (int(OTHER.sum()), pytest.approx(r, abs=1e-12))
    trial = put_on_trial(reported(TABLE, ("overall",), HELD_OUT).table, ("overall",), MANS.main, resamples=100)
    assert of == next(row.pooled for row in trial.judges if row.judge.name == "judge:overall[big, template=mine.1]")
    assert report_wording(TABLE, found.named("mine.2"), HELD_OUT).undefined


def test_a_wording_that_was_not_tried_is_refused() -> None:
    found = wordings(TABLE, ("overall",), HELD_OUT, resamples=0)
    with pytest.raises(
        InputError,
        match=r"in the wording 'mine.3'.*there are judge:overall\[big\], judge:overall\[big, template=mine.1\]",
    ):
        found.named("mine.3")


def test_what_differs_in_the_words() -> None:
    old = Template("mine", Way.POINTS, "You judge.\nBe fair.\nBe brief.", "Story: {story}", 1)
    new = Template("mine", Way.POINTS, "You judge.\nBe strict.\nBe brief.", "{story} How good?", 2)
    assert changes(old, new).splitlines() == [
        "@@ -1,3 +1,3 @@",
        " You judge.",
        "-Be fair.",
        "+Be strict.",
        " Be brief.",
        "@@ -1 +1 @@",
        "-Story: {story}",
        "+{story} How good?",
    ]
    assert changes(old, old) == ""
