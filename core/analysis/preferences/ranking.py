"""Systems ranked by preferences: Bradley-Terry strengths with ties, their intervals, and which cannot be told apart.

The model is Davidson's (1970), as in `core.statistics.bradley_terry`; intervals draw whole prompts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

from core.analysis.preferences.preferences import Preferences
from core.arrays import Floats, Ints
from core.statistics.bradley_terry import (
    PRIOR,
    Design,
    Fits,
    count_outcomes,
    difference_errors,
    fit,
    parts,
    probabilities,
    won_over,
)
from core.statistics.draws import drawn_sums
from core.statistics.groups import rank_clusters
from core.statistics.intervals import Estimate, column_ends, ends, finite, share_by_document
from core.statistics.paired import holm
from core.statistics.ranks import rank_ends, ranks

LEVEL = 0.05
"""Two systems are told apart where p after Holm's correction is at most this."""
DECIMALS = 9
"""Of log strengths: those that agree in so many share their rank."""
UNJUDGED = "nobody has judged a story of this system"
SIDES_UNKNOWN = "a file says which story it names first, and not which one people saw first"


@dataclass(frozen=True)
class SystemStrength:
    """A system and its `judgments`: `wins`, `ties`, `losses`, and its `share` won, 0..1, ties half.

    `strength`: the log strength, of mean 0 over systems. `rank`: 1 the strongest; equal ones share theirs. `chance`: of
    being preferred to a system of the mean log strength, a tie half. `group`: the number of its group, from 1; None
    where nothing could be tested. `extreme`: it has won or lost everything against others, so that only the penalty
    keeps its strength finite: neither strength nor chance has an interval then.
    """

    system: str
    judgments: int
    wins: int
    ties: int
    losses: int
    share: Estimate
    strength: Estimate
    rank: Estimate
    chance: Estimate
    group: int | None = None
    extreme: bool = False


@dataclass(frozen=True)
class StrengthDifference:
    """How much stronger `a` is than `b`, which ranks below it, in log strengths.

    `p`: two-sided, of Student's t with as many degrees of freedom as there are prompts, less one; the standard error is
    that of the draws, or that of the likelihood where it is larger. `p_holm`: corrected for all pairs.
    """

    a: str
    b: str
    difference: Estimate
    p: float | None = None
    p_holm: float | None = None

    @property
    def separated(self) -> bool:
        """Whether the corrected test tells the two apart."""
        return self.p_holm is not None and self.p_holm <= LEVEL


@dataclass(frozen=True)
class WinCell:
    """Of `judgments` of two systems, the `share` that one has won, 0..1, ties half."""

    judgments: int
    share: Estimate


@dataclass(frozen=True)
class Ranking:
    """Systems by strength, the strongest first; those without one last.

    `table`: systems x systems in the order of `rows`, how often the row's won against the column's. `nu`: the model's
    parameter of ties, 0 without any; two equal systems tie in nu / (2 + nu) of the cases. `ties`: their share of all
    judgments. `decided`: judgments that are no tie; `first`: the share of them that the side shown first has won.
    `groups`: runs of the ranking that no test tells apart. `parts`: the judged systems, by which judgments join; one
    part where there is a common scale. `penalised`: why log strengths have a weak prior, None where they need none.
    `draws`: of the bootstrap; `draws_penalised`: those that needed the prior; `draws_apart`: those left out because
    they fall into parts. `undefined`: why there are no strengths.
    """

    judgments: int
    prompts: int
    rows: tuple[SystemStrength, ...]
    differences: tuple[StrengthDifference, ...]
    groups: tuple[tuple[str, ...], ...]
    table: tuple[tuple[WinCell, ...], ...]
    nu: Estimate
    ties: Estimate
    decided: int
    first: Estimate
    parts: tuple[tuple[str, ...], ...]
    penalised: str | None = None
    draws: int = 0
    draws_penalised: int = 0
    draws_apart: int = 0
    undefined: str | None = None


