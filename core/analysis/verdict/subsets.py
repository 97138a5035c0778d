"""Sentences on one metric's agreement with people on part of the stories: by error type and by system, at equal
systems and equal length, under drift, and between sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.analysis.correlation.partial import Partial, PartialCorrelation
from core.analysis.difference.differences import Difference
from core.analysis.drift.quality import BiasedSet, DriftRow
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.finding import LEAST_LEAD, as_close
from core.analysis.verdict.sentences import (
    FEW_STORIES,
    FEWEST_CLAIMED,
    FEWEST_PROMPTS_CLAIMED,
    Basis,
    VerdictSentence,
    cited,
    claimed,
    interval_text,
    listed,
    number,
    settled,
)
from core.statistics.intervals import Estimate
from core.wording import decimals_apart, digits, p_digits, p_is, so_many

WIDE = 0.1
"""A range of R squared over the orders of tied stories from which on the order matters."""
UNEVEN = 1.2
"""A ratio of two sets' spreads of ratings from which on it is named."""


@dataclass(frozen=True)
class SubsetResult:
    """A metric's Pearson's r on part of the stories: a system's, or the set of an error type; `prompts`: of its n."""

    name: str
    n: int
    prompts: int
    r: Estimate

    @property
    def compared(self) -> bool:
        """Whether it is large enough for its interval to settle anything."""
        return self.r.value is not None and claimed(self.n, self.prompts)


def on_parts(parts: Sequence[SubsetResult], about: Basis) -> tuple[VerdictSentence, ...]:
    """Where agreement is highest and lowest, and whether that is a difference; where it is open, or undefined."""
    what = "system" if about is Basis.SYSTEMS else "error type"
    known = [part for part in parts if part.compared]
    sentences = []
    if len(known) > 1:
        sentences.append(_extremes(known, about, what))
    elif known:
        sentences.append(
            VerdictSentence(f"Only one {what} allows a correlation: {_said(known[0])}.", _cited(known[0]), about)
        )
    unsettled = [
        subset for subset in known if subset.r.low is not None and subset.r.high is not None and _holds_zero(subset.r)
    ]
    if unsettled:
        sentences.append(
            VerdictSentence(
                f"Each by itself, {len(unsettled)} of {so_many(len(known), what)} "
                f"{'has' if len(unsettled) == 1 else 'have'} an interval that holds 0: {_names(unsettled)}.",
                (("open", len(unsettled)), ("of", len(known))),
                about,
            )
        )
    sentences += _limits(parts, about, what)
    return tuple(sentences)


def _limits(parts: Sequence[SubsetResult], about: Basis, what: str) -> list[VerdictSentence]:
    sentences = []
    missing = [part for part in parts if part.r.value is None]
    if missing:
        reasons = dict.fromkeys(subset.r.undefined or "" for subset in missing)
        listed = "; ".join(
            f"{_names([item for item in missing if (item.r.undefined or '') == reason])}: {reason}"
            for reason in reasons
        )
        sentence = f"It is undefined for {len(missing)} of {len(parts)} {what}s ({listed})."
        sentences.append(
            VerdictSentence(sentence, (("undefined", len(missing)), ("of", len(parts))), about, caution=True)
        )
    small = [part for part in parts if part.r.value is not None and not part.compared]
    if small:
        sentence = (
            f"{len(small)} of {len(parts)} {what}s have fewer than {FEWEST_CLAIMED} stories or "
            f"{FEWEST_PROMPTS_CLAIMED} prompts and are not compared."
        )
        numbers = (
            ("not compared", len(small)),
            ("of", len(parts)),
            ("fewest stories", FEWEST_CLAIMED),
            ("fewest prompts", FEWEST_PROMPTS_CLAIMED),
        )
        sentences.append(VerdictSentence(sentence, numbers, about, caution=True))
    few = [part.n for part in parts if part.compared and part.n < FEW_STORIES]
    if few:
        sentence = (
            f"Each by itself, {len(few)} of {so_many(len(parts), what)} {'has' if len(few) == 1 else 'have'} fewer "
            f"than {FEW_STORIES} stories ({min(few):,} is the fewest of those compared), so only large correlations "
            "could show there."
        )
        cites = (("few", len(few)), ("of", len(parts)), ("under", FEW_STORIES), ("smallest", min(few)))
        sentences.append(VerdictSentence(sentence, cites, about, caution=True))
    return sentences


