"""The finding says no more than the numbers hold."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from core.analysis.correlation.metric_order import best_first
from core.analysis.judgments.strictness import Strictness
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.finding import Finding, finding
from core.analysis.verdict.of_study import finding_of_study
from core.scores import ScoreColumn, ScoreTable
from core.statistics.correlation import NOTHING, Coefficient, correlate_table
from core.statistics.intervals import Estimate

CLEAR = Coefficient(0.514, 0.0, 0.0, 0.462, 0.553)
OPEN = Coefficient(0.1, 0.2, 0.2, -0.05, 0.25)


def found(
    *values: Coefficient,
    apart: tuple[bool, ...] = (),
    n: int = 200,
    prompts: int = 40,
    disagree: bool = False,
    sentinels: tuple[str, ...] = (),
) -> Finding | None:
    names = [f"m{number}" for number in range(len(values))]
    tests = [
        PairTest("m0", f"m{number}", n, difference=0.1, p_holm=0.01 if one else 0.5, tests=len(apart))
        for number, one in enumerate(apart, start=1)
    ]
    shared = {"prompts": prompts, "one_rater": 0.85, "disagree": disagree}
    return finding(names, values, [n] * len(values), tests, sentinels=sentinels, **shared)  # type: ignore[arg-type]


def said(result: Finding | None) -> str:
    assert result is not None
    return result.text(lambda name: f"*{name}*")


def test_the_best_metric_and_those_that_may_be_as_good() -> None:
    others = [Coefficient(0.5 - number / 100, 0.0, 0.0, 0.3, 0.6) for number in range(5)]
    result = found(CLEAR, *others, apart=(False, True, False, False, False))
    assert said(result) == (
        "*m0* agrees best with people, Pearson's r 0.51 (0.46 to 0.55); it cannot be told apart from *m1*, *m3*, *m4* "
        "and 1 more (corrected for all 5 pairs). One person agrees with the others at r 0.85."
    )
    assert result is not None
    assert result.holds
    assert result.all_alike() == "m0 cannot be told apart from m1, m3, m4 and m5."
    assert replace(result, disagree=True).all_alike() == replace(result, alike=("m1",)).all_alike() == ""


def test_a_p_near_the_level_stands_beside_what_it_decides() -> None:
    def said_by(*corrected: float) -> str:
        names, values = [f"m{number}" for number in range(len(corrected) + 1)], [CLEAR] + [OPEN] * len(corrected)
        tests = [
            PairTest("m0", f"m{number}", 200, difference=0.1, p_holm=p, tests=len(corrected))
            for number, p in enumerate(corrected, start=1)
        ]
        return said(finding(names, values, [200] * len(names), tests, prompts=40, one_rater=None, disagree=False))

    assert "it cannot be told apart from *m1* (p = 0.0542, corrected for all 2 pairs)." in said_by(0.0542, 0.001)
    assert "apart from *m1* and *m2* (p at least 0.06, corrected for all 3 pairs)." in said_by(0.07, 0.06, 0.02)
    assert "apart from every other metric (p at most 0.03, corrected for all 2 pairs)." in said_by(0.001, 0.03)
    assert "apart from the other metric (p = 0.04)." in said_by(0.04)
    assert "apart from every other metric (corrected for all 2 pairs)." in said_by(0.001, 0.01)


def test_all_others_may_be_as_good() -> None:
    text = said(found(CLEAR, CLEAR, CLEAR, CLEAR, CLEAR, apart=(False,) * 4))
    assert "it cannot be told apart from any of the other 4 (corrected for all 4 pairs)." in text


def test_it_says_how_the_best_metric_orders_systems() -> None:
    systems = [f"system {number % 5}" for number in range(200)]
    prompts = tuple(f"prompt {number // 5}" for number in range(200))
    human = np.arange(200) % 5 + np.random.default_rng(0).normal(size=200)
    keys = tuple(map(str, range(200)))
    column = ScoreColumn("m", "m|v1", human + np.random.default_rng(1).normal(size=200), {})

    def of(systems: list[str], stories: int = 200, *, disagree: bool = False) -> str:
        table = ScoreTable(keys, prompts, tuple(systems), keys, human, (column,)).take(np.arange(stories))
        correlated = correlate_table(table, resamples=200)
        return said(finding_of_study(table, ["m"], correlated, one_rater=None, disagree=disagree, trained_on={}))

    assert (
        "Over the 5 systems *m* puts 10 of 10 pairs in people's order, more than by chance (Kendall's τ-b, p = 0.0167"
        in of(systems)
    )
    assert "Over the" not in of(["one"] * 200)
    assert "Over the" not in of(systems, 25)  # too early to say anything
    assert "Over the" not in of(systems, disagree=True)


def test_two_that_may_be_as_good() -> None:
    text = said(found(CLEAR, CLEAR, CLEAR, apart=(False, False)))
    assert "it cannot be told apart from *m1* and *m2* (corrected for all 2 pairs)." in text


def test_told_apart_from_all() -> None:
    assert "and is told apart from every other metric (corrected for all 2 pairs)." in said(
        found(CLEAR, OPEN, OPEN, apart=(True, True))
    )
    assert "and is told apart from the other metric." in said(found(CLEAR, OPEN, apart=(True,)))


def test_untested_others_are_not_called_alike() -> None:
    assert said(found(CLEAR, OPEN)).startswith("*m0* agrees best with people, Pearson's r 0.51 (0.46 to 0.55). One")


def test_a_sentinel_that_is_best_says_which_metric_reads_stories() -> None:
    others = (Coefficient(0.45, 0.0, 0.0, 0.3, 0.6), Coefficient(0.4, 0.0, 0.0, 0.3, 0.6))
    text = said(found(CLEAR, *others, apart=(False, True), sentinels=("m0", "m1")))
    assert "it cannot be told apart from *m1* (corrected for all 2 pairs). But *m0* is a baseline" in text
    assert "*m0* is a baseline, and reads nothing of what a story says" in text
    assert "; of the metrics that do, *m2* is the best, r 0.40. One person" in text
    assert found(CLEAR, *others, apart=(False, True), sentinels=("m0", "m1")).leading == "m2"
    assert found(CLEAR, *others, apart=(False, True), sentinels=("m1",)).leading == "m0"
    assert "reads nothing of what a story says. One" in said(found(CLEAR, sentinels=("m0",)))
    assert found(CLEAR, sentinels=("m0",)).leading == "m0"
    assert "baseline" not in said(found(CLEAR, *others, apart=(False, True), sentinels=("m1",)))
    assert "baseline" not in said(found(OPEN, sentinels=("m0",)))  # it is not seen to agree


def test_one_metric_has_nothing_beside_it() -> None:
    assert "Another metric beside it would say how good that is." in said(found(CLEAR, NOTHING))


@pytest.mark.parametrize(("n", "prompts"), [(29, 20), (200, 9), (12, 1)])
def test_of_few_stories_or_prompts_nothing_is_claimed(n: int, prompts: int) -> None:
    result = found(CLEAR, OPEN, apart=(True,), n=n, prompts=prompts)
    assert said(result).startswith("It is too early to say: *m0* is ahead, Pearson's r 0.51, over ")
    assert f"{n:,} stories of {prompts} prompt" in said(result)
    assert result is not None
    assert not result.holds


def test_an_open_sign_is_no_agreement() -> None:
    result = found(OPEN, NOTHING)
    assert said(result).startswith("It is open whether they agree: *m0* has Pearson's r 0.10 (−0.05 to 0.25).")
    assert said(found(OPEN, OPEN)).startswith("No metric is seen to agree with people: *m0* comes first with")
    assert result is not None
    assert not result.holds


@pytest.mark.parametrize(
    ("rho", "ends"),
    [
        (Coefficient(0.09, low=-0.05, high=0.23), "it is open whether *m* agrees, Spearman's ρ 0.09 (−0.05 to 0.23)"),
        (Coefficient(-0.2, low=-0.3, high=-0.1), "*m* goes the other way, Spearman's ρ −0.20 (−0.30 to −0.10)"),
    ],
)
def test_an_agreement_that_ranks_do_not_show_depends_on_the_coefficient(rho: Coefficient, ends: str) -> None:
    def said_with(r: Coefficient, rho: Coefficient, *, disagree: bool = False) -> str:
        shared = {"prompts": 40, "one_rater": None, "disagree": disagree, "rho": rho}
        return said(finding(["m"], [r], [200], [], **shared))  # type: ignore[arg-type]

    assert said_with(CLEAR, rho).endswith(f"By ranks {ends}: that depends on the coefficient.")
    for none in (said_with(CLEAR, CLEAR), said_with(CLEAR, NOTHING), said_with(OPEN, rho)):
        assert "By ranks" not in none
    assert "By ranks" not in said_with(CLEAR, rho, disagree=True)


def test_the_coefficient_of_ranks_is_the_best_metrics_own() -> None:
    """A few stories far off make its r, and no ranks."""
    rng = np.random.default_rng(0)
    human, best, other = rng.normal(size=(3, 120))
    human[:12] += 6
    best[:12] += 6
    columns = tuple(ScoreColumn(name, f"{name}|v1", values, {}) for name, values in (("m", best), ("n", other)))
    keys = tuple(map(str, range(120)))
    prompts = tuple(f"prompt {number % 30}" for number in range(120))
    table = ScoreTable(keys, prompts, ("a",) * 120, keys, human, columns)
    correlated = correlate_table(table, resamples=200)
    result = finding_of_study(table, ["m", "n"], correlated, one_rater=None, disagree=False, trained_on={})
    assert result is not None
    assert result.rho == correlated[0].correlation.spearman


def test_ratings_that_do_not_agree_carry_nothing() -> None:
    result = found(CLEAR, OPEN, apart=(True,), disagree=True)
    assert said(result) == (
        "No metric can be judged yet: nothing shows that the ratings agree with one another. Numbers only describe "
        "these stories: *m0* comes first on them, Pearson's r 0.51 (0.46 to 0.55). A metric can go with the "
        "mean of several raters although nothing shows that these agree with one another: each may go with it a "
        "little, or one alone, for reasons of their own. With other raters r may well be another."
    )
    assert "several raters" not in said(found(OPEN, apart=(True,), disagree=True))
    assert result is not None
    assert not result.holds
    other = replace(result, first_by={"spearman": ("m1", 0.6)})
    assert replace(result, reader=("m1", "0.40")).leading == "m0"  # the one that is named
    assert (
        "*m0* comes first on them, Pearson's r 0.51 (0.46 to 0.55); by Spearman's ρ *m1*, 0.60. A metric can"
        in said(other)
    )


def test_strictness_is_named_as_the_reason_only_where_it_is_one() -> None:
    result = found(CLEAR, OPEN, apart=(True,), disagree=True)
    assert result is not None
    so = Strictness(Estimate(-0.21, -0.3, -0.1), Estimate(0.414, 0.3, 0.5))
    assert said(replace(result, strictness=so)).endswith(
        "here some are stricter than others, which a mean of several evens out in part. With other raters r may well "
        "be another. Krippendorff's alpha is 0.41 once each rater's own mean is taken out (−0.21 before)."
    )
    not_so = Strictness(Estimate(-0.151, -0.2, -0.1), Estimate(-0.148, -0.2, -0.1))
    assert said(replace(result, strictness=not_so)).endswith(
        "r may well be another. That some raters are stricter than others is not shown to explain it: Krippendorff's "
        "alpha is −0.148 once each rater's own mean is taken out (−0.151 before)."
    )


def test_without_a_correlation_there_is_none() -> None:
    assert found(NOTHING, NOTHING) is None


def test_a_metric_that_was_trained_on_the_study_does_not_come_first_unless_it_is_alone() -> None:
    assert said(finding(["m"], [CLEAR], [200], [], prompts=40, one_rater=None, disagree=False, seen=14)).endswith(
        "But it was trained on 14 stories of this study, so this is no evidence."
    )
    result = finding(["m"], [CLEAR], [200], [], prompts=40, one_rater=None, disagree=False, ahead=("union", "disscore"))
    assert said(result).endswith("*union* and *disscore* have a higher r, but were trained on stories of this study.")
    assert result is not None
    assert result.holds


def test_a_metric_that_falls_where_ratings_rise_is_named() -> None:
    def said_of(*falling: str, disagree: bool = False) -> str:
        shared = {"prompts": 40, "one_rater": None, "disagree": disagree}
        return said(finding(["m"], [CLEAR], [200], [], falling=falling, **shared))  # type: ignore[arg-type]

    assert said_of("fresh").endswith("*fresh* falls where people's ratings rise.")
    assert said_of("fresh", "odd").endswith("*fresh* and *odd* fall where people's ratings rise.")
    shared = {"prompts": 40, "one_rater": None, "disagree": False, "falling": ("fp", "odd")}
    turned = finding(["m"], [CLEAR], [200], [], negated={"fp": "minus Fp"}, **shared)  # type: ignore[arg-type]
    own = finding(["m"], [CLEAR], [200], [], negated={"m": "minus M"}, **shared)  # type: ignore[arg-type]
    assert "The score of *m* is minus M: higher is better." in said(own)
    assert "higher is better" not in said(turned)
    assert said(turned).endswith("*fp* (minus Fp) and *odd* fall where people's ratings rise.")
    assert "rise" not in said_of()
    assert "rise" not in said_of("fresh", disagree=True)  # ratings that carry nothing speak against no metric


def test_only_what_an_interval_shows_on_enough_stories_is_said_to_fall() -> None:
    rng = np.random.default_rng(0)
    human = rng.normal(size=80)
    few = np.where(np.arange(80) < 12, -human, np.nan)  # of three prompts: too few to speak against it
    scores = {"good": human + rng.normal(size=80), "fp": -human + rng.normal(size=80), "few": few}
    columns = tuple(ScoreColumn(name, f"{name}|v1", values, {}) for name, values in scores.items())
    prompts = tuple(f"prompt {number // 4}" for number in range(80))
    texts = tuple(f"story {number}" for number in range(80))
    table = best_first(ScoreTable(texts, prompts, ("a",) * 80, texts, human, columns))
    result = finding_of_study(
        table,
        [column.metric for column in table.columns],
        correlate_table(table, resamples=200),
        one_rater=None,
        disagree=False,
        trained_on={},
    )
    assert result is not None
    assert result.best == "good"
    assert result.falling == ("fp",)
    assert "*fp* (minus Fp) falls where people's ratings rise." in said(result)
    assert said(result).endswith("*few* is in no test: it has scores of too few of these stories.")
    assert "in no test" not in said(replace(result, disagree=True))  # as there is no test
    assert "in no test" not in said(replace(result, n=29))


def test_a_metric_that_was_run_on_a_few_of_the_rated_stories_says_so() -> None:
    human = np.arange(120.0) % 7
    values = np.where(np.arange(120) < 40, human + np.arange(120) % 3, np.nan)
    texts = tuple(f"story {number}" for number in range(120))
    prompts = tuple(f"prompt {number // 3}" for number in range(120))

    def told(values: NDArray[np.float64]) -> str:
        columns = (ScoreColumn("tried", "tried|v1", values, {}),)
        table = ScoreTable(texts, prompts, ("a",) * 120, texts, human, columns)
        correlated = correlate_table(table, resamples=200)
        return said(finding_of_study(table, ["tried"], correlated, one_rater=None, disagree=False, trained_on={}))

    assert " over 40 of 120 stories" in told(values)
    assert " over " not in told(human)


def test_a_metric_that_comes_first_by_ranks_is_named_beside_the_best() -> None:
    """An outlier makes `far` the best by Pearson's r, and `near`, which errs a little everywhere, the best by ranks."""
    rng = np.random.default_rng(0)
    human = np.append(rng.normal(size=79), 30.0)
    scores = {"far": human + rng.normal(size=80), "near": np.append(human[:79] + 0.2 * rng.normal(size=79), 0.0)}
    columns = tuple(ScoreColumn(name, f"{name}|v1", values, {}) for name, values in scores.items())
    texts = tuple(f"story {number}" for number in range(80))
    prompts = tuple(f"prompt {number // 4}" for number in range(80))
    table = best_first(ScoreTable(texts, prompts, ("a",) * 80, texts, human, columns))
    names, correlated = [column.metric for column in table.columns], correlate_table(table, resamples=200)
    shared = {"one_rater": None, "trained_on": {}}
    result = finding_of_study(table, names, correlated, disagree=False, **shared)  # type: ignore[arg-type]
    assert result is not None
    assert result.best == "far"
    rho, tau = (getattr(correlated[names.index("near")].correlation, name).value for name in ("spearman", "kendall"))
    assert f" By Spearman's ρ *near* comes first, {rho:.2f}." in said(result)
    assert f" By Kendall's τ-b *near* comes first, {tau:.2f}." in result.text(lambda name: f"*{name}*", "kendall")
    unlike = finding_of_study(table, names, correlated, disagree=True, **shared)  # type: ignore[arg-type]
    assert "By Spearman" not in said(unlike)
    assert unlike is not None
    assert "whichever" not in " ".join(unlike.more(chosen=True))
    beside = "This is by Pearson's r, whichever coefficient is chosen"
    assert result.more(chosen=True)[0].startswith(f"{beside}; by Spearman's ρ near comes first, {rho:.2f}.")
    assert "By Spearman" not in " ".join(result.more(chosen=True))
    tau_of_far = correlated[names.index("far")].correlation.kendall.value
    alone = finding_of_study(
        replace(table, columns=table.columns[:1]), ["far"], correlated[:1], disagree=False, **shared
    )  # type: ignore[arg-type]
    assert alone is not None
    assert alone.more(by="kendall", chosen=True)[0].startswith(f"{beside}; Kendall's τ-b is {tau_of_far:.2f}.")
    assert "Kendall" not in " ".join(alone.more(by="kendall"))
    same = replace(result, first_by={"spearman": ("far", 0.5)})
    assert same.more(chosen=True)[0].startswith(f"{beside}; by Spearman's ρ it comes first as well, 0.50.")
    assert "Spearman" not in " ".join(same.more())
    assert replace(result, first_by={}).more(chosen=True)[0].startswith(f"{beside}.")