@dataclass(frozen=True)
class _Counted:
    """The judged systems' names and comparisons; `prompt`: of each judgment, numbered without gaps.

    `by_prompt` (prompts x 3 pairs, an array or a sparse one), `outcomes` (pairs x 3): how often each pair had each.
    """

    names: tuple[str, ...]
    prompt: Ints
    design: Design
    by_prompt: Any
    outcomes: Floats

    @property
    def prompts(self) -> int:
        return int(self.prompt.max(initial=-1)) + 1


@dataclass(frozen=True)
class _Fitted:
    """All judged systems' fits, of the data and of the draws, and what keeps them finite."""

    whole: Fits
    drawn: Fits
    extreme: frozenset[str]
    penalised: str | None


def rank(preferences: Preferences, *, seed: int = 0, resamples: int = 1000) -> Ranking:
    """Rank the systems. No interval and no test with fewer than two prompts, or with no `resamples`.

    Judgments of stories that name no system are left out.
    """
    if not preferences.between.all():
        preferences = preferences.take(np.flatnonzero(preferences.between))
    counted = _count(preferences)
    members = _parts(counted)
    decided = np.flatnonzero(~preferences.tied)
    ranking = Ranking(
        judgments=preferences.judgments,
        prompts=counted.prompts,
        rows=(),
        differences=(),
        groups=(),
        table=(),
        nu=Estimate(None),
        ties=_share(preferences.tied.astype(np.float64), counted.prompt, "there are no judgments between two systems"),
        decided=len(decided),
        first=_first_side(preferences, counted.prompt, decided),
        parts=members,
    )
    if reason := _why_undefined(preferences, members):
        rows = _rows(preferences, counted, None, reason)
        table = _table(preferences, counted.prompt, rows)
        return replace(ranking, rows=rows, table=table, nu=Estimate(None, undefined=reason), undefined=reason)
    fitted = _fit(counted, seed=seed, resamples=resamples if counted.prompts > 1 else 0)
    rows = _rows(preferences, counted, fitted, "")
    differences = _differences(counted, fitted, [row.system for row in rows if row.strength.value is not None])
    groups = _groups(rows, differences)
    places = {name: number for number, group in enumerate(groups, start=1) for name in group}
    return replace(
        ranking,
        rows=tuple(replace(row, group=places.get(row.system)) for row in rows),
        differences=differences,
        groups=groups,
        table=_table(preferences, counted.prompt, rows),
        nu=Estimate(float(fitted.whole.nu[0]), *ends(fitted.drawn.nu)),
        penalised=fitted.penalised,
        draws=len(fitted.drawn.nu),
        draws_penalised=int(fitted.drawn.penalised.sum()),
        draws_apart=int(np.isnan(fitted.drawn.nu).sum()),
    )


def _first_side(preferences: Preferences, prompt: Ints, decided: Ints) -> Estimate:
    if not preferences.sides_known:
        return Estimate(None, undefined=SIDES_UNKNOWN)
    won = (preferences.choice[decided] < 0).astype(np.float64)
    return _share(won, prompt[decided], "no judgment prefers a side")


def _count(preferences: Preferences) -> _Counted:
    judged, numbers = np.unique(np.concatenate([preferences.first, preferences.second]), return_inverse=True)
    prompt = np.asarray(np.unique(preferences.prompt, return_inverse=True)[1], dtype=np.intp)
    first, second = np.split(numbers, 2)
    outcome = np.sign(preferences.choice) + 1
    design, by_prompt = count_outcomes(len(judged), prompt, first, second, outcome)
    outcomes = np.asarray(by_prompt.sum(0), dtype=np.float64).reshape(-1, 3)
    return _Counted(tuple(preferences.systems[i] for i in judged.tolist()), prompt, design, by_prompt, outcomes)


def _parts(counted: _Counted) -> tuple[tuple[str, ...], ...]:
    return _together(counted.names, parts(counted.design)) if counted.names else ()


def _together(names: Sequence[str], labels: Ints) -> tuple[tuple[str, ...], ...]:
    """Names by their labels, the largest group first."""
    groups: dict[int, list[str]] = {}
    for name, label in zip(names, labels.tolist(), strict=True):
        groups.setdefault(label, []).append(name)
    return tuple(sorted((tuple(group) for group in groups.values()), key=lambda group: (-len(group), group)))


