"""What of a study's finding does not outlast its degenerate stories: said by pages, reports and bundles alike."""

from collections.abc import Container, Sequence
from dataclasses import replace

import numpy as np

from core.analysis.correlation.partial import partial_table
from core.analysis.verdict.degenerate import CheckUp, RunningCheckUp, overturned, sole_system
from core.analysis.verdict.finding import Mark
from core.analysis.verdict.sentences import Basis, VerdictSentence, cited
from core.checks import FindingKind
from core.scores import ScoreTable
from core.statistics.correlation import NOTHING, Coefficient, MetricCorrelation


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
    (column,) = single.columns
    degenerate = np.array([kind is not None for kind in kinds], dtype=bool)
    if not (degenerate & np.isfinite(column.values)).any():
        return NOTHING
    bare = replace(single, columns=(replace(column, values=np.where(degenerate, np.nan, column.values)),))
    return partial_table(bare, seed=seed, resamples=resamples)[0].within_systems.r


def on_overturned(
    table: ScoreTable,
    names: Sequence[str],
    place: int,
    correlated: Sequence[MetricCorrelation],
    kinds: Sequence[FindingKind | None],
    learnt: Container[str],
) -> tuple[VerdictSentence, ...]:
    """The same in the report of one metric, in this `place` of the table: of the best one as the headline says it, of
    another whether its r turns round. That r merely leaves its interval is left to `on_degenerate`, which stands beside
    it. `correlated`: the columns with people; `kinds`: what makes a story degenerate.
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
        ups.append(replace(running.result(), by=by))
    text = overturned_finding(
        [names[number] for number in looked_at],
        [signatures[number] for number in looked_at],
        ups,
        names[place],
        learnt,
    )
    without = ups[place if first else 0].r_without
    numbers = cited(without, "r without them", "low without them", "high without them")
    return (VerdictSentence(text, numbers, Basis.DEGENERATE, caution=True, decisive=True),) if text else ()
