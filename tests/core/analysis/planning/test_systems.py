"""Designs for two systems: their power in made studies, tested as they will be; prices; bad input."""

import numpy as np
import pytest
from scipy import stats

from core.analysis.planning.design import RATINGS, Setup
from core.analysis.planning.spread import Spread
from core.analysis.planning.systems import plan_systems
from core.annotation.unit import Unit
from core.arrays import Floats
from core.errors import InputError
from core.payments import Pay, Rate
from core.statistics.paired import holm
from tests.core.analysis.planning.ratings import TRUE, made

STUDIES = 2000


def p_values(table: Floats, first: int, second: int) -> Floats:
    """Of the paired t-test by prompt in each study (studies x prompts x systems x ratings)."""
    means = table.mean(3)
    return np.asarray(stats.ttest_rel(means[:, :, first], means[:, :, second], axis=1).pvalue)


@pytest.mark.parametrize("difference", [1.5, 0.5])
@pytest.mark.parametrize("unit", [Unit.PANEL, Unit.STORY])
@pytest.mark.parametrize("power", [0.5, 0.8])
def test_designs_have_the_power_that_was_asked_for(difference: float, unit: Unit, power: float) -> None:
    """Few prompts and many; the same raters for both systems, and others."""
    plan = plan_systems(difference, TRUE, Setup(unit=unit, power=power))
    for design in plan.designs[::2]:
        assert design.prompts is not None
        systems, shared = np.array([0.0, difference]), unit is Unit.PANEL
        table = made(TRUE, design.prompts, systems, design.ratings, shared=shared, studies=STUDIES)
        reached = (p_values(table, 0, 1) < 0.05).mean()
        fewer = made(TRUE, design.prompts - 1, systems, design.ratings, shared=shared, studies=STUDIES, seed=1)
        # Of few prompts one more makes a leap: the power asked for lies between the two.
        assert reached > power - 0.03
        if design.prompts > 2:
            assert (p_values(fewer, 0, 1) < 0.05).mean() < power + 0.03


def test_of_several_systems_each_pair_is_seen_after_holm_s_correction() -> None:
    systems = 4
    plan = plan_systems(0.6, TRUE, Setup(systems=systems))
    design = plan.designs[1]
    assert design.prompts is not None
    assert plan.level == pytest.approx(0.05 / 6)
    table = made(TRUE, design.prompts, np.array([0.6, 0.0, 0.0, 0.0]), design.ratings, studies=STUDIES)
    pairs = [(a, b) for a in range(systems) for b in range(a + 1, systems)]
    p = np.stack([p_values(table, a, b) for a, b in pairs], axis=1)
    assert (p[:, 0] < plan.level).mean() == pytest.approx(0.8, abs=0.03)
    corrected = np.array([holm(row) for row in p])
    assert (corrected[:, 0] < 0.05).mean() > 0.79  # Holm finds at least as many
    equal = [at for at, pair in enumerate(pairs) if 0 not in pair]
    assert (corrected[:, equal].min(1) < 0.05).mean() < 0.06


def test_uncorrected_pairs_need_fewer_prompts() -> None:
    corrected, single = (plan_systems(0.3, TRUE, Setup(systems=5, corrected=corrected)) for corrected in (True, False))
    assert (corrected.level, single.level) == (0.005, 0.05)
    for many, few in zip(corrected.designs, single.designs, strict=True):
        assert many.prompts is not None
        assert few.prompts is not None
        assert many.prompts > few.prompts


def test_what_the_prompts_there_are_can_show() -> None:
    plan = plan_systems(0.3, TRUE, Setup(prompts=80))
    assert [design.ratings for design in plan.designs] == list(RATINGS)
    for design in plan.designs:
        assert design.seen is not None
        (again,) = (
            one for one in plan_systems(design.seen * 1.0001, TRUE, Setup()).designs if one.ratings == design.ratings
        )
        assert again.prompts == 80
        assert design.prompts is not None
        assert design.within == (design.prompts <= 80) == (design.seen <= 0.3)
    seen = [design.seen or 0.0 for design in plan.designs]
    assert sorted(seen, reverse=True) == seen


def test_prices_and_the_cheapest_design() -> None:
    pay = Pay("EUR", (Rate(150),))
    plan = plan_systems(0.3, TRUE, Setup(systems=3, pay=pay))
    for design in plan.designs:
        assert design.prompts is not None
        assert design.stories == 3 * design.prompts
        assert design.total == design.stories * design.ratings
        assert design.panels == design.prompts * design.ratings
        assert design.hundredths == design.panels * 150
    assert [design.ratings for design in plan.designs if design.cheapest] == [1]
    single = plan_systems(0.3, TRUE, Setup(systems=3, pay=pay, unit=Unit.STORY)).designs[0]
    assert single.panels == single.total
    dear = plan_systems(0.3, TRUE, Setup(systems=3, pay=pay, story_hundredths=500))
    assert [design.ratings for design in dear.designs if design.cheapest] == [3]
    assert dear.designs[0].hundredths == (plan.designs[0].hundredths or 0) + 500 * (plan.designs[0].stories or 0)
    few = plan_systems(0.3, TRUE, Setup(systems=2, prompts=plan_systems(0.3, TRUE, Setup()).designs[2].prompts))
    assert [design.ratings for design in few.designs if design.cheapest] == [3]
    none = plan_systems(0.3, TRUE, Setup(prompts=5))
    assert not any(design.cheapest or design.within for design in none.designs)
    assert all(design.hundredths is None for design in none.designs)


def test_a_difference_that_nobody_can_see() -> None:
    plan = plan_systems(1e-6, TRUE, Setup())
    assert all(design.prompts is None and design.total is None and not design.within for design in plan.designs)


def test_without_any_noise_two_prompts_do() -> None:
    assert {design.prompts for design in plan_systems(0.1, Spread(1, 0, 1, 0), Setup()).designs} == {2}


@pytest.mark.parametrize(
    ("setup", "said"),
    [
        (Setup(systems=1), "2 to 100 systems, not 1"),
        (Setup(systems=101), "2 to 100 systems"),
        (Setup(power=1.0), "The power lies between alpha and .999"),
        (Setup(power=0.01), "The power lies between alpha and .999"),
        (Setup(alpha=0.0), "Alpha lies between 0 and .5"),
        (Setup(alpha=float("nan")), "Alpha lies between 0 and .5"),
        (Setup(prompts=1), "two prompts or more"),
    ],
)
def test_bad_input(setup: Setup, said: str) -> None:
    with pytest.raises(InputError, match=said):
        plan_systems(0.3, TRUE, setup)


@pytest.mark.parametrize("difference", [0.0, -0.1, float("nan"), float("inf")])
def test_a_difference_is_a_number_above_nought(difference: float) -> None:
    with pytest.raises(InputError, match="a number above 0"):
        plan_systems(difference, TRUE, Setup())