def _listed(groups: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(group) for group in groups)


def _why_undefined(preferences: Preferences, members: Sequence[Sequence[str]]) -> str | None:
    if not preferences.judgments:
        return "there are no judgments between two systems"
    if len(members) > 1:
        return f"no judgment joins these parts, so they have no common scale: {_listed(members)}"
    if preferences.tied.all():
        return "every judgment is a tie, so all systems are equally strong and there is nothing to rank"
    return None


def _fit(counted: _Counted, *, seed: int, resamples: int) -> _Fitted:
    whole = fit(counted.design, counted.outcomes[None])
    (sums,) = drawn_sums([counted.by_prompt], seed=seed, resamples=resamples)
    drawn = fit(counted.design, sums.reshape(len(sums), *counted.outcomes.shape), whole.strengths[0])
    if not whole.penalised[0]:
        return _Fitted(whole, drawn, frozenset(), None)
    groups = _together(counted.names, won_over(counted.design, counted.outcomes))
    why = (
        f"each of these groups has won or lost everything against the others: {_listed(groups)}"
        if len(groups) > 1
        else "only ties speak against the order of the systems"
    )
    # The largest group's strengths among themselves are the likelihood's; where there is none, nobody's are.
    extreme = groups[1:] if len(groups[0]) > 1 and len(groups) > 1 else groups
    sentence = f"{why}. So log strengths have a weak prior: normal, with mean 0 and SD {PRIOR:g}"
    return _Fitted(whole, drawn, frozenset(name for group in extreme for name in group), sentence)


def _rows(
    preferences: Preferences, counted: _Counted, fitted: _Fitted | None, reason: str
) -> tuple[SystemStrength, ...]:
    """Every system, the strongest first; with `fitted` None, for this `reason`, by the share won."""
    estimates = {} if fitted is None else dict(zip(counted.names, _estimates(fitted, counted.names), strict=True))
    rows = []
    for number, system in enumerate(preferences.systems):
        mine = np.flatnonzero((preferences.first == number) | (preferences.second == number))
        lead = np.where(preferences.first[mine] == number, -1, 1) * np.sign(preferences.choice[mine])
        none = Estimate(None, undefined=reason if len(mine) and fitted is None else UNJUDGED)
        strength, place, chance = estimates.get(system, (none, none, none))
        rows.append(
            SystemStrength(
                system,
                len(mine),
                int(np.count_nonzero(lead > 0)),
                int(np.count_nonzero(lead == 0)),
                int(np.count_nonzero(lead < 0)),
                _share((lead + 1) / 2, counted.prompt[mine], UNJUDGED),
                strength,
                place,
                chance,
                extreme=fitted is not None and system in fitted.extreme,
            )
        )
    return tuple(sorted(rows, key=_place))


def _place(row: SystemStrength) -> tuple[float, float, str]:
    strength, share = row.strength.value, row.share.value
    return (
        np.inf if strength is None else -round(strength, DECIMALS),
        np.inf if share is None else -share,
        row.system,
    )


def _estimates(fitted: _Fitted, names: Sequence[str]) -> list[tuple[Estimate, Estimate, Estimate]]:
    """Strength, rank and chance of each judged system."""
    whole, drawn = fitted.whole, fitted.drawn
    strengths = _column(whole.strengths, drawn.strengths)
    chances = _column(_chance(whole), _chance(drawn))
    places = ranks(np.round(whole.strengths, DECIMALS))[0]
    low, high = rank_ends(ranks(np.round(drawn.strengths, DECIMALS)))
    results = []
    for number, name in enumerate(names):
        strength, chance = strengths[number], chances[number]
        if name in fitted.extreme:
            strength, chance = Estimate(strength.value), Estimate(chance.value)
        place = Estimate(float(places[number]), finite(low[number]), finite(high[number]))
        results.append((strength, place, chance))
    return results


def _chance(fits: Fits) -> Floats:
    """Sets x systems."""
    with np.errstate(invalid="ignore"):
        win, tie, _ = probabilities(fits.strengths, fits.nu[:, None])
    return np.where(np.isinf(fits.nu)[:, None], 0.5, win + tie / 2)


