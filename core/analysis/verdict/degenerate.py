"""How a metric rates degenerate stories, which repeat themselves or are no text: some metrics are fooled."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.verdict.finding import Mark, short
from core.analysis.verdict.openings import with_ends
from core.analysis.verdict.sentences import (
    FEWEST_CLAIMED,
    Basis,
    VerdictSentence,
    cited,
    interval_text,
    number,
    settled,
)
from core.arrays import Bools, Floats
from core.checks import FindingKind
from core.statistics.correlation import FEWEST, NOTHING, Coefficient, correlate
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate, estimate
from core.statistics.moments import RunningPearson
from core.wording import decimals_apart, rounded

LEAST_CHANGE, LEAST_HIGHER = 0.05, 0.2
"""From which on such stories matter to what is found: by how much r with people changes without them, and by how many
standard deviations of the others they score higher (a small effect by Cohen 1988).
"""
LARGE = 10
"""Means from here on, such as those of counts, are said with one decimal."""
FEWEST_HIGHER = 10
"""Of fewer such stories a mean says nothing, however high."""
_REPEATS, _NO_TEXT = ("repeats itself", "repeat themselves"), ("is no text", "are no text")
"""What such stories do, of one and of several."""
_NONE = Estimate(None, undefined="no scored story is degenerate")
_NO_OTHER = Estimate(None, undefined="no other story is scored")


@dataclass(frozen=True)
class CheckUp:
    """Of `scored` stories, how many repeat themselves and how many are no text; the mean score of these and of the
    `rest`, None where there are none. `difference`: theirs less the others', with the 95 % interval of the bootstrap
    over prompts. `r`, `r_without`: Pearson's r with people, of all `n` rated stories and without them. `spread`: the
    standard deviation of the others' scores, None of fewer than two. `by`: the system that has written all of them,
    where others have stories too: to leave these out is to leave it out, or part of it. `inside`: r within systems
    without them, where that is known.
    """

    scored: int
    repeating: int
    not_text: int
    mean: float | None
    rest: float | None
    difference: Estimate
    r: Coefficient
    r_without: Coefficient
    n: int
    spread: float | None
    by: str = ""
    inside: Coefficient = NOTHING

    @property
    def degenerate(self) -> int:
        """How many there are."""
        return self.repeating + self.not_text

    @property
    def fooled(self) -> bool:
        """Whether they cannot be told to score lower than the others; without an interval, whether they do not."""
        value, high = self.difference.value, self.difference.high
        return value is not None and (value if high is None else high) >= 0

    @property
    def moves(self) -> bool:
        """Whether r without them lies outside the interval of r with them: a few stories then decide what is found."""
        return _moved(self.r_without.value, self.r)

    @property
    def change(self) -> float | None:
        """By how much r with people changes without them; None of fewer stories than a claim takes."""
        if self.r.value is None or self.r_without.value is None or self.n < FEWEST_CLAIMED:
            return None
        return self.r_without.value - self.r.value

    @property
    def changes(self) -> bool:
        """Whether r with people is another without them."""
        return abs(self.change or 0.0) >= LEAST_CHANGE

    @property
    def higher(self) -> float | None:
        """How many standard deviations of the others they score higher than these."""
        if self.difference.value is None or self.spread is None:
            return None
        if not self.spread:
            return float(np.inf) if self.difference.value > 0 else 0.0
        return self.difference.value / self.spread

    @property
    def liked(self) -> bool:
        """Whether the metric takes them, where they are enough to say so, for better than the others."""
        return self.degenerate >= FEWEST_HIGHER and (self.higher or 0.0) >= LEAST_HIGHER

    @property
    def matters(self) -> bool:
        """Whether they change what is found of the metric, or it takes them for better than the others."""
        return self.changes or self.liked

    @property
    def inside_if_they_matter(self) -> Coefficient:
        """r within systems without them, for a claim on it: nothing where they do not matter, as it tips by chance."""
        return self.inside if self.matters else NOTHING

    @property
    def apart(self) -> Estimate:
        """Their mean less the others', without its interval where either are too few for a claim."""
        if min(self.degenerate, self.scored - self.degenerate) >= FEWEST_CLAIMED:
            return self.difference
        return replace(self.difference, low=None, high=None)

    @property
    def counted(self) -> str:
        """How many of how many, in words."""
        kinds = []
        if self.repeating:
            kinds.append(f"{self.repeating:,} {_REPEATS[self.repeating > 1]}")
        if self.not_text:
            kinds.append(f"{self.not_text:,} {_NO_TEXT[self.not_text > 1]}")
        by = f", all by {self.by}" if self.by else ""
        return f"Of {self.scored:,} scored stories {' and '.join(kinds)}{by}" if kinds else ""

    @property
    def stories(self) -> str:
        """What they are called: "the 18 stories that repeat themselves"; "" where there is none."""
        kinds = [words for number, words in ((self.repeating, _REPEATS), (self.not_text, _NO_TEXT)) if number]
        which = " or ".join(words[self.degenerate > 1] for words in kinds)
        if self.degenerate < 2:
            return which and f"the story that {which}"
        return f"the {self.degenerate:,} stories that {which}"

    def rated(self, name: str, *, with_r: bool = True) -> str:
        """What the metric makes of them, in words; `name`: what it is called, or "the metric". `with_r`: also what
        becomes of its r without them.
        """
        if self.mean is None or self.rest is None:
            return f"{name} scores no others"
        alone = self.degenerate == 1
        single = self.scored - self.degenerate == 1
        digits = 1 if max(abs(self.mean), abs(self.rest)) >= LARGE else 3
        mean, rest = rounded(self.mean, digits), f"the other{'' if single else 's'} {rounded(self.rest, digits)}"
        of_one = f"{mean}, {rest}" if single else f"{mean}, {rest} on average"
        both = of_one if alone else f"{mean} on average, {rest}"
        sentence = f"{name} rates {'it' if alone else 'them'} {both}"
        ends = interval_text(self.apart.low, self.apart.high, "95 % interval of the difference", digits)
        if not with_r or self.r.value is None or self.r_without.value is None:
            return sentence + ends
        without, figures = self.r_without, decimals_apart(self.r_without.value, self.r.value)
        every = number(self.r.value, figures)
        left_out = "that story" if alone else "them"
        its = number(without.value, figures) + interval_text(without.low, without.high, "95 % interval", figures)
        instead = f"{',' if without.low is not None else ''} instead of {every}"
        return f"{sentence}{ends}; without {left_out} its r with people is {its}{instead}"


