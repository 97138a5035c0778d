"""The sentence that opens the analysis of judges of pairs: what their verdicts are worth, beside chance and raters."""

from collections.abc import Mapping, Sequence

from core.analysis.preferences.agreement import PreferenceAgreement
from core.analysis.preferences.metrics import MetricPreference
from core.analysis.preferences.pair_judges import PairTrial
from core.analysis.verdict.openings import too_early
from core.analysis.verdict.sentences import Basis, VerdictSentence, cited, claimed
from core.statistics.intervals import Estimate
from core.wording import so_many

GUESSING = 0.5
ONE_SIDED = 0.95
"""Of the answers that name a story: from this share for one side on, a judge goes by the side."""


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
    if not claimed(of.n, best.prompts):
        early = too_early(f"what {name} is worth", of.n, best.prompts, of=("decided judgment", "decided judgments"))
        return VerdictSentence(early, (("n", of.n), ("prompts", best.prompts)), Basis.AGREEMENT)
    first = f"Of {len(known):,} judges {name} comes first: it" if len(known) > 1 else name
    judgments = f"{so_many(of.n, 'judgment')} that people decided"
    right = f"orders two stories as people do in {of.accuracy.text('.0%')} of {judgments}, its ties half"
    beside, numbers = _beside_raters(best, agreement)
    return VerdictSentence(
        f"{first} {right}, {_beside_guessing(of.accuracy)}.{beside}",
        (*cited(of.accuracy, "accuracy", "low", "high"), ("n", float(of.n)), *numbers),
        Basis.AGREEMENT,
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
        f"{name}, {asked}, takes the story that it reads {side} in {share:.0%} of its answers that name one: it says "
        "next to nothing about these pairs."
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
