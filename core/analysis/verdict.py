"""What the analyses say about one metric, in plain sentences, each with the numbers that it rests on.

A sentence claims no more than an interval supports: an order, a sign or a difference is stated only where the
interval settles it, and else it says that this is open. What is undefined is said with its reason.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.analysis.correlation import STAR, Coefficient, Correlation, MetricCorrelation
from core.annotation.draws import Estimate

FEWEST_CLAIMED = 30
"""Below that nothing is claimed: a bootstrap of so few stories can give any interval, a narrow one too."""
FEW_STORIES = 100
"""Below that the 95 % interval of a correlation near 0 is wider than 0.2 to either side (Fisher 1921)."""
FEW_PROMPTS = 20
"""With fewer clusters a bootstrap of clusters gives intervals that are too narrow (Cameron, Gelbach, Miller 2008)."""


class About(StrEnum):
    """The analysis that a sentence rests on."""

    SAMPLE = "sample"
    CORRELATION = "correlation"
    RANK = "rank"
    ERROR_TYPES = "error types"
    SYSTEMS = "systems"
    DRIFT = "drift"
    DIFFERENCE = "difference"


@dataclass(frozen=True)
class Sentence:
    """`numbers`: what it cites, unrounded, each under the name that the analysis gives it. `caution`: it limits what
    the others are worth.
    """

    text: str
    numbers: tuple[tuple[str, float], ...]
    about: About
    caution: bool = False


def number(value: float | None) -> str:
    """Three decimals, with a real minus."""
    return "undefined" if value is None else f"{value:.3f}".replace("-", "−")


def within(low: float | None, high: float | None, name: str) -> str:
    """`, 95 % interval 0.290 to 0.446`, or nothing."""
    return "" if low is None or high is None else f", {name} {number(low)} to {number(high)}"


def cited(r: Coefficient | Estimate, *names: str) -> tuple[tuple[str, float], ...]:
    """A coefficient and the ends of its interval, as far as they are defined, under these names."""
    return tuple((name, one) for name, one in zip(names, (r.value, r.low, r.high), strict=True) if one is not None)


def on_sample(n: int, rated: int, prompts: int) -> tuple[Sentence, ...]:
    """How far the sample carries. `n`: stories with a score and a rating; `rated`: with a rating; `prompts`: of n."""
    found = []
    if n < rated:
        found.append(
            Sentence(
                f"Of {rated:,} rated stories {n:,} have a score; the other {rated - n:,} are left out, and if they "
                "differ from the rest, so may every number here.",
                (("rated", rated), ("n", n), ("left out", rated - n)),
                About.SAMPLE,
                caution=True,
            )
        )
    if n < FEW_STORIES:
        found.append(
            Sentence(
                f"The sample is small ({n:,} stories; under {FEW_STORIES} even large correlations are uncertain).",
                (("n", n), ("few", FEW_STORIES)),
                About.SAMPLE,
                caution=True,
            )
        )
    if prompts < FEW_PROMPTS:
        found.append(
            Sentence(
                f"The stories come from {prompts:,} {'prompt' if prompts == 1 else 'prompts'}; with fewer than "
                f"{FEW_PROMPTS}, intervals tend to be too narrow.",
                (("prompts", prompts), ("few", FEW_PROMPTS)),
                About.SAMPLE,
                caution=True,
            )
        )
    return tuple(found)


def on_correlation(found: Correlation) -> tuple[Sentence, ...]:
    """Whether the scores go with human judgments, by Pearson's r; and where the coefficients or the p-values part."""
    r = found.pearson
    if r.value is None:
        return (
            Sentence(
                f"Its agreement with people is undefined over {found.n:,} stories: {found.undefined}.",
                (("n", found.n),),
                About.CORRELATION,
                caution=True,
            ),
        )
    about = f"Pearson's r = {number(r.value)}{within(r.low, r.high, '95 % interval')}, {found.n:,} stories"
    if found.n < FEWEST_CLAIMED:
        said = f"Under {FEWEST_CLAIMED} stories nothing is claimed ({about})."
    elif r.low is None or r.high is None:
        said = f"No interval can be given, so nothing is said about other prompts ({about})."
    elif r.low > 0:
        said = f"Its scores rise with human judgments ({about})."
    elif r.high < 0:
        said = f"Its scores fall where human judgments rise: it runs against people ({about})."
    else:
        said = f"Whether its scores go with human judgments at all is open: the interval holds 0 ({about})."
    sentences = [Sentence(said, (*cited(r, "r", "low", "high"), ("n", found.n)), About.CORRELATION)]
    if found.n < FEWEST_CLAIMED:
        return tuple(sentences)
    return (*sentences, *_parted_coefficients(found), *_parted_p(r))


