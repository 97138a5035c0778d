"""What a study has found, in a sentence or two: which metric agrees best with people, and how sure that is."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from core.analysis.judgments.strictness import Strictness
from core.analysis.significance.tests import NEAR, PairTest
from core.analysis.systems.order import order_sentence
from core.analysis.systems.ranking import SystemCorrelation
from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED, claimed, number, settled
from core.statistics.correlation import NOTHING, Coefficient
from core.wording import decimals_apart, p_digits, so_many

MOST_NAMED = 3
RANKED_BY = {"spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}
"""Coefficients of ranks, by which another metric may come first than by Pearson's r."""
LEAST_LEAD = 0.02
"""By how much more within systems another metric comes first there."""
DESPITE = (
    "A metric can go with the mean of several raters although nothing shows that these agree with one another: each "
    "may go with it a little, or one alone, for reasons of their own. With other raters r may well be another."
)
"""Where ratings that do not agree have a mean with which a metric goes."""
STRICT = (
    "A metric can go with the mean of several raters although these do not agree with one another: here some are "
    "stricter than others, which a mean of several evens out in part. With other raters r may well be another."
)
"""The same where strictness explains why they do not agree."""
Mark = Callable[[str], str]


@dataclass(frozen=True)
class Finding:
    """`best`: the metric with the highest Pearson's r with people, `r` over `n` stories of `prompts` prompts; `alike`:
    those that no test tells apart from it, the best first, None where none could be tested. `metrics`: those with
    an r. `one_rater`: one person's r with the others' mean, None where unknown; `disagree`: nothing shows that the
    ratings agree. `seen`: on how many of the study's stories the metric was trained; `ahead`: those with a higher r
    that were trained on some of them, where this one was not. `reader`: where the best metric is a sentinel, which
    reads nothing of what a story says, the best that is none, and its r; "" where there is no other. `falling`:
    metrics whose r is shown to be below 0, the lowest first. `tests`: for how many tests, of every pair of metrics, the
    p behind `alike` are corrected; `decides`: the one nearest to telling otherwise, the least of those that tell
    nothing apart, or the largest where all are told apart. `first_by`: by each of `RANKED_BY` the metric that comes
    first, the best one or another, and its coefficient; `first_within`: where another comes first, or is as close,
    within systems, its r and the best one's there. `not_compared`: the metrics with an r that were trained on stories
    of this study, where this one was not: they are in no test. `negated`: of metrics whose score is minus what their
    name says, what it is. `few`: metrics with scores of too few of the stories, which are in no test and cannot come
    first. `systems`: how the best metric's means of systems go with people's; None where there are not two. `most`: how
    many stories the metric with most has an r over, those that are rated where that is fewer than half of them; those
    of a metric that is being scored are fewer. `rho`: the best metric's Spearman's ρ. `with_length`: of `tests` that of
    the best with the number of words, where that is one of the metrics. `strictness`: of ratings that do not agree,
    what raters' own means do to that, where it is known who rated.
    """

    best: str
    r: Coefficient
    n: int
    prompts: int
    metrics: tuple[str, ...]
    alike: tuple[str, ...] | None
    one_rater: float | None
    disagree: bool
    seen: int = 0
    ahead: tuple[str, ...] = ()
    reader: tuple[str, str] | None = None
    falling: tuple[str, ...] = ()
    tests: int = 0
    decides: float | None = None
    first_by: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    first_within: tuple[str, float, float] | None = None
    not_compared: tuple[str, ...] = ()
    negated: Mapping[str, str] = field(default_factory=dict)
    few: tuple[str, ...] = ()
    systems: SystemCorrelation | None = None
    most: int = 0
    rho: Coefficient = NOTHING
    with_length: PairTest | None = None
    strictness: Strictness | None = None

    @property
    def holds(self) -> bool:
        """Whether there is something to tell others: the ratings agree, the interval is above 0, and the metric was
        not trained on stories of this study.
        """
        return not self.seen and not self.disagree and claimed(self.n, self.prompts) and settled(self.r) > 0

    @property
    def leading(self) -> str:
        """The metric to look at: the best; where that is a baseline, the best that reads what a story says, if it is
        named beside it.
        """
        return self.reader[0] if self.holds and self.reader is not None and self.reader[0] else self.best

    def text(self, mark: Mark = str, by: str = "spearman", doubt: str = "") -> str:
        """The finding; `mark`, `by`, `doubt`: as in `more`."""
        return " ".join((self.first(mark), *self.more(mark, by, doubt)))

    def more(self, mark: Mark = str, by: str = "spearman", doubt: str = "", *, chosen: bool = False) -> tuple[str, ...]:
        """What stands behind the first sentence, each on its own. `mark`: how the name of a metric is written; `by`:
        which of `RANKED_BY` is looked at as well; `doubt`: a sentence on what overturns it. `chosen`: the figures
        beside it are by `by`, so that it says that the finding is not.
        """
        parts = (
            self._beside(mark, by) if chosen else "",
            self._described(mark, by) or doubt,
            self._parted(mark),
            "" if chosen else self._ranked(mark, by),
            self._within(mark),
            self._ordered(mark),
            self._sentinel(mark),
            self._trained(mark),
            self._against(mark),
            self._few(mark),
            self._people(bool(doubt)),
            self._negated(mark),
        )
        return tuple(filter(None, parts))

    def _beside(self, mark: Mark, by: str) -> str:
        """By which coefficient the finding is, and what the one of the figures has first; of ratings that do not agree
        `_described` says both.
        """
        if self.disagree:
            return ""
        own = "This is by Pearson's r, whichever coefficient is chosen"
        if by not in self.first_by:
            return f"{own}."
        name, value = self.first_by[by]
        if len(self.metrics) == 1:
            return f"{own}; {RANKED_BY[by]} is {short(value)}."
        first = f"{mark(name)} comes first" if name != self.best else "it comes first as well"
        return f"{own}; by {RANKED_BY[by]} {first}, {short(value)}."

    def _ranked(self, mark: Mark, by: str) -> str:
        name, value = self.first_by.get(by, (self.best, 0.0))
        if self.disagree or name == self.best:
            return ""
        return f"By {RANKED_BY[by]} {mark(name)} comes first, {short(value)}."

    def _parted(self, mark: Mark) -> str:
        """That ranks do not show what r does."""
        if not self.holds or self.rho.low is None or self.rho.high is None or settled(self.rho) > 0:
            return ""
        ends = f"{short(self.rho.value)} ({short(self.rho.low)} to {short(self.rho.high)})"
        best = mark(self.best)
        ranks = f"{best} goes the other way" if settled(self.rho) < 0 else f"it is open whether {best} agrees"
        return f"By ranks {ranks}, Spearman's ρ {ends}: that depends on the coefficient."

    def _within(self, mark: Mark) -> str:
        if self.disagree or self.first_within is None or not claimed(self.n, self.prompts):
            return ""
        name, value, own = self.first_within
        if value - own >= LEAST_LEAD:
            return f"Within systems {mark(name)} comes first, r {short(value)} ({mark(self.best)} {short(own)})."
        return f"Within systems {as_close(mark(name), value, mark(self.best), own)}"

    def _ordered(self, mark: Mark) -> str:
        early = self.disagree or not claimed(self.n, self.prompts)
        return "" if early else order_sentence(mark(self.best), self.systems, self.metrics)

    def _sentinel(self, mark: Mark) -> str:
        if self.reader is None or not self.holds:
            return ""
        name, r = self.reader
        others = f"; of the metrics that do, {mark(name)} is the best, r {r}" if name else ""
        return f"But {mark(self.best)} is a baseline, and reads nothing of what a story says{others}."

    def _trained(self, mark: Mark) -> str:
        if self.seen:
            return (
                f"But it was trained on {so_many(self.seen, 'story', 'stories')} of this study, so this is no evidence."
            )
        if self.ahead:
            have = "has a higher r, but was" if len(self.ahead) == 1 else "have a higher r, but were"
            return f"{listed(self.ahead, mark)} {have} trained on stories of this study."
        return ""

    def _few(self, mark: Mark) -> str:
        if not self.few or self.disagree or not claimed(self.n, self.prompts):  # then nothing is tested
            return ""
        are, they = ("is", "it has") if len(self.few) == 1 else ("are", "they have")
        return f"{listed(self.few, mark)} {are} in no test: {they} scores of too few of these stories."

    def _against(self, mark: Mark) -> str:
        if self.disagree or not self.falling:
            return ""
        falls = "falls" if len(self.falling) == 1 else "fall"

        def named(name: str) -> str:
            return f"{mark(name)} ({self.negated[name]})" if name in self.negated else mark(name)

        return f"{listed(self.falling, named)} {falls} where people's ratings rise."

    def _negated(self, mark: Mark) -> str:
        if self.best not in self.negated:
            return ""
        return f"The score of {mark(self.best)} is {self.negated[self.best]}: higher is better."

    def first(self, mark: Mark = str) -> str:
        """The sentence that is read first: which metric, how far it agrees, and which others do as well."""
        large, r, best = claimed(self.n, self.prompts), self._agreement(), mark(self.best)
        if self.disagree:
            return "No metric can be judged yet: nothing shows that the ratings agree with one another."
        if not large:
            return (
                f"It is too early to say: {best} is ahead, {r}, over {self.n:,} stories of {self.prompts:,} "
                f"{'prompt' if self.prompts == 1 else 'prompts'}; any claim takes at least {FEWEST_CLAIMED} "
                f"stories of {FEWEST_PROMPTS_CLAIMED} prompts, and to tell two metrics apart takes many more: the Plan "
                "under Form and rules says how many."
            )
        if settled(self.r) <= 0:
            if len(self.metrics) > 1:
                return f"No metric is seen to agree with people: {best} comes first with {r}."
            return f"It is open whether they agree: {best} has {r}."
        if len(self.metrics) == 1:
            return f"{best} agrees with people, {r}. Another metric beside it would say how good that is."
        if self.alike is None:
            return f"{best} agrees best with people, {r}."
        others, corrected = len(self.metrics) - 1, self._by_p()
        first = f"{best} agrees best with people, {r}"
        if not self.alike:
            return f"{first}, and is told apart from {self._others(mark)}{corrected}."
        if len(self.alike) == others > MOST_NAMED:
            untrained = " that were not trained on any of these stories" if self.not_compared else ""
            return f"{first}; it cannot be told apart from any of the other {others:,}{untrained}{corrected}."
        return f"{first}; it cannot be told apart from {listed(self.alike, mark)}{corrected}."

    def all_alike(self) -> str:
        """All that it cannot be told apart from, in a sentence, where the first one counts some; "" elsewhere."""
        tested = not self.disagree and claimed(self.n, self.prompts) and settled(self.r) > 0
        if not tested or self.alike is None or len(self.alike) <= MOST_NAMED:
            return ""
        return f"{self.best} cannot be told apart from {', '.join(self.alike[:-1])} and {self.alike[-1]}."

    def _by_p(self) -> str:
        """For how many tests p is corrected, and the one that decides, where another study might well have decided
        otherwise.
        """
        several = self.alike is not None and len(self.alike) != 1 and len(self.metrics) > 2
        how = ("at least" if self.alike else "at most") if several else "="
        near = self.decides is not None and NEAR[0] < self.decides < NEAR[1]
        p = [f"p {how} {p_digits(self.decides)}"] if near and self.decides is not None else []
        p += [f"corrected for all {self.tests:,} pairs"] if self.tests > 1 else []
        return f" ({', '.join(p)})" if p else ""

    def _agreement(self) -> str:
        """The best one's r, with its interval where that is no artefact: of a few prompts it can be far too narrow."""
        r = f"Pearson's r {short(self.r.value)}"
        if not claimed(self.n, self.prompts):
            return r
        if self.r.low is not None and self.r.high is not None:
            r += f" ({short(self.r.low)} to {short(self.r.high)})"
        return f"{r} over {self.n:,} of {self.most:,} stories" if self.n < self.most else r

    def _described(self, mark: Mark, by: str) -> str:
        """Of ratings that do not agree, which metric comes first, as a description."""
        if not self.disagree:
            return ""
        first = f"Numbers only describe these stories: {mark(self.best)} comes first on them, {self._agreement()}"
        name, value = self.first_by.get(by, (self.best, 0.0))
        if name != self.best:
            first += f"; by {RANKED_BY[by]} {mark(name)}, {short(value)}"
        follows = claimed(self.n, self.prompts) and settled(self.r) > 0
        return f"{first}. {self._despite()}" if follows else f"{first}."

    def _despite(self) -> str:
        """Why a metric can go with the mean of ratings that do not agree; strictness only where alpha shows it."""
        if self.strictness is None:
            return DESPITE
        alpha, centred = self.strictness.alpha.value, self.strictness.centred.value
        decimals = decimals_apart(alpha, centred)
        values = (
            f"is {number(centred, decimals)} once each rater's own mean is taken out ({number(alpha, decimals)} before)"
        )
        if self.strictness.explains:
            return f"{STRICT} Krippendorff's alpha {values}."
        not_so = "That some raters are stricter than others is not shown to explain it"
        return f"{DESPITE} {not_so}: Krippendorff's alpha {values}."

    def _others(self, mark: Mark) -> str:
        """All that it is compared with; those with a higher r are said to be trained in a sentence of their own."""
        if not self.not_compared:
            return "the other metric" if len(self.metrics) == 2 else "every other metric"
        but = f"every other metric but {listed(self.not_compared, mark)}"
        if set(self.not_compared) <= set(self.ahead):
            return but
        return f"{but}, which {'was' if len(self.not_compared) == 1 else 'were'} trained on some of these stories"

    def _people(self, doubted: bool) -> str:
        if self.one_rater is None or self.disagree:
            return ""
        of_all = " over all stories" if doubted else ""
        return f"One person agrees with the others at r {short(self.one_rater)}{of_all}."


