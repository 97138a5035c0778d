"""How many people the ratings take at least."""

import random

import pytest

from core.annotation.monitor.people_needed import fewest_people, said_of_people
from core.annotation.unit import Unit


@pytest.mark.parametrize(
    ("wanted", "most", "people"),
    [
        ([9] * 9, 9, 9),  # three stories of each of nine prompts, three times: nobody gets two of a prompt
        ([5] * 14, 14, 5),
        ([5] * 14, 4, 18),  # 70 panels, 4 a person: 17 people give 68
        ([30, 1, 1], 3, 30),  # one prompt has nearly all
        ([1], 1, 1),
    ],
)
def test_the_fewest_people(wanted: list[int], most: int, people: int) -> None:
    assert fewest_people(wanted, most) == people


@pytest.mark.parametrize("seed", range(20))
def test_so_many_are_enough_and_one_fewer_is_not(seed: int) -> None:
    """Each person takes the prompts of which most is left, which is the best that they can do."""
    drawn = random.Random(seed)
    wanted = [drawn.randint(1, 9) for _ in range(drawn.randint(1, 8))]
    most = drawn.randint(1, len(wanted))

    def left_by(people: int) -> int:
        left = list(wanted)
        for _ in range(people):
            left.sort(reverse=True)
            left[:most] = [max(0, number - 1) for number in left[:most]]
        return sum(left)

    people = fewest_people(wanted, most)
    assert left_by(people) == 0
    assert left_by(people - 1) > 0


def test_it_is_said_in_the_words_of_the_unit() -> None:
    assert said_of_people(Unit.STORY, [9] * 9, 9, begun=False) == (
        "One person gets at most 9 stories, never two of the same prompt, so the 81 ratings wanted take at least "
        "9 people."
    )
    assert said_of_people(Unit.PANEL, [4] * 14, 14, begun=True) == (
        "One person gets at most 14 panels, so the 56 panels still wanted take at least 4 people."
    )
    assert said_of_people(Unit.STORY, [30, 1, 1], 1, begun=False) == (
        "One person gets at most one story, so the 32 ratings wanted take at least 32 people."
    )
    assert said_of_people(Unit.PAIRS, [1], 1, begun=False) == (
        "One person gets at most one panel, so the one panel wanted takes at least 1 person."
    )


def test_nothing_is_said_where_nothing_is_wanted() -> None:
    assert said_of_people(Unit.STORY, [], 9, begun=True) == ""
    assert said_of_people(Unit.STORY, [], 0, begun=False) == ""
