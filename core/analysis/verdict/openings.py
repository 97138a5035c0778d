"""The sentence that opens an analysis of many metrics: what its figure shows, and no more than its intervals allow."""

from collections.abc import Mapping, Sequence

from core.analysis.correlation.partial import Partial
from core.analysis.drift.subsets import DatasetDrift
from core.analysis.significance.tests import Significance
from core.analysis.verdict.finding import listed, short
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed, settled
from core.analysis.verdict.subsets import SubsetResult
from core.judges.naming import so_many_metrics
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from core.statistics.pairwise import Pairwise
from core.wording import digits, so_many

LEAST_AHEAD = 0.01
"""What another metric must have more, to be named beside the first."""


def too_early(what: str, n: int, prompts: int, *, of: tuple[str, str] = ("story", "stories"), where: str = "") -> str:
    """That nothing is claimed of so few. `what`: that cannot be said yet; `of`: what is counted, one and several;
    `where`: which of several is the largest.
    """
    known = f"{where} has" if where else "there is" if n == 1 else "there are"
    return (
        f"It is too early to say {what}: {known} {so_many(n, *of)} of {so_many(prompts, 'prompt')}; a claim takes "
        f"{FEWEST_CLAIMED} {of[1]} of {FEWEST_PROMPTS_CLAIMED} prompts or more."
    )


def with_ends(c: Coefficient | Estimate) -> str:
    """`0.49 (0.35 to 0.65)`: two decimals are what is read."""
    if c.low is None or c.high is None:
        return short(c.value)
    return f"{short(c.value)} ({short(c.low)} to {short(c.high)})"


def on_pairs_within(names: Sequence[str], shares: Sequence[float | None]) -> str:
    """That by acc_eq another metric leads than the first, which r puts first; "" where none does by a hundredth.

    `shares`: each metric's, in the order of r.
    """
    known = {name: share for name, share in zip(names, shares, strict=True) if share is not None}
    if names[0] not in known:
        return ""
    most = max(known.values())
    if most - known[names[0]] < LEAST_AHEAD:
        return ""
    written = {name: digits(share, ".1%") for name, share in known.items()}
    best = [name for name, share in written.items() if share == digits(most, ".1%")]
    comes = "comes first: it orders" if len(best) == 1 else "come first: each orders"
    return (
        f"By pairs (acc_eq, where near scores count as a tie) {listed(best, str)} {comes} {written[best[0]]} of them "
        f"as people do, {names[0]} {written[names[0]]}."
    )


def on_pairs_right(best: str, pairs: Mapping[str, Pairwise]) -> str:
    """That another metric has more pairs right than the `best` by r because the best ties more of them, which shows as
    it is the furthest beyond chance; "" where there is no such contradiction, or ties do not explain it.
    """
    right = {name: of.accuracy for name, of in pairs.items() if of.accuracy is not None}
    if best not in right:
        return ""
    most = max(right, key=right.__getitem__)
    beyond = {name: share - (pairs[name].chance or 0.0) for name, share in right.items()}
    if right[best] == right[most] or pairs[best].ties <= pairs[most].ties or beyond[best] < max(beyond.values()):
        return ""
    return (
        f"{most} has more pairs right than {best}, {digits(right[most], '.1%')} against {digits(right[best], '.1%')}, "
        f"because {best} ties {digits(pairs[best].ties, '.1%')} of them: beyond chance {best} "
        f"has {digits(100 * beyond[best], '.1f')} percentage points, the most of all, and {most} "
        f"{digits(100 * beyond[most], '.1f')}."
    )


def on_types(types: Mapping[str, Sequence[SubsetResult]]) -> str | None:
    """By how many metrics each error type is told from reasonable stories; None where there are no sets.

    `types`: of each error type every metric's r.
    """
    every = [part for parts in types.values() for part in parts]
    if not every:
        return None
    known = {name: compared for name, parts in types.items() if (compared := [part for part in parts if part.compared])}
    if not known:
        largest = max(every, key=lambda part: (part.n, part.prompts))
        return too_early("which error types metrics see", largest.n, largest.prompts, where="the largest set")
    seen = {name: sum(settled(part.r) > 0 for part in parts) for name, parts in known.items()}
    few = [name for name in types if name not in known]
    rest = f"; of {listed(few, str)} there are too few stories to say" if few else ""
    if not any(seen.values()):
        return f"No metric is shown to tell stories with {listed(list(known), str)} from reasonable ones{rest}."
    counts = [
        f"{name} by {seen[name]} of {len(known[name])} metrics" for name in sorted(seen, key=lambda it: -seen[it])
    ]
    return f"By 95 % intervals of r above 0, error types are told from reasonable stories: {', '.join(counts)}{rest}."


