"""What the analyses of preferences say: which system people prefer, and what metrics and judges of pairs are worth
beside chance and raters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.analysis.judgments.reliability import HIDDEN_BY_SHARES, Averaged
from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreference
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.preferences.ranking import Ranking
from core.analysis.verdict.finding import corrected_for, listed
from core.analysis.verdict.openings import too_early
from core.analysis.verdict.sentences import Basis, VerdictSentence, cited, claimed
from core.statistics.intervals import Estimate
from core.wording import digits, so_many

GUESSING = 0.5
ONE_SIDED = 0.95
"""Of the answers that name a story: from this share for one side on, a judge goes by the side."""


@dataclass(frozen=True)
class ComparedPairs:
    """What people's comparisons say beside the shares that they make: how far raters agree, and `metric` on them."""

    agreement: PreferenceAgreement
    metric: MetricPreference


def on_preferences(ranking: Ranking) -> str | None:
    """Which system people prefer, and from which others no test tells it; None where systems have no strengths."""
    judged = [row for row in ranking.rows if row.strength.value is not None]
    if ranking.undefined or len(judged) < 2:
        return None
    if not claimed(ranking.judgments, ranking.prompts):
        what = f"which system people prefer, though {judged[0].system} is ahead"
        return too_early(what, ranking.judgments, ranking.prompts, of=("judgment", "judgments"))
    best, chance = judged[0].system, judged[0].chance
    share = ""
    if chance.value is not None:
        ends = "" if chance.low is None or chance.high is None else f" ({chance.ends_text('.0%')})"
        share = f", whose strength gives it a chance of {digits(chance.value, '.0%')}{ends} against an average system"
    mine = {
        row.b if row.a == best else row.a: row.separated
        for row in ranking.differences
        if best in (row.a, row.b) and row.p_holm is not None
    }
    if not mine:
        return f"{best} comes first{share}; no test could say how sure that is."
    corrected = corrected_for(sum(row.p_holm is not None for row in ranking.differences))
    alike = [name for name, separated in mine.items() if not separated]
    if len(alike) == len(mine):
        alone = f"No system is shown to be preferred: {best} comes first{share}"
        return f"{alone}, but no test tells it from any other{corrected}."
    if alike:
        return f"People prefer {best}{share}; it cannot be told apart from {listed(alike, str)}{corrected}."
    return f"People prefer {best}{share}; it is told apart from every other system{corrected}."


def on_pair_judges(
    judges: Sequence[PairTrial],
    names: Mapping[str, str],
    metrics: Sequence[MetricPreference],
    agreement: PreferenceAgreement,
) -> VerdictSentence | None:
    """What the most accurate of the judges is worth; None where none has judged a pair. `names`: of the judges, by
    their signatures; `metrics`: among which the judges stand.
    """
    accuracies = {row.signature: row for row in metrics}
    known = [row for row in judges if row.n and row.position.pairs and row.signature in accuracies]
    if not known:
        return None
    # One that goes by the side gets a half of any pairs: any other says more.
    best = max(known, key=lambda row: (not _by_the_side(row), accuracies[row.signature].accuracy.value or 0.0))
    name = names[best.signature]
    if (sided := _on_side(name, best)) is not None:
        return sided
    of = accuracies[best.signature]
    first = on_accuracy(f"Of {len(known):,} judges {name} comes first: it" if len(known) > 1 else name, of, name)
    if first is None or not _enough(of):
        return first
    beside, numbers = _beside_raters(best, agreement)
    return replace(first, text=first.text + beside, numbers=(*first.numbers, *numbers))


def on_accuracy(said: str, row: MetricPreference, name: str = "") -> VerdictSentence | None:
    """How often a metric orders two stories as people do, beside guessing; None where no judged pair has two scores.
    `said`: what the sentence begins with, the metric's `name` where that is not given.
    """
    if not row.n:
        return None
    if not _enough(row):
        what = f"how often {name or said} orders two stories as people do"
        early = too_early(what, row.n, row.prompts, of=("decided judgment", "decided judgments"))
        return VerdictSentence(early, (("n", float(row.n)), ("prompts", float(row.prompts))), Basis.AGREEMENT)
    judgments = f"{so_many(row.n, 'judgment')} that people decided"
    right = f"orders two stories as people do in {row.accuracy.text('.0%')} of {judgments}, its ties half"
    return VerdictSentence(
        f"{said} {right}, {_beside_guessing(row.accuracy)}.",
        (*cited(row.accuracy, "accuracy", "low", "high"), ("n", float(row.n))),
        Basis.AGREEMENT,
    )


def _enough(row: MetricPreference) -> bool:
    return claimed(row.n, row.prompts)


