"""What the analyses say about one metric, in plain sentences, each with the numbers that it rests on.

A sentence claims no more than an interval supports: an order, a sign or a difference is stated only where the
interval settles it, and else it says that this is open. What is undefined is said with its reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.analysis.correlation.partial import Partial
from core.analysis.judgments.reliability import Reliability
from core.analysis.significance.tests import LEVEL, PairTest
from core.judges.naming import judge_column
from core.statistics.correlation import NOTHING, STAR, Coefficient, Correlation, MetricCorrelation
from core.statistics.intervals import Estimate
from core.wording import decimals_apart, metrics_and_judges, p_digits, p_is, rounded

FEWEST_CLAIMED = 30
"""Below that nothing is claimed: a bootstrap of so few stories can give any interval, a narrow one too."""
FEWEST_PROMPTS_CLAIMED = 10
"""Of metrics that had nothing to do with 50 judgments, the interval left out 0 in 44 % of trials with two prompts, in
14 % with five, in 10 % with ten (prompts moved both alike, and apart): of fewer an interval settles nothing."""
FEW_STORIES = 100
"""Below that the 95 % interval of a correlation near 0 is wider than 0.2 to either side (Fisher 1921)."""
FEW_PROMPTS = 20
"""With fewer clusters a bootstrap of clusters gives intervals that are too narrow (Cameron, Gelbach, Miller 2008)."""

MOST_NAMED = 4


class Basis(StrEnum):
    """The analysis that a sentence rests on."""

    SAMPLE = "sample"
    AGREEMENT = "agreement"
    CORRELATION = "correlation"
    PARTIAL = "systems and length"
    CRITERIA = "criteria"
    RANK = "rank"
    ERROR_TYPES = "error types"
    SYSTEMS = "systems"
    TOGETHER = "together with people"
    DRIFT = "drift"
    DIFFERENCE = "difference"
    CAPABILITY = "what it sees"
    DEGENERATE = "check-up"


@dataclass(frozen=True)
class VerdictSentence:
    """`numbers`: what it cites, unrounded, each under the name that the analysis gives it. `caution`: it limits what
    the others are worth; `decisive`: so much that it is read before other cautions.
    """

    text: str
    numbers: tuple[tuple[str, float], ...]
    about: Basis
    caution: bool = False
    decisive: bool = False


def number(value: float | None, decimals: int = 2) -> str:
    """Two decimals, as headlines have them, or as many as its sign takes; tables have three."""
    return "undefined" if value is None else rounded(value, decimals)


def interval_text(low: float | None, high: float | None, name: str, digits: int = 2) -> str:
    """`, 95 % interval 0.29 to 0.45`, or nothing."""
    return "" if low is None or high is None else f", {name} {rounded(low, digits)} to {rounded(high, digits)}"


def cited(r: Coefficient | Estimate, *names: str) -> tuple[tuple[str, float], ...]:
    """A coefficient and the ends of its interval, as far as they are defined, under these names."""
    return tuple(
        (name, value) for name, value in zip(names, (r.value, r.low, r.high), strict=True) if value is not None
    )


def on_sample(n: int, rated: int, prompts: int, own_references: int = 0) -> tuple[VerdictSentence, ...]:
    """How far the sample carries. `n`: stories with a score and a rating; `rated`: with a rating; `prompts`: of n;
    `own_references`: rated stories that would be compared with themselves.
    """
    sentences = []
    if n < rated:
        sentences.append(_left_out(n, rated, own_references))
    if n < FEW_STORIES:
        sentences.append(
            VerdictSentence(
                f"The sample is small ({n:,} {'story' if n == 1 else 'stories'}; under {FEW_STORIES} even large "
                "correlations are uncertain).",
                (("n", n), ("few", FEW_STORIES)),
                Basis.SAMPLE,
                caution=True,
            )
        )
    if 0 < prompts < FEW_PROMPTS:
        sentences.append(
            VerdictSentence(
                f"The stories come from {prompts:,} {'prompt' if prompts == 1 else 'prompts'}; with fewer than "
                f"{FEW_PROMPTS}, intervals tend to be too narrow.",
                (("prompts", prompts), ("few", FEW_PROMPTS)),
                Basis.SAMPLE,
                caution=True,
            )
        )
    return tuple(sentences)


def _left_out(n: int, rated: int, own_references: int) -> VerdictSentence:
    numbers: tuple[tuple[str, float], ...] = (("rated", rated), ("n", n), ("left out", rated - n))
    why = ""
    if own_references:
        numbers += (("own references", own_references),)
        why = f" ({own_references:,} because a story that is its own reference says nothing of a metric)"
    return VerdictSentence(
        f"Of {rated:,} rated stories {n:,} have a score; the other {rated - n:,} are left out{why}, and if they differ "
        "from the rest, so may every number here.",
        numbers,
        Basis.SAMPLE,
        caution=True,
    )


def claimed(n: int, prompts: int) -> bool:
    """Whether so many stories of so many prompts are enough to claim anything."""
    return n >= FEWEST_CLAIMED and prompts >= FEWEST_PROMPTS_CLAIMED


def on_agreement(agreement: Reliability) -> tuple[VerdictSentence, ...]:
    """That the ratings do not agree with one another, where they do not: it comes first, and no verdict after it."""
    if agreement.caution is None:
        return ()
    numbers = (*cited(agreement.alpha, "alpha", "low", "high"), ("stories", agreement.stories))
    return (VerdictSentence(agreement.caution, numbers, Basis.AGREEMENT, caution=True),)


def on_correlation(
    overall: Correlation,
    *,
    prompts: int,
    draws: int,
    partial: Partial | None = None,
    agreed: bool = True,
    negated: str = "",
    inside_without: Coefficient = NOTHING,
    left_out: str = "",
) -> tuple[VerdictSentence, ...]:
    """Whether the scores go with human judgments, by Pearson's r; and where the coefficients or the p-values part.

    `prompts`: of its stories; `draws`: of the bootstrap. `partial`: what is left of r within systems; the first
    sentence says where that is nothing. `agreed`: False where the ratings do not agree, so that nothing is claimed.
    `negated`: what its scores are, where they are minus what its name says. `inside_without`: r within systems without
    degenerate stories, where that is known; `left_out`: which these are.
    """
    r = overall.pearson
    scores = f"The metric's scores ({negated})" if negated else "The metric's scores"
    if r.value is None:
        return (
            VerdictSentence(
                f"Its agreement with people is undefined over {overall.n:,} "
                f"{'story' if overall.n == 1 else 'stories'}: {overall.undefined}.",
                (("n", overall.n),),
                Basis.CORRELATION,
                caution=True,
            ),
        )
    interval = interval_text(r.low, r.high, "95 % interval") if claimed(overall.n, prompts) else ""
    about = f"Pearson's r = {number(r.value)}{interval}, {overall.n:,} stories"
    numbers = (*cited(r if interval else Estimate(r.value), "r", "low", "high"), ("n", overall.n))
    if not agreed:
        sentence = f"So nothing is claimed of its agreement with people ({about})."
    elif overall.n < FEWEST_CLAIMED:
        sentence = f"Under {FEWEST_CLAIMED} stories nothing is claimed ({about})."
    elif prompts < FEWEST_PROMPTS_CLAIMED:
        sentence = f"Of stories of fewer than {FEWEST_PROMPTS_CLAIMED} prompts nothing is claimed ({about})."
    elif r.low is None or r.high is None:
        alike = (
            "It gives nearly all stories one score, too few others for an interval"
            if draws
            else "Without draws of prompts there is no interval"
        )
        sentence = f"{alike}, so nothing is claimed of its agreement with people ({about})."
    elif not settled(r):
        sentence = (
            f"Whether the metric's scores go with human judgments at all is open: the interval holds 0 ({about})."
        )
    elif partial is not None and (parted := _between_systems(settled(r), partial, inside_without, left_out)):
        rise = "rise with human judgments" if settled(r) > 0 else "fall where human judgments rise"
        inside = partial.within_systems.r
        own = f"within systems r = {number(inside.value)}{interval_text(inside.low, inside.high, '95 % interval')}"
        numbers += cited(inside, "r within systems", "low within", "high within")
        if settled(inside) == 0 and settled(inside_without) == settled(r):
            ends = interval_text(inside_without.low, inside_without.high, "95 % interval")
            own += f", without those stories {number(inside_without.value)}{ends}"
            numbers += cited(inside_without, "r within without them", "low within without", "high within without")
        sentence = f"Over all stories {scores[:1].lower()}{scores[1:]} {rise}, but {parted} ({about}; {own})."
    elif settled(r) > 0:
        sentence = f"{scores} rise with human judgments ({about})."
    else:
        sentence = f"{scores} fall where human judgments rise: it runs against people ({about})."
    sentences = [VerdictSentence(sentence, numbers, Basis.CORRELATION)]
    if not agreed or not claimed(overall.n, prompts):
        return tuple(sentences)
    return (*sentences, *_parted_coefficients(overall), *_parted_p(r, draws))


def _between_systems(sign: int, partials: Partial, without: Coefficient, left_out: str) -> str | None:
    """What becomes of a pooled r of that sign within systems, where it is not the same; None where it is, or where
    there is one system. `without`: r within systems without degenerate stories, `left_out`.
    """
    inside = partials.within_systems
    if inside.undefined is not None or settled(inside.r) == sign:
        return None
    if settled(inside.r) == -sign:
        return "within systems they go the other way"
    if settled(without) == sign:
        return f"within systems they are shown to do so only without {left_out}"
    if settled(partials.between) == sign:
        return "nothing shows that they do within systems: what they follow are differences between systems"
    return "whether they do within systems is open"


def settled(c: Coefficient | Estimate) -> int:
    """The sign that the interval settles: 1, -1, or 0 where it is open."""
    if c.low is None or c.high is None:
        return 0
    return 1 if c.low > 0 else -1 if c.high < 0 else 0


def _parted_coefficients(overall: Correlation) -> tuple[VerdictSentence, ...]:
    rho = overall.spearman
    if rho.value is None or rho.low is None or settled(overall.pearson) == settled(rho):
        return ()
    text = f"Spearman's ρ = {number(rho.value)}{interval_text(rho.low, rho.high, '95 % interval')}"
    outcome = {1: "is above 0", -1: "is below 0", 0: "leaves the sign open"}[settled(rho)]
    return (
        VerdictSentence(
            f"By ranks the answer is another one: the interval {outcome} ({text}), so it depends on the coefficient.",
            cited(rho, "ρ", "low", "high"),
            Basis.CORRELATION,
            caution=True,
        ),
    )


def _parted_p(r: Coefficient, draws: int) -> tuple[VerdictSentence, ...]:
    least = 2 / (draws + 1)  # that the p by prompt can be
    if r.p is None or r.p_cluster is None or least >= STAR or (r.p < STAR) == (r.p_cluster < STAR):
        return ()
    numbers = (("p", r.p), ("p by prompt", r.p_cluster))
    if r.p < STAR:
        sentence = (
            f"Its star (p = {p_digits(r.p)}) rests on stories being independent; by prompt p = "
            f"{p_digits(r.p_cluster)}, which would get none."
        )
    else:
        sentence = f"It has no star (p = {p_digits(r.p)}), though by prompt {p_is(r.p_cluster, at_most=r.at_most)}."
    return (VerdictSentence(sentence, numbers, Basis.CORRELATION, caution=True),)


def on_lines(
    r: Coefficient,
    one_rater: float | None,
    ceiling: float | None,
    *,
    moved: tuple[float | None, float | None] | None = None,
    left_out: str = "",
) -> tuple[VerdictSentence, ...]:
    """Beside one human rater, and beside what a perfect metric could reach with ratings as noisy as these. `moved`: its
    r without degenerate stories, `left_out`, where that lies outside its interval, and that of one human rater.
    """
    sentences = []
    if r.value is None:
        return ()
    if one_rater is not None and one_rater > 0 and r.low is not None and r.high is not None:
        numbers: tuple[tuple[str, float], ...] = (("one rater", one_rater), ("low", r.low), ("high", r.high))
        side = "above" if r.low > one_rater else "below" if r.high < one_rater else "around"
        meaning = ""
        if side == "around":  # which flatters one that may be 0
            meaning = ": the two cannot be told apart" if settled(r) else ", and around 0: far too wide to compare them"
        digits = decimals_apart(r.low, r.high, one_rater)
        ends = f"{number(r.low, digits)} to {number(r.high, digits)}"
        sentence = (
            f"Its interval ({ends}) lies {side} what one human rater reaches, {number(one_rater, digits)}{meaning}"
            + ("." if moved is None else f"; but {_without(left_out, *moved)}.")
        )
        without = zip(("r without them", "one rater without them"), moved or (None, None), strict=True)
        numbers += tuple((name, value) for name, value in without if value is not None)
        sentences.append(VerdictSentence(sentence, numbers, Basis.CORRELATION))
    if ceiling is not None and ceiling > 0:
        beyond = r.value > ceiling
        digits = decimals_apart(ceiling, r.value)
        sentence = (
            f"A perfect metric would reach about {number(ceiling, digits)} with ratings as noisy as these; "
            f"this one reaches {number(r.value, digits)}"
            + (", which is more: by chance, or it shares something with the ratings." if beyond else ".")
        )
        sentences.append(
            VerdictSentence(sentence, (("ceiling", ceiling), ("r", r.value)), Basis.CORRELATION, caution=beyond)
        )
    return tuple(sentences)


def _without(left_out: str, r: float | None, one_rater: float | None) -> str:
    reached = f" and one human rater's {number(one_rater)}" if one_rater is not None else ""
    return f"without {left_out} its r is {number(r)}{reached}"


def on_rank(
    chosen: MetricCorrelation,
    among: Sequence[MetricCorrelation],
    tests: Sequence[PairTest],
    untested: str = "",
) -> tuple[VerdictSentence, ...]:
    """Its place by Pearson's r among the study's metrics, itself included, and which of them it is told apart from.

    `tests`: of it (`a`) with each of the others. `untested`: which metrics of the study are in no test, and why.
    """
    own = chosen.correlation.pearson
    beside = [one for one in among if one is not chosen and one.correlation.pearson.value is not None]
    others = [one.correlation for one in beside]
    if own.value is None or not others:
        return ()
    above = sum(other.pearson.value is not None and other.pearson.value > own.value for other in others)
    number_of, judges = len(others) + 1, sum(judge_column(one.metric) is not None for one in (chosen, *beside))
    of = f"{number_of} ({metrics_and_judges(number_of - judges, judges)})" if judges else f"{number_of} metrics"
    place = f"By r it is number {above + 1} of {of}"
    numbers: tuple[tuple[str, float], ...] = (("rank", above + 1), ("metrics", number_of - judges))
    numbers += (("judges", judges), ("metrics and judges", number_of)) if judges else ()
    sentences = [_tested(place, numbers, [test for test in tests if test.difference is not None])]
    if untested:
        sentences.append(VerdictSentence(untested, (), Basis.RANK))
    sizes = {other.n for other in others} | {chosen.correlation.n}
    if len(sizes) > 1:
        sentences.append(
            VerdictSentence(
                f"The metrics were not all scored on the same stories ({min(sizes):,} to {max(sizes):,}): "
                "their order is not of one sample.",
                (("fewest", min(sizes)), ("most", max(sizes))),
                Basis.RANK,
                caution=True,
            )
        )
    return tuple(sentences)


def on_rank_by_rho(
    chosen: MetricCorrelation, among: Sequence[MetricCorrelation], names: Sequence[str]
) -> tuple[VerdictSentence, ...]:
    """Which metric comes first by Spearman's ρ, where that is another than the first by Pearson's r. `names`: of
    `among`.
    """
    own = chosen.correlation
    if own.pearson.value is None or own.spearman.value is None:
        return ()
    others = [metric.correlation.pearson.value for metric in among]
    if any(r is not None and r > own.pearson.value for r in others):
        return ()
    rhos = [(rho, name) for one, name in zip(among, names, strict=True)
            if (rho := one.correlation.spearman.value) is not None]  # fmt: skip
    highest, first = max(rhos, key=lambda one: one[0], default=(own.spearman.value, ""))
    if highest <= own.spearman.value:
        return ()
    digits = decimals_apart(highest, own.spearman.value)
    its = number(own.spearman.value, digits)
    return (
        VerdictSentence(
            f"By Spearman's ρ {first} comes first, {number(highest, digits)} against its {its}.",
            (("highest ρ", highest), ("ρ", own.spearman.value)),
            Basis.RANK,
        ),
    )


def _tested(place: str, numbers: tuple[tuple[str, float], ...], tests: Sequence[PairTest]) -> VerdictSentence:
    """The place, and what the tests of differences settle of it."""
    known = sorted((test for test in tests if test.p_holm is not None), key=lambda test: -(test.b_value or 0.0))
    if not known:
        why = next((f": {test.undefined}" for test in tests if test.undefined), "")
        return VerdictSentence(
            f"{place}; no test says which of these differences are more than chance{why}.", numbers, Basis.RANK
        )
    apart = [test for test in known if test.separated]
    better = sum((test.difference or 0.0) < 0 for test in apart)
    alike = [test.b for test in known if not test.separated]
    if len(known) == 1:
        (other,) = (test.b for test in known)
        found = f"cannot tell it apart from {other}" if alike else f"finds {other} {'better' if better else 'worse'}"
        sentence = f"{place}; a permutation test by prompt (p at most {LEVEL}) {found}."
        return VerdictSentence(sentence, (*numbers, ("level", LEVEL)), Basis.RANK)
    worse = len(apart) - better
    tested = max(test.tests for test in known)
    how = f"permutation tests by prompt (p at most {LEVEL}, corrected for all {tested} pairs of metrics)"
    if not apart:
        sentence = f"{place}; {how} tell it apart from none of the {len(known)} others: {listed(alike)}"
    else:
        sentence = f"{place}; of {len(known)} others, {how} find {better or 'none'} better and {worse or 'none'} worse"
        if alike:
            sentence += f", and cannot tell it apart from {len(alike)}: {listed(alike)}"
    counts = {"better": better, "worse": worse, "alike": len(alike) if apart else 0}
    cited = (*numbers, ("tested", len(known)), ("pairs", tested), ("level", LEVEL))
    cited += tuple((name, n) for name, n in counts.items() if n)
    return VerdictSentence(f"{sentence}.", cited, Basis.RANK)


def listed(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    sentence = ", ".join(names[:MOST_NAMED])
    return sentence + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
