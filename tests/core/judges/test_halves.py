"""The halves of a study's prompts are of one size, fixed, and the same everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from core.judges.halves import Half, halves

KEYS = st.lists(st.text(), unique=True, max_size=60)


@given(KEYS)
def test_they_are_of_one_size_however_many_prompts_there_are(keys: list[str]) -> None:
    of = halves(keys)
    assert len(of) == len(keys)
    for number in range(len(of) + 1):
        first = of[:number].count(Half.DEVELOPMENT)
        assert abs(first - (number - first)) <= 1


@given(KEYS, KEYS)
def test_prompts_that_come_later_move_none(keys: list[str], later: list[str]) -> None:
    assert halves([*keys, *later])[: len(keys)] == halves(keys)


def test_they_are_the_same_on_every_machine() -> None:
    letters = "".join("d" if half is Half.DEVELOPMENT else "h" for half in halves([str(n) for n in range(16)]))
    assert letters == "hddhhdhddhdhhdhd"


def test_every_other_prompt_is_in_both_halves() -> None:
    even = halves([str(number) for number in range(2000)])[::2]
    assert 450 < even.count(Half.DEVELOPMENT) < 550
    assert Half.HELD_OUT.other is Half.DEVELOPMENT
