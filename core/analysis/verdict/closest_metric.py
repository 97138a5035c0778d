"""Which metric follows the differences that people see between sets of stories most closely, in a sentence."""

from collections.abc import Callable, Sequence

from core.analysis.difference.differences import Difference, closest_first
from core.analysis.verdict.finding import listed, short

Mark = Callable[[str], str]


def closest_metric(names: Sequence[str], differences: Sequence[Difference], mark: Mark = str) -> str | None:
    """The metric of the highest median R squared among those that rise where people's judgments rise, and those whose
    ranges over orders of tied stories overlap with its own. None where no metric has an R squared. `mark`: how the name
    of a metric is written.
    """
    if all(one.r2_median is None for one in differences):
        return None
    rising = _closest_first(names, differences)
    if not rising:
        return "No metric rises from one set of stories to another where people's ratings rise."
    (best, first), *others = rising
    said = f"{mark(best)} follows the differences that people see between sets of stories most closely"
    said += f" (R² = {short(first.r2_median)}, {short(first.r2_low)} to {short(first.r2_high)} over orders of ties)"
    alike = [name for name, one in others if (one.r2_high or 0.0) >= (first.r2_low or 0.0)]
    if not alike:
        return f"{said}." if not others else f"{said}; no other's range reaches its own."
    return f"{said}; {listed(alike, mark)} may do as well."


def sees_few(names: Sequence[str], differences: Sequence[Difference], mark: Mark = str) -> str:
    """That this metric sees few of the single differences that people see; "" where it sees half of them or more."""
    rising = _closest_first(names, differences)
    if not rising or not rising[0][1].apart:
        return ""
    name, one = rising[0]
    right = one.both - one.opposed
    if 2 * right >= one.apart:
        return ""
    sets = f"the {one.plan.number:,} sets of the {one.n:,} stories that it scores"
    return (
        f"But by t-tests {mark(name)} tells apart only {right:,} of the {one.apart:,} ordered pairs that people do, of "
        f"{sets}."
    )


def beside_correlation(names: Sequence[str], differences: Sequence[Difference], mark: Mark = str) -> str:
    """Why this metric is another than the one that agrees best story by story, which is the first of the `names`; ""
    where it is the same.
    """
    rising = _closest_first(names, differences)
    if not rising or rising[0][0] == names[0]:
        return ""
    return (
        f"Correlation has {mark(names[0])} first: it goes story by story, where there is more noise than in the means "
        "of sets."
    )


def _closest_first(names: Sequence[str], differences: Sequence[Difference]) -> list[tuple[str, Difference]]:
    """The metrics that rise where people's judgments rise, by their median R squared."""
    ordered = [(names[place], differences[place]) for place in closest_first(differences)]
    return [(name, one) for name, one in ordered if one.r2_median is not None and (one.slope or 0) > 0]
