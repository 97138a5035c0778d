"""What of a study's finding does not outlast its degenerate stories: said by pages, reports and bundles alike."""

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.partial import partial_table
from core.analysis.verdict.degenerate import CheckUp, RunningCheckUp, overturned, sole_system
from core.analysis.verdict.few_stories import if_claimed
from core.analysis.verdict.finding import Mark
from core.analysis.verdict.parts import prompts_behind
from core.analysis.verdict.sentences import Basis, VerdictSentence, cited
from core.arrays import Floats
from core.checks import FindingKind
from core.scores import ScoreTable
from core.statistics.correlation import NOTHING, Coefficient, MetricCorrelation, correlate


def overturned_finding(
    names: Sequence[str],
    signatures: Sequence[str],
    ups: Sequence[CheckUp],
    best: str,
    learnt: Container[str],
    mark: Mark = str,
    among_all: Coefficient | None = None,
) -> str:
    """`overturned` of the finding's `best` metric, with its r `among_all` stories, among those that may come first: not
    with a signature in `learnt`, which were trained on stories of the study.
    """
    fair = {
        name: up
        for name, signature, up in zip(names, signatures, ups, strict=True)
        if name == best or signature not in learnt
    }
    return overturned(list(fair), list(fair.values()), best, mark, among_all)


def inside_without(
    single: ScoreTable, kinds: Sequence[FindingKind | None], *, seed: int = 0, resamples: int = 0
) -> Coefficient:
    """Pearson's r within systems of the table's one column, without the stories of these `kinds`; nothing where none
    that it scores is one.
    """
    (column,), bare = single.columns, _bare(single, kinds)
    if np.isfinite(bare).sum() == np.isfinite(column.values).sum():
        return NOTHING
    others = replace(single, columns=(replace(column, values=bare),))
    return partial_table(others, seed=seed, resamples=resamples)[0].within_systems.r


def r_without(
    single: ScoreTable, kinds: Sequence[FindingKind | None], *, seed: int = 0, resamples: int = 0
) -> Coefficient:
    """Pearson's r of the table's one column with people, without the stories of these `kinds`; with its interval where
    the others are enough for a claim.
    """
    bare = _bare(single, kinds)
    found = correlate(bare, single.human, single.prompts, seed=seed, resamples=resamples)
    return if_claimed(found.pearson, found.n, prompts_behind(single, bare))


def _bare(single: ScoreTable, kinds: Sequence[FindingKind | None]) -> Floats:
    """The scores of the table's one column, without those of such stories."""
    degenerate = np.array([kind is not None for kind in kinds], dtype=bool)
    return np.where(degenerate, np.nan, single.columns[0].values)


def on_overturned(
    table: ScoreTable,
    names: Sequence[str],
    place: int,
    correlated: Sequence[MetricCorrelation],
    kinds: Sequence[FindingKind | None],
    learnt: Container[str],
    without: Coefficient,
) -> tuple[VerdictSentence, ...]:
    """The same in the report of one metric, in this `place` of the table: of the best one as the headline says it, of
    another whether its r turns round. That r merely leaves its interval is left to `on_degenerate`, which stands beside
    it. `correlated`: the columns with people; `kinds`: what makes a story degenerate;
    `without`: the metric's r without these, as it is shown.
    """
    if not any(kinds):
        return ()
    signatures = [column.signature for column in table.columns]
    values = [row.correlation.pearson.value for row in correlated]
    own = values[place]
    fair = [value for value, signature in zip(values, signatures, strict=True) if signature not in learnt]
    first = own is not None and signatures[place] not in learnt and own == max(v for v in fair if v is not None)
    looked_at = range(len(names)) if first else [place]
    ups, by = [], sole_system(table.systems, kinds)
    for number in looked_at:
        running = RunningCheckUp()
        running.add(table.columns[number].values, table.human, kinds)
        up = replace(running.result(), by=by)
        ups.append(replace(up, r_without=without) if number == place else up)
    text = overturned_finding(
        [names[number] for number in looked_at],
        [signatures[number] for number in looked_at],
        ups,
        names[place],
        learnt,
    )
    numbers = cited(without, "r without them", "low without them", "high without them")
    return (VerdictSentence(text, numbers, Basis.DEGENERATE, caution=True, decisive=True),) if text else ()
