"""The alternative annotator test: published results, a slow obvious version, small samples, bad input."""

import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.judges.alternative import (
    EPSILON,
    Alignment,
    AlternativeTest,
    Annotators,
    alternative_test,
)
from core.errors import InputError
from tests.core.analysis.judges.slow import alternative, signed_ranks


def by_name(
    people: Mapping[str, Mapping[str, Any]], judge: Mapping[str, Any], how: str, epsilon: float
) -> AlternativeTest:
    """The test of values by name; categories get numbers."""
    codes: dict[Any, float] = {}
    instances = {name: i for i, name in enumerate(sorted({*judge, *(x for values in people.values() for x in values)}))}

    def number(value: Any) -> float:
        return codes.setdefault(value, float(len(codes))) if how == "accuracy" else float(value)

    values = np.full((len(people), len(instances)), np.nan)
    for row, given_ in enumerate(people.values()):
        for name, value in given_.items():
            values[row, instances[name]] = number(value)
    own = np.full(len(instances), np.nan)
    for name, value in judge.items():
        own[instances[name]] = number(value)
    return alternative_test(values, own, list(people), alignment=Alignment(how), epsilon=epsilon)


def test_all_published_results_come_out(shared: Path) -> None:
    folder = shared / "alttest"
    with (folder / "golden.csv").open() as file:
        golden = list(csv.DictReader(file))
    assert len(golden) == 36
    for row in golden:
        people, judges = (
            json.loads((folder / row["data"] / f"{who}_annotations.json").read_text()) for who in ("human", "llm")
        )
        found = by_name(people, judges[row["judge"]], row["scoring"], float(row["epsilon"]))
        printed = (f"{found.winning_rate:.2f}", f"{found.advantage_probability:.2f}", str(found.passed))
        assert printed == (row["winning_rate"], row["advantage_probability"], row["passed"]), row


@settings(max_examples=40)
@given(st.integers(0, 2**31), st.sampled_from(["accuracy", "neg_rmse"]), st.sampled_from([0.0, 0.1, 0.2]))
def test_it_is_the_slow_obvious_version(seed: int, how: str, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, 80)
    people = {
        f"p{i}": {
            str(x): int(np.clip(truth[x] + rng.integers(-1, 2), 1, 5)) for x in np.flatnonzero(rng.random(80) < 0.8)
        }
        for i in range(rng.integers(3, 7))
    }
    judge = {str(x): int(np.clip(truth[x] + rng.integers(-1, 2), 1, 5)) for x in np.flatnonzero(rng.random(80) < 0.9)}
    found = by_name(people, judge, how, epsilon)
    assert (found.winning_rate, found.advantage_probability) == pytest.approx(alternative(people, judge, how, epsilon))


def test_a_perfect_judge_passes_and_a_wrong_one_does_not() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, 50).astype(float)
    people = np.clip(truth + rng.integers(-1, 2, (4, 50)), 1, 5)
    best = alternative_test(people, truth, "abcd")
    assert (best.passed, best.winning_rate) == (True, 1.0)
    worst = alternative_test(people, 6 - truth, "abcd")
    assert (worst.passed, worst.winning_rate) == (False, 0.0)
    assert all((row.judge or 0) + (row.human or 0) >= 1 for row in best.people)
    assert best.cautions() == worst.cautions() == ()
    assert best.instances == 50


@pytest.mark.parametrize(("people", "stories"), [(2, 60), (4, 29)])
def test_of_few_people_or_few_instances_there_is_no_verdict(people: int, stories: int) -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(1, 6, stories).astype(float)
    found = alternative_test(np.clip(truth + rng.integers(-1, 2, (people, stories)), 1, 5), truth, "abcd"[:people])
    assert (found.winning_rate, found.passed, found.too_few) == (1.0, None, True)
    assert (found.instances, len(found.counted)) == (stories, people)
    no_verdict, *wilcoxon = found.cautions("stories")
    assert no_verdict == (
        "There is no verdict: it takes 3 people with 30 stories each beside the judge and somebody else, and "
        f"{'2 have' if people == 2 else 'nobody has'} so many."
    )
    assert wilcoxon == (
        [] if people == 2 else ["As nobody has 30 stories, Wilcoxon's exact test takes the place of the t-test."]
    )


def test_who_has_too_little_beside_others_is_left_out() -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(1, 6, (4, 40)).astype(float)
    values[3, 5:] = np.nan
    found = alternative_test(values, rng.integers(1, 6, 40).astype(float), "abcd")
    assert [row.n for row in found.people] == [40, 40, 40, 5]
    assert found.people[3].p is None
    assert not found.people[3].won
    assert found.cautions() == ("1 of 4 people is left out, with fewer than 30 such instances.",)


def test_a_person_of_a_single_instance_does_not_count() -> None:
    """The judge is as near there, which showed that it wins against them."""
    values = np.full((4, 8), 3.0)
    values[3, 1:] = np.nan
    found = alternative_test(values, np.full(8, 3.0), "abcd")
    assert [row.p is None for row in found.people] == [False, False, False, True]
    assert found.winning_rate == 1.0
    assert found.cautions()[-1] == "1 of 4 people is left out, with fewer than 5 such instances."
    four = alternative_test(values[:, :4], np.full(4, 3.0), "abcd")
    assert (four.winning_rate, four.passed, four.too_few, four.cautions()) == (None, None, False, ())
    assert four.undefined == "nobody has 5 instances or more with the judge's value and another person's"


@settings(max_examples=30)
@given(st.integers(0, 2**31), st.integers(5, 11), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
def test_wilcoxon_s_p_is_that_of_all_signs(seed: int, n: int, epsilon: float) -> None:
    rng = np.random.default_rng(seed)
    values, judge = rng.integers(1, 4, (3, n)).astype(float), rng.integers(1, 4, n).astype(float)
    found = alternative_test(values, judge, "abc", epsilon=epsilon)
    for place, row in enumerate(found.people):
        others = np.delete(values, place, 0)
        of_judge, of_person = (np.sqrt(((side - others) ** 2).mean(0)) for side in (judge, values[place]))
        near = np.isclose(of_judge, of_person)
        differences = ((of_person <= of_judge) | near).astype(float) - ((of_judge <= of_person) | near)
        assert row.p == pytest.approx(signed_ranks(list(differences - epsilon)))


def test_nothing_to_compare() -> None:
    alone = alternative_test(np.array([[1.0, 2.0], [np.nan, np.nan]]), np.array([1.0, 2.0]), "ab")
    assert alone.undefined == "it needs two people who rated the same stories as the judge"
    assert (alone.passed, alone.people) == (None, ())


def test_bad_input() -> None:
    with pytest.raises(InputError, match="3 people and 2 instances"):
        alternative_test(np.zeros((2, 2)), np.zeros(2), "abc")
    with pytest.raises(InputError, match=r"0 to 1, not 1\.5"):
        alternative_test(np.zeros((2, 2)), np.zeros(2), "ab", epsilon=1.5)


def test_epsilon_follows_who_the_people_are() -> None:
    assert [EPSILON[who] for who in Annotators] == [0.2, 0.15, 0.1]
