"""How human texts look to a language model: Fp of corpora and systems against human text (Çano and Bojar 2020).

Fp of a text is the mean over its tokens of p / p_max; the paper expects more of machine text. Its Table 2 is a
summary a system and discriminator here, its Table 3 a comparison. The discriminator is part of every number.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.analysis.naturalness.tests import PairedTest, Unpaired, drawn_sums_of, paired_test, unpaired
from core.arrays import Floats, Ints
from core.errors import InputError
from core.statistics.groups import numbered
from core.statistics.intervals import Estimate, column_ends, finite
from core.statistics.paired import holm
from core.tokens import Mode


@dataclass(frozen=True)
class Discriminator:
    """What judged the texts. `model`: name and revision; `first`: so many tokens of each text, None for all of them.

    `signature`: what else the numbers depend on, where they come from stored scores.
    """

    model: str
    mode: Mode = Mode.CAUSAL
    first: int | None = None
    signature: str = ""

    @property
    def length(self) -> str:
        """`all`, or the number of tokens."""
        return "all" if self.first is None else str(self.first)

    @property
    def name(self) -> str:
        """The discriminator in words, for figures and tables."""
        tokens = "all tokens" if self.first is None else f"first {self.first} tokens"
        return f"{self.model} ({self.mode}), {tokens}"


@dataclass(frozen=True)
class NaturalTexts:
    """The texts that are compared. `systems`: who wrote each, None for a person; `documents`: what it was written
    about (a prompt, an article): texts of one document are not independent, and those of both sides are pairs.
    """

    systems: tuple[str | None, ...]
    documents: tuple[str, ...]
    numbers: Ints = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Raises InputError where one of the two sides is missing."""
        object.__setattr__(self, "numbers", numbered(self.documents)[1])
        if None not in self.systems:
            raise InputError("There is no human text to compare with: name some, such as references.")
        if not self.names:
            raise InputError("All texts are human: name those of at least one system.")

    @property
    def names(self) -> list[str]:
        """The systems, in order of first appearance."""
        return list(dict.fromkeys(name for name in self.systems if name is not None))

    def of(self, system: str | None) -> Ints:
        """Indices of a system's texts, or of the human ones."""
        return np.array([i for i, name in enumerate(self.systems) if name == system], dtype=np.intp)

    def take(self, places: Ints) -> "NaturalTexts":
        """The same for these texts alone."""
        return NaturalTexts(
            tuple(self.systems[i] for i in places.tolist()), tuple(self.documents[i] for i in places.tolist())
        )


@dataclass(frozen=True)
class FpScores:
    """Fp of each text by one discriminator, NaN where undefined; `reasons`: why, by place."""

    discriminator: Discriminator
    fp: Floats
    reasons: Mapping[int, str]

    def take(self, places: Ints) -> "FpScores":
        """The same for these texts alone."""
        reasons = {new: self.reasons[old] for new, old in enumerate(places.tolist()) if old in self.reasons}
        return FpScores(self.discriminator, self.fp[places], reasons)


@dataclass(frozen=True)
class FpSummary:
    """Table 2: a system's (None: human) `n` texts with an Fp; `sd` is the sample's, None for fewer than two.

    `left_out`: why others have none, and how many.
    """

    discriminator: Discriminator
    system: str | None
    n: int
    mean: Estimate
    sd: float | None
    left_out: Mapping[str, int]


@dataclass(frozen=True)
class SystemComparison:
    """Table 3: a system against human text. `p`: of the paired t-test, of Welch's where there are no pairs; `p_holm`:
    Holm's correction of it over all comparisons that were made together.
    """

    discriminator: Discriminator
    system: str
    paired: PairedTest
    unpaired: Unpaired
    p: float | None
    p_holm: float | None = None

    @property
    def difference(self) -> Estimate:
        """Machine minus human Fp: over pairs where there are two or more, else of the means."""
        return self.paired.difference if self.paired.pairs >= 2 else self.unpaired.difference

    @property
    def relative(self) -> Estimate:
        """The difference relative to the mean human Fp."""
        return self.paired.relative if self.paired.pairs >= 2 else self.unpaired.relative


