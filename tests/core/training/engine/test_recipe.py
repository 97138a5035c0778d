"""Recipes: the learning rate of each step, what is refused, and JSON and back."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.training.engine.recipe import Criterion, Recipe, recipe_from


def test_the_rate_goes_up_and_down_in_lines() -> None:
    recipe = Recipe(steps=10, learning_rate=1.0, warm_up=0.3)
    result = [recipe.rate(step, 10) for step in range(1, 11)]
    assert result == pytest.approx([1 / 4, 2 / 4, 3 / 4, 1, 6 / 7, 5 / 7, 4 / 7, 3 / 7, 2 / 7, 1 / 7])
    assert [Recipe(steps=4, learning_rate=2.0, warm_up=0).rate(step, 4) for step in (1, 4)] == [2.0, 0.5]
    assert [Recipe(steps=2, learning_rate=3.0, warm_up=1).rate(step, 2) for step in (1, 2)] == [1.0, 2.0]
    assert Recipe(steps=1, learning_rate=3.0).rate(1, 1) == 3.0


@given(st.integers(1, 300), st.floats(0, 1))
def test_no_step_is_for_nothing_and_none_above_the_rate(steps: int, warm_up: float) -> None:
    recipe = Recipe(steps=steps, learning_rate=1.0, warm_up=warm_up)
    assert all(0 < recipe.rate(step, steps) <= 1 for step in range(1, steps + 1))


recipes = st.builds(
    Recipe,
    epochs=st.integers(1, 9),
    learning_rate=st.floats(1e-9, 1.0),
    warm_up=st.floats(0, 1),
    weight_decay=st.floats(0, 10),
    clip=st.floats(0, 10),
    accumulation=st.integers(1, 64),
    precision=st.sampled_from(["float32", "bfloat16"]),
    seed=st.integers(-(2**63), 2**63),
    evaluate_every=st.integers(0, 99),
    patience=st.integers(0, 9),
    checkpoint_every=st.integers(0, 999),
    chosen_by=st.none() | st.builds(Criterion, st.text(), st.booleans()),
)


@given(recipes)
def test_json_and_back_is_the_same(recipe: Recipe) -> None:
    assert recipe_from(json.loads(json.dumps(recipe.as_json()))) == recipe


def test_what_json_leaves_out_is_as_usual() -> None:
    assert recipe_from({"steps": 7}) == Recipe(steps=7)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({}, "either how many epochs or how many steps"),
        ({"epochs": 1, "steps": 1}, "either how many epochs or how many steps"),
        ({"steps": 0}, "steps is a whole number of at least 1, not 0"),
        ({"steps": True}, "not True"),
        ({"steps": 2.0}, "not 2.0"),
        ({"steps": "2"}, "not '2'"),
        ({"epochs": 1, "accumulation": 0}, "accumulation is a whole number of at least 1"),
        ({"epochs": 1, "patience": -1}, "patience is a whole number of at least 0"),
        ({"epochs": 1, "learning_rate": 0}, "learning_rate is a number above 0"),
        ({"epochs": 1, "learning_rate": math.inf}, "not inf"),
        ({"epochs": 1, "learning_rate": None}, "not None"),
        ({"epochs": 1, "warm_up": 1.1}, "a share of the steps"),
        ({"epochs": 1, "warm_up": math.nan}, "not nan"),
        ({"epochs": 1, "weight_decay": -0.1}, "weight_decay"),
        ({"epochs": 1, "clip": "1"}, "clip"),
        ({"epochs": 1, "precision": "float16"}, "float32 or bfloat16, not 'float16'"),
        ({"epochs": 1, "seed": 1.5}, "seed is a whole number"),
        ({"epochs": 1, "batch": 8}, "A recipe has no 'batch'"),
        ({"epochs": 1, "chosen_by": "loss"}, "chosen_by"),
    ],
)
def test_what_makes_no_sense_is_refused(given_: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        recipe_from(given_)


def test_better_is_strictly_so() -> None:
    assert Criterion("a").better(1, None)
    assert Criterion("a").better(2, 1)
    assert not Criterion("a").better(1, 1)
    assert not Criterion("a").better(math.nan, None)
    assert Criterion("a", higher=False).better(0, 1)
    assert not Criterion("a", higher=False).better(1, 1)
