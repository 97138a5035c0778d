"""Bradley-Terry with ties: against choix, a written-out likelihood, linear programming, and simulated strengths."""

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

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


def simulated(
    systems: int, number: int, nu: float, seed: int = 0, spread: float = 1.0
) -> tuple[Floats, Ints, Ints, Ints]:
    """Log strengths, and the two systems and the outcome of each comparison."""
    rng = np.random.default_rng(seed)
    strengths = rng.normal(size=systems) * spread
    first = rng.integers(0, systems, number)
    second = (first + rng.integers(1, systems, number)) % systems
    win, tie, _ = probabilities(strengths[first] - strengths[second], np.array(nu))
    drawn = rng.random(number)
    return strengths - strengths.mean(), first, second, np.where(drawn < win, 0, np.where(drawn < win + tie, 1, 2))


def fitted(systems: int, first: Ints, second: Ints, outcome: Ints) -> Fits:
    design, counts = count_outcomes(systems, np.zeros(len(first), dtype=np.intp), first, second, outcome)
    return fit(design, np.asarray(counts.sum(0)).reshape(1, -1, 3))


def of(systems: int, *results: tuple[int, int, int]) -> Fits:
    """Of results (first, second, outcome), one a comparison."""
    first, second, outcome = np.array(results, dtype=np.intp).T
    return fitted(systems, first, second, outcome)


def slow_likelihood(parameters: Floats, first: Ints, second: Ints, outcome: Ints, penalty: float = 0.0) -> float:
    """Minus the log likelihood, comparison by comparison, of log strengths and log nu."""
    pi, nu = np.exp(parameters[:-1]), np.exp(parameters[-1])
    total = 0.0
    for i, j, result in zip(first.tolist(), second.tolist(), outcome.tolist(), strict=True):
        tie = nu * np.sqrt(pi[i] * pi[j])
        total -= np.log((pi[i], tie, pi[j])[result] / (pi[i] + pi[j] + tie))
    return float(total + penalty * (parameters[:-1] ** 2).sum() / 2)


@pytest.mark.parametrize(("systems", "number"), [(2, 50), (5, 400), (12, 3000)])
def test_equals_choix_without_ties(systems: int, number: int) -> None:
    _, first, second, outcome = simulated(systems, number, 0.0, seed=systems)
    pairs = [(a, b) if won == 0 else (b, a) for a, b, won in zip(first, second, outcome, strict=True)]
    theirs = choix.ilsr_pairwise(systems, pairs, max_iter=1000, tol=1e-12)
    result = fitted(systems, first, second, outcome)
    np.testing.assert_allclose(result.strengths[0], theirs - theirs.mean(), atol=1e-6)
    assert result.nu[0] == 0
    assert not result.penalised[0]


@pytest.mark.parametrize(("systems", "nu", "seed"), [(2, 0.5, 0), (4, 0.1, 1), (6, 3.0, 2)])
def test_equals_the_written_out_likelihood_with_ties(systems: int, nu: float, seed: int) -> None:
    _, first, second, outcome = simulated(systems, 200, nu, seed)
    slow = minimize(slow_likelihood, np.zeros(systems + 1), (first, second, outcome), method="BFGS", tol=1e-7)
    result = fitted(systems, first, second, outcome)
    np.testing.assert_allclose(result.strengths[0], slow.x[:-1] - slow.x[:-1].mean(), atol=1e-4)
    assert result.nu[0] == pytest.approx(np.exp(slow.x[-1]), rel=1e-4)
    ours = np.append(result.strengths[0], np.log(result.nu[0]))
    assert slow_likelihood(ours, first, second, outcome) <= slow.fun + 1e-9


def test_two_systems_by_hand() -> None:
    """With two systems the three shares are the three probabilities: pi_1 / pi_2 = 5 / 2, nu = 3 / sqrt(5 x 2)."""
    result = of(2, *[(0, 1, 0)] * 5, *[(0, 1, 1)] * 3, *[(1, 0, 0)] * 2)
    assert result.strengths[0, 0] - result.strengths[0, 1] == pytest.approx(np.log(5 / 2))
    assert result.nu[0] == pytest.approx(3 / np.sqrt(10))


