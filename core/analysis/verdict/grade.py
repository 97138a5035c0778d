"""How good the evidence is that a metric agrees with people, in a word, and a report's verdict in three sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.analysis.correlation.partial import Partial
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.finding import short
from core.analysis.verdict.openings import with_ends
from core.analysis.verdict.sentences import (
    FEW_PROMPTS,
    FEW_STORIES,
    FEWEST_CLAIMED,
    FEWEST_PROMPTS_CLAIMED,
    Basis,
    VerdictSentence,
    claimed,
    settled,
)
from core.analysis.verdict.training import NO_EVIDENCE
from core.statistics.correlation import NOTHING, Coefficient, Correlation

SENTENCES = 3
LENGTH_ITSELF = "it is the number of words itself"
"""Why a metric is not held against the number of words."""


class Grade(StrEnum):
    """From the best on; each means what `GRADES` says of it."""

    STRONG = "strong"
    MODERATE = "moderate"
    WEAK = "weak"
    NONE = "none"
    AGAINST = "against"


DISAGREE = "nothing shows that the ratings agree with one another"
TOO_FEW = "too few stories or prompts to claim anything"
OPEN = "the interval of its correlation holds 0"
ALIKE = "it gives nearly all stories one score, too few others for an interval"
FEW = f"there are fewer than {FEW_STORIES} stories or {FEW_PROMPTS} prompts"
INSIDE = "nothing shows that it does so within a system"
LENGTH = "it may do no better than the number of words"
NO_RATER = "what one human rater reaches is unknown"
OF_MEANS = "what one human rater reaches is unknown, as the ratings are means"
BELOW = "it stays below one human rater"
"""What keeps a metric from a better grade."""
REMEDIES = {
    DISAGREE: "ratings that agree with one another, by clearer instructions or more of them a story",
    NO_EVIDENCE: "stories that it was not trained on",
    TOO_FEW: f"{FEWEST_CLAIMED} rated stories of {FEWEST_PROMPTS_CLAIMED} prompts or more",
    OPEN: "more rated stories, which make the interval narrower",
    FEW: f"{FEW_STORIES} rated stories of {FEW_PROMPTS} prompts or more",
    INSIDE: "more rated stories of each system",
    LENGTH: "more rated stories, or stories of one length",
    NO_RATER: "two ratings a story or more",
    OF_MEANS: "the single ratings behind the means",
}
"""What could change that; nothing where another metric alone would."""

ALSO_INSIDE = "within systems too"
"""In what the best two grades say: a number can stand behind it."""
GRADES = {
    Grade.STRONG: f"it agrees with people {ALSO_INSIDE}, more than length does, and is not below one human rater",
    Grade.MODERATE: f"it agrees with people {ALSO_INSIDE}, and more than length does",
    Grade.WEAK: "it agrees with people over all stories",
    Grade.NONE: "nothing shows that it agrees with people",
    Grade.AGAINST: "it falls where people's ratings rise",
}
"""What each grade says of a metric: the conditions are those of `grade_of`."""
TITLES = {Grade.NONE: "No evidence", Grade.AGAINST: "Evidence against it"}
"""What the grade is called in a sentence, where it is not `strong evidence`."""


@dataclass(frozen=True)
class Graded:
    """The grade, and what keeps it from a better one, in words; nothing where it is the best. `inside`: Pearson's r
    within systems, in the best two grades and where it keeps a metric from them; `without`: the same without the
    stories of `left_out`, as "the 18 stories that repeat themselves", where it is shown to be above 0; `length`: what
    the number of words reaches beside it, as a sentence, where that keeps it from a better one.
    """

    grade: Grade
    reasons: tuple[str, ...]
    inside: Coefficient | None = None
    without: Coefficient | None = None
    left_out: str = ""
    length: str = ""

    @property
    def text(self) -> str:
        """What it says, with what keeps it from a better grade."""
        if self.grade is Grade.NONE and self.reasons:  # too few stories show nothing, and speak against nothing either
            return "; ".join(self.reasons)
        if self.grade in (Grade.STRONG, Grade.MODERATE):
            reasons = f" ({'; '.join(self.reasons)})" if self.reasons else ""
            return GRADES[self.grade].replace(ALSO_INSIDE, f"{ALSO_INSIDE}{self._inside}") + reasons
        if self.grade is Grade.WEAK:
            return ". ".join((f"{GRADES[self.grade]}, but {', and '.join(self.reasons)}", *self._behind_reasons))
        return GRADES[self.grade]

    @property
    def _inside(self) -> str:
        """How far it agrees within systems, to stand behind that it does."""
        return "" if self.inside is None or self.inside.value is None else f", r {with_ends(self.inside)}"

    @property
    def _behind_reasons(self) -> tuple[str, ...]:
        """The numbers behind weak evidence, a sentence for each reason that has some: read after what they show."""
        sentences = []
        if INSIDE in self.reasons and self.inside is not None:
            sentences.append(f"Within systems r is {with_ends(self.inside)}")
        if self.without is not None:  # a few stories alone hide that it agrees within a system
            r = with_ends(self.without)
            sentences.append(f"Without {self.left_out} it is shown to agree within a system as well, r {r}")
        if LENGTH in self.reasons and self.length:
            sentences.append(self.length)
        return tuple(sentences)

    @property
    def sentence(self) -> str:
        """The grade with what it says."""
        return f"{TITLES.get(self.grade, f'{self.grade.capitalize()} evidence')}: {self.text}."

    @property
    def advice(self) -> str:
        """What could make the evidence stronger; "" where nothing about the study could."""
        wanted = [REMEDIES[reason] for reason in self.reasons if reason in REMEDIES]
        return f"What could make it stronger: {'; '.join(wanted)}." if wanted else ""


def grade_of(
    overall: Correlation,
    *,
    prompts: int,
    partial: Partial,
    against_words: PairTest,
    one_rater: float | None,
    disagree: bool,
    means: bool = False,
    seen: int = 0,
    corrected: PairTest | None = None,
    inside_without: Coefficient = NOTHING,
    left_out: str = "",
) -> Graded:
    """Grade the evidence by 95 % intervals and the paired test against the number of words.

    `prompts`: of the correlated stories; `one_rater`: one person's r with the mean of the others; `disagree`: the
    ratings do not agree, and carry nothing; `means`: there are means of several raters; `seen`: on how many of the
    study's stories the metric was trained; `corrected`: the test with the number of words among those with all metrics,
    where that is one of them: who reads that nothing tells the two apart must not read beside it that one does better;
    `inside_without`: r within systems without degenerate stories, where that is known; `left_out`: which these are.
    """
    r = overall.pearson
    if disagree:
        return Graded(Grade.NONE, (DISAGREE,))
    if seen:
        return Graded(Grade.NONE, (NO_EVIDENCE,))
    if not claimed(overall.n, prompts):
        return Graded(Grade.NONE, (TOO_FEW,))
    if settled(r) < 0:
        return Graded(Grade.AGAINST, ())
    if settled(r) == 0:
        return Graded(Grade.NONE, (ALIKE if r.value is not None and r.low is None else OPEN,))
    weak, inside, without = [], None, None
    if overall.n < FEW_STORIES or prompts < FEW_PROMPTS:
        weak.append(FEW)
    if partial.within_systems.undefined is None and settled(partial.within_systems.r) <= 0:
        weak.append(INSIDE)
        inside = partial.within_systems.r
        without = inside_without if settled(inside_without) > 0 else None
    alone = against_words.separated and (against_words.difference or 0.0) > 0
    if not alone or (corrected is not None and not corrected.separated):
        weak.append(LENGTH_ITSELF if against_words.undefined == LENGTH_ITSELF else LENGTH)
    if weak:
        length = _beside_length(r, partial, against_words, corrected) if LENGTH in weak else ""
        return Graded(Grade.WEAK, tuple(weak), inside, without, left_out, length)
    within = partial.within_systems.r
    if one_rater is None:
        return Graded(Grade.MODERATE, (OF_MEANS if means else NO_RATER,), within)
    if r.high is None or r.high < one_rater:
        return Graded(Grade.MODERATE, (BELOW,), within)
    return Graded(Grade.STRONG, (), within)


def _beside_length(r: Coefficient, partial: Partial, test: PairTest, corrected: PairTest | None) -> str:
    """How ratings go with the number of words, beside the metric's r: sizes are compared, whatever their sign."""
    words = partial.words.r
    if words.value is None or r.value is None or test.difference is None:
        return ""
    way = {
        1: f"Ratings rise with the number of words, r {short(words.value)}, and",
        -1: f"Ratings fall with the number of words, r {short(words.value)}: that is the other way, but in size",
        0: f"The number of words has r {short(words.value)} with ratings, and{' in size' if words.value < 0 else ''}",
    }[settled(words)]
    larger = "larger" if words.value < 0 else "higher"
    if test.separated and test.difference > 0 and corrected is not None and corrected.p_holm is not None:
        outcome = f"{larger} by a test of these two alone, not by one corrected for all pairs"
    elif test.separated:
        outcome = "the lower one"
    else:
        outcome = f"not surely {larger}"
    equal, still = partial.equal_length, ""
    if equal.undefined is None and settled(equal.r) > 0:
        still = f"; at equal length it has {short(equal.r.value)}, {short(equal.r.low)} to {short(equal.r.high)}"
    return f"{way} the metric's {short(r.value)} is {outcome}{still}"


def in_short(verdict: Sequence[VerdictSentence]) -> tuple[VerdictSentence, ...]:
    """The three sentences that are read first: that the metric was trained on the study, where it was; that the ratings
    do not agree, where they do not; whether the metric agrees with them, how it compares, and what limits that most.
    """
    order_of = (Basis.AGREEMENT, Basis.CORRELATION, Basis.RANK)
    first = [next((one for one in verdict if one.about is about), None) for about in order_of]
    # That it was trained on the study comes first: all else is worth nothing then.
    trained = [sentence for sentence in verdict if sentence.decisive and sentence.about is Basis.SAMPLE]
    chosen = [*trained, *(one for one in first if one is not None)]
    rest = [one for one in verdict if one not in chosen]
    order = sorted(rest, key=lambda sentence: (not sentence.decisive, not sentence.caution))
    return tuple([*chosen, *order][:SENTENCES])