def _settled(c: Coefficient) -> int:
    """The sign that the interval settles: 1, -1, or 0 where it is open."""
    if c.low is None or c.high is None:
        return 0
    return 1 if c.low > 0 else -1 if c.high < 0 else 0


def _parted_coefficients(found: Correlation) -> tuple[Sentence, ...]:
    rho = found.spearman
    if rho.value is None or rho.low is None or _settled(found.pearson) == _settled(rho):
        return ()
    text = f"Spearman's ρ = {number(rho.value)}{within(rho.low, rho.high, '95 % interval')}"
    outcome = {1: "is above 0", -1: "is below 0", 0: "leaves the sign open"}[_settled(rho)]
    return (
        Sentence(
            f"By ranks the answer is another one: the interval {outcome} ({text}), so it depends on the coefficient.",
            cited(rho, "ρ", "low", "high"),
            About.CORRELATION,
            caution=True,
        ),
    )


def _parted_p(r: Coefficient) -> tuple[Sentence, ...]:
    if r.p is None or r.p_cluster is None or (r.p < STAR) == (r.p_cluster < STAR):
        return ()
    numbers = (("p", r.p), ("p by prompt", r.p_cluster))
    if r.p < STAR:
        said = (
            f"Its star (p = {r.p:.2g}) rests on stories being independent; by prompt p = {r.p_cluster:.2g}, "
            f"which would get none."
        )
    else:
        said = f"It has no star (p = {r.p:.2g}), though by prompt p = {r.p_cluster:.2g}."
    return (Sentence(said, numbers, About.CORRELATION, caution=True),)


def on_lines(r: Coefficient, one_rater: float | None, ceiling: float | None) -> tuple[Sentence, ...]:
    """Beside one human rater, and beside what a perfect metric could reach with ratings as noisy as these."""
    found = []
    if r.value is None:
        return ()
    if one_rater is not None and r.low is not None and r.high is not None:
        numbers = (("one rater", one_rater), ("low", r.low), ("high", r.high))
        side = "above" if r.low > one_rater else "below" if r.high < one_rater else "around"
        meaning = ": the two cannot be told apart" if side == "around" else ""
        said = (
            f"Its interval ({number(r.low)} to {number(r.high)}) lies {side} what one human rater reaches, "
            f"{number(one_rater)}{meaning}."
        )
        found.append(Sentence(said, numbers, About.CORRELATION))
    if ceiling is not None and ceiling > 0:
        beyond = r.value > ceiling
        said = (
            f"A perfect metric would reach about {number(ceiling)} with ratings as noisy as these; "
            f"this one reaches {number(r.value)}"
            + (", which is more: look for what it may share with the ratings." if beyond else ".")
        )
        found.append(Sentence(said, (("ceiling", ceiling), ("r", r.value)), About.CORRELATION, caution=beyond))
    return tuple(found)


def on_rank(chosen: MetricCorrelation, among: Sequence[MetricCorrelation]) -> tuple[Sentence, ...]:
    """Its place by Pearson's r among the study's metrics, itself included; intervals that overlap settle no order."""
    own = chosen.correlation.pearson
    others = [one.correlation for one in among if one is not chosen and one.correlation.pearson.value is not None]
    if own.value is None or not others:
        return ()
    above = sum(one.pearson.value is not None and one.pearson.value > own.value for one in others)
    overlapping = sum(_overlap(own, one.pearson) for one in others)
    numbers = [("rank", above + 1.0), ("metrics", len(others) + 1.0)]
    said = f"By r it is number {above + 1} of {len(others) + 1} metrics"
    if own.low is not None:
        numbers.append(("overlapping", float(overlapping)))
        said += (
            f"; the intervals of {overlapping} of the others overlap with its own, so the order among these is not "
            "settled by them"
            if overlapping
            else "; no other's interval overlaps with its own (0)"
        )
    sentences = [Sentence(f"{said}.", tuple(numbers), About.RANK)]
    sizes = {one.n for one in others} | {chosen.correlation.n}
    if len(sizes) > 1:
        sentences.append(
            Sentence(
                f"The metrics were not all scored on the same stories ({min(sizes):,} to {max(sizes):,}): "
                "their order is not of one sample.",
                (("fewest", min(sizes)), ("most", max(sizes))),
                About.RANK,
                caution=True,
            )
        )
    return tuple(sentences)


def _overlap(a: Coefficient, b: Coefficient) -> bool:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return True  # nothing says that they differ
    return a.low <= b.high and b.low <= a.high