def test_what_was_trained_on_the_study_is_named_where_it_is_not_compared() -> None:
    """The finding and the report of the best metric rest on the same tests."""
    rng = np.random.default_rng(0)
    human = rng.normal(size=80)
    spreads = {"good": 0.3, "union": 1.0, "noise": 30.0, "more": 30.0}
    columns = tuple(ScoreColumn(n, f"{n}|v1", human + rng.normal(0, s, 80), {}) for n, s in spreads.items())
    texts, prompts = tuple(f"story {number}" for number in range(80)), tuple(f"prompt {n // 4}" for n in range(80))
    table = best_first(ScoreTable(texts, prompts, ("a",) * 80, texts, human, columns))
    names, correlated = [column.metric for column in table.columns], correlate_table(table, resamples=200)
    seen = {"union|v1": 14}
    shared = {"one_rater": None, "disagree": False}
    result = finding_of_study(table, names, correlated, trained_on=seen, **shared)  # type: ignore[arg-type]
    assert "told apart from every other metric but *union*, which was trained on some of these stories " in said(result)
    seen = {"good|v1": 14}
    ahead = finding_of_study(table, names, correlated, trained_on=seen, **shared)  # type: ignore[arg-type]
    assert "apart from every other metric but *good* (p at most 0.0121, corrected for all 3 pairs). *good* has" in said(
        ahead
    )


