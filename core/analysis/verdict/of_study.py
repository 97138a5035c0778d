"""The finding of a study, from its scores and ratings: with tests of the best metric against each other."""

from collections.abc import Mapping, Sequence

from core.analysis.significance.tests import SignificanceSettings, compare_with_others, permutations_for_pairs
from core.analysis.verdict.finding import Finding, finding
from core.analysis.verdict.parts import prompts_behind
from core.scores import ScoreTable
from core.statistics.correlation import MetricCorrelation


def finding_of_study(
    table: ScoreTable,
    names: Sequence[str],
    correlated: Sequence[MetricCorrelation],
    *,
    one_rater: float | None,
    disagree: bool,
    trained_on: Mapping[str, int],
    seed: int = 0,
) -> Finding | None:
    """The finding; None where no metric has a correlation. `table`: the best metric first, called by `names`;
    `correlated`: its columns with people, over all stories. `trained_on`: by signature, on how many of the rated
    stories a metric was trained.
    """
    defined = [place for place, one in enumerate(correlated) if one.correlation.pearson.value is not None]
    if not defined:
        return None
    best = defined[0]
    settings = SignificanceSettings(permutations=permutations_for_pairs(len(names) - 1), resamples=0, seed=seed)
    return finding(
        names,
        [one.correlation.pearson for one in correlated],
        [one.correlation.n for one in correlated],
        compare_with_others(table, best, names, settings),
        prompts=prompts_behind(table, table.columns[best].values),
        one_rater=one_rater,
        disagree=disagree,
        seen=trained_on.get(table.columns[best].signature, 0),
    )