def _column(whole: Floats, drawn: Floats) -> list[Estimate]:
    """The figures (1 x columns) with the intervals of their draws (draws x columns)."""
    low, high = column_ends(drawn)
    return [
        Estimate(float(value), finite(below), finite(above))
        for value, below, above in zip(whole[0], low, high, strict=True)
    ]


def _differences(counted: _Counted, fitted: _Fitted, order: Sequence[str]) -> tuple[StrengthDifference, ...]:
    """All pairs in the order of the ranking."""
    places = {name: number for number, name in enumerate(counted.names)}
    numbers = np.array([places[name] for name in order], dtype=np.intp)
    upper = np.triu_indices(len(numbers), 1)
    first, second = numbers[upper[0]], numbers[upper[1]]
    strengths, drawn = fitted.whole.strengths, fitted.drawn.strengths
    drawn = drawn[np.isfinite(drawn).all(1)]
    gaps, drawn_gaps = strengths[:, first] - strengths[:, second], drawn[:, first] - drawn[:, second]
    p = np.full(len(first), np.nan)
    if len(drawn) > 1:
        number = counted.prompts
        by_draws = drawn_gaps.std(0, ddof=1) * np.sqrt(number / (number - 1))
        by_likelihood = difference_errors(counted.design, counted.outcomes[None], fitted.whole)[first, second]
        p = 2 * stats.t.sf(np.abs(gaps[0]) / np.maximum(by_draws, by_likelihood), number - 1)
    corrected = holm(p)
    rows = []
    for k, estimate in enumerate(_column(gaps, drawn_gaps)):
        a, b = counted.names[first[k]], counted.names[second[k]]
        known = Estimate(estimate.value) if {a, b} & fitted.extreme else estimate
        rows.append(StrengthDifference(a, b, known, finite(p[k]), finite(corrected[k])))
    return tuple(rows)


def _groups(rows: Sequence[SystemStrength], differences: Sequence[StrengthDifference]) -> tuple[tuple[str, ...], ...]:
    """Runs of the ranking that no test tells apart; none where nothing could be tested."""
    if all(row.p_holm is None for row in differences):
        return ()
    apart = {(row.a, row.b) for row in differences if row.separated}
    return rank_clusters([row.system for row in rows if row.strength.value is not None], apart)


def _table(preferences: Preferences, prompt: Ints, rows: Sequence[SystemStrength]) -> tuple[tuple[WinCell, ...], ...]:
    """Systems x systems in the order of the rows."""
    number = len(preferences.systems)
    places = np.array([preferences.systems.index(row.system) for row in rows], dtype=np.intp)
    low = np.minimum(preferences.first, preferences.second)
    pair = low * number + np.maximum(preferences.first, preferences.second)
    won = (np.where(preferences.first == low, -1, 1) * np.sign(preferences.choice) + 1) / 2
    order = np.argsort(pair, kind="stable")
    known, begins = np.unique(pair[order], return_index=True)
    cells: dict[tuple[int, int], WinCell] = {}
    for code, mine in zip(known.tolist(), np.split(order, begins[1:])[: len(known)], strict=True):
        share = _share(won[mine], prompt[mine], "")
        cells[code // number, code % number] = WinCell(len(mine), share)
        cells[code % number, code // number] = WinCell(len(mine), _other_side(share))
    empty = WinCell(0, Estimate(None, undefined="nobody has compared the two"))
    itself = WinCell(0, Estimate(None, undefined="a system is not compared with itself"))
    return tuple(
        tuple(itself if a == b else cells.get((a, b), empty) for b in places.tolist()) for a in places.tolist()
    )


def _other_side(share: Estimate) -> Estimate:
    if share.value is None or share.low is None or share.high is None:
        return share if share.value is None else Estimate(1 - share.value)
    return Estimate(1 - share.value, 1 - share.high, 1 - share.low)


def _share(hits: Floats, prompt: Ints, otherwise: str) -> Estimate:
    """Their mean with Wilson's interval, wider where judgments of a prompt go together; a half is a tie."""
    return share_by_document(hits, prompt) if len(hits) else Estimate(None, undefined=otherwise)
