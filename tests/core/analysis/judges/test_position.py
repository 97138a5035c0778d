"""Changed minds and favoured sides, against a slow obvious count."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judges.position import NO_CHOICE, NO_PAIR, Position, position
from core.scores import PairColumn
from core.statistics.intervals import share_by_document

SAID = st.sampled_from([-1.0, 0.0, 1.0, float("nan")])


def column(*said: tuple[float, float], prompts: int = 0) -> PairColumn:
    """Pairs with what is said of them in either order, in turn of so many prompts; of a prompt each by default."""
    number = len(said)
    forward, backward = np.array(said, dtype=np.float64).reshape(number, 2).T
    return PairColumn(
        "judge:preference",
        "judge:preference|v:1",
        tuple(f"p{place % (prompts or max(1, number))}" for place in range(number)),
        tuple(f"{place}a" for place in range(number)),
        tuple(f"{place}b" for place in range(number)),
        forward,
        backward,
        {},
    )


def slow(said: list[tuple[float, float]], prompts: int) -> tuple[list[float], list[int], list[float], list[int]]:
    """Of each answered pair whether it is changed, of each deciding answer whether it names the first; with prompts."""
    changed, of_pair, first, of_answer = [], [], [], []
    for place, (forward, backward) in enumerate(said):
        if np.isnan(forward) or np.isnan(backward):
            continue
        changed.append(float(forward != backward))
        of_pair.append(place % prompts)
        if forward:
            first.append(float(forward == -1))
            of_answer.append(place % prompts)
        if backward:
            first.append(float(backward == 1))  # the second story stood first
            of_answer.append(place % prompts)
    return changed, of_pair, first, of_answer


@given(st.lists(st.tuples(SAID, SAID), max_size=30), st.integers(1, 6))
def test_equals_a_slow_count(said: list[tuple[float, float]], prompts: int) -> None:
    found = position(column(*said, prompts=prompts))
    changed, of_pair, first, of_answer = slow(said, prompts)
    assert (found.pairs, found.answers) == (len(changed), len(first))
    for figure, hits, where, why in (
        (found.changed, changed, of_pair, NO_PAIR),
        (found.first, first, of_answer, NO_CHOICE),
    ):
        if not hits:
            assert (figure.value, figure.undefined) == (None, why)
            continue
        wanted = share_by_document(np.array(hits), np.array(where))
        assert figure.value == pytest.approx(np.mean(hits)) == pytest.approx(wanted.value)
        if wanted.low is None:
            assert figure.low is None
        else:
            assert (figure.low, figure.high) == pytest.approx((wanted.low, wanted.high))


def test_one_that_always_says_the_first() -> None:
    found: Position = position(column(*[(-1.0, 1.0)] * 20))
    assert (found.changed.value, found.first.value) == (1, 1)
    assert found.first.low is not None
    assert found.first.low > 0.8
    last = position(column(*[(1.0, -1.0)] * 20))
    assert (last.changed.value, last.first.value) == (1, 0)


def test_one_that_keeps_its_mind_favours_no_side() -> None:
    found = position(column((-1, -1), (1, 1), (1, 1), (0, 0)))
    assert (found.changed.value, found.first.value, found.answers) == (0, 0.5, 6)
