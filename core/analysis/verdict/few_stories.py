"""Correlations as they are shown where the verdict claims nothing, as a star would say the opposite of it: of too few
stories or prompts a value alone, as the bootstrap gives any interval then, a narrow one too; of ratings that do not
agree with one another the interval as well, which describes them, but no star, no p and no test.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.subsets import ErrorSet
from core.analysis.criteria.heat_map import OF_CRITERION
from core.analysis.judges.biases import Biases, JudgeBiases
from core.analysis.judges.probed import ProbedBiases, Shift
from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.judges.reported import on_half
from core.analysis.judges.trial import JudgeTrial
from core.analysis.judges.wordings import Wording
from core.analysis.significance.tests import PairTest, Significance
from core.analysis.systems.ranking import OF_SYSTEMS
from core.analysis.verdict.criteria import without_marks
from core.analysis.verdict.degenerate import CheckUp
from core.analysis.verdict.grade import DISAGREE
from core.analysis.verdict.grade import TOO_FEW as REASON_FEW
from core.analysis.verdict.parts import enough_prompts, prompts_behind
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed
from core.analysis.verdict.subsets import SubsetResult
from core.arrays import Bools, Floats, Ints
from core.scores import ScoreTable
from core.statistics.correlation import Coefficient, Correlation, MetricCorrelation
from core.statistics.groups import members
from core.statistics.intervals import Estimate

TOO_FEW = (
    f"Of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts there is no star, no p and no "
    "interval: too few to claim anything."
)
"""Why there are none, for below a table."""
DISAGREED = (
    "There is no star, no p and no test, as nothing shows that the ratings agree with one another: values and "
    "intervals only describe these stories."
)
"""Why there are none, for the same place."""
OPEN_PARTS = (
    f"A part of fewer than {FEWEST_CLAIMED} stories or {FEWEST_PROMPTS_CLAIMED} prompts has an open mark and no "
    "interval: too few to claim anything."
)
"""Why some parts of the stories have none, where neither star nor p is shown of any."""


def never_claimed(stories: int, prompts: int) -> str:
    """What becomes of so many stories to rate, to be read before people are invited; "" where they may be enough."""
    if not stories or claimed(stories, prompts):
        return ""
    return (
        "too few for any claim on a metric, whatever people rate: that takes "
        f"at least {FEWEST_CLAIMED} stories of {FEWEST_PROMPTS_CLAIMED} prompts"
    )


def why_unclaimed(*, few: bool, agreed: bool) -> str:
    """Why some have no star and no p: for below a table, and "" where all have theirs."""
    return " ".join(filter(None, ("" if agreed else DISAGREED, TOO_FEW if few else "")))


def no_claim(n: int, prompts: int, *, agreed: bool) -> str:
    """Why nothing may be claimed of so many stories, for a file that has their numbers all the same; "" where something
    may be. `agreed`: whether their ratings do.
    """
    return "; ".join(filter(None, ("" if agreed else DISAGREE, "" if claimed(n, prompts) else REASON_FEW)))


def described(coefficient: Coefficient) -> Coefficient:
    """What only describes these stories: without star and p."""
    return Coefficient(coefficient.value, low=coefficient.low, high=coefficient.high)


def if_claimed(coefficient: Coefficient, n: int, prompts: int, *, agreed: bool = True) -> Coefficient:
    """As it is shown over `n` stories of `prompts` prompts; `agreed`: whether their ratings do."""
    if not claimed(n, prompts):
        return Coefficient(coefficient.value)
    return coefficient if agreed else described(coefficient)


def each_if_claimed(c: Correlation, n: int, prompts: int, *, agreed: bool = True) -> Correlation:
    """The same of each of its coefficients."""
    all_three = (c.pearson, c.spearman, c.kendall)
    pearson, spearman, kendall = (if_claimed(one, n, prompts, agreed=agreed) for one in all_three)
    return replace(c, pearson=pearson, spearman=spearman, kendall=kendall)


def without_if_claimed(up: CheckUp, prompts: int, *, agreed: bool = True) -> Coefficient:
    """A metric's r without degenerate stories, of those that are left; `prompts`: of all of its stories."""
    return if_claimed(up.r_without, up.n - up.degenerate, prompts, agreed=agreed)


def pair_if_claimed(test: PairTest, prompts: int, *, agreed: bool) -> PairTest:
    """The same of the test of a pair of metrics."""
    if claimed(test.n, prompts) and agreed:
        return test
    ends = (test.low, test.high) if claimed(test.n, prompts) else (None, None)
    return replace(test, low=ends[0], high=ends[1], williams_p=None, permutation_p=None, permutations=None, p_holm=None)