def on_held_equal(names: Sequence[str], partials: Sequence[Partial], prompts: Sequence[int]) -> str | None:
    """How many metrics still agree with people where system and length are held equal, or length alone where there is
    one system; None where neither can be. `prompts`: of each metric's stories.
    """
    both = any(partial.both.undefined is None for partial in partials)
    held = [partial.both if both else partial.equal_length for partial in partials]
    known = [place for place, part in enumerate(held) if part.undefined is None and part.r.value is not None]
    if not known:
        return None
    where = "With system and length held equal" if both else "At equal length"
    large = [place for place in known if claimed(partials[place].n, prompts[place])]
    if not large:
        most = max(known, key=lambda place: partials[place].n)
        return too_early("what is left of agreement with people", partials[most].n, prompts[most])
    agreeing = [place for place in large if settled(held[place].r) > 0]
    # A metric of fewer stories may have a higher r, with an interval that holds 0.
    best = max(agreeing or large, key=lambda place: held[place].r.value or 0.0)
    r = with_ends(held[best].r)
    unknown = [name for place, name in enumerate(names) if place not in large]
    metrics = "the metric" if len(unknown) == 1 else "the metrics"
    rest = f" For {metrics} {listed(unknown, str)} it is not known." if unknown else ""
    if not agreeing:
        return f"{where}, no metric is shown to agree with people: the highest r is that of {names[best]}, {r}.{rest}"
    of = f"{where}, {len(agreeing)} of {so_many_metrics([names[place] for place in large])} still"
    if len(agreeing) == 1:
        return f"{of} agrees with people: {names[best]}, r {r}.{rest}"
    return f"{of} agree with people; of these {names[best]} has the highest r, {r}.{rest}"


def on_pairs(significance: Significance) -> str | None:
    """How many pairs of metrics the corrected tests tell apart, and from which the best is not; None without tests."""
    tests = [test for test in significance.rows if test.p_holm is not None]
    if not tests:
        return None
    apart = sum(test.separated for test in tests)
    if not apart:
        metrics = so_many_metrics({name for test in tests for name in (test.a, test.b)})
        return f"No test tells any two of these {metrics} apart, which does not show that they are equal."
    best, corrected = significance.ranking[0].metric, " (corrected for their number)" if len(tests) > 1 else ""
    mine = {test.b if test.a == best else test.a: test.separated for test in tests if best in (test.a, test.b)}
    alike = [name for name, separated in mine.items() if not separated]
    pairs = f"{apart} of {so_many(len(tests), 'pair')} of metrics {'is' if apart == 1 else 'are'} told apart"
    if alike:
        return f"{pairs}{corrected}; {best}, the best, cannot be told apart from {listed(alike, str)}."
    if not mine:  # the best one could not be tested
        return f"{pairs}{corrected}."
    others = "every other metric" if len(mine) == len(significance.ranking) - 1 else "every one that could be tested"
    first = f"{best} is told apart from {others if len(mine) > 1 else next(iter(mine))}"
    return f"{first}; of all {len(tests)} pairs {apart} are{corrected}." if len(tests) > 1 else f"{first}."


def on_other_studies(drift: DatasetDrift, prompts: Mapping[str, int]) -> str:
    """In each other study, of how many metrics r is shown to be lower or higher than in the first; `prompts`: of each
    study's rated stories.
    """
    first, *others = [study.name for study in drift.studies]
    parts = []
    for place, name in enumerate(others, 1):
        changes = [
            row.changes[place - 1]
            for row in drift.rows
            if row.changes[place - 1].value is not None
            and claimed(row.n[0], prompts[first])
            and claimed(row.n[place], prompts[name])
        ]
        if not changes:
            parts.append(
                f"of {name} nothing can be said yet: a claim takes {FEWEST_CLAIMED} stories of "
                f"{FEWEST_PROMPTS_CLAIMED} prompts or more in both studies"
            )
            continue
        lower, higher = (sum(settled(change) == sign for change in changes) for sign in (-1, 1))
        if not lower + higher:
            parts.append(f"in {name} no metric is shown to agree with people more or less than in {first}")
            continue
        of = so_many(len(changes), "metric")
        parts.append(f"in {name}, of {of}, {lower} agree less with people than in {first} and {higher} more")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."
