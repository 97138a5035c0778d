"""Strengths of systems that are compared two at a time, ties included: Davidson's (1970) model.

"On extending the Bradley-Terry model to accommodate ties in paired comparison experiments":
P(i beats j) = pi_i / (pi_i + pi_j + nu sqrt(pi_i pi_j)), and P(tie) with nu sqrt(pi_i pi_j) on top. Without ties nu is
0, and the model that of Bradley and Terry (1952). Log strengths have mean 0. Newton's method fits many sets of
comparisons at once, such as the draws of a bootstrap.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from scipy.sparse.csgraph import connected_components

from core.arrays import Bools, Floats, Ints
from core.statistics.draws import CELLS_A_BLOCK, cells

PRIOR = 2.0
"""The standard deviation of the normal prior of log strengths, where the likelihood has no maximum: it does about what
half a judgment more for either side would."""
CONVERGED, MOST_STEPS, LONGEST_STEP = 1e-9, 200, 3.0
"""Steps end where one is this short, or after so many; a longer one is cut."""
WIN, TIE, LOSS = 0, 1, 2
"""Places of the outcomes of a pair, seen from its first system."""


@dataclass(frozen=True)
class Design:
    """Which pairs of systems were compared (`first` < `second`, indices below `systems`), each pair once."""

    systems: int
    first: Ints
    second: Ints

    @cached_property
    def incidence(self) -> Floats:
        """Pairs x systems: 1 for the first, -1 for the second, so that it makes differences of strengths."""
        matrix = np.zeros((len(self.first), self.systems))
        rows = np.arange(len(self.first))
        matrix[rows, self.first], matrix[rows, self.second] = 1.0, -1.0
        return matrix

    def square(self, forth: Bools, back: Bools) -> Bools:
        """Matrices (… x systems x systems) of what holds of each pair (… x pairs) one way and the other."""
        matrix = np.zeros((*forth.shape[:-1], self.systems, self.systems), dtype=np.bool_)
        matrix[..., self.first, self.second], matrix[..., self.second, self.first] = forth, back
        return matrix


@dataclass(frozen=True)
class Fits:
    """The model of each set: `strengths` (sets x systems; logs, mean 0), `nu` (sets; infinite where all are ties).

    Strengths and nu are NaN where a set falls into parts without a comparison between them. `penalised` (sets):
    whether the likelihood has no maximum, so that log strengths have a normal prior of mean 0 and SD `PRIOR`.
    """

    strengths: Floats
    nu: Floats
    penalised: Bools


def count_outcomes(systems: int, prompt: Ints, first: Ints, second: Ints, outcome: Ints) -> tuple[Design, Any]:
    """The pairs that occur, and how often each had each outcome by prompt (prompts x 3 pairs; sparse if mostly empty).

    One entry a judgment: `first`, `second`: indices of different systems, in any order; `outcome`: `WIN`, `TIE`, `LOSS`
    of the first.
    """
    swapped = first > second
    low, high = np.where(swapped, second, first), np.where(swapped, first, second)
    known, pair = np.unique(low * systems + high, return_inverse=True)
    column = 3 * pair + np.where(swapped, LOSS - outcome, outcome)
    shape = (int(prompt.max(initial=-1)) + 1, 3 * len(known))
    return Design(systems, known // systems, known % systems), cells(np.ones(len(prompt)), prompt, column, shape)


def parts(design: Design) -> Ints:
    """The number of the part of each system: no comparison joins two parts."""
    every = np.ones(len(design.first), dtype=np.bool_)
    return _components(design.square(every, every), "weak")


def won_over(design: Design, outcomes: Floats) -> Ints:
    """The number of the group of each system: of two groups, one has won every comparison between them.

    `outcomes` (pairs x 3). Groups are the strongly connected parts of who beat or tied with whom.
    """
    tied = outcomes[:, TIE] > 0
    return _components(design.square(tied | (outcomes[:, WIN] > 0), tied | (outcomes[:, LOSS] > 0)), "strong")


def _components(edges: Bools, connection: Literal["weak", "strong"]) -> Ints:
    return np.asarray(connected_components(edges.astype(np.float64), connection=connection)[1], dtype=np.intp)


def probabilities(difference: Floats, nu: Floats) -> tuple[Floats, Floats, Floats]:
    """P(win), P(tie), P(loss) of one whose log strength is higher by `difference`."""
    half = difference / 2
    size = np.abs(half)
    win, tie, loss = np.exp(half - size), nu * np.exp(-size), np.exp(-half - size)
    total = win + tie + loss
    return win / total, tie / total, loss / total


def fit(design: Design, outcomes: Floats, start: Floats | None = None) -> Fits:
    """Maximum likelihood for each set. `outcomes` (sets x pairs x 3): how often each pair had each outcome.

    `start` (systems): log strengths to begin with, such as those of all data for its draws. Sets in which all are ties
    get equal strengths and count as penalised.
    """
    connected, exists = _standing(design, outcomes)
    ties, judged = outcomes[..., TIE].sum(1), outcomes.sum((1, 2))
    all_ties = connected & (ties == judged)
    strengths = np.where(connected[:, None], np.zeros((len(outcomes), design.systems)), np.nan)
    nu = np.where(connected, np.inf, np.nan)
    fitted = np.flatnonzero(connected & ~all_ties)
    beginning = np.zeros(design.systems) if start is None else start
    for rows in _blocks(fitted, len(design.first) + design.systems**2):
        penalty = np.where(exists[rows], 0.0, 1 / PRIOR**2)
        strengths[rows], nu[rows] = _Likelihood(design, outcomes[rows], penalty).maximum(beginning)
    return Fits(strengths, nu, connected & ~exists)


def _blocks(rows: Ints, cells_a_row: int) -> Iterator[Ints]:
    block = max(1, CELLS_A_BLOCK // max(1, cells_a_row))
    for begin in range(0, len(rows), block):
        yield rows[begin : begin + block]


def difference_errors(design: Design, outcomes: Floats, fits: Fits) -> Floats:
    """Standard errors of all differences of log strengths (systems x systems) of the single set in `fits`, by the
    information in independent comparisons and, where it is penalised, in the prior.
    """
    penalty = np.where(fits.penalised, 1 / PRIOR**2, 0.0)
    likelihood = _Likelihood(design, outcomes, penalty)
    with np.errstate(divide="ignore"):
        at = np.column_stack([fits.strengths, np.log(fits.nu)])
    covariance = np.linalg.inv(likelihood.at(at).information)[0, :-1, :-1]
    variances = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(0.0, variances[:, None] + variances[None, :] - 2 * covariance)))


@dataclass(frozen=True)
class _Point:
    """At some parameters of each set: the log likelihood (sets), its slope and its information, the negative matrix of
    second derivatives (sets x parameters x parameters).
    """

    value: Floats
    slope: Floats
    information: Floats

    def take(self, rows: Bools) -> "_Point":
        return _Point(self.value[rows], self.slope[rows], self.information[rows])


class _Likelihood:
    """The penalised log likelihood of several sets, of parameters sets x (log strengths, log nu).

    Where a set has no ties its nu is held at 0.
    """

    def __init__(self, design: Design, outcomes: Floats, penalty: Floats) -> None:
        self.design, self.outcomes, self.penalty = design, outcomes, penalty
        self.total = outcomes.sum(2)
        self.lead = (outcomes[..., WIN] - outcomes[..., LOSS]) / 2
        self.ties = outcomes[..., TIE].sum(1)

    def take(self, rows: Bools) -> "_Likelihood":
        return _Likelihood(self.design, self.outcomes[rows], self.penalty[rows])

    def at(self, parameters: Floats) -> _Point:
        """Value, slope and information."""
        design, systems = self.design, self.design.systems
        strengths, log_nu = parameters[:, :-1], parameters[:, -1]
        tied = self.ties > 0
        half = strengths @ design.incidence.T / 2
        size = np.abs(half)
        win, loss = np.exp(half - size), np.exp(-half - size)
        tie = np.where(tied[:, None], np.exp(log_nu[:, None] - size), 0.0)
        scale = win + tie + loss
        win, tie, loss = win / scale, tie / scale, loss / scale
        value = (self.lead * half * 2 - self.total * (size + np.log(scale))).sum(1)
        value += np.where(tied, self.ties * np.where(tied, log_nu, 0), 0) - self.penalty * (strengths**2).sum(1) / 2
        lead = (win - loss) / 2
        slope = np.empty_like(parameters)
        slope[:, :-1] = (self.lead - self.total * lead) @ design.incidence - self.penalty[:, None] * strengths
        slope[:, -1] = self.ties - (self.total * tie).sum(1)
        information = np.zeros((len(parameters), systems + 1, systems + 1))
        spread = self.total * ((win + loss) / 4 - lead**2)
        information[:, design.first, design.second] = information[:, design.second, design.first] = -spread
        places = np.arange(systems)
        information[:, places, places] = spread @ np.abs(design.incidence) + self.penalty[:, None]
        # Nothing depends on the mean: without a hold on it the matrix has no inverse.
        information[:, :-1, :-1] += (self.total.sum(1) / systems**2)[:, None, None]
        mixed = -(self.total * tie * lead) @ design.incidence
        information[:, :-1, -1] = information[:, -1, :-1] = mixed
        information[:, -1, -1] = np.where(tied, (self.total * tie * (1 - tie)).sum(1), 1.0)
        return _Point(value, slope, information)

    def maximum(self, start: Floats) -> tuple[Floats, Floats]:
        """Log strengths (sets x systems) and nu (sets) by Newton's method; a step that leads down is halved."""
        parameters = np.zeros((len(self.total), len(start) + 1))
        parameters[:, :-1] = start - start.mean()
        still, likelihood = np.arange(len(parameters)), self
        point = likelihood.at(parameters)
        for _ in range(MOST_STEPS):
            step = np.asarray(np.linalg.solve(point.information, point.slope[..., None])[..., 0], dtype=np.float64)
            longest = np.abs(step).max(1)
            cut = np.minimum(1.0, LONGEST_STEP / np.maximum(longest, CONVERGED))
            parameters[still], point = likelihood.upward(parameters[still], step * cut[:, None], point.value)
            if (longest <= CONVERGED).all():
                break
            going = longest > CONVERGED
            still, likelihood, point = still[going], likelihood.take(going), point.take(going)
        strengths = parameters[:, :-1] - parameters[:, :-1].mean(1, keepdims=True)
        return strengths, np.where(self.ties > 0, np.exp(parameters[:, -1]), 0.0)

    def upward(self, parameters: Floats, step: Floats, value: Floats) -> tuple[Floats, _Point]:
        """Where the step leads, halved until the likelihood is no lower there but for rounding."""
        room = 1e-12 * np.maximum(1.0, np.abs(value))
        while True:
            there = parameters + step
            point = self.at(there)
            down = point.value < value - room
            if not down.any():
                return there, point
            step = np.where(down[:, None], step / 2, step)


