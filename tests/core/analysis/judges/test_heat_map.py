"""Judges by criteria: the coefficients of each level, and judges that do not rate everything."""

import numpy as np
import pytest

from core.analysis.correlation.subsets import correlate_within
from core.analysis.criteria.heat_map import Level
from core.analysis.judges.heat_map import judge_map
from core.analysis.systems.ranking import correlate_means
from core.scores import ScoreColumn, ScoreTable


@pytest.fixture
def table() -> ScoreTable:
    rng = np.random.default_rng(0)
    human = {name: rng.uniform(1, 5, 80) for name in ("wit", "mood")}
    columns = (
        ScoreColumn("far:wit", "file:1", rng.normal(size=80), {}),
        ScoreColumn("near:mood", "file:2", human["mood"] + rng.normal(size=80), {}),
        ScoreColumn("near:wit", "file:3", human["wit"] + rng.normal(size=80), {}),
        ScoreColumn("bleu", "file:4", rng.normal(size=80), {}),
    )
    keys = tuple(str(number) for number in range(80))
    prompts, systems = tuple(str(n // 5) for n in range(80)), tuple("abcde"[n % 5] for n in range(80))
    return ScoreTable(keys, prompts, systems, ("",) * 80, human["wit"], columns, criteria=human)


def test_the_best_judge_stands_on_top_and_gaps_say_why(table: ScoreTable) -> None:
    found = judge_map(table, table.criteria, resamples=50)
    assert (found.judges, found.criteria) == (("near", "far:wit"), ("wit", "mood"))
    assert found.reasons == ((None, None), (None, "it does not rate this criterion"))
    assert np.isnan(found.values[1, 1])
    own = correlate_within([table.columns[2].values], table.criteria["wit"], np.asarray(table.prompts), resamples=50)
    assert found.cells[0][0] == own[0].pearson


def test_over_systems_it_is_the_correlation_of_means(table: ScoreTable) -> None:
    found = judge_map(table, table.criteria, level=Level.SYSTEM, coefficient="kendall", resamples=50)
    means = {row.metric: row.correlation for row in correlate_means(table, resamples=50, soft=False)}
    assert found.cells[found.judges.index("near")][0] == means["near:wit"].kendall
