"""One table of biases a judge: what its ratings alone tell, and what a bias run has measured."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.judges.biases import JudgeBiases
from core.analysis.judges.probed import NOT_RUN, NOTHING, ProbedBiases, Shift
from core.analysis.judges.probes import Check
from core.statistics.intervals import Estimate

CALLED = {
    Check.REPEAT: "asked again",
    Check.WORDING: "other wordings",
    Check.INJECTION: "injected instruction",
    Check.DISCRIMINATION: "damaged story",
    Check.INVARIANCE: "harmless change",
}
"""What each check is called in tables."""
MEANS = {
    "lenient": "mean rating above people's",
    "r with people": "over single stories",
    "r at equal length": "the same given the number of words",
    "favours length": "r of the number of words with how far it is above people",
    "r with length": "r of the number of words with its own ratings",
    "own family": "how much more it is above people on stories of systems that have its name",
    "variants": "root mean variance of a story's ratings between the variants of its prompt that were imported",
    CALLED[Check.REPEAT]: "root mean square difference; share that moves by half a point or more",
    CALLED[Check.WORDING]: "root mean variance of a story's ratings; share that moves by half a point or more",
    CALLED[Check.INJECTION]: "mean rise; share that rises by half a point or more",
    CALLED[Check.DISCRIMINATION]: "mean fall; share rated lower than the story as it is, ties as half",
    CALLED[Check.INVARIANCE]: "mean absolute difference; share that moves by half a point or more",
}
"""What is measured, by the name of a bias."""


@dataclass(frozen=True)
class BiasRow:
    """A bias: what it is called, of which variant ("" for all together), the figure in its `unit`, and where there is
    one a share, 0..1. `n`: what both rest on, None for what the ratings alone tell.
    """

    bias: str
    variant: str
    unit: str
    figure: Estimate
    share: Estimate | None = None
    n: int | None = None
    unread: int = 0

    @property
    def means(self) -> str:
        """What is measured."""
        return MEANS[self.bias]


def bias_rows(biases: JudgeBiases, probed: ProbedBiases) -> tuple[BiasRow, ...]:
    """All biases of a judge, those that a run has measured last; each check has a row without a run, too, which says
    why there is no figure.
    """
    rows = [
        BiasRow("lenient", "", "points", biases.lenient),
        BiasRow("r with people", "", "r", biases.pooled),
        BiasRow("r at equal length", "", "r", biases.equal_length),
        BiasRow("favours length", "", "r", biases.longer),
        BiasRow("r with length", "", "r", biases.length),
        BiasRow("own family", "", "points", biases.family),
    ]
    if biases.variants > 1:
        rows.append(BiasRow("variants", "", "points", biases.wordings))
    for check in Check:
        rows += _rows(check, probed)
    return tuple(rows)


def _rows(check: Check, probed: ProbedBiases) -> Sequence[BiasRow]:
    found = probed.checks.get(check)
    if found is None:
        nothing = Estimate(None, undefined=probed.undefined or NOTHING.get(check, NOT_RUN))
        return [BiasRow(CALLED[check], "", "points", nothing, nothing)]
    return [_row(CALLED[check], shift) for shift in (found.whole, *found.variants)]


def _row(bias: str, shift: Shift) -> BiasRow:
    return BiasRow(bias, shift.variant, "points", shift.points, shift.share, shift.n, shift.unread)
