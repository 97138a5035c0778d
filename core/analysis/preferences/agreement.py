"""How far people agree on which of two stories is better: raters with one another, and each with themselves."""

from dataclasses import dataclass

import numpy as np

from core.analysis.preferences.preferences import Preferences
from core.arrays import Ints
from core.statistics.agreement import alphas, padded
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate, share_by_document

NOBODY_KNOWN = "it is not known who judged"
NOBODY_SHARES = "no two raters have judged the same two stories"
NOBODY_REPEATS = "nobody has judged the same two stories twice"


@dataclass(frozen=True)
class PreferenceAgreement:
    """Agreement on the same two stories. Intervals are by prompt.

    `story_pairs`: how many pairs of stories known raters have judged; `shared`: those that two raters or more have.
    `alpha`: Krippendorff's, ordinal, of the choices with their strengths; each pair of stories is read from either
    side, so that it depends neither on who was shown first nor on what stories are called. `agreeing`: of the
    `rater_pairs` (two raters and two stories), the share that chose alike: the same story, or a tie. `kept`: of the
    `repeats` (a rater's later judgment of the same two stories, beside their first), the share that chose alike.
    """

    story_pairs: int
    shared: int
    alpha: Estimate
    rater_pairs: int
    agreeing: Estimate
    repeats: int
    kept: Estimate


@dataclass(frozen=True)
class _Judged:
    """Judgments of known raters in the order of `pair`, then of `rater`, then as they came; `choice` from the side of
    the story whose key comes first.
    """

    pair: Ints
    rater: Ints
    choice: Ints
    prompt: Ints


def agreement(preferences: Preferences, *, seed: int = 0, resamples: int = 1000) -> PreferenceAgreement:
    """Agreement of raters with one another, by their first judgments of two stories, and with themselves."""
    judged = _judged(preferences)
    if not len(judged.pair):
        nothing = Estimate(None, undefined=NOBODY_KNOWN)
        return PreferenceAgreement(0, 0, nothing, 0, nothing, 0, nothing)
    own = np.diff(judged.pair, prepend=-1) != 0
    begins = own | (np.diff(judged.rater, prepend=-1) != 0)
    first, later = np.flatnonzero(begins), np.flatnonzero(~begins)
    prompts = judged.prompt[np.flatnonzero(own)]
    rater_pairs, alike = _alike(judged.pair[first], np.sign(judged.choice[first]))
    same = np.repeat([1.0, 0.0], [alike.sum(), (rater_pairs - alike).sum()])
    where = np.concatenate([np.repeat(prompts, alike), np.repeat(prompts, rater_pairs - alike)])
    kept = np.sign(judged.choice[later]) == np.sign(judged.choice[first[np.cumsum(begins) - 1][later]])
    return PreferenceAgreement(
        len(prompts),
        int(np.count_nonzero(rater_pairs)),
        _alpha(judged, first, [preferences.prompts[i] for i in prompts.tolist()], seed=seed, resamples=resamples),
        len(same),
        share_by_document(same, where) if len(same) else Estimate(None, undefined=NOBODY_SHARES),
        len(later),
        share_by_document(kept.astype(np.float64), judged.prompt[later])
        if len(later)
        else Estimate(None, undefined=NOBODY_REPEATS),
    )


def _judged(preferences: Preferences) -> _Judged:
    known = preferences.take(np.flatnonzero(preferences.rater >= 0))
    numbers: dict[tuple[str, str], int] = {}
    pair, swapped = np.empty(known.judgments, dtype=np.intp), np.empty(known.judgments, dtype=np.bool_)
    for i, (a, b) in enumerate(zip(known.first_story, known.second_story, strict=True)):
        pair[i] = numbers.setdefault((min(a, b), max(a, b)), len(numbers))
        swapped[i] = a > b
    order = np.lexsort((np.arange(len(pair)), known.rater, pair))
    choice = np.where(swapped, -known.choice, known.choice)
    return _Judged(pair[order], known.rater[order], choice[order], known.prompt[order])


def _alike(pair: Ints, outcome: Ints) -> tuple[Ints, Ints]:
    """Of each pair of stories, how many pairs of raters it has, and how many of them chose alike."""
    number = int(pair.max()) + 1
    counts = np.bincount(3 * pair + outcome + 1, minlength=3 * number).reshape(number, 3)
    total = counts.sum(1)
    return total * (total - 1) // 2, (counts * (counts - 1) // 2).sum(1)


def _alpha(judged: _Judged, first: Ints, prompts: list[str], *, seed: int, resamples: int) -> Estimate:
    """`prompts`: of each pair of stories."""
    pair = judged.pair[first]
    shared = np.flatnonzero(np.bincount(pair) >= 2)
    if not len(shared):
        return Estimate(None, undefined=NOBODY_SHARES)
    table = padded(judged.choice[first].astype(np.float64), pair, len(prompts))[shared]
    own = [prompts[i] for i in shared.tolist()]
    draws = draw_prompts(own, seed=seed, resamples=resamples)
    return alphas(np.vstack([table, -table]), draws.of([*own, *own]), draws)["ordinal"]