def check_up(
    scores: Floats,
    human: Floats,
    prompts: Sequence[str],
    kinds: Sequence[FindingKind | None],
    *,
    systems: Sequence[str] = (),
    seed: int = 0,
    resamples: int = 0,
) -> CheckUp:
    """`scores`, `human`: one number per story, NaN where there is none. `kinds`: what makes each story degenerate.
    `systems`: who wrote each, where that is known. Without `resamples` there are no intervals.
    """
    defined = np.isfinite(scores)
    repeating, not_text = (_are(kind, kinds) & defined for kind in (FindingKind.REPETITION, FindingKind.NOT_TEXT))
    degenerate = repeating | not_text
    rest = defined & ~degenerate
    named = np.asarray(prompts)
    overall = correlate(np.where(defined, scores, np.nan), human, named, seed=seed, resamples=resamples)
    every = without = overall.pearson
    if degenerate.any():
        without = correlate(np.where(rest, scores, np.nan), human, named, seed=seed, resamples=resamples).pearson
    return CheckUp(
        int(defined.sum()),
        int(repeating.sum()),
        int(not_text.sum()),
        float(scores[degenerate].mean()) if degenerate.any() else None,
        float(scores[rest].mean()) if rest.any() else None,
        _difference(scores, degenerate, rest, prompts, seed, resamples),
        every,
        without,
        overall.n,
        float(scores[rest].std(ddof=1)) if rest.sum() > 1 else None,
        sole_system(systems, kinds),
    )


