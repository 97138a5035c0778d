"""Whether two metrics rank a study's stories alike, and which of them follows length: why they disagree about one."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata

from core.analysis.verdict.finding import short
from core.analysis.verdict.sentences import FEWEST_CLAIMED
from core.arrays import Floats
from core.scores import ScoreTable

CLOSE, LOOSE, HARDLY = 0.7, 0.3, 0.1
"""Spearman's rho from which on two rankings are called much alike, or loosely, and below which in size they are
unrelated.
"""


@dataclass(frozen=True)
class Likeness:
    """Spearman's rho in -1..1 of two metrics (`names`) over the `n` stories that both score, and of each with the
    number of words; None where all stories have as many.
    """

    names: tuple[str, str]
    n: int
    rho: float
    words: tuple[float, float] | None

    @property
    def text(self) -> str:
        """What it says of why they disagree."""
        if self.rho >= CLOSE:
            how = "much the same order"
        elif self.rho >= LOOSE:
            how = "orders that are only loosely alike"
        elif self.rho >= HARDLY:
            how = "orders that are hardly alike, as metrics do that look at different things"
        elif self.rho > -HARDLY:
            how = "orders that have nothing in common, as metrics do that look at different things"
        else:
            how = f"orders that are {'' if self.rho <= -LOOSE else 'a little '}opposed"
        scored = f"the {self.n:,} stories that both have scored"
        return f"The two put {scored} in {how} (Spearman's ρ {short(self.rho)}).{self._lengths()}"

    def _lengths(self) -> str:
        if self.words is None:
            return ""
        following = [
            f"{'higher' if rho > 0 else 'lower'} ones from {name} (ρ with length {short(rho)})"
            for name, rho in zip(self.names, self.words, strict=True)
            if abs(rho) >= LOOSE
        ]
        if not following:
            return " Neither follows length."
        return f" Longer stories get {' and '.join(following).replace(' ones', ' scores', 1)}."


def likeness(table: ScoreTable, names: tuple[str, str], first: int, second: int) -> Likeness | None:
    """Of two columns of the table, called by `names`; None of fewer than 30 stories, of which nothing is claimed, and
    where a metric gives all of them the same score.
    """
    one, other = table.columns[first].values, table.columns[second].values
    both = np.flatnonzero(np.isfinite(one) & np.isfinite(other))
    sides = one[both], other[both]
    if len(both) < FEWEST_CLAIMED or any(np.ptp(side) == 0 for side in sides):
        return None
    words = table.words[both].astype(np.float64)
    lengths = None if np.ptp(words) == 0 else (_rho(sides[0], words), _rho(sides[1], words))
    return Likeness(names, len(both), _rho(*sides), lengths)


def _rho(x: Floats, y: Floats) -> float:
    return float(np.corrcoef(rankdata(x), rankdata(y))[0, 1])
