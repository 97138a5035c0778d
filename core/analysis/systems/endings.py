"""Robustness to endings: a metric's mean on groups of endings of the same contexts. Perception Score (2020), Table 3.

There the groups are a model's endings, three kinds of human ones and adversarial ones; any labels will do, such as the
right and the wrong endings of the Story Cloze test, or the systems of a study that continue the same prompts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import Floats
from core.statistics.draws import drawn_means, drawn_sums
from core.statistics.groups import numbered
from core.statistics.intervals import Estimate, column_ends, finite


@dataclass(frozen=True)
class EndingGroup:
    """One group: `n` scored endings of `contexts` contexts, and their mean.

    Over the `paired` contexts that have an ending of the first group too: `difference`, this group's mean less the
    first's, and `below`, the share of contexts (0..1) whose ending of this group scores below the first group's, a tie
    counting half. Both None for the first group itself. Intervals draw whole contexts.
    """

    group: str
    n: int
    contexts: int
    mean: Estimate
    paired: int = 0
    difference: Estimate | None = None
    below: Estimate | None = None


def compare_endings(
    scores: ArrayLike,
    groups: Sequence[str],
    contexts: Sequence[str],
    *,
    first: str = "",
    weights: ArrayLike | None = None,
    seed: int = 0,
    resamples: int = 1000,
) -> tuple[EndingGroup, ...]:
    """Compare each group's endings with those of the group `first`, which is listed first; by default the first group.

    `scores`: one an ending, NaN where there is none; several endings of a group and a context count as their mean in
    what is paired. `weights`: of the endings in their means, where they do not count alike. Groups come in the order in
    which they first stand; one without a score has no mean.
    """
    values = np.asarray(scores, dtype=np.float64)
    names = list(dict.fromkeys(groups))
    if first in names:
        names.sort(key=lambda name: name != first)
    if not names:
        return ()
    numbers = {name: number for number, name in enumerate(names)}
    columns = np.array([numbers[name] for name in groups], dtype=np.intp)
    rows = numbered(contexts)[1]
    given = np.isfinite(values)
    shape = (int(rows.max()) + 1, len(names))
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(counts, (rows[given], columns[given]), 1)
    weight = np.ones(len(values)) if weights is None else np.asarray(weights, dtype=np.float64)
    weighed = np.zeros(shape)
    np.add.at(sums, (rows[given], columns[given]), (values * weight)[given])
    np.add.at(weighed, (rows[given], columns[given]), weight[given])
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / weighed
        gaps = means - means[:, :1]
    defined = np.isfinite(gaps)
    below = np.where(defined, (gaps < 0) + 0.5 * (gaps == 0), 0)
    matrices = [sums, weighed, np.where(defined, gaps, 0), below, defined.astype(np.float64)]
    drawn = drawn_sums(matrices, seed=seed, resamples=resamples if shape[0] > 1 else 0)
    whole = [matrix.sum(0) for matrix in matrices]
    mean, difference, lower = (
        _estimates(whole[a], whole[b], drawn_means(drawn[a], drawn[b], matrices[b]))
        for a, b in ((0, 1), (2, 4), (3, 4))
    )
    results = []
    for i, name in enumerate(names):
        group = EndingGroup(name, int(counts[:, i].sum()), int(np.count_nonzero(counts[:, i])), mean[i])
        if i:
            group = EndingGroup(
                group.group, group.n, group.contexts, group.mean, int(whole[4][i]), difference[i], lower[i]
            )
        results.append(group)
    return tuple(results)


def _estimates(total: Floats, count: Floats, drawn: Floats) -> list[Estimate]:
    """Means of columns from sums and counts, with the intervals of their draws (draws x columns)."""
    low, high = column_ends(drawn)
    return [
        Estimate(float(total[i] / number), finite(low[i]), finite(high[i]))
        if number
        else Estimate(None, undefined="no prompt has a score for it")
        for i, number in enumerate(count.tolist())
    ]