def sole_system(systems: Sequence[str], kinds: Sequence[FindingKind | None]) -> str:
    """The system that has written all degenerate stories, several of them; "" where there is none, or no other."""
    writers = Counter(system for system, kind in zip(systems, kinds, strict=False) if kind is not None)
    several = len(set(systems)) > 1 and len(writers) == 1 and writers.total() > 1
    return next(iter(writers)) if several else ""


class RunningCheckUp:
    """`check_up` without intervals, of stories that come block by block: memory does not grow with their number."""

    def __init__(self) -> None:
        self._repeating = self._not_text = self._others = 0
        self._sum = self._sum_of_others = np.longdouble(0)
        self._r, self._r_without, self._of_others = RunningPearson(), RunningPearson(), RunningPearson()

    def add(self, scores: Floats, human: Floats, kinds: Sequence[FindingKind | None]) -> None:
        """Take in stories."""
        defined = np.isfinite(scores)
        repeating, not_text = (_are(kind, kinds) & defined for kind in (FindingKind.REPETITION, FindingKind.NOT_TEXT))
        degenerate = repeating | not_text
        rest = defined & ~degenerate
        self._repeating += int(repeating.sum())
        self._not_text += int(not_text.sum())
        self._others += int(rest.sum())
        self._sum += scores[degenerate].sum(dtype=np.longdouble)
        self._sum_of_others += scores[rest].sum(dtype=np.longdouble)
        self._r.add(scores, human)
        self._r_without.add(np.where(rest, scores, np.nan), human)
        self._of_others.add(scores[rest], scores[rest])

    def result(self) -> CheckUp:
        """Of all that were taken in."""
        number = self._repeating + self._not_text
        mean = float(self._sum / number) if number else None
        rest = float(self._sum_of_others / self._others) if self._others else None
        apart = _NONE if mean is None and rest is not None else _NO_OTHER
        if mean is not None and rest is not None:
            apart = Estimate(mean - rest)
        r, without = (Coefficient(*(of.test(FEWEST) or (None,))) for of in (self._r, self._r_without))
        return CheckUp(
            number + self._others,
            self._repeating,
            self._not_text,
            mean,
            rest,
            apart,
            r,
            without,
            self._r.n,
            self._of_others.spread,
        )


def changed_most(names: Sequence[str], ups: Sequence[CheckUp]) -> str | None:
    """Of metrics called so, the one whose r with people changes most without such stories; None where none changes."""
    sizes = {name: abs(up.change or 0.0) for name, up in zip(names, ups, strict=True) if up.changes}
    return max(sizes, key=sizes.__getitem__, default=None)


def gravest(names: Sequence[str], ups: Sequence[CheckUp], best: str) -> str | None:
    """Of metrics called so, what becomes without such stories of the r with people of the `best` and of the one whose r
    changes most, in a sentence; None where none changes. It describes these stories, and claims nothing: so it is said
    of ratings that do not agree as well.
    """
    pairs = list(zip(names, ups, strict=True))
    changed = changed_most(names, ups)
    if changed is None:
        return None
    most = changed, ups[names.index(changed)]
    # The best first, whatever becomes of it: a reader would else take it that nothing does.
    named = [pair for pair in pairs if pair[0] == best and pair[1].change is not None and pair[1].degenerate]
    named += [most] if most[0] != best else []
    (name, up), *others = named
    without = f"without {'it' if up.degenerate == 1 else 'them'} {name} has r {_instead(up, ' with people')}"
    without += "".join(f", and {other} {_instead(of_other)}" for other, of_other in others)
    return f"{up.counted}: {without}. Report both; leave stories out only by a rule set before you looked at r."


def _instead(up: CheckUp, whose: str = "") -> str:
    return f"{with_ends(up.r_without)}{whose} instead of {short(up.r.value)}"


