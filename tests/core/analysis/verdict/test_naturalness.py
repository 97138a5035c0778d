"""What opens the analysis of naturalness: a clear result, none, and too few data."""

from core.analysis.naturalness.corpora import Discriminator, SystemComparison
from core.analysis.naturalness.hypotheses import Hypothesis
from core.analysis.naturalness.tests import PairedTest, Unpaired
from core.analysis.verdict.naturalness import (
    few_behind,
    on_differences,
    on_findings,
    on_fp,
    on_hypotheses,
    too_early_to_tell_apart,
)
from core.statistics.intervals import Estimate

NOTHING = Estimate(None)


def compared(system: str, difference: float, p: float | None, n: int = 40) -> SystemComparison:
    paired = PairedTest(0, NOTHING, NOTHING, NOTHING, NOTHING)
    alone = Unpaired(n, n, Estimate(difference), NOTHING, NOTHING, NOTHING, NOTHING)
    return SystemComparison(Discriminator("gpt2"), system, paired, alone, p, p)


def test_systems_that_differ_from_people_by_a_corrected_test() -> None:
    rows = [compared("a", 0.1, 0.01), compared("b", -0.1, 0.02), compared("c", 0.2, 0.06)]
    assert on_fp("gpt2", rows) == (
        "To gpt2 texts of a look more predictable than human ones; texts of b less predictable; of c no difference is "
        "shown."
    )
    assert on_fp("gpt2", rows[1:2]) == "To gpt2 texts of b look less predictable than human ones."


def test_nothing_shows_a_difference() -> None:
    assert (
        on_fp("gpt2", [compared("a", 0.1, 0.3)]) == "To gpt2 nothing shows that texts of a look other than human ones."
    )


def test_of_few_texts_nothing_is_claimed() -> None:
    said = on_fp("gpt2", [compared("a", 0.1, 0.001, n=29)])
    assert said is not None
    assert said.startswith("It is too early")
    assert on_fp("gpt2", [compared("a", 0.1, None)]) is None


def test_the_table_says_how_many_comparisons_differ_and_which_most() -> None:
    names = {Discriminator("gpt2"): "gpt2"}
    rows = [compared("a", 0.1, 0.01), compared("b", -0.2, 0.02), compared("c", 0.3, 0.06)]
    assert on_differences(names, rows) == (
        "In 2 of 3 comparisons machine texts have another mean Fp than human ones; most differ those of b to gpt2, by "
        "−0.200."
    )
    assert on_differences(names, rows[2:]) == (
        "None of 1 comparisons shows another mean Fp of machine texts than of human ones."
    )
    few = on_differences(names, [compared("a", 0.1, 0.001, n=29)])
    assert few is not None
    assert few.startswith("It is too early")
    assert on_differences(names, [compared("a", 0.1, None)]) is None


def test_hypotheses_are_counted_and_untested_ones_are_not() -> None:
    holds, opposite, open_ = (
        Hypothesis("H1", "b", "s", "d", difference=Estimate(value), t_p=p, permutation_p=p)
        for value, p in ((0.1, 0.01), (-0.1, 0.01), (0.1, 0.5))
    )
    assert [row.holds for row in (holds, opposite, open_)] == [True, False, None]
    assert on_hypotheses([], []).startswith("Neither hypothesis is tested yet")
    assert on_hypotheses([holds, open_], [opposite]) == (
        "By permutation tests, that a bigger generator differs more from human text holds for 1 of 2 discriminators; "
        "that a bigger discriminator sees a larger difference holds for 0 of 1 system, and the opposite for 1."
    )


def test_findings_are_counted_by_side() -> None:
    assert on_findings((1, 20), (3, 10)) == (
        "Something that fools Fp was found in 3 of 10 machine texts (30%) and 1 of 20 human texts (5%)."
    )
    assert on_findings((0, 20), (0, 10)) == "Nothing that fools Fp was found in 10 machine and 20 human texts."
    assert on_findings((0, 0), (0, 10)) is None


def test_a_threshold_found_on_few_texts_claims_nothing() -> None:
    assert too_early_to_tell_apart("gpt2", 30, 30) == ""
    assert too_early_to_tell_apart("gpt2", 14, 1056) == (
        "It is too early to say how well gpt2 tells machine texts from human ones: there are 14 human texts and 1,056 "
        "of machines, and a claim takes 30 on each side."
    )
    assert too_early_to_tell_apart("gpt2", 40, 29)


def test_an_area_of_few_texts_claims_nothing() -> None:
    assert few_behind({"a": 30, "b": 40}, 30) == ""
    assert few_behind({"a": 29, "b": 40}, 30).startswith("The AUC of a is of fewer than 30 texts on a side: too few")
    assert few_behind({"a": 30, "b": 40}, 29).startswith("The AUC is of fewer than 30 texts on a side: too few")