def _extremes(known: Sequence[SubsetResult], about: Basis, what: str) -> VerdictSentence:
    ordered = sorted(known, key=lambda subset: (subset.r.value or 0.0, subset.name))
    low, high = ordered[0], ordered[-1]
    digits = decimals_apart(low.r.high, high.r.low)
    text = f"By {what} its r goes from {_said(low, digits)} to {_said(high, digits)}"
    if None in (low.r.high, high.r.low):
        outcome = "without intervals that could tell them apart"
    elif (low.r.high or 0.0) < (high.r.low or 0.0):
        outcome = "and the intervals of these two do not overlap"
    else:
        outcome = "but the difference of these two was not tested, so none is claimed"
    return VerdictSentence(f"{text}, {outcome}.", (*_cited(low), *_cited(high)), about)


def _said(subset: SubsetResult, digits: int = 2) -> str:
    ends = interval_text(subset.r.low, subset.r.high, "95 % interval", digits)
    return f"{number(subset.r.value, digits)} ({subset.name}{ends})"


def _cited(subset: SubsetResult) -> tuple[tuple[str, float], ...]:
    return cited(subset.r, *(f"{end} of {subset.name}" for end in ("r", "low", "high")))


def _names(parts: Sequence[SubsetResult]) -> str:
    return listed([part.name for part in parts])


def _holds_zero(r: Estimate) -> bool:
    return r.low is not None and r.high is not None and r.low <= 0 <= r.high


_MORE_THAN_LUCK = "more than the luck of drawing the sets from this sample"


def on_drift(row: DriftRow, sets: Sequence[BiasedSet]) -> tuple[VerdictSentence, ...]:
    """Between the set of mostly poor stories and that of mostly good ones: more than the luck of drawing them?"""
    poor, good = row.values[0], row.values[-1]
    if poor.value is None or good.value is None:
        reason = poor.undefined or good.undefined
        return (
            VerdictSentence(
                f"Its quality drift is undefined over {row.n:,} stories: {reason}.",
                (("n", row.n),),
                Basis.DRIFT,
                caution=True,
            ),
        )
    digits = max(decimals_apart(poor.high, good.low), decimals_apart(good.high, poor.low))
    text = (
        f"from mostly poor to mostly good stories its mean r goes from {_band(poor, digits)} to {_band(good, digits)}"
    )
    if poor.low is None or poor.high is None or good.low is None or good.high is None:
        answer, outcome = "Nothing can be said of drift", "from a single draw, which settles nothing"
    elif poor.high < good.low:
        answer, outcome = "It drifts", f"higher on good stories by {_MORE_THAN_LUCK}"
    elif good.high < poor.low:
        answer, outcome = "It drifts", f"lower on good stories by {_MORE_THAN_LUCK}"
    else:
        answer = "No drift is shown"
        outcome = "which the luck of drawing the sets could make: the bands overlap"
    numbers = (*cited(poor, "poor", "poor low", "poor high"), *cited(good, "good", "good low", "good high"))
    sentences = [VerdictSentence(f"{answer}: {text}, {outcome}.", numbers, Basis.DRIFT)]
    sentences += _spread(sets[0].rating_sd, sets[-1].rating_sd)
    smallest = min(biased_set.expected_size for biased_set in sets)
    if smallest < FEW_STORIES:
        sentence = (
            f"The smallest of the {len(sets)} biased sets holds {smallest:.0f} stories on average: few for a curve."
        )
        sentences.append(
            VerdictSentence(sentence, (("sets", len(sets)), ("smallest", smallest)), Basis.DRIFT, caution=True)
        )
    return tuple(sentences)


def _spread(poor: float | None, good: float | None) -> tuple[VerdictSentence, ...]:
    """A correlation falls with the spread of what is correlated, whatever the metric does."""
    if not poor or not good or max(poor, good) / min(poor, good) < UNEVEN:
        return ()
    sentence = (
        f"Ratings do not vary alike in the first and the last set (SD {number(poor)} and {number(good)}): where they "
        "vary less, r falls by itself."
    )
    return (VerdictSentence(sentence, (("poor SD", poor), ("good SD", good)), Basis.DRIFT, caution=True),)


def _band(estimate: Estimate, digits: int) -> str:
    ends = (
        ""
        if estimate.low is None or estimate.high is None
        else f" (band {number(estimate.low, digits)} to {number(estimate.high, digits)})"
    )
    return f"{number(estimate.value, digits)}{ends}"


