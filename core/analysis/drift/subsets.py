"""System drift and dataset drift: is a metric as good on other systems' stories, or in another study?

OpenMEVA (2021), section 4.3: Table 4 correlates a metric with people on each system's stories apart, Table 5 (and
UNION's Table 6) on another corpus than the one that a learnable metric was trained on. Intervals draw whole prompts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from scipy.sparse import csr_array

from core.arrays import Floats, Ints
from core.errors import InputError
from core.metrics.naming import unique_names
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import drawn_prompts, why_undefined
from core.statistics.draws import copies_of
from core.statistics.intervals import Estimate, ends, estimate, too_many_undefined
from core.statistics.moments import moments, score_matrix
from core.stories import NAMELESS


@dataclass(frozen=True)
class Subset:
    """Some of a study's stories: a system's, or all of them; `n` are rated."""

    name: str
    n: int


@dataclass(frozen=True)
class SystemDriftRow:
    """A metric's Pearson's r on each system's stories and on `all` stories; `n` are scored and rated."""

    metric: str
    signature: str
    values: tuple[Estimate, ...]
    n: tuple[int, ...]
    all: Estimate


@dataclass(frozen=True)
class SystemDrift:
    """A row per metric, a value per system, in the systems' order."""

    n: int
    unrated: int
    resamples: int
    seed: int
    systems: tuple[Subset, ...]
    rows: tuple[SystemDriftRow, ...]


@dataclass(frozen=True)
class DatasetRow:
    """A metric in each study, in their order; None where a study lacks it.

    `changes`: r minus that in the first study, with the interval of the difference of two independent studies.
    `relative`: that change over the first r, undefined where the first r cannot be told from 0: a share of noise.
    """

    metric: str
    signatures: tuple[str | None, ...]
    values: tuple[Estimate, ...]
    n: tuple[int, ...]
    changes: tuple[Estimate, ...]
    relative: tuple[float | None, ...]

    @property
    def one_signature(self) -> bool:
        """Whether the metric has one signature in all studies that have it; if not, these are different metrics."""
        return len({signature for signature in self.signatures if signature is not None}) == 1


@dataclass(frozen=True)
class DatasetDrift:
    """A row a metric that at least two studies have, the best in the first study first; `unmatched` names the others
    by study.
    """

    studies: tuple[Subset, ...]
    resamples: int
    seed: int
    rows: tuple[DatasetRow, ...]
    unmatched: Mapping[str, tuple[str, ...]]


def system_drift(table: ScoreTable, *, resamples: int = 1000, seed: int = 0) -> SystemDrift:
    """Correlate every metric with people on each system's stories separately, over the same draws of prompts.

    `subsets.by_system` has the same table with the rank coefficients and p, from the same draws. It keeps an engine of
    its own: SciPy's r of each subset and r from sums of the whole study differ in their last digit (most of them do, by
    less than 1e-15), and both are printed. Here nothing is ranked, which takes a third of the time.

    Raises InputError where there are fewer than two systems with rated stories.
    """
    rated = np.isfinite(table.human)
    named = list(compress(table.systems, rated))
    systems = list(dict.fromkeys(named))
    if len(systems) < 2:
        raise InputError(f"System drift compares the stories of two systems or more; {_too_few(systems)}.")
    rows = np.flatnonzero(rated)
    places = {name: place for place, name in enumerate(systems)}
    of = np.array([places[name] for name in named], dtype=np.intp)
    groups = [*(rows[of == place] for place in range(len(systems))), rows]
    correlations = correlate_parts(table, groups, resamples=resamples, seed=seed)
    parts = tuple(Subset(name, len(group)) for name, group in zip(systems, groups[:-1], strict=True))
    lines = tuple(
        SystemDriftRow(
            column.metric,
            column.signature,
            tuple(part.estimates[place] for part in correlations[:-1]),
            tuple(part.n[place] for part in correlations[:-1]),
            correlations[-1].estimates[place],
        )
        for place, column in enumerate(table.columns)
    )
    return SystemDrift(len(rows), int((~rated).sum()), resamples, seed, parts, lines)