def overturned(
    names: Sequence[str], ups: Sequence[CheckUp], best: str, mark: Mark = str, among_all: Coefficient | None = None
) -> str:
    """That the r of the `best` of metrics called so has another sign without such stories, or lies outside the interval
    of its r `among_all`, or that another metric comes first then, in a sentence; "" where none of this is so. `mark`:
    how the name of a metric is written.
    """
    up = ups[names.index(best)]
    own, without = up.r.value, up.r_without.value
    if own is None or without is None or up.change is None or not up.degenerate:
        return ""
    rest = [(name, other) for name, other in zip(names, ups, strict=True) if other.change is not None]
    first, ahead_of_it = max(rest, key=lambda pair: pair[1].r_without.value or -1.0)
    highest = ahead_of_it.r_without.value or -1.0
    turned, passed = own * without < 0, highest > without
    moved = among_all is not None and _moved(without, among_all)
    if not (up.changes or ahead_of_it.changes) or not (turned or moved or passed):
        return ""
    stories = up.stories
    if up.by:
        stories += f", all by {mark(up.by)},"
    ahead = f", and {mark(first)} comes first, {short(highest)}" if passed else ""
    # Where something shows it within systems, the grade says so, or has nothing against it.
    doubtful = up.inside.value is not None and settled(up.inside) <= 0
    inside = f", {short(up.inside.value)} within systems" if doubtful else ""
    return f"But without {stories} {mark(best)} has r {with_ends(up.r_without)}{inside}{ahead}."


def _moved(without: float | None, r: Coefficient) -> bool:
    """Whether r without them lies outside the interval of r, and not by a hair beside a narrow one."""
    if without is None or r.value is None or r.low is None or r.high is None:
        return False
    return not r.low <= without <= r.high and abs(without - r.value) >= LEAST_CHANGE


def _are(kind: FindingKind, kinds: Sequence[FindingKind | None]) -> Bools:
    return np.array([one is kind for one in kinds], dtype=bool)


def _difference(
    scores: Floats, mine: Bools, rest: Bools, prompts: Sequence[str], seed: int, resamples: int
) -> Estimate:
    if not mine.any() or not rest.any():
        return _NONE if rest.any() else _NO_OTHER
    value = float(scores[mine].mean() - scores[rest].mean())
    if not resamples:
        return Estimate(value)
    draws = draw_prompts(prompts, seed=seed, resamples=resamples)
    known = np.where(np.isfinite(scores), scores, 0.0)
    numbers = draws.of(prompts)
    sums = draws.sums(np.column_stack([mine * known, mine, rest * known, rest]), numbers)
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw without any is left out of the interval
        drawn = sums[:, 0] / sums[:, 1] - sums[:, 2] / sums[:, 3]
    return estimate(value, drawn, numbers[mine])


def on_degenerate(up: CheckUp, *, agreed: bool) -> tuple[VerdictSentence, ...]:
    """That there are such stories, and what the metric makes of them: a caution where they cannot be told to score
    lower or, of ratings that have `agreed`, decide how far it agrees with people.
    """
    if not up.degenerate:
        return ()
    numbers: list[tuple[str, float]] = [
        ("scored", up.scored),
        ("repeating", up.repeating),
        ("no text", up.not_text),
    ]
    for name, value in (("mean of these", up.mean), ("mean of the others", up.rest)):
        numbers += [(name, value)] if value is not None else []
    numbers += cited(up.apart, "difference", "low", "high")
    numbers += cited(up.r_without, "r without them", "low without them", "high without them")
    text = f"{up.counted}: {up.rated('the metric')}"
    if up.r_without.value is not None and up.inside.value is not None:
        text += f", and {number(up.inside.value)} within systems"
        text += interval_text(up.inside.low, up.inside.high, "95 % interval")
        numbers += cited(up.inside, "r within systems without them", "low within without", "high within without")
    decisive = agreed and up.moves
    caution = up.fooled or decisive
    return (VerdictSentence(f"{text}.", tuple(numbers), Basis.DEGENERATE, caution=caution, decisive=decisive),)
