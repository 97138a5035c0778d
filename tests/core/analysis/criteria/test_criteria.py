"""Metrics by criteria, agreement a criterion, and the criteria with one another."""

import numpy as np
import pytest
from scipy import stats

from core.analysis.correlation.subsets import within_prompts
from core.analysis.criteria.heat_map import Level, heat_map, mark
from core.analysis.criteria.overview import criteria_matrix, criteria_summaries, farthest_apart
from core.analysis.judgments.judged_story import JudgedStory, Rating
from core.analysis.judgments.judgments import summarise
from core.annotation.builtin import HANNA
from core.annotation.target import Target, on_target
from core.figures.criteria import among_criteria, metrics_by_criteria
from core.figures.style import safe
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import Coefficient, correlate

RNG = np.random.default_rng(5)
PROMPTS, SYSTEMS = 12, 6
GOOD = RNG.normal(size=PROMPTS * SYSTEMS)
CRITERIA = {
    "coherence": GOOD + RNG.normal(size=GOOD.size),
    "empathy": RNG.normal(size=GOOD.size),
    "flat": np.full(GOOD.size, 3.0),
}
COLUMNS = (
    ScoreColumn("noise", "file:1", RNG.normal(size=GOOD.size), {}),
    ScoreColumn("turned", "file:2", -GOOD, {}),
    ScoreColumn("near", "file:3", GOOD + RNG.normal(size=GOOD.size) / 4, {}),
)
KEYS = tuple(str(number) for number in range(GOOD.size))
TABLE = ScoreTable(
    KEYS,
    tuple(f"p{number // SYSTEMS}" for number in range(GOOD.size)),
    tuple(f"s{number % SYSTEMS}" for number in range(GOOD.size)),
    ("",) * GOOD.size,
    CRITERIA["coherence"],
    COLUMNS,
    criteria=CRITERIA,
)


def test_each_cell_is_the_correlation_of_that_metric_with_that_criterion() -> None:
    result = heat_map(TABLE, coefficient="pearson", resamples=200, seed=3)
    assert result.criteria == ("coherence", "empathy", "flat")
    own = within_prompts(TABLE, resamples=200, seed=3)
    for number, cells in zip(result.metrics, result.cells, strict=True):
        assert cells[0] == own[number].correlation.pearson
    assert set(result.metrics[:2]) == {1, 2}  # whatever the sign
    assert np.isnan(result.values[:, 2]).all()
    assert all(str(reasons[2]).startswith("a prompt counts that has") for reasons in result.reasons)


def test_over_systems_it_is_the_coefficient_of_the_means() -> None:
    result = heat_map(TABLE, level=Level.SYSTEM, coefficient="kendall", resamples=100)
    for number, cells in zip(result.metrics, result.cells, strict=True):
        x, y = (
            [
                values[[i for i, s in enumerate(TABLE.systems) if s == name]].mean()
                for name in sorted(set(TABLE.systems))
            ]
            for values in (COLUMNS[number].values, CRITERIA["empathy"])
        )
        assert cells[1].value == pytest.approx(stats.kendalltau(x, y).statistic)


def test_over_all_stories_it_is_the_coefficient_of_these() -> None:
    result = heat_map(TABLE, level=Level.STORY, coefficient="pearson", resamples=100, seed=2)
    for number, (_, cell, flat) in zip(result.metrics, result.cells, strict=True):
        values = COLUMNS[number].values
        assert cell == correlate(values, CRITERIA["empathy"], TABLE.prompts, seed=2, resamples=100).pearson
        assert flat.value is None
    assert "Over all stories." in metrics_by_criteria(result, ["a", "b", "c"]).layout.title.text


def test_the_criteria_with_one_another() -> None:
    matrix = criteria_matrix(TABLE, resamples=200)
    assert matrix.values[0, 1] == matrix.values[1, 0]
    assert matrix.values[0, 1] == pytest.approx(np.corrcoef(CRITERIA["coherence"], CRITERIA["empathy"])[0, 1])
    assert np.isnan(matrix.values[0, 2])
    assert matrix.values.diagonal().tolist() == [1.0] * 3
    cell = matrix.cells[1][0]
    assert cell.low is not None
    assert cell.high is not None
    assert cell.low < matrix.values[1, 0] < cell.high


def test_where_two_criteria_part_most() -> None:
    means = {"a": np.array([1.0, 2, 3, np.nan, 5]), "b": np.array([30.0, 20, 10, 0, 50]), "flat": np.full(5, 2.0)}
    table = ScoreTable(KEYS[:5], ("",) * 5, ("",) * 5, ("",) * 5, means["a"], (), criteria=means)
    # In standard deviations: a −1.18, −0.51, 0.17, 1.52; b 0.17, −0.51, −1.18, 1.52.
    assert farthest_apart(table, "a", "b") == ["0", "2", "1", "4"]
    assert farthest_apart(table, "a", "b", most=1) == ["0"]
    assert farthest_apart(table, "a", "flat") == []


def test_agreement_a_criterion_is_that_of_its_judgments() -> None:
    judged = {}
    for name in HANNA.names:
        judged[name] = [
            JudgedStory(f"p{n % 5}", "s", tuple(Rating(float(RNG.integers(1, 6)), annotator=r) for r in range(3)))
            for n in range(20)
        ]
    summaries = criteria_summaries(HANNA, judged, raters_identified=True, resamples=100)
    assert tuple(summary.criterion for summary in summaries) == HANNA.names
    for summary in summaries:
        scheme = on_target(HANNA, Target((summary.criterion,)))
        whole = summarise(
            judged[summary.criterion], scheme, annotators=3, raters_identified=True, resamples=100
        ).agreement["valid"]
        assert summary.alpha == whole.alpha["ordinal"]
        assert summary.agreement.icc == whole.icc
        assert (summary.stories, summary.ratings) == (20, 60)
    nothing = criteria_summaries(HANNA, {}, raters_identified=True)[0]
    assert (nothing.stories, nothing.mean, nothing.alpha.value) == (0, None, None)


def test_the_figures_show_stars_gaps_and_no_foreign_tags() -> None:
    result = heat_map(TABLE, coefficient="pearson", resamples=200)
    heat, cells = metrics_by_criteria(result, ["a", "b", "<b>$x$</b>"]).data
    assert "<b>" not in "".join(heat.y) + "".join(cells.hovertext)
    assert list(cells.customdata[0]) == [["a", "b", safe("<b>$x$</b>")][result.metrics[0]], safe(result.criteria[0])]
    assert {row[2] for row in heat.text} == {"–"}
    assert heat.text[0][0].endswith("†") == (mark(result.cells[0][0]) == "†")
    other, pairs = among_criteria(criteria_matrix(TABLE, resamples=50)).data
    assert other.z.shape == (3, 3)
    assert list(map(tuple, pairs.customdata[:2])) == [(), ("coherence", "empathy")]


def test_a_dagger_is_p_by_prompt_and_a_star_p_of_single_stories() -> None:
    assert mark(Coefficient(0.3, 0.5, p_cluster=0.001)) == "†"
    assert mark(Coefficient(0.3, 0.001, p_cluster=0.5)) == ""
    assert [mark(Coefficient(0.3, p)) for p in (0.001, 0.5, None)] == ["*", "", ""]