def finding(
    names: Sequence[str],
    coefficients: Sequence[Coefficient],
    numbers: Sequence[int],
    tests: Sequence[PairTest],
    *,
    prompts: int,
    one_rater: float | None,
    disagree: bool,
    seen: int = 0,
    ahead: tuple[str, ...] = (),
    sentinels: Collection[str] = (),
    falling: tuple[str, ...] = (),
    first_by: Mapping[str, tuple[str, float]] | None = None,
    first_within: tuple[str, float, float] | None = None,
    not_compared: tuple[str, ...] = (),
    negated: Mapping[str, str] | None = None,
    few: tuple[str, ...] = (),
    systems: SystemCorrelation | None = None,
    rho: Coefficient = NOTHING,
) -> Finding | None:
    """The finding; None where no metric has a correlation.

    Of each metric its name, Pearson's r and number of stories. `tests`: of the best one, always the `a`, with others.
    `prompts`: of the stories of the best one; `one_rater`, `disagree`, `seen`, `ahead`, `falling`, `first_by`,
    `first_within`, `not_compared`, `negated`, `few`, `systems`, `rho`: as in `Finding`; `sentinels`: those of the names
    that are such metrics.
    """
    known = [place for place, r in enumerate(coefficients) if r.value is not None]
    if not known:
        return None
    best = max(known, key=lambda place: (coefficients[place].value or 0.0, -place))
    order = sorted(known, key=lambda place: -(coefficients[place].value or 0.0))
    known_p = [test for test in tests if test.p_holm is not None]
    tested = {test.b: test.separated for test in known_p}
    p_alike = [test.p_holm for test in known_p if test.p_holm is not None and not test.separated]
    p_apart = [test.p_holm for test in known_p if test.p_holm is not None and test.separated]
    alike = tuple(names[place] for place in order if tested.get(names[place]) is False)
    readers = [(names[place], short(coefficients[place].value)) for place in order if names[place] not in sentinels]
    return Finding(
        names[best],
        coefficients[best],
        numbers[best],
        prompts,
        tuple(names[place] for place in known),
        alike if tested else None,
        one_rater,
        disagree,
        seen,
        ahead,
        None if names[best] not in sentinels else readers[0] if readers else ("", ""),
        falling,
        max((test.tests for test in known_p), default=0),
        min(p_alike) if p_alike else max(p_apart, default=None),
        first_by or {},
        first_within,
        not_compared,
        negated or {},
        few,
        systems,
        max(numbers[place] for place in known),
        rho,
    )


def corrected_for(tests: int) -> str:
    """For behind what so many tests say: that their p are corrected for their number; nothing of a single one."""
    return f" (corrected for all {tests:,} pairs)" if tests > 1 else ""


def as_close(name: str, value: float, best: str, own: float) -> str:
    """For behind "within systems": that a metric goes with people about as closely as the `best` over all stories,
    though it does not there. `value`, `own`: both metrics' r.
    """
    decimals = decimals_apart(value, own)
    rs = f"r {number(value, decimals)} against {number(own, decimals)}"
    return f"{name} goes with people about as closely as {best}, {rs}, though its r over all stories is lower."


def short(value: float | None) -> str:
    """As sentences have it."""
    return number(value)


def listed(names: Sequence[str], mark: Mark) -> str:
    """The first few names, and how many more there are."""
    shown = [mark(name) for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMED} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]
