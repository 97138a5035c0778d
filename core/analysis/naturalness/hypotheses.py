"""The naturalness paper's hypotheses as differences of differences (Çano and Bojar 2020, section 4.1).

H1: a bigger generator's texts differ more from human ones. H2: a bigger discriminator sees a bigger difference. The
paper tests each difference against nought; whether one is larger than another takes a test of its own, which this is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from scipy import stats

from core.analysis.naturalness.corpora import FpScores, NaturalTexts
from core.analysis.naturalness.tests import ALIKE, document_means, drawn_sums_of
from core.arrays import Floats
from core.statistics.groups import too_few
from core.statistics.intervals import Estimate, column_ends, finite
from core.statistics.paired import MOST_UNITS
from core.wording import p_is

PERMUTATIONS = 9_999
EXACT = 13
"""Documents, up to which all ways to flip their signs are tried."""
CELLS_A_BLOCK = 4_000_000
LEVEL = 0.05
NOT_TESTED = Estimate(None)
_SEES = ("sees a smaller difference from", "sees a larger difference from")


@dataclass(frozen=True)
class Hypothesis:
    """One test. `larger`, `smaller`: the two generators of H1, discriminators of H2; `of`: the discriminator of H1, the
    generator of H2. `larger_difference`, `smaller_difference`: machine less human Fp of each; `difference`: the first
    less the second, with the interval of draws of whole documents.

    `paired`: by the `n` documents that have all that it takes; else `n` texts of two samples. `t_p`: of the paired
    t-test or Welch's; `permutation_p`: of flipped signs or swapped labels; both two-sided. `at_most`: it is only the
    least that so many permutations can show.
    """

    name: str
    larger: str
    smaller: str
    of: str
    paired: bool = False
    n: int = 0
    larger_difference: float | None = None
    smaller_difference: float | None = None
    difference: Estimate = NOT_TESTED
    t_p: float | None = None
    permutation_p: float | None = None
    at_most: bool = False
    undefined: str | None = None

    @property
    def holds(self) -> bool | None:
        """Whether the larger one's difference is larger; None where neither that nor the opposite is significant at
        .05.
        """
        if self.permutation_p is None or self.permutation_p >= LEVEL or not self.difference.value:
            return None
        return self.difference.value > 0

    @property
    def sentence(self) -> str:
        """The finding in plain text."""
        if self.permutation_p is None:
            return f"{self.name} cannot be tested with {self.larger} and {self.smaller}: {self.undefined}."
        estimate = self.difference
        unsure = estimate.low is None or estimate.high is None
        ends = "" if unsure else f" (95 % {estimate.ends_text('+.3f')})"
        by = "difference of differences" + (f" over {self.n:,} documents" if self.paired else f" over {self.n:,} texts")
        measured = f"{estimate.value:+.3f}{ends}".replace("-", "−")
        result = f"{by} {measured}, {p_is(self.permutation_p, at_most=self.at_most)}"
        less, more = ("differs less from", "differs more from") if self.name == "H1" else _SEES
        if self.holds is None:
            return f"{self.name} is not shown: {self.larger} and {self.smaller} differ too little; {result}."
        if self.holds:
            return f"{self.name} holds here: {self.larger} {more} human text than {self.smaller}; {result}."
        return f"The opposite of {self.name}: {self.larger} {less} human text than {self.smaller}; {result}."


def between_generators(
    texts: NaturalTexts, reading: FpScores, larger: str, smaller: str, *, seed: int = 0, resamples: int = 1000
) -> Hypothesis:
    """H1 under one discriminator: is the larger generator's difference from human text larger than the smaller's?

    Paired by document where documents have texts of both generators, and of people if any have; human Fp then cancels
    out. Else two samples of documents.
    """
    gold, item, other = (_by_document(texts, reading.fp, system) for system in (None, larger, smaller))
    about = Hypothesis("H1", larger, smaller, reading.discriminator.name)
    shared = sorted(set(item) & set(other) & set(gold) or set(item) & set(other))
    human = float(np.mean([gold[key] for key in shared if key in gold] or list(gold.values()) or [np.nan]))
    if len(shared) >= 2:
        a, b = (np.array([side[key] for key in shared]) for side in (item, other))
        about = replace(about, larger_difference=finite(a.mean() - human), smaller_difference=finite(b.mean() - human))
        return _one_sample(about, a - b, seed, resamples)
    a, b = (np.array(list(side.values())) for side in (item, other))
    if len(a) and len(b):
        about = replace(about, larger_difference=finite(a.mean() - human), smaller_difference=finite(b.mean() - human))
    return _two_samples(about, a, b, seed, resamples)


def between_discriminators(
    texts: NaturalTexts, larger: FpScores, smaller: FpScores, system: str, *, seed: int = 0, resamples: int = 1000
) -> Hypothesis:
    """H2 for one generator: does the larger discriminator see a larger difference from human text than the smaller?

    Paired by document where documents have texts of both sides; else the change of each text's Fp from the smaller to
    the larger is compared between two samples of documents.
    """
    about = Hypothesis("H2", larger.discriminator.name, smaller.discriminator.name, system)
    both = np.isfinite(larger.fp) & np.isfinite(smaller.fp)
    parts = [
        {side: _by_document(texts, np.where(both, scores.fp, np.nan), side) for side in (None, system)}
        for scores in (larger, smaller)
    ]
    shared = sorted(set(parts[0][None]) & set(parts[0][system]))
    if len(shared) >= 2:
        a, b = (np.array([part[system][key] - part[None][key] for key in shared]) for part in parts)
        about = replace(about, larger_difference=float(a.mean()), smaller_difference=float(b.mean()))
        return _one_sample(about, a - b, seed, resamples)
    machine, human = (
        np.array([parts[0][side][k] - parts[1][side][k] for k in parts[0][side]]) for side in (system, None)
    )
    if len(machine) and len(human):
        seen = [_mean(part[system]) - _mean(part[None]) for part in parts]
        about = replace(about, larger_difference=seen[0], smaller_difference=seen[1])
    return _two_samples(about, machine, human, seed, resamples)


def _mean(values: Mapping[int, float]) -> float:
    return float(np.mean(list(values.values())))


def _by_document(texts: NaturalTexts, fp: Floats, system: str | None) -> dict[int, float]:
    mine = texts.of(system)
    mine = mine[np.isfinite(fp[mine])]
    return document_means(fp[mine], texts.numbers[mine])


def _one_sample(about: Hypothesis, d: Floats, seed: int, resamples: int) -> Hypothesis:
    about = replace(about, paired=True, n=len(d))
    if np.ptp(d) < ALIKE:
        return _undefined(about, "the difference is the same for every document")
    sums = drawn_sums_of(np.column_stack([d, np.ones(len(d))]), seed, resamples)
    low, high = column_ends(sums[:, :1] / sums[:, 1:])
    p = sign_flip_p(d, seed=seed)
    return replace(
        about,
        difference=Estimate(float(d.mean()), finite(low[0]), finite(high[0])),
        t_p=finite(float(stats.ttest_1samp(d, 0).pvalue)),
        permutation_p=p,
        at_most=len(d) > EXACT and p == 1 / (PERMUTATIONS + 1),
    )


def _two_samples(about: Hypothesis, a: Floats, b: Floats, seed: int, resamples: int) -> Hypothesis:
    about = replace(about, n=len(a) + len(b))
    if min(len(a), len(b)) < 2:
        return _undefined(about, too_few(min(len(a), len(b)), "document has", "documents have", "an Fp", 2))
    if max(np.ptp(a), np.ptp(b)) < ALIKE:
        return _undefined(about, "every document has the same number")
    rng = np.random.default_rng(seed)
    drawn = np.array([rng.choice(a, len(a)).mean() - rng.choice(b, len(b)).mean() for _ in range(resamples)])
    low, high = column_ends(drawn[:, None])
    p = swapped_p(a, b, seed=seed)
    return replace(
        about,
        difference=Estimate(float(a.mean() - b.mean()), finite(low[0]), finite(high[0])),
        t_p=finite(float(stats.ttest_ind(a, b, equal_var=False).pvalue)),
        permutation_p=p,
        at_most=p == 1 / (_swaps(len(a) + len(b), PERMUTATIONS) + 1),
    )


def _undefined(about: Hypothesis, reason: str) -> Hypothesis:
    return replace(about, difference=Estimate(None, undefined=reason), undefined=reason)


def sign_flip_p(d: Floats, *, seed: int = 0, permutations: int = PERMUTATIONS) -> float:
    """How often the mean lies as far from 0 as that of `d` when each number's sign is random.

    Exact of few numbers; very many are flipped in groups, made at random, which is as valid and no slower for more.
    """
    rng = np.random.default_rng(seed)
    if len(d) > MOST_UNITS:
        d = np.bincount(rng.permutation(len(d)) % MOST_UNITS, d).astype(np.float64)
    least = abs(d.sum()) - ALIKE * np.abs(d).sum()
    if len(d) <= EXACT:
        return float((np.abs(np.array(list(product((-1, 1), repeat=len(d)))) @ d) >= least).mean())
    block = max(1, CELLS_A_BLOCK // len(d))
    hits = 0
    for begin in range(0, permutations, block):
        signs = rng.integers(0, 2, (min(block, permutations - begin), len(d)), dtype=np.int8) * 2 - 1
        hits += int((np.abs(signs @ d) >= least).sum())
    return (hits + 1) / (permutations + 1)


def swapped_p(a: Floats, b: Floats, *, seed: int = 0, permutations: int = PERMUTATIONS) -> float:
    """How often the means of two samples lie as far apart when numbers are assigned to the samples at random."""
    rng = np.random.default_rng(seed)
    values = np.concatenate([a, b]) - np.concatenate([a, b]).mean()
    scale = 1 / len(a) + 1 / len(b)
    least = abs(values[: len(a)].sum()) * scale - ALIKE
    block = max(1, CELLS_A_BLOCK // len(values))
    permutations = _swaps(len(values), permutations)
    hits = 0
    for begin in range(0, permutations, block):
        rows = rng.permuted(np.tile(values, (min(block, permutations - begin), 1)), axis=1)
        hits += int((np.abs(rows[:, : len(a)].sum(1)) * scale >= least).sum())
    return (hits + 1) / (permutations + 1)


def _swaps(numbers: int, permutations: int) -> int:
    """So many permutations of so many numbers at most, as more would take too long."""
    return max(999, min(permutations, 10 * CELLS_A_BLOCK // numbers))