def test_any_of_the_others_leaves_out_what_was_trained() -> None:
    others = [Coefficient(0.5 - number / 100, 0.0, 0.0, 0.3, 0.6) for number in range(4)]
    tests = [PairTest("m0", f"m{number}", 200, difference=0.1, p_holm=0.5, tests=10) for number in range(1, 5)]
    result = finding(
        [f"m{number}" for number in range(5)],
        [CLEAR, *others],
        [200] * 5,
        tests,
        prompts=40,
        one_rater=None,
        disagree=False,
        not_compared=("union",),
    )
    assert "from any of the other 4 that were not trained on any of these stories (corr" in said(result)


def test_a_metric_that_comes_first_within_systems_is_named_beside_the_best() -> None:
    rng = np.random.default_rng(3)
    worth, inside = np.repeat([0.0, 3.0, 6.0], 40), rng.normal(size=120)
    human = worth + inside
    scores = {
        "between": worth + 0.2 * inside + 0.5 * rng.normal(size=120),
        "within": inside + 0.1 * rng.normal(size=120),
    }
    columns = tuple(ScoreColumn(name, f"{name}|v1", values, {}) for name, values in scores.items())
    keys, prompts = tuple(map(str, range(120))), tuple(str(number % 40) for number in range(120))
    systems = tuple(f"system {number // 40}" for number in range(120))
    table = best_first(ScoreTable(keys, prompts, systems, keys, human, columns))
    names = [column.metric for column in table.columns]
    assert names[0] == "between"

    def told(table: ScoreTable) -> str:
        found = finding_of_study(
            table, names, correlate_table(table, resamples=99), one_rater=None, disagree=False, trained_on={}
        )
        return said(found)

    centred = [values - np.repeat(values.reshape(3, 40).mean(1), 40) for values in (human, *scores.values())]
    own, first = (np.corrcoef(centred[0], values)[0, 1] for values in centred[1:])
    assert f" Within systems *within* comes first, r {first:.2f} (*between* {own:.2f})." in told(table)
    assert "Within systems" not in told(replace(table, systems=("one",) * 120))
    between, within = table.columns
    as_well = replace(within, values=between.values - 0.9 * np.repeat([0.0, 3.0, 6.0], 40))  # the same within systems
    said_of = told(replace(table, columns=(between, as_well)))
    assert "Within systems *within* goes with people about as closely as *between*, r 0." in said_of
    assert " against 0." in said_of
    assert ", though its r over all stories is lower." in said_of
    assert "Within systems" not in told(replace(table, columns=(table.columns[0], table.columns[0])))


def test_it_is_said_that_the_best_has_not_scored_all_stories() -> None:
    part = finding(["m", "n"], [CLEAR, OPEN], [128, 250], [], prompts=40, one_rater=None, disagree=False)
    assert said(part).startswith(
        "*m* agrees best with people, Pearson's r 0.51 (0.46 to 0.55) over 128 of 250 stories."
    )
    whole = finding(["m", "n"], [CLEAR, OPEN], [250, 128], [], prompts=40, one_rater=None, disagree=False)
    assert "stories" not in said(whole)