def on_difference(differences: Difference) -> tuple[VerdictSentence, ...]:
    """Whether a difference between sets of stories in the metric goes with one to people, and how far ties decide."""
    r2, middle, low, high = (
        differences.r2,
        differences.r2_median,
        differences.r2_low,
        differences.r2_high,
    )
    if r2 is None or middle is None or low is None or high is None or differences.slope is None:
        return (
            VerdictSentence(
                f"Differences between sets are undefined over {differences.n:,} stories: {differences.undefined}.",
                (("n", differences.n),),
                Basis.DIFFERENCE,
                caution=True,
            ),
        )
    way = {1: "rise with", -1: "run against", 0: "neither rise nor fall with"}
    wide = high - low >= WIDE
    sentence = (
        f"Between sets of {differences.plan.size:,} stories its differences {way[_sign(differences.slope)]} those of "
        f"people in this seed's order of tied stories (R² = {number(r2)}; median {number(middle)}, "
        f"{number(low)} to {number(high)} in 95 % of {differences.orders:,} orders"
        + (": this order is an unusual one)" if differences.unusual else ")")
        + (", so ties decide a good part of it." if wide else ".")
    )
    numbers = (
        ("stories a set", float(differences.plan.size)),
        ("r2", r2),
        ("r2 median", middle),
        ("r2 low", low),
        ("r2 high", high),
        ("orders", float(differences.orders)),
    )
    sentences = [VerdictSentence(sentence, numbers, Basis.DIFFERENCE, caution=wide or differences.unusual)]
    return (*sentences, *_shares(differences), *_scaled(differences))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _shares(differences: Difference) -> tuple[VerdictSentence, ...]:
    """The t-tests in shares of pairs; the sets overlap, so these describe and test nothing."""
    apart, alike = differences.apart, differences.alike
    sentences = []
    if apart:
        right, wrong = (
            (differences.both - differences.opposed) / apart,
            differences.opposed / apart,
        )
        sentence = (
            f"People tell {apart:,} ordered pairs of sets apart; the metric tells {digits(right, '.0%')} of these "
            "apart in the same direction"
            + (f" and {digits(wrong, '.0%')} in the other." if differences.opposed else ".")
        )
        numbers = (
            ("pairs apart", float(apart)),
            ("right", right),
            *((("wrong", wrong),) if differences.opposed else ()),
        )
        sentences.append(VerdictSentence(sentence, numbers, Basis.DIFFERENCE))
    else:
        sentence = "People tell 0 pairs of sets apart, so nothing can be said of what it sees."
        sentences.append(VerdictSentence(sentence, (("pairs apart", 0),), Basis.DIFFERENCE, caution=True))
    if apart and alike and differences.metric_only:
        share = differences.metric_only / alike
        seen = digits(share, ".0%")
        sentence = f"Of {alike:,} ordered pairs that people do not tell apart it sees a difference in {seen}."
        sentences.append(VerdictSentence(sentence, (("pairs alike", alike), ("seen", share)), Basis.DIFFERENCE))
    return tuple(sentences)


def _scaled(differences: Difference) -> tuple[VerdictSentence, ...]:
    if differences.plan.as_published:
        return ()
    return (
        VerdictSentence(
            f"The sets are not the paper's: they hold {differences.plan.size:,} stories each and begin "
            f"{so_many(differences.plan.stride, 'story', 'stories')} apart, as there are {differences.n:,} stories; "
            "numbers of other studies are not comparable.",
            (
                ("stories a set", differences.plan.size),
                ("stride", differences.plan.stride),
                ("n", differences.n),
            ),
            Basis.DIFFERENCE,
            caution=True,
        ),
    )


HELD = {
    "within_systems": "within systems",
    "equal_length": "at equal length",
    "both": "within systems at equal length",
}


def on_partial(
    partials: Partial, against_words: PairTest, corrected: PairTest | None = None
) -> tuple[VerdictSentence, ...]:
    """Pearson's r with systems, length and both held equal, beside the pooled one; and beside the number of words.

    `against_words`: the paired test of the metric against the number of words, the sizes of their correlations;
    `corrected`: of the tests with the other metrics, corrected for their number, that with the number of words.
    """
    known = [(HELD[name], getattr(partials, name)) for name in HELD if getattr(partials, name).undefined is None]
    if not known:
        return ()
    (name, first), *rest = known
    listed = [f"{name[0].upper()}{name[1:]} Pearson's r is {_r(first)}", *(f"{name} {_r(item)}" for name, item in rest)]
    sentence = ", ".join(listed[:-1]) + (", and " if len(listed) > 1 else "") + listed[-1]
    numbers = [pair for name, item in known for pair in cited(item.r, f"r {name}", f"low {name}", f"high {name}")]
    sentences = [VerdictSentence(f"{sentence}.", tuple(numbers), Basis.PARTIAL)]
    lost = (
        settled(partials.pooled.r) and partials.equal_length.undefined is None and not settled(partials.equal_length.r)
    )
    if lost:
        text = (
            "At equal length nothing is sure to be left of it: the interval there holds 0 "
            f"({_ends(partials.equal_length)})."
        )
        sentences.append(VerdictSentence(text, _cited_ends(partials.equal_length), Basis.PARTIAL, caution=True))
    return (*sentences, *_against_words(partials, against_words, corrected))