def pairs_if_claimed(found: Significance, *, large: bool, agreed: bool) -> Significance:
    """The tests of every pair: where these stories are not enough to claim anything, or their ratings do not agree, the
    differences alone, and no clusters. `large`: whether they are enough.
    """
    if agreed and large:
        return found
    prompts = FEWEST_PROMPTS_CLAIMED if large else 0
    rows = tuple(pair_if_claimed(row, prompts, agreed=agreed) for row in found.rows)
    return replace(found, rows=rows, clusters=())


def only_claimed(
    correlations: Sequence[MetricCorrelation],
    prompts: Sequence[int],
    stories: Sequence[int] | None = None,
    *,
    agreed: bool = True,
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """As they are shown, and why some have no star and no p; "" where all are large enough and the ratings have
    `agreed`. `prompts`: of each one's stories; `stories`: how many these are, where an `n` counts something else.
    """
    sizes = stories if stories is not None else [row.correlation.n for row in correlations]
    of_each = list(zip(correlations, sizes, prompts, strict=True))
    few = any(row.correlation.pearson.value is not None and not claimed(n, number) for row, n, number in of_each)
    shown = (
        replace(row, correlation=each_if_claimed(row.correlation, n, number, agreed=agreed))
        for row, n, number in of_each
    )
    return tuple(shown), why_unclaimed(few=few, agreed=agreed)


def open_if_few(part: SubsetResult) -> SubsetResult:
    """As a part of the stories is shown: without its interval where it is too small for a claim."""
    return part if part.compared else replace(part, r=replace(part.r, low=None, high=None))


def printed_rows(
    table: ScoreTable,
    rows: Sequence[MetricCorrelation],
    sets: Sequence[ErrorSet] = (),
    *,
    agreed: bool = True,
    disagreed: Collection[str] = (),
) -> tuple[tuple[MetricCorrelation, ...], str]:
    """The rows as `only_claimed` shows them, and why some have no star and no p. `sets`: the stories of each error
    type, where there are rows of them; `disagreed`: the criteria on which nothing shows that the ratings agree, where
    there are rows of every criterion, which stand by their own ratings.
    """
    values = {(column.metric, column.signature): column.values for column in table.columns}
    parts: dict[str, Ints] = {f"system:{name}": mine for name, mine in members(table.systems).items()}
    parts |= {f"error:{part.error_type}": part.rows for part in sets}
    stories, prompts = [], []
    for row in rows:
        own, c = values[row.metric, row.signature], row.correlation
        rated = int((np.isfinite(own) & np.isfinite(table.human)).sum())
        stories.append(rated if row.subset == OF_SYSTEMS else c.n)
        prompts.append(c.prompts[0] if c.prompts else enough_prompts(table, own, parts.get(row.subset or "")))
    shown, few = only_claimed(rows, prompts, stories)
    unlike = [
        str(row.subset).removeprefix(OF_CRITERION) in disagreed
        if (row.subset or "").startswith(OF_CRITERION)
        else not agreed
        for row in rows
    ]
    return tuple(_described(row) if void else row for row, void in zip(shown, unlike, strict=True)), " ".join(
        filter(None, ("" if agreed else DISAGREED, without_marks(disagreed), few))
    )


def _described(row: MetricCorrelation) -> MetricCorrelation:
    c = row.correlation
    pearson, spearman, kendall = map(described, (c.pearson, c.spearman, c.kendall))
    return replace(row, correlation=replace(c, pearson=pearson, spearman=spearman, kendall=kendall))


def figure_if_claimed(of: Estimate, n: int, prompts: int) -> Estimate:
    """A figure as it is shown of so many stories: without its interval where they are too few for a claim."""
    return of if claimed(n, prompts) else replace(of, low=None, high=None)


def trial_if_claimed(
    rows: Sequence[JudgeTrial], table: ScoreTable, *, agreed: bool = True
) -> tuple[tuple[JudgeTrial, ...], str]:
    """Judges as they are shown beside people, on the table's stories, and why some have no interval and no p. `agreed`:
    whether the ratings do.
    """
    sized = [(row, prompts_behind(table, row.judge.values)) for row in rows]
    few = any(not claimed(row.n, prompts) for row, prompts in sized)
    return tuple(_tried(row, prompts, agreed) for row, prompts in sized), why_unclaimed(few=few, agreed=agreed)


def _tried(row: JudgeTrial, prompts: int, agreed: bool) -> JudgeTrial:
    counted, _ = row.prompt.prompts or (0, 0)
    steps = row.confusion
    exact, near, kappa = (figure_if_claimed(of, row.n, prompts) for of in (steps.exact, steps.near, steps.kappa))
    return replace(
        row,
        pooled=each_if_claimed(row.pooled, row.n, prompts, agreed=agreed),
        prompt=each_if_claimed(row.prompt, row.prompt.n, counted, agreed=agreed),
        system=each_if_claimed(row.system, row.n, prompts, agreed=agreed),
        confusion=replace(steps, exact=exact, near=near, kappa=kappa),
    )


def biases_if_claimed(found: Biases, table: ScoreTable) -> tuple[Biases, str]:
    """What ratings tell of judges' biases, as it is shown: each figure without its interval where the stories behind it
    are too few, and why some have none.
    """
    rated = np.isfinite(table.human)
    sizes = [_size(table, np.isfinite(row.judge.values) & rated) for row in found.rows]
    variants = [[one.judge.values for one in found.rows if one.judge.judge == row.judge.judge] for row in found.rows]
    of_all = [_size(table, _in_all(values)) for values in variants]
    rows = tuple(_biased(row, *size) for row, size in zip(found.rows, zip(sizes, of_all, strict=True), strict=True))
    between = _size(table, _in_all([row.judge.values for row in found.rows])) if rows else (0, 0)
    words = figure_if_claimed(found.words, *_size(table, rated))
    few = any(n and not claimed(n, prompts) for n, prompts in sizes)
    return Biases(rows, words, figure_if_claimed(found.between_judges, *between)), why_unclaimed(few=few, agreed=True)


def _in_all(columns: Sequence[Floats]) -> Bools:
    """The stories with a value in every column."""
    return np.asarray(np.isfinite(columns).all(0))


def _size(table: ScoreTable, counted: Bools) -> tuple[int, int]:
    """How many stories of how many prompts these are."""
    return int(counted.sum()), len({table.prompts[row] for row in np.flatnonzero(counted).tolist()})


def _biased(row: JudgeBiases, both: tuple[int, int], variants: tuple[int, int]) -> JudgeBiases:
    return replace(
        row,
        lenient=figure_if_claimed(row.lenient, *both),
        pooled=figure_if_claimed(row.pooled, *both),
        equal_length=figure_if_claimed(row.equal_length, *both),
        longer=figure_if_claimed(row.longer, *both),
        length=figure_if_claimed(row.length, *both),
        family=figure_if_claimed(row.family, *both),
        wordings=figure_if_claimed(row.wordings, *variants),
    )


def probed_if_claimed(found: ProbedBiases) -> ProbedBiases:
    """The same of what a bias run has measured; several pairs of a story are one story."""

    def shown(of: Shift) -> Shift:
        size = min(of.n, found.stories), of.prompts
        return replace(of, points=figure_if_claimed(of.points, *size), share=figure_if_claimed(of.share, *size))

    checks = {
        check: replace(of, whole=shown(of.whole), variants=tuple(map(shown, of.variants)))
        for check, of in found.checks.items()
    }
    return replace(found, checks=checks)


def quotes_if_claimed(of: QuoteOverlap) -> QuoteOverlap:
    """The same of what a judge quotes."""
    right, found, kappa, one = (
        figure_if_claimed(figure, of.stories, of.prompts) for figure in (of.right, of.found, of.kappa, of.one_person)
    )
    return replace(of, right=right, found=found, kappa=kappa, one_person=one)


def wordings_if_claimed(
    rows: Sequence[Wording], table: ScoreTable, held_out: Collection[str]
) -> tuple[tuple[Wording, ...], str]:
    """Wordings as they are shown on the development half, and why some have no interval."""
    sized = [(row, prompts_of_half(table, held_out, row)) for row in rows]
    few = any(not claimed(row.correlation.n, prompts) for row, prompts in sized)
    shown = (
        replace(row, correlation=each_if_claimed(row.correlation, row.correlation.n, prompts)) for row, prompts in sized
    )
    return tuple(shown), why_unclaimed(few=few, agreed=True)


def prompts_of_half(table: ScoreTable, held_out: Collection[str], *rows: Wording, reported: bool = False) -> int:
    """Of how many prompts the rated stories are that all these wordings have scored: of the development half, or of the
    one that is `reported`.
    """
    of = _in_all([row.judge.values for row in rows]) & np.isfinite(table.human)
    return _size(table, of & (on_half(table, held_out) == reported))[1]
