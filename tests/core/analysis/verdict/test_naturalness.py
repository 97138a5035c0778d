"""What opens the analysis of naturalness: a clear result, none, and too few data."""

from core.analysis.naturalness.corpora import Discriminator, SystemComparison
from core.analysis.naturalness.tests import PairedTest, Unpaired
from core.analysis.verdict.naturalness import on_fp
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
