"""Whether a metric orders systems as people do: the numbers of the Systems page, and no more than these hold."""

import numpy as np
import pytest

from core.analysis.systems.order import order_sentence, soft_caution
from core.analysis.systems.ranking import compare_systems, over_systems
from tests.core.analysis.systems.ranking import of_means, random_table, table

CHANCE = "; with so few systems no order can be told from chance."


def said(*metric: float) -> str:
    return order_sentence("*m*", over_systems(of_means(*metric), 0))


@pytest.mark.parametrize("systems", [2, 3, 5, 9])
def test_it_has_the_numbers_of_the_systems_page(systems: int) -> None:
    prompts, names, human, scores = random_table(20, systems, 3)
    human[::7] = np.nan
    both = table(prompts, names, human, np.where(np.arange(len(scores)) % 5 == 0, np.nan, scores))
    over, there = over_systems(both, 0), compare_systems(both, resamples=50).correlations[0]
    assert over is not None
    assert (over.accuracy.every.value, over.accuracy.pairs) == (there.accuracy.every.value, there.accuracy.pairs)
    assert (over.kendall.value, over.kendall.p) == (there.kendall.value, there.kendall.p)
    assert (over.n, over.systems, over.undefined) == (there.n, there.systems, there.undefined)


def test_of_few_systems_no_order_says_anything() -> None:
    assert said(1, 2) == f"Over the 2 systems *m* puts the one pair in people's order{CHANCE}"
    assert said(2, 1) == f"Over the 2 systems *m* does not put the one pair in people's order{CHANCE}"
    assert said(1, 2, 3) == f"Over the 3 systems *m* puts 3 of 3 pairs in people's order{CHANCE}"
    assert said(1, 2, 4, 3) == f"Over the 4 systems *m* puts 5 of 6 pairs in people's order{CHANCE}"


def test_soft_pairs_of_few_systems_are_warned_of() -> None:
    assert soft_caution(2).startswith("Soft pairwise accuracy of 2 systems rests on 1 pair: too few")
    assert soft_caution(4).startswith("Soft pairwise accuracy of 4 systems rests on 6 pairs: too few")
    assert soft_caution(5) == ""


def test_p_says_whether_it_is_more_than_chance() -> None:
    more = "10 of 10 pairs in people's order, more than by chance (Kendall's τ-b, p = 0.0167)."
    assert said(1, 2, 3, 4, 5) == f"Over the 5 systems *m* puts {more}"
    assert said(1, 3, 2, 5, 4).endswith(
        " 8 of 10 pairs in people's order, which may be chance (Kendall's τ-b, p = 0.233)."
    )
    assert said(5, 3, 4, 1, 2).endswith(
        " 2 of 10 pairs in people's order, no more than by chance (Kendall's τ-b, p = 0.233)."
    )
    assert said(5, 4, 3, 2, 1).endswith(
        " 0 of 10 pairs in people's order, fewer than by chance (Kendall's τ-b, p = 0.0167)."
    )
    assert "(Kendall's τ-b, p = 4.96e-05)" in said(*range(8))


def test_where_nothing_is_ordered_nothing_is_said() -> None:
    assert said(1) == said(2, 2, 2) == ""
    assert over_systems(of_means(1), 0) is None
    assert over_systems(of_means(*range(101)), 0) is None  # more than are compared
