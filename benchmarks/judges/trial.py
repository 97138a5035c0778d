"""The alternative annotator test of 20 judges on a crowd's ratings, and the trial of 20 judges on stories like HANNA's.

The peer of the test goes a person, an instance and another person at a time, as it is told; of the trial, it takes the
same coefficients with SciPy in `PEER` draws, and its time is multiplied up to all of them.
"""

from dataclasses import replace

import numpy as np
from scipy import stats

from benchmarks.timing import Row, compare
from core.analysis.judges.alternative import Alignment, alternative_test
from core.analysis.judges.biases import judge_biases
from core.analysis.judges.trial import put_on_trial
from core.annotation.builtin import HANNA
from core.scores import ScoreColumn, ScoreTable
from core.statistics.draws import draw_prompts
from tests.core.analysis.judges.slow import alternative

JUDGES, PEOPLE, INSTANCES, SHARE = 20, 30, 1_000, 0.3
PROMPTS, SYSTEMS, DRAWS, PEER = 96, 10, 1_000, 5


def replacement() -> Row:
    """Every judge against every person, both sides from the same values."""
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, INSTANCES)

    def rated() -> np.ndarray:
        return np.clip(truth + rng.integers(-1, 2, INSTANCES), 1, 5).astype(np.float64)

    judges = [rated() for _ in range(JUDGES)]
    values = np.stack([np.where(rng.random(INSTANCES) < SHARE, rated(), np.nan) for _ in range(PEOPLE)])
    names = [f"p{i}" for i in range(PEOPLE)]
    as_told = {
        name: {str(i): float(own[i]) for i in np.flatnonzero(np.isfinite(own))}
        for name, own in zip(names, values, strict=True)
    }
    told = [{str(i): float(value) for i, value in enumerate(judge)} for judge in judges]

    def ours() -> list[tuple[float | None, float | None]]:
        tests = [alternative_test(values, judge, names, alignment=Alignment.RMSE, epsilon=0.1) for judge in judges]
        return [(test.winning_rate, test.advantage_probability) for test in tests]

    def theirs() -> list[tuple[float, float]]:
        return [alternative(as_told, judge, "neg_rmse", 0.1) for judge in told]

    assert np.allclose(np.array(ours(), dtype=np.float64), theirs())
    work = f"alternative annotator test, {JUDGES} judges, {PEOPLE} people, {INSTANCES:,} stories"
    return compare(work, "as it is told", ours, theirs, rounds=3)


def trial() -> Row:
    """Agreement, confusion, disagreements and biases of every judge; the peer has the coefficients alone."""
    rng = np.random.default_rng(1)
    n = PROMPTS * SYSTEMS
    ratings = np.clip(rng.integers(1, 6, n)[:, None] + rng.integers(-1, 2, (n, 3)), 1, 5).astype(np.float64)
    human = ratings.mean(1)
    judges = [np.round(np.clip(human + rng.normal(0, 1, n), 1, 5) * 3) / 3 for _ in range(JUDGES)]
    table = ScoreTable(
        tuple(map(str, range(n))),
        tuple(str(i // SYSTEMS) for i in range(n)),
        tuple(str(i % SYSTEMS) for i in range(n)),
        tuple("word " * int(number) for number in rng.integers(50, 300, n)),
        human,
        tuple(ScoreColumn(f"j{i}:empathy", f"file:{i}", values, {}) for i, values in enumerate(judges)),
        ratings,
    )
    draws = draw_prompts(table.prompts, resamples=PEER)
    numbers = draws.of(table.prompts)

    def ours() -> None:
        put_on_trial(table, ("empathy",), HANNA.criterion("empathy"), resamples=DRAWS)
        judge_biases(table, ("empathy",), resamples=DRAWS)

    def theirs() -> None:
        for copies in draws.copies:
            again = np.repeat(np.arange(n), copies[numbers].astype(int))
            for judge in judges:
                for coefficient in (stats.pearsonr, stats.spearmanr, stats.kendalltau):
                    coefficient(judge[again], human[again])

    row = compare(f"trial of {JUDGES} judges, {n} stories, {DRAWS:,} draws", "SciPy", ours, theirs, rounds=3)
    share = DRAWS / PEER
    return replace(row, theirs=row.theirs * share, remark=f"coefficients over stories alone: {share:,.0f} times a part")


def run() -> list[Row]:
    """Both."""
    return [replacement(), trial()]
