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
from tests.core.analysis.judges.slow import alternative


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
    assert best.cautions == worst.cautions == ()


def test_small_samples_are_said() -> None:
    rng = np.random.default_rng(1)
    few = rng.integers(1, 6, (2, 12)).astype(float)
    found = alternative_test(few, few.mean(0), ["a", "b"])
    assert [row.few for row in found.people] == [True, True]
    assert len(found.cautions) == 2
    assert "Only 2 people were compared" in found.cautions[0]
    assert "2 of 2 people have fewer than 30 instances" in found.cautions[1]


def test_who_has_too_little_beside_others_is_left_out() -> None:
    rng = np.random.default_rng(2)
    values = rng.integers(1, 6, (4, 40)).astype(float)
    values[3, 5:] = np.nan
    found = alternative_test(values, rng.integers(1, 6, 40).astype(float), "abcd")
    assert [row.n for row in found.people] == [40, 40, 40, 5]
    assert found.people[3].p is None
    assert not found.people[3].won


def test_nothing_to_compare() -> None:
    alone = alternative_test(np.array([[1.0, 2.0], [np.nan, np.nan]]), np.array([1.0, 2.0]), "ab")
    assert alone.undefined == "no instance has the judge's value and those of two people"
    assert (alone.passed, alone.people) == (None, ())


def test_bad_input() -> None:
    with pytest.raises(InputError, match="3 people and 2 instances"):
        alternative_test(np.zeros((2, 2)), np.zeros(2), "abc")
    with pytest.raises(InputError, match=r"0 to 1, not 1\.5"):
        alternative_test(np.zeros((2, 2)), np.zeros(2), "ab", epsilon=1.5)


def test_epsilon_follows_who_the_people_are() -> None:
    assert [EPSILON[who] for who in Annotators] == [0.2, 0.15, 0.1]