def on_pairs_of_metric(name: str, averaged: Averaged, pairs: ComparedPairs | None) -> tuple[VerdictSentence, ...]:
    """How far people agree on pairs, and how often the metric orders two stories as they do, for its report; without
    `pairs`, as of some of a study's stories, that neither is told.
    """
    if pairs is None:
        said = averaged.by_itself
        return (VerdictSentence(said, (), Basis.AGREEMENT, caution=True),) if said else ()
    right = on_accuracy(name, pairs.metric)
    return (on_compared(averaged, pairs.agreement), *([right] if right else []))


def on_compared(averaged: Averaged, agreement: PreferenceAgreement) -> VerdictSentence:
    """What stands for a judgment of pairs, and how far people agree on these."""
    one, alpha = agreement.agreeing, agreement.alpha
    numbers: tuple[tuple[str, float], ...] = ()
    agree = f"How far people agree on pairs is not known: {one.undefined}."
    if one.value is not None:
        agree = (
            f"Two raters of the same two stories choose alike in {one.text('.0%')} of "
            f"{so_many(agreement.rater_pairs, 'comparison')}, ties among them"
        )
        numbers = (*cited(one, "raters who agree", "low", "high"), ("comparisons", float(agreement.rater_pairs)))
        if alpha.value is not None:
            agree += (
                f"; Krippendorff's alpha (ordinal) of {so_many(agreement.shared, 'pair')} of stories is "
                f"{alpha.shown('.2f')}"
            )
            numbers += (*cited(alpha, "alpha", "alpha, low", "alpha, high"), ("pairs", float(agreement.shared)))
        agree += "."
    return VerdictSentence(
        f"{averaged.won} {agree} {HIDDEN_BY_SHARES[:1].upper()}{HIDDEN_BY_SHARES[1:]}.",
        numbers,
        Basis.AGREEMENT,
        caution=True,
    )


def _by_the_side(row: PairTrial) -> bool:
    first = row.position.first.value
    return first is None or not 1 - ONE_SIDED < first < ONE_SIDED


def _on_side(name: str, row: PairTrial) -> VerdictSentence | None:
    """Of a judge that goes by the side, or calls all equal, whatever the stories are."""
    pairs, first = row.position.pairs, row.position.first.value
    numbers: tuple[tuple[str, float], ...] = (("pairs", float(pairs)),)
    asked = f"asked about {so_many(pairs, 'pair')} in both orders"
    if first is None:
        said = f"{name}, {asked}, calls both stories equal, whatever they are: it says nothing about these pairs."
        return VerdictSentence(said, numbers, Basis.AGREEMENT)
    if not _by_the_side(row):
        return None
    side, share = ("first", first) if first > GUESSING else ("second", 1 - first)
    if share == 1:
        said = f"{name}, {asked}, always takes the story that it reads {side}: it says nothing about these pairs."
        return VerdictSentence(said, numbers, Basis.AGREEMENT)
    said = (
        f"{name}, {asked}, takes the story that it reads {side} in {digits(share, '.0%')} of its answers that name "
        "one: it says next to nothing about these pairs."
    )
    return VerdictSentence(said, (*numbers, ("share", share)), Basis.AGREEMENT)


def _beside_guessing(accuracy: Estimate) -> str:
    if accuracy.low is None or accuracy.high is None:
        return "and nothing can say how sure that is"
    if accuracy.low > GUESSING:
        return "more often than guessing, which gets half"
    if accuracy.high < GUESSING:
        return "less often than guessing, which gets half"
    return "which is not shown to be more often than guessing, which gets half"


def _beside_raters(row: PairTrial, agreement: PreferenceAgreement) -> tuple[str, tuple[tuple[str, float], ...]]:
    """How often it chooses as a rater, beside how often one rater chooses as another."""
    alike, one = row.alike, agreement.agreeing
    if one.value is None or alike.low is None or alike.high is None:
        return "", ()
    than = "which cannot be told apart from how often"
    if alike.high < one.value or alike.low > one.value:
        than = f"{'less' if alike.high < one.value else 'more'} often than"
    said = (
        f" It chooses as a rater does in {alike.text('.0%')} of {so_many(row.n, 'judgment')}, ties among them, {than} "
        f"one rater chooses as another: {one.text('.0%')} of {so_many(agreement.rater_pairs, 'comparison')}."
    )
    numbers = (
        *cited(alike, "chooses as a rater", "chooses as a rater, low", "chooses as a rater, high"),
        ("judgments", float(row.n)),
        *cited(one, "raters who agree", "raters who agree, low", "raters who agree, high"),
        ("pairs of raters", float(agreement.rater_pairs)),
    )
    return said, numbers