def _standing(design: Design, outcomes: Floats) -> tuple[Bools, Bools]:
    """Of each set: whether comparisons connect all systems, and whether the likelihood has a maximum.

    There is one unless strengths, or strengths and nu together, can grow for ever while no comparison speaks against
    it: where some systems have won everything against the others, and where no chain of comparisons that leads back to
    where it began has more wins than ties.
    """
    seen = outcomes > 0
    packed = np.packbits(seen.reshape(len(seen), 3 * len(design.first)), axis=1)
    _, places, inverse = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    connected, exists = np.zeros(len(places), dtype=np.bool_), np.zeros(len(places), dtype=np.bool_)
    for rows in _blocks(np.arange(len(places)), 4 * design.systems**2):
        own = seen[places[rows]]
        ties = own[..., TIE]
        won = design.square(own[..., WIN], own[..., LOSS])
        tied = design.square(ties, ties)
        connected[rows] = _reached(won | won.swapaxes(1, 2) | tied)
        exists[rows] = _reached(won | tied) & _contradicted(won, tied)
    inverse = inverse.reshape(-1)
    return connected[inverse], exists[inverse]


def _reached(edges: Bools) -> Bools:
    """Whether every system reaches every other, of each matrix (sets x systems x systems)."""
    systems = edges.shape[-1]
    reach = (edges | np.eye(systems, dtype=np.bool_)).astype(np.float32)
    for _ in range(max(1, systems - 1).bit_length()):
        reach = (reach @ reach > 0).astype(np.float32)
    return np.asarray(reach.all((1, 2)))


def _contradicted(won: Bools, tied: Bools) -> Bools:
    """Whether some circle of comparisons, each passed from winner to loser or along a tie, has more wins than ties."""
    contradicted = np.asarray((won & won.swapaxes(1, 2)).any((1, 2)))
    rest = np.flatnonzero(~contradicted)
    if len(rest):
        systems = won.shape[-1]
        length = np.where(won[rest], -1.0, np.where(tied[rest], 1.0, np.inf))
        for through in range(systems):  # Floyd and Warshall's shortest ways; a circle below 0 has what is looked for
            way = length[:, :, through, None] + length[:, None, through, :]
            length = np.maximum(np.minimum(length, way), -systems)
        contradicted[rest] = (np.diagonal(length, axis1=1, axis2=2) < 0).any(1)
    return contradicted