def _too_few(systems: Sequence[str]) -> str:
    if not systems:
        return "no story here is rated"
    return "these name no system" if systems[0] == NAMELESS else f"all rated ones here are of {systems[0]}"


def dataset_drift(tables: Mapping[str, ScoreTable], *, resamples: int = 1000, seed: int = 0) -> DatasetDrift:
    """Correlate the metrics of two or more studies with people in each; the first study is the one compared with.

    Metrics are matched by name; of several signatures of one name, those that are the same, then by order. Raises
    InputError for fewer than two studies, and where no metric is in two of them.
    """
    if len(tables) < 2:
        raise InputError("Dataset drift compares two studies or more; name another one.")
    matched, unmatched = match_metrics({name: table.columns for name, table in tables.items()})
    if not matched:
        raise InputError(f"No metric was scored in more than one of these studies: {', '.join(tables)}.")
    # The first study's draws are those of its other pages; studies are independent, and so is their luck.
    seeds: list[int | np.random.SeedSequence] = [seed, *np.random.SeedSequence(seed).spawn(len(tables) - 1)]
    correlations = []
    for table, own in zip(tables.values(), seeds, strict=True):
        rated = np.flatnonzero(np.isfinite(table.human))
        correlations.append(correlate_parts(table, [rated], resamples=resamples, seed=own)[0])
    studies = tuple(Subset(name, int(np.isfinite(table.human).sum())) for name, table in tables.items())
    rows = tuple(_dataset_row(metric, places, tables, correlations) for metric, places in matched)
    best = sorted(rows, key=lambda row: -2.0 if row.values[0].value is None else row.values[0].value, reverse=True)
    return DatasetDrift(studies, resamples, seed, tuple(best), unmatched)


Matched = list[tuple[str, tuple[int | None, ...]]]


def match_metrics(columns: Mapping[str, Sequence[ScoreColumn]]) -> tuple[Matched, dict[str, tuple[str, ...]]]:
    """Metrics that at least two studies have, each with its column's number a study (None: it has none); and the
    names of the others by study.

    Several signatures of one metric: those found in every study that has the metric go together first, the rest in
    order; each is called as in the first study that has it.
    """
    matched: Matched = []
    taken: set[str] = set()
    unmatched: dict[str, tuple[str, ...]] = {}
    for metric in dict.fromkeys(column.metric for mine in columns.values() for column in mine):
        queues = [[i for i, column in enumerate(mine) if column.metric == metric] for mine in columns.values()]
        having = [
            {mine[i].signature for i in queue} for mine, queue in zip(columns.values(), queues, strict=True) if queue
        ]
        shared = set.intersection(*having)
        for mine, queue in zip(columns.values(), queues, strict=True):
            queue.sort(key=lambda i: (mine[i].signature not in shared, mine[i].signature))
        for number in range(max(map(len, queues))):
            places = tuple(queue[number] if number < len(queue) else None for queue in queues)
            pairs = [
                (metric, mine[place].signature)
                for mine, place in zip(columns.values(), places, strict=True)
                if place is not None
            ]
            name = unique_names(pairs[:1])[0]
            if name in taken:  # as many signatures, but no two the same
                name = f"{name} ({number + 1})"
            taken.add(name)
            if sum(place is not None for place in places) >= 2:
                matched.append((name, places))
            else:
                (owner,) = (study for study, place in zip(columns, places, strict=True) if place is not None)
                unmatched[owner] = (*unmatched.get(owner, ()), name)
    return matched, unmatched


