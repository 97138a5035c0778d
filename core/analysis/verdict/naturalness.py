"""The sentences that open the analysis of naturalness."""

from collections.abc import Mapping, Sequence

from core.analysis.naturalness.corpora import Discriminator, SystemComparison
from core.analysis.naturalness.hypotheses import Hypothesis
from core.analysis.significance.tests import LEVEL
from core.analysis.verdict.finding import listed
from core.analysis.verdict.sentences import FEWEST_CLAIMED
from core.statistics.intervals import Estimate
from core.wording import digits, so_many


def on_fp(discriminator: str, comparisons: Sequence[SystemComparison]) -> str | None:
    """Whether systems' texts have another mean Fp than people's, by p corrected for all comparisons; None where none
    is defined. `discriminator`: its name; `comparisons`: by it alone.
    """
    if (large := _large(comparisons)) is None:
        return None
    if not large:
        return (
            f"It is too early to say whether machine texts look other than human ones to {discriminator}: a claim "
            f"takes {FEWEST_CLAIMED} texts on each side."
        )
    apart = _apart(large)
    higher = [row.system for row in apart if (row.difference.value or 0.0) > 0]
    lower = [row.system for row in apart if (row.difference.value or 0.0) < 0]
    rest = [row.system for row in large if row not in apart]
    if not apart:
        return f"To {discriminator} nothing shows that texts of {listed(rest, str)} look other than human ones."
    parts = [f"texts of {listed(higher, str)} look more predictable than human ones"] if higher else []
    parts += [f"texts of {listed(lower, str)} less predictable"] if lower and higher else []
    parts += [f"texts of {listed(lower, str)} look less predictable than human ones"] if lower and not higher else []
    parts += [f"of {listed(rest, str)} no difference is shown"] if rest else []
    return f"To {discriminator} {'; '.join(parts)}."


def on_differences(names: Mapping[Discriminator, str], comparisons: Sequence[SystemComparison]) -> str | None:
    """In how many comparisons machine texts have another mean Fp than human ones, and where most, by p corrected for
    all; None where none is defined. `names`: of the discriminators.
    """
    if (large := _large(comparisons)) is None:
        return None
    if not large:
        return (
            "It is too early to say whether machine texts have another Fp than human ones: a claim takes "
            f"{FEWEST_CLAIMED} texts on each side."
        )
    apart = _apart(large)
    if not apart:
        return f"None of {len(large)} comparisons shows another mean Fp of machine texts than of human ones."
    most = max(apart, key=lambda row: abs(row.difference.value or 0.0))
    return (
        f"In {len(apart)} of {so_many(len(large), 'comparison')} machine texts have another mean Fp than human ones; "
        f"most differ those of {most.system} to {names[most.discriminator]}, by {_three(most.difference)}."
    )


def too_early_to_tell_apart(discriminator: str, human: int, machine: int) -> str:
    """That nothing is claimed of a threshold found on so few texts; "" where they are enough."""
    if min(human, machine) >= FEWEST_CLAIMED:
        return ""
    return (
        f"It is too early to say how well {discriminator} tells machine texts from human ones: there are "
        f"{so_many(human, 'human text')} and {machine:,} of machines, and a claim takes {FEWEST_CLAIMED} on each side."
    )


def few_behind(systems: Mapping[str, int], human: int) -> str:
    """That an AUC of so few texts claims nothing, and whose these are; "" where there are enough. `systems`: how many
    texts each has.
    """
    few = list(systems) if human < FEWEST_CLAIMED else [name for name, n in systems.items() if n < FEWEST_CLAIMED]
    if not few:
        return ""
    of = "" if len(few) == len(systems) else f" of {listed(few, str)}"
    return f"The AUC{of} is of fewer than {FEWEST_CLAIMED} texts on a side: too few to claim anything."


def _three(estimate: Estimate) -> str:
    """Three decimals with their sign: Fp is small."""

    def signed(value: float | None) -> str:
        return digits(value or 0.0, "+.3f").replace("-", "−")

    ends = None in (estimate.low, estimate.high)
    return signed(estimate.value) + ("" if ends else f" ({signed(estimate.low)} to {signed(estimate.high)})")


def on_hypotheses(generators: Sequence[Hypothesis], discriminators: Sequence[Hypothesis]) -> str:
    """How often each hypothesis holds, and how often the opposite; that nothing is tested yet where it is so."""
    said = []
    for what, tests, of in (
        ("a bigger generator differs more from human text", generators, "discriminator"),
        ("a bigger discriminator sees a larger difference", discriminators, "system"),
    ):
        known = [test for test in tests if test.undefined is None]
        if not known:
            continue
        holds, opposite = (sum(test.holds is answer for test in known) for answer in (True, False))
        said.append(
            f"that {what} holds for {holds} of {so_many(len(known), of)}"
            + (f", and the opposite for {opposite}" if opposite else "")
        )
    if not said:
        return "Neither hypothesis is tested yet: say below which generator or which discriminator is the bigger."
    return f"By permutation tests, {'; '.join(said)}."


def on_findings(human: tuple[int, int], machine: tuple[int, int]) -> str | None:
    """Of how many texts on each side something was found that fools Fp; each side: with a finding, and in all. None
    where a side has no texts.
    """
    if not human[1] or not machine[1]:
        return None
    sides = [
        f"{found:,} of {so_many(every, f'{name} text')} ({digits(found / every, '.0%')})"
        for name, (found, every) in (("machine", machine), ("human", human))
    ]
    if not human[0] + machine[0]:
        return f"Nothing that fools Fp was found in {machine[1]:,} machine and {human[1]:,} human texts."
    return f"Something that fools Fp was found in {sides[0]} and {sides[1]}."


def _large(comparisons: Sequence[SystemComparison]) -> list[SystemComparison] | None:
    """Of those that are defined the ones with enough texts for a claim; None where none is defined."""
    known = [row for row in comparisons if row.p_holm is not None and row.difference.value is not None]
    return [row for row in known if min(row.unpaired.human, row.unpaired.machine) >= FEWEST_CLAIMED] if known else None


def _apart(comparisons: Sequence[SystemComparison]) -> list[SystemComparison]:
    return [row for row in comparisons if row.p_holm is not None and row.p_holm <= LEVEL]
