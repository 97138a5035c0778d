"""Strengths of 20 systems from 20,000 preferences with 1,000 draws of prompts, and 100 metrics on the same pairs.

The peers fit, or count, `PEER` draws, and their time is multiplied up to all of them. They get the pairs of a draw
ready made; ours counts and draws too.
"""

from dataclasses import replace
from functools import partial

import choix
import numpy as np
from scipy.optimize import minimize

from benchmarks.timing import Row, compare
from core.analysis.preferences.metrics import judge_metrics
from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
from core.statistics.bradley_terry import probabilities

SYSTEMS, JUDGMENTS, PROMPTS, RESAMPLES, METRICS = 20, 20_000, 1_000, 1_000, 100
PEER = 5
WORK = f"{SYSTEMS} systems, {JUDGMENTS:,} pairs, {RESAMPLES:,} draws"


def made(nu: float) -> Preferences:
    """Judgments of random pairs by Davidson's model."""
    rng = np.random.default_rng(0)
    strengths = rng.normal(size=SYSTEMS)
    first = rng.integers(0, SYSTEMS, JUDGMENTS)
    second = (first + rng.integers(1, SYSTEMS, JUDGMENTS)) % SYSTEMS
    prompt = np.arange(JUDGMENTS) % PROMPTS
    win, tie, _ = probabilities(strengths[first] - strengths[second], np.array(nu))
    drawn = rng.random(JUDGMENTS)
    return Preferences(
        tuple(f"system {i:02}" for i in range(SYSTEMS)),
        tuple(f"prompt {i}" for i in range(PROMPTS)),
        prompt,
        first,
        second,
        np.where(drawn < win, -1, np.where(drawn < win + tie, 0, 1)),
        tuple(f"{i} {a}" for i, a in zip(prompt, first, strict=True)),
        tuple(f"{i} {b}" for i, b in zip(prompt, second, strict=True)),
        np.full(JUDGMENTS, -1),
    )


def minus_log_likelihood(parameters: Floats, judged: Preferences) -> float:
    """Davidson's, written out."""
    gaps = parameters[judged.first] - parameters[judged.second]
    three = np.stack(probabilities(gaps, np.exp(parameters[-1])))
    return float(-np.log(three[judged.choice + 1, np.arange(len(gaps))]).sum())


def scaled(row: Row) -> Row:
    """With the peer's time for all draws."""
    share = RESAMPLES / PEER
    return replace(row, theirs=row.theirs * share, remark=f"peer's: {share:,.0f} times a part")


def without_ties() -> Row:
    """Against choix's I-LSR."""
    judged = made(0.0)
    winners = np.where(judged.choice < 0, judged.first, judged.second)
    losers = np.where(judged.choice < 0, judged.second, judged.first)
    pairs = list(zip(winners.tolist(), losers.tolist(), strict=True))

    def theirs() -> None:
        for _ in range(PEER):
            choix.ilsr_pairwise(SYSTEMS, pairs)

    return scaled(
        compare(
            f"Bradley-Terry, {WORK}",
            "choix ilsr_pairwise in a loop",
            partial(rank, judged, resamples=RESAMPLES),
            theirs,
            rounds=3,
        )
    )


def with_ties() -> Row:
    """Against SciPy on the written-out likelihood, which NumPy computes."""
    judged = made(0.7)

    def theirs() -> None:
        for _ in range(PEER):
            minimize(minus_log_likelihood, np.zeros(SYSTEMS + 1), judged, method="L-BFGS-B")

    return scaled(
        compare(
            f"Davidson's model, {WORK}",
            "SciPy L-BFGS-B in a loop",
            partial(rank, judged, resamples=RESAMPLES),
            theirs,
            rounds=3,
        )
    )


def metrics() -> Row:
    """Against NumPy, draw by draw."""
    judged = made(0.7)
    rng = np.random.default_rng(1)
    keys = tuple(f"{i} {system}" for i in range(PROMPTS) for system in range(SYSTEMS))
    columns = tuple(ScoreColumn(f"metric {i}", f"{i}", rng.normal(size=len(keys)), {}) for i in range(METRICS))
    nothing = ("",) * len(keys)
    table = ScoreTable(keys, nothing, nothing, nothing, np.full(len(keys), np.nan), columns)
    values = np.column_stack([column.values for column in columns])
    first, second = (judged.prompt * SYSTEMS + side for side in (judged.first, judged.second))
    by_prompt = np.argsort(judged.prompt, kind="stable").reshape(PROMPTS, -1)

    def theirs() -> None:
        for _ in range(PEER):
            rows = by_prompt[rng.integers(0, PROMPTS, PROMPTS)].ravel()
            rows = rows[judged.choice[rows] != 0]
            signs = np.sign(values[second[rows]] - values[first[rows]])
            (0.5 + 0.5 * signs * np.sign(judged.choice[rows])[:, None]).mean(0)

    work = f"metrics against preferences, {METRICS} metrics, {JUDGMENTS:,} pairs, {RESAMPLES:,} draws"
    return scaled(compare(work, "NumPy in a loop", lambda: judge_metrics(judged, table), theirs, rounds=3))


def run() -> list[Row]:
    """Ratios, without ties, with them, and of metrics."""
    return [without_ties(), with_ties(), metrics()]