def _dataset_row(
    metric: str,
    places: tuple[int | None, ...],
    tables: Mapping[str, ScoreTable],
    correlations: Sequence["PartCorrelations"],
) -> DatasetRow:
    lacking = tuple(Estimate(None, undefined=f"not scored in {name}") for name in tables)
    owned = list(zip(places, correlations, strict=True))
    values = tuple(
        none if place is None else correlations.estimates[place]
        for (place, correlations), none in zip(owned, lacking, strict=True)
    )
    draws = [None if place is None else correlations.drawn[:, place] for place, correlations in owned]
    return DatasetRow(
        metric,
        tuple(
            None if place is None else table.columns[place].signature
            for place, table in zip(places, tables.values(), strict=True)
        ),
        values,
        tuple(0 if place is None else correlations.n[place] for place, correlations in owned),
        tuple(_change(values[0], draws[0], value, drawn) for value, drawn in zip(values[1:], draws[1:], strict=True)),
        tuple(_relative(values[0], value) for value in values[1:]),
    )


def _change(first: Estimate, drawn_first: Floats | None, other: Estimate, drawn_other: Floats | None) -> Estimate:
    """The second r minus the first, with the 95 % interval of the difference."""
    if first.value is None or other.value is None or drawn_first is None or drawn_other is None:
        return Estimate(None, undefined=first.undefined or other.undefined)
    value = other.value - first.value
    if first.low is None or other.low is None:
        return Estimate(value)
    return Estimate(value, *ends(drawn_other - drawn_first))


def _relative(first: Estimate, other: Estimate) -> float | None:
    if not first.value or other.value is None or first.low is None or first.high is None:
        return None
    told_apart = first.low > 0 or first.high < 0
    return (other.value - first.value) / abs(first.value) if told_apart else None


@dataclass(frozen=True)
class PartCorrelations:
    """One group's correlations: an estimate and a count per metric; `drawn` (draws x metrics): r of every draw."""

    estimates: tuple[Estimate, ...]
    n: tuple[int, ...]
    drawn: Floats


def correlate_parts(
    table: ScoreTable, groups: Sequence[Ints], *, resamples: int, seed: int | np.random.SeedSequence
) -> list[PartCorrelations]:
    """Pearson's r of every metric with people in each group of rated stories (their numbers), with intervals by prompt.

    Prompts are drawn once for all groups, so that what two groups have in common does not part them: as
    `correlate_groups` draws them, so that the same stories have the same interval on every page.
    """
    scores = score_matrix(table.columns, len(table.keys))
    prompts, number = drawn_prompts(table.human, table.prompts)
    prepared = moments(scores, table.human)
    owned = [np.unique(prompts[rows], return_inverse=True) for rows in groups]
    sums = [
        np.asarray(
            csr_array((np.ones(len(rows)), (inner, np.arange(len(rows)))), shape=(len(own), len(rows)))
            @ prepared.columns[rows]
        )
        for rows, (own, inner) in zip(groups, owned, strict=True)
    ]
    drawn: list[list[Floats]] = [[] for _ in groups]
    for copies in copies_of(number, number, seed, resamples):
        for place, (own, _) in enumerate(owned):
            mine = copies if len(own) == copies.shape[1] else copies[:, own]
            drawn[place].append(prepared.pearson(mine @ sums[place], fewest=1))  # as the bootstrap has it
    parts = []
    for rows, own, draws in zip(groups, sums, drawn, strict=True):
        r = prepared.pearson(own.sum(0, keepdims=True))[0]
        parts.append(
            _part(scores[rows], table.human[rows], prompts[rows], r, np.concatenate([np.empty((0, len(r))), *draws]))
        )
    return parts


def _part(scores: Floats, human: Floats, prompts: Ints, r: Floats, drawn: Floats) -> PartCorrelations:
    estimates, counts = [], []
    for place in range(scores.shape[1]):
        paired = np.isfinite(scores[:, place]) & np.isfinite(human)
        counts.append(int(np.count_nonzero(paired)))
        reason = why_undefined(scores[:, place], human)
        if reason is None and not np.isfinite(r[place]):
            reason = "the scores or the ratings hardly differ"
        if reason:
            estimates.append(Estimate(None, undefined=reason))
        else:
            value, own = float(r[place]), drawn[:, place]
            estimates.append(Estimate(value) if too_many_undefined(own) else estimate(value, own, prompts[paired]))
    return PartCorrelations(tuple(estimates), tuple(counts), drawn)