@dataclass(frozen=True)
class Naturalness:
    """Both tables, discriminator by discriminator; people before the systems."""

    summaries: tuple[FpSummary, ...]
    comparisons: tuple[SystemComparison, ...]
    seed: int
    resamples: int


def naturalness(
    texts: NaturalTexts, readings: Sequence[FpScores], *, seed: int = 0, resamples: int = 1000
) -> Naturalness:
    """Compare every system with the human texts under every discriminator.

    Intervals draw whole documents. Raises InputError where no discriminator has an Fp of any text.
    """
    if not any(np.isfinite(reading.fp).any() for reading in readings):
        raise InputError("No text has an Fp: read the texts with a model first.")
    summaries: list[FpSummary] = []
    comparisons: list[SystemComparison] = []
    human = texts.of(None)
    for reading in readings:
        summaries += [summary(texts, reading, name, seed=seed, resamples=resamples) for name in (None, *texts.names)]
        for name in texts.names:
            comparisons.append(_comparison(texts, reading, human, name, seed, resamples))
    p = np.array([np.nan if row.p is None else row.p for row in comparisons], dtype=np.float64)
    corrected = [replace(row, p_holm=finite(value)) for row, value in zip(comparisons, holm(p), strict=True)]
    return Naturalness(tuple(summaries), tuple(corrected), seed, resamples)


def summary(
    texts: NaturalTexts, reading: FpScores, system: str | None, *, seed: int = 0, resamples: int = 1000
) -> FpSummary:
    """Table 2's row of one side."""
    mine = texts.of(system)
    values, given = reading.fp[mine], np.isfinite(reading.fp[mine])
    left = Counter(reading.reasons.get(i, "not measured") for i in mine[~given].tolist())
    own, units = values[given], texts.numbers[mine[given]]
    if not len(own):
        mean = Estimate(None, undefined="no text has an Fp")
    else:
        mean = Estimate(float(own.mean()), *_mean_interval(own, units, seed, resamples))
    sd = float(own.std(ddof=1)) if len(own) > 1 else None
    return FpSummary(reading.discriminator, system, len(own), mean, sd, dict(left.most_common()))


def _mean_interval(values: Floats, units: Ints, seed: int, resamples: int) -> tuple[float | None, float | None]:
    unit = np.unique(units, return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number < 2 or not resamples:
        return None, None
    columns = np.column_stack([np.bincount(unit, values), np.bincount(unit).astype(np.float64)])
    sums = drawn_sums_of(columns, seed, resamples)
    low, high = column_ends(sums[:, :1] / sums[:, 1:])
    return finite(low[0]), finite(high[0])


def _comparison(
    texts: NaturalTexts, reading: FpScores, human: Ints, system: str, seed: int, resamples: int
) -> SystemComparison:
    machine = texts.of(system)
    h, m = (side[np.isfinite(reading.fp[side])] for side in (human, machine))
    sides = (reading.fp[h], reading.fp[m], texts.numbers[h], texts.numbers[m])
    pairs = paired_test(*sides, seed=seed, resamples=resamples)
    alone = unpaired(*sides, seed=seed, resamples=resamples)
    p = pairs.t_p if pairs.pairs >= 2 else alone.welch_p
    return SystemComparison(reading.discriminator, system, pairs, alone, p)


FAMILY = ("fp", "fp-masked")
"""The metrics whose scores are minus Fp."""


def discriminator_of(signature: str) -> Discriminator | None:
    """Model, mode and length from a signature such as `fp|model:x@1|dtype:float32|first:50|…`.

    None where it names no model, as scores of a file do.
    """
    metric, *parts = signature.split("|")
    given = dict(part.split(":", 1) for part in parts if ":" in part)
    if metric not in FAMILY or "model" not in given:
        return None
    first = given.get("first", "all")
    usual = Mode.CAUSAL if metric == "fp" else Mode.MASKED
    return Discriminator(
        given["model"], Mode(given.get("mode", usual)), int(first) if first.isdecimal() else None, signature
    )