def _against_words(partials: Partial, test: PairTest, corrected: PairTest | None) -> tuple[VerdictSentence, ...]:
    """Whether the metric goes with people's ratings more closely than the number of words does, in either direction."""
    if partials.words.undefined is not None or test.difference is None:
        return ()
    way = {1: "people's ratings rise", -1: "people's ratings fall"}.get(settled(partials.words.r))
    own = f"{way} with the number of words, r" if way else "the number of words alone has r"
    own += f" = {_r(partials.words)}"
    beyond = partials.beyond_words
    falling = any((item.r.value or 0.0) < 0 for item in (partials.pooled, partials.words))
    higher = "the size of the metric's r, whatever its sign, is larger" if falling else "the metric's r is higher"
    difference = f"and {higher} by {number(beyond.value)}"
    difference += interval_text(beyond.low, beyond.high, "95 % interval")
    if test.permutation_p is not None:
        difference += (
            f"; {p_is(test.permutation_p, at_most=test.at_most)} by a paired permutation test of these two alone, not "
            "corrected for other comparisons"
        )
    outcome_of = (1 if test.difference > 0 else -1) if test.separated else 0
    if test.permutation_p is not None and settled(beyond) != outcome_of:
        difference += ", which decides, not the interval"
    outcome = {
        1: f"It goes with people's ratings more closely than length does: {own}, {difference}.",
        -1: f"Length goes with people's ratings more closely than it does: {own}, {difference}.",
        0: f"It cannot be told to go with people's ratings more closely than length does: {own}, {difference}.",
    }[outcome_of]
    numbers: tuple[tuple[str, float], ...] = (
        *cited(partials.words.r, "r of words", "low of words", "high of words"),
        *cited(beyond, "beyond words", "low beyond", "high beyond"),
        *([] if test.permutation_p is None else [("p beyond words", test.permutation_p)]),
    )
    p_corrected = None if corrected is None or corrected.separated else corrected.p_holm
    if outcome_of and p_corrected is not None:  # the sentence on all tests says that they cannot be told apart
        outcome = (
            "A test of these two alone tells it apart from length; corrected for the other comparisons, it does not "
            f"(p = {p_digits(p_corrected)}): {own}, {difference}."
        )
        numbers += (("corrected p beyond words", p_corrected),)
    return (VerdictSentence(outcome, numbers, Basis.PARTIAL, caution=outcome_of <= 0 or p_corrected is not None),)


def on_rank_within_systems(first: tuple[str, float, float] | None) -> tuple[VerdictSentence, ...]:
    """Which metric comes first, or is as close, within systems, with its r there and that of the first over all
    stories; nothing where none does.
    """
    if first is None:
        return ()
    name, highest, own = first
    digits = decimals_apart(highest, own)
    text = (
        f"Within systems {name} comes first, r {number(highest, digits)} against its {number(own, digits)}."
        if highest - own >= LEAST_LEAD
        else f"Within systems {as_close(name, highest, 'this metric', own)}"
    )
    return (VerdictSentence(text, (("highest r within systems", highest), ("r within systems", own)), Basis.PARTIAL),)


def _r(partial_correlation: PartialCorrelation) -> str:
    ends = "" if partial_correlation.r.low is None else f" ({_ends(partial_correlation)})"
    return f"{number(partial_correlation.r.value)}{ends}"


def _ends(partial_correlation: PartialCorrelation) -> str:
    return f"{number(partial_correlation.r.low)} to {number(partial_correlation.r.high)}"


def _cited_ends(partial_correlation: PartialCorrelation) -> tuple[tuple[str, float], ...]:
    return tuple(
        (name, end)
        for name, end in (("low", partial_correlation.r.low), ("high", partial_correlation.r.high))
        if end is not None
    )
