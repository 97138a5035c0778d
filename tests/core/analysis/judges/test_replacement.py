"""Judges among a study's metrics, metrics brought to the scale, and what the test says in a sentence."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import isotonic_regression

from core.analysis.judges.alternative import Alignment, AlternativeTest, Annotators
from core.analysis.judges.calibrated import FOLDS, on_scale
from core.analysis.judges.columns import judges_of
from core.analysis.judges.replacement import (
    PeoplesRatings,
    alignment_of,
    alternative_tests,
    in_a_word,
    nearest,
    outcome,
    rates_alike,
    standard,
    verdict,
)
from core.annotation.builtin import HANNA, SCHEMES
from core.annotation.target import Target, on_target
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable


def column(metric: str, *values: float, signature: str = "file:1") -> ScoreColumn:
    return ScoreColumn(metric, f"{signature}|column:{metric}", np.array(values), {})


def test_judges_are_told_by_the_criteria_of_the_study() -> None:
    columns = (
        column("m/1:coherence", 1, 2),
        column("m/1:Empathy", 3, np.nan),
        column("m/2:coherence", 5, 5),
        column("org/m:coherence", 4, 4),
        column("x.py:Class", 1, 1),
        column("bleu", 0, 1),
    )
    found = judges_of(columns, ("coherence",))
    assert [(judge.name, judge.judge, judge.variant) for judge in found] == [
        ("m/1", "m", "1"),
        ("m/2:coherence", "m", "2"),
        ("org/m:coherence", "org/m", ""),
    ]
    (both,) = judges_of(columns, ("coherence", "empathy"))
    assert (both.name, both.metrics) == ("m/1", ("m/1:coherence", "m/1:Empathy"))
    assert both.values == pytest.approx([2.0, np.nan], nan_ok=True)
    assert judges_of(columns, ("class",))[0].judge == "x.py"  # only because the study asks for it
    assert judges_of(columns, ("surprise",)) == ()


def test_the_same_judge_from_two_files_is_two() -> None:
    columns = (column("m:coherence", 1, 2), column("m:coherence", 2, 2, signature="file:2"))
    names = [judge.name for judge in judges_of(columns, ("coherence",))]
    assert len(set(names)) == 2
    assert all(name.startswith("m:coherence[") for name in names)


def test_a_story_is_read_off_the_curve_of_the_other_prompts() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=200)
    human = np.clip(3 + scores + rng.normal(0, 0.3, 200), 1, 5)
    prompts = tuple(str(number // 4) for number in range(200))
    found = on_scale(scores, human, prompts)
    assert np.abs(found - human).mean() < 0.4
    part = np.random.default_rng(0).permutation(50)[np.unique(prompts, return_inverse=True)[1]] % FOLDS
    out = part == part[7]
    order = np.argsort(scores[~out])
    curve = isotonic_regression(human[~out][order]).x
    assert found[7] == pytest.approx(np.interp(scores[7], scores[~out][order], curve))


def test_scores_that_say_nothing_become_the_mean_and_gaps_stay() -> None:
    human = np.array([1.0, 2, 3, 4, 5, 3, np.nan, 3])
    found = on_scale(np.array([7.0] * 7 + [np.nan]), human, tuple("abcdefgh"))
    assert np.isnan(found[7])
    assert np.all((found[:7] > 2) & (found[:7] < 4))
    assert np.isnan(on_scale(np.ones(2), np.ones(2), ("a", "b"))).all()


def study(judge: Callable[[Floats], Floats], level: Alignment, people: int = 4) -> AlternativeTest:
    rng = np.random.default_rng(3)
    truth = rng.integers(1, 6, 60).astype(float)
    values = np.clip(truth + rng.integers(-1, 2, (people, 60)), 1, 5)
    keys = tuple(str(number) for number in range(60))
    table = ScoreTable(keys, keys, ("s",) * 60, ("",) * 60, values.mean(0), (column("m:empathy", *judge(truth)),))
    (found,) = alternative_tests(
        table,
        PeoplesRatings(tuple("abcdefg"[:people]), values),
        ("empathy",),
        on_target(HANNA, Target(("empathy",))),
        standard=standard(None, None),
        alignment=level,
    )
    assert (found.judge, found.calibrated) == ("m:empathy", False)
    return found.test


def test_a_judge_of_means_is_rounded_where_equality_counts() -> None:
    assert study(lambda truth: truth + 0.3, Alignment.ACCURACY) == study(lambda truth: truth, Alignment.ACCURACY)
    assert (study(lambda truth: truth + 0.3, Alignment.ACCURACY).advantage_probability or 0) > 0.8
    assert nearest(np.array([-1.0, 1.4, 1.5, 9.0, np.nan]), np.arange(1.0, 6)) == pytest.approx(
        [1, 1, 2, 5, np.nan], nan_ok=True
    )


def test_any_metric_can_be_asked_for() -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat(rng.integers(1, 6, 60).astype(float), 2)
    values = np.clip(truth + rng.integers(-1, 2, (4, 120)), 1, 5)
    keys = tuple(str(number) for number in range(120))
    prompts = tuple(str(number // 2) for number in range(120))
    columns = (column("far off", *(1000 * truth)), column("noise", *rng.normal(size=120)))
    table = ScoreTable(keys, prompts, ("s",) * 120, ("",) * 120, values.mean(0), columns)
    people = PeoplesRatings(tuple("abcd"), values)
    scheme = on_target(HANNA, Target(("empathy",)))
    good, bad = alternative_tests(
        table,
        people,
        ("empathy",),
        scheme,
        standard=standard(None, None),
        alignment=Alignment.RMSE,
        metrics=("far off", "noise"),
    )
    assert (good.calibrated, good.test.passed, bad.test.passed) == (True, True, False)
    hidden = PeoplesRatings((), np.empty((0, 120)), "hidden")
    assert (
        alternative_tests(table, hidden, ("empathy",), scheme, standard=standard(None, None), alignment=Alignment.RMSE)
        == ()
    )


def test_the_verdict_says_for_what_and_for_what_not() -> None:
    good, bad = (study(judge, Alignment.RMSE) for judge in (lambda truth: truth, lambda truth: 6 - truth))
    nothing = AlternativeTest(0.1, Alignment.RMSE, (), None, None, None, undefined="nobody rated")
    crowd = standard(None, None)
    assert (crowd.epsilon, crowd.annotators) == (0.1, Annotators.CROWD)
    sentence = verdict("m", {"coherence": good, "relevance": good, "empathy": bad, "surprise": nothing}, crowd)
    assert sentence == (
        "m may stand in for a crowd worker on coherence and relevance; nothing shows that it may on empathy; on "
        "surprise it cannot be told."
    )
    few = study(lambda truth: truth, Alignment.RMSE, 2)
    assert few.too_few
    assert verdict("m", {"a": good, "b": few}, crowd) == (
        "m may stand in for a crowd worker on a; on b too little is rated for a verdict."
    )
    assert verdict("m", {"a": few, "b": few}, crowd) == "m: on a and b too little is rated for a verdict."
    assert [in_a_word(test) for test in (good, bad, few)] == ["yes", "not shown", "too few"]
    assert [in_a_word(test, disagree=True) for test in (good, bad, few)] == ["no verdict", "no verdict", "too few"]
    assert [in_a_word(test, alike=True) for test in (good, bad, few)] == ["no: rates all alike", "not shown", "too few"]
    assert verdict("m", {"a": good, "b": good}, crowd, (), {"b"}) == (
        "m may stand in for a crowd worker on a; on b it passes the test, but gives nearly all stories one rating, "
        "which tells no story from another."
    )
    none = "no verdict can be drawn, as nothing shows that the ratings agree with one another"
    assert verdict("m", {"a": good, "b": bad}, crowd, {"a", "b"}) == f"m: on a and b {none}."
    assert verdict("m", {"a": good, "b": good, "c": few}, crowd, {"a", "c"}) == (
        f"m may stand in for a crowd worker on b; on a {none}; on c too little is rated for a verdict."
    )
    expert = standard(Annotators.EXPERT, None)
    assert verdict("m", {"a": bad, "b": bad}, expert) == ("Nothing shows that m may stand in for an expert on a or b.")
    assert verdict("m", {"a": nothing}, expert) == "m: on a it cannot be told."
    assert verdict("m", {"": nothing}, crowd) == "m: it cannot be told, as nobody rated."
    assert verdict("m", {"": bad}, crowd).startswith("Nothing shows that m may stand in for a crowd worker: it wins")
    assert verdict("m", {"": few}, crowd).startswith("Too little is rated to say whether m may stand in for a crowd")
    assert verdict("m", {"": good}, standard(None, 0.3)) == (
        f"m may stand in for a person (epsilon 0.3): {outcome(good)}."
    )
    assert outcome(bad).startswith(
        "it wins against 0 of 4 people on 60 instances (winning rate 0.00); advantage probability 0."
    )


def test_categories_are_compared_by_equality() -> None:
    assert alignment_of(HANNA) is Alignment.RMSE
    assert alignment_of(SCHEMES["turing"]) is (
        Alignment.ACCURACY if SCHEMES["turing"].level == "nominal" else Alignment.RMSE
    )


@pytest.mark.parametrize(
    ("values", "alike"),
    [
        (np.full(30, 2.0), True),
        (np.full(29, 2.0), False),  # too few to say
        (np.linspace(1.57, 2.17, 30), True),
        (np.linspace(1.6, 2.7, 30), False),
        (np.concatenate([np.full(198, 2.0), [1.0, 5.0]]), True),  # 99 in 100
        (np.concatenate([np.full(27, 2.0), [1.0, 4.0, 5.0]]), False),
        (np.concatenate([np.full(30, 2.0), np.full(9, np.nan)]), True),
    ],
)
def test_a_judge_rates_all_alike_where_19_in_20_ratings_are_one_step(values: Floats, alike: bool) -> None:
    assert rates_alike(values, np.arange(1.0, 6.0)) is alike