def test_draws_at_once_equal_each_alone() -> None:
    _, first, second, outcome = simulated(4, 60, 0.6, seed=3)
    design, counts = count_outcomes(4, np.arange(60) // 6, first, second, outcome)
    (sums,) = drawn_sums([counts], seed=1, resamples=40)
    drawn = sums.reshape(40, -1, 3)
    together = fit(design, drawn, start=np.array([3.0, 1.0, -1.0, -3.0]))
    for number in range(40):
        alone = fit(design, drawn[number : number + 1])
        np.testing.assert_allclose(together.strengths[number], alone.strengths[0], atol=1e-8)
        assert together.nu[number] == pytest.approx(alone.nu[0], rel=1e-8, nan_ok=True)
        assert together.penalised[number] == alone.penalised[0]


@given(st.integers(0, 10_000), st.integers(2, 5), st.integers(1, 14), st.sampled_from([0.0, 0.8]))
def test_whether_there_is_a_maximum(seed: int, systems: int, number: int, nu: float) -> None:
    """There is none where some direction lowers no comparison's likelihood and changes some: a linear program."""
    _, first, second, outcome = simulated(systems, number, nu, seed)
    result = fitted(systems, first, second, outcome)
    design = Design(systems, np.minimum(first, second), np.maximum(first, second))
    if len(np.unique(parts(design))) > 1:
        assert np.isnan(result.strengths).all()
        assert np.isnan(result.nu).all()
        assert not result.penalised.any()
        return
    ties = (outcome == 1).any()
    rows = []
    for i, j, won in zip(first, second, outcome, strict=True):
        half = np.zeros(systems + 1)
        half[i], half[j] = 0.5, -0.5
        tie = np.zeros(systems + 1)
        tie[-1] = 1.0 if ties else 0.0
        happened = (half, tie, -half)[won]
        rows += [happened - other for other in ((half, -half, tie) if ties else (half, -half))]
    gains = np.array(rows)
    program = linprog(-gains.sum(0), A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=[(-1, 1)] * (systems + 1))
    assert result.penalised[0] == (program.fun < -1e-9)
    assert np.isfinite(result.strengths).all()
    if np.isfinite(result.nu[0]) and result.penalised[0]:
        ours = np.append(result.strengths[0], np.log(result.nu[0]) if ties else -50.0)
        around = np.random.default_rng(seed).normal(size=(20, systems + 1)) * 0.05
        if not ties:
            around[:, -1] = 0
        least = slow_likelihood(ours, first, second, outcome, 1 / PRIOR**2)
        for change in around:
            assert slow_likelihood(ours + change, first, second, outcome, 1 / PRIOR**2) >= least - 1e-9


@given(st.integers(0, 10_000), st.permutations(range(5)))
def test_names_and_sides_do_not_matter(seed: int, order: list[int]) -> None:
    _, first, second, outcome = simulated(5, 80, 0.5, seed)
    plain = fitted(5, first, second, outcome)
    renamed = np.array(order)
    other = fitted(5, renamed[second], renamed[first], 2 - outcome)
    np.testing.assert_allclose(other.strengths[0, renamed], plain.strengths[0], atol=1e-8)
    np.testing.assert_allclose(other.nu, plain.nu, atol=1e-8)


def test_the_same_judgments_three_times_give_the_same_strengths() -> None:
    _, first, second, outcome = simulated(6, 300, 0.5)
    once, thrice = (fitted(6, *(np.tile(side, n) for side in (first, second, outcome))) for n in (1, 3))
    np.testing.assert_allclose(thrice.strengths, once.strengths, atol=1e-9)
    np.testing.assert_allclose(thrice.nu, once.nu, rtol=1e-9)


def test_all_ties() -> None:
    result = of(3, (0, 1, 1), (1, 2, 1))
    assert result.strengths.tolist() == [[0, 0, 0]]
    assert np.isposinf(result.nu[0])
    assert result.penalised[0]


def test_one_who_wins_everything_stays_finite() -> None:
    result = of(3, *[(0, 1, 0), (0, 2, 0)] * 10, *[(1, 2, 0), (1, 2, 2)] * 5)
    assert result.penalised[0]
    top, *others = result.strengths[0]
    assert 2 < top < 10
    assert others[0] == pytest.approx(others[1])


def test_one_who_loses_everything_and_ties_that_nothing_contradicts() -> None:
    assert of(2, *[(0, 1, 0)] * 4).penalised[0]
    assert of(2, *[(0, 1, 0)] * 4, (1, 0, 1)).penalised[0]  # strengths and nu can grow together
    assert not of(2, *[(0, 1, 0)] * 4, (1, 0, 0)).penalised[0]


def test_parts_have_no_common_scale() -> None:
    first, second, outcome = np.array([[0, 1, 0], [1, 0, 0], [2, 3, 0], [3, 2, 0]]).T
    design, counts = count_outcomes(4, np.zeros(4, dtype=np.intp), first, second, outcome)
    labels = parts(design)
    assert labels[0] == labels[1] != labels[2] == labels[3]
    assert np.isnan(fit(design, np.asarray(counts.sum(0)).reshape(1, -1, 3)).strengths).all()


def test_who_won_over_whom() -> None:
    first, second, outcome = np.array([[0, 1, 0], [1, 2, 0], [2, 1, 0], [3, 1, 2], [2, 3, 0]]).T
    design, counts = count_outcomes(4, np.zeros(5, dtype=np.intp), first, second, outcome)
    labels = won_over(design, np.asarray(counts.sum(0)).reshape(-1, 3))
    assert len(set(labels.tolist())) == 3
    assert labels[1] == labels[2]


def test_standard_errors_are_those_of_many_samples() -> None:
    """Of 400 samples of the same strengths, the SD of a difference is what one sample's information says."""
    true = np.array([0.8, 0.0, -0.8])
    rng = np.random.default_rng(0)
    design = Design(3, np.array([0, 0, 1]), np.array([1, 2, 2]))
    chances = np.stack(probabilities(true[design.first] - true[design.second], np.array(0.5)), axis=1)
    samples = np.stack([rng.multinomial(100, chance, size=400) for chance in chances], axis=1).astype(np.float64)
    strengths = fit(design, samples).strengths
    error = difference_errors(design, samples[:1], fit(design, samples[:1]))
    assert error[0, 2] == pytest.approx((strengths[:, 0] - strengths[:, 2]).std(), rel=0.12)
    assert error[0, 0] == 0
    assert error[0, 1] == error[1, 0]


def test_many_sparse_systems() -> None:
    """Sixty systems, each compared with the next alone: most pairs do not occur."""
    systems = 60
    first = np.repeat(np.arange(systems), 4)
    second = (first + 1) % systems
    outcome = np.tile([0, 1, 2, 0], systems)
    result = fitted(systems, first, second, outcome)
    np.testing.assert_allclose(result.strengths[0], 0, atol=1e-9)  # a circle has no first
    assert not result.penalised[0]
