"""What was tuned on is never reported: figures of a tuned judge are those of the other half alone."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from core.analysis.judges.biases import judge_biases
from core.analysis.judges.reported import TUNED_ON, Tried, reported, reported_metric
from core.analysis.judges.trial import put_on_trial
from core.annotation.builtin import MANS
from core.errors import InputError
from tests.core.analysis.judges.worded import HELD_OUT, on_held_out, signature, worded_table

TABLE = worded_table()
OTHER = on_held_out(TABLE.prompts)


def test_figures_of_a_tuned_judge_are_those_of_the_other_half() -> None:
    found = reported(TABLE, ("overall",), HELD_OUT)
    trial = put_on_trial(found.table, ("overall",), MANS.main, resamples=0)
    rows = {row.judge.name: row for row in trial.judges}
    assert set(rows) == {
        "judge:overall[big]",
        "judge:overall[big, template=mine.1]",
        "judge:overall[big, template=mine.10]",
        "gpt-4o:overall",
    }
    tuned = rows["judge:overall[big, template=mine.1]"]
    r = stats.pearsonr(TABLE.columns[1].values[OTHER], TABLE.human[OTHER]).statistic
    assert (tuned.n, tuned.pooled.pearson.value) == (int(OTHER.sum()), pytest.approx(r, abs=1e-12))
    assert all(OTHER[one.story] for one in tuned.disagreements)
    whole = stats.pearsonr(TABLE.columns[0].values, TABLE.human).statistic
    assert rows["judge:overall[big]"].pooled.pearson.value == pytest.approx(whole, abs=1e-12)
    assert rows["judge:overall[big]"].n == len(OTHER)


def test_what_is_not_reported_is_said_with_what_to_do() -> None:
    found = reported(TABLE, ("overall",), HELD_OUT)
    assert found.tried == Tried(3, 3)
    assert found.held_out == ("judge:overall[big, template=mine.1]", "judge:overall[big, template=mine.10]")
    assert found.waiting == ("judge:overall[big, template=mine.2]",)
    first, second = found.cautions
    assert first.endswith("Whoever chooses among them by these figures tunes on that half too.")
    assert "3 versions of the wording were tried on the development half" in first
    assert second.startswith("judge:overall[big, template=mine.2]: not reported.")
    assert "`score --half held-out`" in second
    kept = [column.signature for column in found.table.columns]
    assert signature("mine.2") not in kept
    assert len(kept) == 5
    one = found.table.columns[1]
    assert np.isnan(one.values[~OTHER]).all()
    assert set(one.reasons.values()) == {TUNED_ON}


def test_nothing_is_said_of_another_criterion_or_of_judges_that_nobody_tuned() -> None:
    assert reported(TABLE, ("coherence",), HELD_OUT).cautions == ()
    plain = replace(TABLE, columns=(TABLE.columns[0], *TABLE.columns[4:]))
    found = reported(plain, ("overall",), HELD_OUT)
    assert found.cautions == ()
    assert found.table.columns == plain.columns
    assert judge_biases(replace(plain, columns=()), ("overall",), resamples=10).rows == ()


def test_a_wording_with_several_models_is_one_version() -> None:
    column = replace(TABLE.columns[1], signature=signature("mine.1", "bigger@2"))
    found = reported(replace(TABLE, columns=(*TABLE.columns, column)), ("overall",), HELD_OUT)
    assert found.tried == Tried(3, 4)
    assert "3 versions of the wording (as 4 judges, with their models and options) were tried" in found.cautions[0]
    assert Tried(1, 1).text == "1 version of the wording was tried"
    assert Tried(0, 0).text == "Only the wording that comes with Fabula was tried"


def test_a_metric_is_reported_on_the_half_that_it_was_not_tuned_on() -> None:
    found = reported_metric(TABLE, TABLE.columns[1], HELD_OUT)
    assert found is not None
    assert set(found.table.prompts) == HELD_OUT
    assert found.excluded == {
        "of the development half, where 3 versions of the wording were tried": int((~OTHER).sum())
    }
    (caution,) = found.cautions
    assert caution.startswith("judge:overall[big, template=mine.1]: the wording is this study's own")
    for untuned in (0, 4, 5):
        assert reported_metric(TABLE, TABLE.columns[untuned], HELD_OUT) is None
    with pytest.raises(InputError, match="no score on the held-out half"):
        reported_metric(TABLE, TABLE.columns[2], HELD_OUT)
