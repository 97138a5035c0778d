"""Sentences on what a metric sees in test sets, and on what moves it although it should not."""

from collections.abc import Iterator, Mapping, Sequence

from core.analysis.capability.results import ALL, Robustness, Seen
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.sentences import (
    FEWEST_CLAIMED,
    FEWEST_PROMPTS_CLAIMED,
    Basis,
    VerdictSentence,
    cited,
    claimed,
    interval_text,
    listed,
    number,
)
from core.perturb.test_sets.aspects import Test, test_of
from core.wording import decimals_apart, digits

NOTHING = 0.5
"""The share in order of a metric that does not see a change."""


def on_capability(
    seen: Sequence[Seen], robust: Sequence[Robustness], sources: Mapping[str, int]
) -> tuple[VerdictSentence, ...]:
    """What one metric sees, what it does not, and which change of wording moves it most.

    `sources`: by aspect, how many human stories its changed ones come from.
    """
    rows = [row for row in seen if test_of(row.aspect) is Test.DISCRIMINATION]
    result = [*_seen(rows, sources)] if rows else []
    return (*result, *_moved([row for row in robust if row.of == ALL]))


def has_enough_cases(row: Seen, sources: Mapping[str, int]) -> bool:
    """Whether the cases suffice to say anything."""
    return row.ordered.low is not None and claimed(row.negatives, sources.get(row.aspect, 0))


def enough_for_r(row: Seen) -> bool:
    """Whether there are so many stories that r and AUC settle anything: ten on either side at least."""
    fewer = min(row.positives, row.negatives)
    return fewer >= FEWEST_PROMPTS_CLAIMED and row.positives + row.negatives >= FEWEST_CLAIMED


def enough_pairs(row: Robustness) -> bool:
    """The same of a change of wording."""
    return row.pairs >= FEWEST_CLAIMED


def sees(row: Seen) -> bool:
    """Whether the interval of the share in order lies above one half."""
    return row.ordered.low is not None and row.ordered.low > NOTHING


def prefers(row: Seen) -> bool:
    """Whether the interval of the share in order lies below one half."""
    return row.ordered.high is not None and row.ordered.high < NOTHING


def _seen(rows: Sequence[Seen], sources: Mapping[str, int]) -> Iterator[VerdictSentence]:
    known = [row for row in rows if has_enough_cases(row, sources)]
    if known:
        seen = [row for row in known if sees(row)]
        sentence = f"Of {len(known)} aspects of coherence it sees {len(seen)}"
        if seen:
            best = max(seen, key=lambda row: row.ordered.value or 0.0)
            sentence += (
                f", {best.aspect} best: {number(best.ordered.value)} of its changed stories score below their own "
            )
            sentence += f"original{interval_text(best.ordered.low, best.ordered.high, '95 % interval')}"
            yield VerdictSentence(
                f"{sentence}.",
                (("aspects", len(known)), ("seen", len(seen)), *cited(best.ordered, "best", "low", "high")),
                Basis.CAPABILITY,
            )
        else:
            yield VerdictSentence(f"{sentence}.", (("aspects", len(known)), ("seen", 0)), Basis.CAPABILITY)
    blind = [row for row in known if not sees(row) and not prefers(row)]
    wrong = [row for row in known if prefers(row)]
    if blind:
        sentence = f"It is not shown to see {_listed(blind)}: the interval of the share in order holds .5."
        yield VerdictSentence(sentence, (("not seen", len(blind)),), Basis.CAPABILITY)
    if wrong:
        sentence = (
            f"It prefers the changed story in {_listed(wrong)}: the interval of the share in order lies below .5."
        )
        yield VerdictSentence(sentence, (("preferred", len(wrong)),), Basis.CAPABILITY)
    few = [row for row in rows if row not in known]
    if few:
        sentence = (
            f"Nothing is claimed of {listed([row.aspect for row in few])}: fewer than {FEWEST_CLAIMED} changed stories "
            f"with a score, or fewer than {FEWEST_PROMPTS_CLAIMED} human stories behind them."
        )
        numbers = (("few", len(few)), ("stories", FEWEST_CLAIMED), ("sources", FEWEST_PROMPTS_CLAIMED))
        yield VerdictSentence(sentence, numbers, Basis.CAPABILITY, caution=True)


def _listed(rows: Sequence[Seen]) -> str:
    return listed([f"{row.aspect} ({number(row.ordered.value)})" for row in rows])


def _moved(rows: Sequence[Robustness]) -> Iterator[VerdictSentence]:
    known = [
        row for row in rows if row.absolute is not None and row.change.value is not None and row.pairs >= FEWEST_CLAIMED
    ]
    if known:
        most = max(known, key=lambda row: row.absolute or 0.0)
        least = min(known, key=lambda row: row.absolute or 0.0)
        sentence = f"Of changes that it should not mind, {_change(most)} moves it most"
        if least is not most:
            sentence += f", and {_change(least)} least"
        ends = [("most", most.absolute), ("most change", most.change.value)]
        ends += [("least", least.absolute), ("least change", least.change.value)] if least is not most else []
        yield VerdictSentence(
            f"{sentence}.", tuple((name, value) for name, value in ends if value is not None), Basis.CAPABILITY
        )


def _change(row: Robustness) -> str:
    return f"{row.aspect} (|r| = {number(row.absolute)}, mean change {number(row.change.value)} SD)"


def on_cases(name: str, row: Seen | Robustness) -> str | None:
    """How often a metric gets an aspect right, or how far a change of wording moves it; None where it is unknown."""
    if isinstance(row, Robustness):
        if row.mean_absolute_change is None or row.change.value is None:
            return None
        few = _few(row.pairs)
        return few or (
            f"{row.aspect}, which it should not mind, moves {name} by {number(row.mean_absolute_change)} SD on "
            f"average, over {row.pairs:,} pairs; the mean change is {number(row.change.value)} SD."
        )
    if row.ordered.value is None:
        return None
    low, high = row.ordered.low, row.ordered.high
    ends = "" if low is None or high is None else f" ({digits(low, '.0%')} to {digits(high, '.0%')})"
    return _few(row.negatives) or (
        f"{name} scores {digits(row.ordered.value, '.0%')}{ends} of {row.negatives:,} stories changed in {row.aspect} "
        "below their own originals; guessing gives 50%."
    )


def _few(n: int) -> str:
    if n >= FEWEST_CLAIMED:
        return ""
    return f"It is too early to say: {n:,} cases have a score, and a claim takes {FEWEST_CLAIMED}."


def on_two(a: str, b: str, tests: Mapping[str, PairTest]) -> str | None:
    """In how many aspects corrected tests tell two metrics apart, and where most; None where nothing was tested."""
    known = {aspect: test for aspect, test in tests.items() if test.difference is not None}
    if not known:
        return None
    apart = {aspect: test for aspect, test in known.items() if test.separated}
    if not apart:
        return f"No test tells {a} from {b} in any of {len(known)} aspects, which does not show that they are equal."
    aspect, most = max(apart.items(), key=lambda item: abs(item[1].difference or 0.0))
    digits = decimals_apart(most.a_value, most.b_value)
    return (
        f"{a} and {b} are told apart in {len(apart)} of {len(known)} aspects: {listed(list(apart))}. They differ most "
        f"in {aspect}, r {number(most.a_value, digits)} and {number(most.b_value, digits)}."
    )
