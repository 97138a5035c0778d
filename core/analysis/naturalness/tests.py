"""One system's Fp against human Fp, on the same documents and as two samples. Differences are machine minus human."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import stats

from core.arrays import Floats, Ints
from core.statistics.draws import drawn_sums
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, column_ends, finite, wilson
from core.statistics.paired import MOST_UNITS
from core.statistics.roc import auc

ALIKE = 1e-12
"""Differences or deviations that small are rounding."""


@dataclass(frozen=True)
class PairedTest:
    """Over `pairs` documents of which both sides have a text; several texts of a side count as their mean.

    `share_greater`: of documents with a higher Fp of the machine text, ties half (Wilson's interval). `difference`,
    `relative`: the mean difference, and it over the mean human Fp. `dz`: Cohen's, the mean difference over the SD of
    the differences. `undefined`: why there is less than that, or nothing.
    """

    pairs: int
    share_greater: Estimate
    difference: Estimate
    relative: Estimate
    dz: Estimate
    t_p: float | None = None
    wilcoxon_p: float | None = None
    undefined: str | None = None


@dataclass(frozen=True)
class Unpaired:
    """Over all texts of both sides. `g`: Hedges'. `auc`: that a machine text has the higher Fp; `delta`: Cliff's, which
    is 2 AUC - 1. The two p take texts as independent.
    """

    human: int
    machine: int
    difference: Estimate
    relative: Estimate
    g: Estimate
    auc: Estimate
    delta: Estimate
    welch_p: float | None = None
    mann_whitney_p: float | None = None
    undefined: str | None = None


def document_means(values: Floats, documents: Ints) -> dict[int, float]:
    """The mean of each document's texts."""
    unit, place = np.unique(documents, return_inverse=True)
    means = np.bincount(place, values) / np.bincount(place) if len(values) else np.empty(0)
    return dict(zip(unit.tolist(), means.tolist(), strict=True))


def drawn_sums_of(columns: Floats, seed: int, resamples: int) -> Floats:
    """Sums of the columns (documents x columns) in each draw of whole documents: of groups of them, where they are very
    many.
    """
    if len(columns) > MOST_UNITS:
        groups = np.random.default_rng(seed).permutation(len(columns)) % MOST_UNITS
        columns = np.column_stack([np.bincount(groups, item, minlength=MOST_UNITS) for item in columns.T])
    return drawn_sums([columns], seed=seed, resamples=resamples)[0]


def paired_test(
    human: Floats,
    machine: Floats,
    human_documents: Ints,
    machine_documents: Ints,
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> PairedTest:
    """Compare documents of which both sides have a text; all values are finite."""
    gold, machines = document_means(human, human_documents), document_means(machine, machine_documents)
    shared = sorted(set(gold) & set(machines))
    reference = np.array([gold[number] for number in shared])
    d = np.array([machines[number] for number in shared]) - reference
    n = len(d)
    if n < 2:
        lack = too_few(n, "document has", "documents have", "a text of both sides", 2)
        none = Estimate(None, undefined=lack)
        return PairedTest(n, none, none, none, none, undefined=lack)
    d = np.where(np.abs(d) < ALIKE, 0.0, d)
    share = float(((d > 0) + 0.5 * (d == 0)).mean())
    sums = drawn_sums_of(np.column_stack([np.ones(n), d, d * d, reference]), seed, resamples)
    total, of_d, of_dd, of_gold = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.sqrt(np.maximum(0.0, of_dd - of_d**2 / total) / (total - 1))
        dz = np.where(spread > ALIKE, of_d / total / spread, np.nan)
        drawn = np.column_stack([of_d / total, of_d / of_gold, dz])
    low, high = column_ends(drawn)
    sd, mean = float(d.std(ddof=1)), float(d.mean())
    reason = None if sd > ALIKE else "the difference is the same for every document"
    values = (mean, mean / float(reference.mean()) if reference.mean() else None, None if reason else mean / sd)
    difference, relative, effect = (_estimate(value, low[i], high[i], reason) for i, value in enumerate(values))
    tests = (None, None) if reason else _paired_tests(d)
    return PairedTest(n, Estimate(share, *wilson(share, n)), difference, relative, effect, *tests, reason)


def _estimate(value: float | None, low: float, high: float, reason: str | None) -> Estimate:
    if value is None:
        return Estimate(None, undefined=reason)
    return Estimate(value, finite(low), finite(high))


def _paired_tests(d: Floats) -> tuple[float | None, float | None]:
    ranks = stats.wilcoxon(d) if len(d) <= 50 and (d != 0).all() else stats.wilcoxon(d, method="approx")
    return finite(float(stats.ttest_1samp(d, 0).pvalue)), finite(float(ranks.pvalue))


def unpaired(
    human: Floats,
    machine: Floats,
    human_documents: Ints,
    machine_documents: Ints,
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> Unpaired:
    """Compare two samples of finite values."""
    h, m = len(human), len(machine)
    if min(h, m) < 2:
        side = "human" if h < m else "machine"
        lack = too_few(min(h, m), f"{side} text has", f"{side} texts have", "an Fp", 2)
        none = Estimate(None, undefined=lack)
        return Unpaired(h, m, none, none, none, none, none, undefined=lack)
    area = auc(human, machine, human_documents, machine_documents)
    delta = Estimate(_cliff(area.value), _cliff(area.low), _cliff(area.high))
    drawn = _drawn(human, machine, human_documents, machine_documents, seed, resamples)
    low, high = column_ends(drawn)
    difference, gold = float(machine.mean() - human.mean()), float(human.mean())
    spread = _pooled(h, m, float(human.var(ddof=1)), float(machine.var(ddof=1)))
    constant = max(np.ptp(human), np.ptp(machine)) < ALIKE
    reason = "every text of a side has the same Fp" if constant else None
    g = None if constant else difference / spread * float(_hedges(np.array(h + m)))
    values = (difference, difference / gold if gold else None, g)
    of_mean, relative, effect = (_estimate(value, low[i], high[i], reason) for i, value in enumerate(values))
    tests = (None, None) if constant else _unpaired_tests(human, machine)
    return Unpaired(h, m, of_mean, relative, effect, area, delta, *tests, reason)


def _cliff(area: float | None) -> float | None:
    return None if area is None else 2 * area - 1


def _hedges(n: Floats) -> Floats:
    """The small-sample correction of d (Hedges 1981)."""
    return np.asarray(1 - 3 / (4 * n - 9))


def _pooled(h: float, m: float, human: float, machine: float) -> float:
    return float(np.sqrt(((h - 1) * human + (m - 1) * machine) / (h + m - 2)))


def _unpaired_tests(human: Floats, machine: Floats) -> tuple[float | None, float | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a side that is all alike: its variance is nought, and known
        welch = stats.ttest_ind(machine, human, equal_var=False).pvalue
    rank = stats.mannwhitneyu(machine, human, alternative="two-sided", method="asymptotic").pvalue
    return finite(float(welch)), finite(float(rank))


def _drawn(
    human: Floats, machine: Floats, human_documents: Ints, machine_documents: Ints, seed: int, resamples: int
) -> Floats:
    """Difference, relative difference and g in each draw of whole documents of both sides together."""
    unit = np.unique(np.concatenate([human_documents, machine_documents]), return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number < 3:  # a document a side at most: nothing to draw from
        return np.full((1, 3), np.nan)
    centre = float(np.concatenate([human, machine]).mean())
    columns = []
    for values, units in ((human - centre, unit[: len(human)]), (machine - centre, unit[len(human) :])):
        weights = (np.ones(len(values)), values, values**2)
        columns += [np.bincount(units, weight, minlength=number) for weight in weights]
    n_h, of_h, of_hh, n_m, of_m, of_mm = drawn_sums_of(np.column_stack(columns), seed, resamples).T
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_h, mean_m = of_h / n_h, of_m / n_m
        within = np.maximum(0.0, of_hh - n_h * mean_h**2) + np.maximum(0.0, of_mm - n_m * mean_m**2)
        spread = np.sqrt(within / (n_h + n_m - 2))
        g = np.where(spread > ALIKE, (mean_m - mean_h) / spread * _hedges(n_h + n_m), np.nan)
        return np.column_stack([mean_m - mean_h, (mean_m - mean_h) / (mean_h + centre), g])
