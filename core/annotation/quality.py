"""Quality control: a panel counts as a whole, with all its ratings, or not at all (OpenMEVA section 3.1).

What rejects is the rule alone. Flags ask a person to look, and never reject.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from core.annotation.panel_summary import PanelSummary, UnitKey
from core.annotation.scheme import QualityRules, Scheme
from core.annotation.spans import Span
from core.statistics.agreement import krippendorff_alpha, rating_table
from core.stories import Source

if TYPE_CHECKING:
    from core.annotation.raters import AgreementSummary  # with SciPy's statistics, which a worker starts without

WORDS_A_MINUTE = 600
"""Faster than that nobody reads a text to its end: skimming loses the sense above 400 to 500 (Rayner et al. 2016)."""
CONTRADICTION = 2
"""Points between a rating and what its deductions imply that are far."""
VERY_LOW = 0.25
"""Of the scale, from its lowest end: a rating in there without a deduction wants one."""
ASKED = "annotators are asked once whether they mean such a rating, and told that they may"
"""What the form does about a rating that its deductions contradict: who flags it must not blame them for it."""
STRAIGHT = 3
"""Answers that must be equal before that says anything."""
ENOUGH_PANELS = 3
"""Panels that must have judged a control before it can be called bad."""
ENOUGH_ANNOTATORS = 5
ENOUGH_STORIES = 10
FAR_BELOW = 3.0
"""Standard errors, or standard deviations among the annotators, whichever is more."""


class Payment(StrEnum):
    """What a person is owed for a panel; apart from its validity, because a platform's rules keep them apart."""

    DUE = "due"
    PAID = "paid"
    WITHHELD = "withheld"


def lowest_unexplained(scheme: Scheme) -> float:
    """The highest rating that contradicts that nothing was deducted; below the scale where none does."""
    return min(scheme.lowest + VERY_LOW * (scheme.highest - scheme.lowest), scheme.highest - CONTRADICTION)


def contradicts(scheme: Scheme, overall: float, deductions: Mapping[str, int]) -> bool:
    """Whether a rating and its deductions do not go together, in a scheme that deducts: it is `CONTRADICTION` points or
    more above what they imply, or it is very low and nothing was deducted. A rating that is lower than the points add
    up to contradicts nothing: not every fault is of a type that there is.
    """
    if not scheme.deducts:
        return False
    if overall - scheme.implied_rating(deductions) >= CONTRADICTION:
        return True
    return not any(deductions.values()) and overall <= lowest_unexplained(scheme)


def contradiction_note(
    scheme: Scheme, rules: QualityRules, source: Source, values: Mapping[str, float], deductions: Mapping[str, int]
) -> str:
    """What of a story's answers does not go together, as its study's owner reads it; "" where `contradicts` is false.
    Of a negative story a low rating is what the rules ask for.
    """
    rated = values.get(scheme.main.name)
    if rated is None or not contradicts(scheme, rated, deductions):
        return ""
    if any(deductions.values()):
        what = f"rated {rated:g}, while the deductions leave {scheme.implied_rating(deductions)}"
    else:
        what = f"rated {rated:g} with nothing deducted"
    wanted = source is Source.NEGATIVE and scheme.controls and rated <= rules.negative_most
    right = " A low rating is right for a negative story." if wanted else ""
    return f"Flagged: {what}. {ASKED[0].upper()}{ASKED[1:]}.{right}"


@dataclass(frozen=True)
class PanelVerdict:
    """Whether a panel's ratings may be used, and if not, why: for the study owner's eyes, never the annotator's."""

    valid: bool
    reason: str = ""


@dataclass(frozen=True)
class StudyProgress:
    """A study's slots and what became of them, in assignments: panels, stories or pairs, as the scheme has it.

    `wanted`: units times the ratings wanted; `valid` fill a slot, `open` are begun and still hold theirs.
    """

    wanted: int
    valid: int
    rejected: int
    open: int
    surplus: int

    @property
    def left(self) -> int:
        """Valid assignments still to come."""
        return max(0, self.wanted - self.valid)


@dataclass(frozen=True)
class HandedIn:
    """A panel that was handed in, as its study's owner reads it to decide about it; `appeal`: the annotator's note."""

    id: int
    study_id: int
    annotator: str
    prompt: str
    state: str
    valid: bool
    reason: str
    overridden: bool
    payment: str
    payment_reason: str
    payment_category: str
    appeal: str


@dataclass(frozen=True)
class ReadStory:
    """A story of a panel as its owner reads it: where it is from, and what the annotator said of it; `values` by
    criterion. Of a panel of pairs, `pair` is the number of the story's, from 1; of its two stories the first has what
    was said, how it compares with the second, and both have their `opening`.

    `spans`: the passages given as evidence, by error type, in code points of the text. `flag`: see
    `contradiction_note`.
    """

    letter: str
    origin: str
    text: str
    values: Mapping[str, float]
    deductions: Mapping[str, int]
    spans: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    comment: str = ""
    opening: str = ""
    pair: int = 0
    flag: str = ""


@dataclass(frozen=True)
class BadControl:
    """A control story that annotators failed: look at the story before you blame the people. `given`: what those gave
    it who failed it, the lowest first.
    """

    prompt_id: int
    prompt: str
    source: Source
    failed: int
    judged: int
    given: tuple[float, ...]

    @property
    def by_most(self) -> bool:
        """Whether most annotators failed it, of enough to say so."""
        return _by_most(self.failed, self.judged)


@dataclass(frozen=True)
class BadControlPair:
    """A pair of an undamaged and a damaged story, by their ids, that annotators failed."""

    undamaged: int
    damaged: int
    failed: int
    judged: int

    @property
    def by_most(self) -> bool:
        """Whether most annotators failed it, of enough to say so."""
        return _by_most(self.failed, self.judged)


def _by_most(failed: int, judged: int) -> bool:
    return judged >= ENOUGH_PANELS and failed * 2 > judged


@dataclass(frozen=True)
class WhatIf:
    """What other rules would have made of the panels collected.

    `counted`: the panels that would count. `complete`: slots' units with all ratings wanted, and `ratings_a_story`:
    both with what was imported. `alpha`: Krippendorff's, at the scheme's level, of the panels' ratings that would
    count, controls left out.
    """

    judged: int
    rejected: int
    counted: int
    complete: int
    units: int
    ratings_a_story: float
    alpha: float | None


def judge_panel(human: Iterable[float], negative: Iterable[float], rules: QualityRules) -> PanelVerdict:
    """Judge a panel by its controls: the ratings of its human stories and of its negative stories, on every criterion
    by which they are judged.
    """
    reasons = []
    worst_human, best_negative = min(human, default=None), max(negative, default=None)
    if worst_human is not None and worst_human < rules.human_least:
        reasons.append(f"the human story was rated {worst_human:g}, below {rules.human_least}")
    if best_negative is not None and best_negative > rules.negative_most:
        reasons.append(f"the negative story was rated {best_negative:g}, above {rules.negative_most}")
    return PanelVerdict(not reasons, "; ".join(reasons))


def judge_pairs(preferred: Iterable[float], rules: QualityRules) -> PanelVerdict:
    """Judge a panel of pairs by its controls: by how much the undamaged story of each was found better than the damaged
    one, below 0 where it was found worse.
    """
    worst = min(preferred, default=None)
    if worst is None or worst >= rules.human_least:
        return PanelVerdict(True)
    if worst > 0:
        return PanelVerdict(False, f"the undamaged story was found better by {worst:g}, below {rules.human_least}")
    return PanelVerdict(False, f"the damaged story was found {'better' if worst < 0 else 'as good'}")


def preferred_to_damaged(pairs: Iterable[tuple[Source, Source, float]]) -> list[float]:
    """By how much the undamaged story was found better, of the pairs that have one damaged story; each pair is the
    sources of the story shown first and of the other, and how the first was found to compare.
    """
    return [
        -value if first is Source.NEGATIVE else value
        for first, second, value in pairs
        if (first is Source.NEGATIVE) != (second is Source.NEGATIVE)
    ]


def judge_summary(panel: PanelSummary, rules: QualityRules) -> PanelVerdict:
    """Judge a panel by its summary, as `judge_panel` or `judge_pairs` does by its ratings."""
    if panel.controls:
        return judge_pairs([pair.better_by for pair in panel.controls], rules)
    human, negative = ([] if given is None else [given] for given in (panel.human, panel.negative))
    return judge_panel(human, negative, rules)


def is_paused(verdicts: Sequence[bool], rules: QualityRules) -> bool:
    """Whether somebody with these verdicts, the oldest first, gets no other panel: the last few were all rejected.

    A run rather than a share: it catches who fails from the start and who stops reading later, and a careful person who
    fails a panel now and then does not come to it, however many they have rated.
    """
    last = verdicts[-rules.pause_after :] if rules.pause_after else ()
    return bool(last) and len(last) == rules.pause_after and not any(last)


def comparable(annotators: "Mapping[int, AgreementSummary]") -> dict[int, tuple[float, int]]:
    """Pearson's r with the others and the number of stories shared, of each annotator who shares enough of them."""
    return {
        number: (annotator.pearson, annotator.n)
        for number, annotator in annotators.items()
        if annotator.n >= ENOUGH_STORIES and annotator.pearson is not None
    }


def flags(panels: Iterable[PanelSummary], agreement: Mapping[int, tuple[float, int]]) -> dict[int, tuple[str, ...]]:
    """Remarks on panels, by panel id; panels without any are left out. Each is a short reason, a colon and what it is.
    `agreement`: see `comparable`.
    """
    below = far_below(agreement)
    result: dict[int, tuple[str, ...]] = {}
    for panel in panels:
        remarks = []
        pace = panel.words / panel.seconds * 60 if panel.seconds > 0 else 0.0  # a clock set back tells nothing
        if pace > WORDS_A_MINUTE:
            remarks.append(f"too fast: {panel.words:,} words in {panel.seconds:.0f} s, {pace:,.0f} a minute")
        if panel.answers >= STRAIGHT and panel.lowest == panel.highest:
            remarks.append(_all_alike(panel))
        elif panel.straight and panel.straight * 2 >= panel.stories:
            one = "the one story" if panel.stories == 1 else f"{panel.straight} of {panel.stories} stories"
            remarks.append(f"criteria alike: the same number on all of them in {one}")
        if panel.inattentive:
            remarks.append("attention check: not answered as it asks")
        if panel.turned:
            remarks.append("choice changed: of the pair that was shown again, the other story was found better")
        if panel.contradictions:
            stories = "story's rating does" if panel.contradictions == 1 else "stories' ratings do"
            apart = f"{panel.contradictions} {stories} not go with the points deducted"
            remarks.append(f"rating far from its deductions: {apart} ({ASKED})")
        if panel.person_id in below:
            remarks.append(
                f"low agreement: r with the others is {agreement[panel.person_id][0]:.2f}, far below the rest's"
            )
        if remarks:
            result[panel.id] = tuple(remarks)
    return result


def in_short(remarks: Iterable[Sequence[str]]) -> str:
    """Why panels are flagged: the short reasons, the most frequent first, with a number where several have one; "" of
    none. `remarks`: of each panel.
    """
    reasons = Counter(remark.partition(":")[0] for some in remarks for remark in some)
    return ", ".join(f"{reason} ({n:,})" if n > 1 else reason for reason, n in reasons.most_common())


def _all_alike(panel: PanelSummary) -> str:
    if panel.unit[2] is None:
        return f"ratings alike: all {panel.answers} are {panel.lowest:g}"
    side = "the first" if panel.lowest > 0 else "the second" if panel.lowest < 0 else "neither"
    return f"choices alike: in all {panel.answers} pairs {side} story was found better, by as much"


def far_below(agreement: Mapping[int, tuple[float, int]]) -> set[int]:
    """Whose agreement with the others lies far below everybody's; nobody's where there are too few people to say.

    Compared by Fisher's z, whose standard error is 1 / sqrt(n - 3) for n stories, with the median annotator; the
    spread among them is robust (median absolute deviation), so that a few careless ones do not hide one another.
    """
    if len(agreement) < ENOUGH_ANNOTATORS:
        return set()
    scores = {person: np.arctanh(np.clip(r, -0.999, 0.999)) for person, (r, _) in agreement.items()}
    middle = np.median(list(scores.values()))
    spread = np.median([abs(score - middle) for score in scores.values()]) / 0.6745
    return {
        person
        for person, (_, stories) in agreement.items()
        if middle - scores[person] > FAR_BELOW * max(spread, 1 / np.sqrt(stories - 3))
    }


def bad_controls(panels: Iterable[PanelSummary], rules: QualityRules) -> list[BadControl]:
    """The control stories that any panel failed: first those that most of enough panels did, and the worst first."""
    judged: Counter[tuple[int, Source]] = Counter()
    failed: defaultdict[tuple[int, Source], list[float]] = defaultdict(list)
    prompts = {}
    for panel in panels:
        prompt = panel.unit[0]
        prompts[prompt] = panel.prompt
        if panel.human is not None:
            judged[prompt, Source.HUMAN] += 1
            if panel.human < rules.human_least:
                failed[prompt, Source.HUMAN].append(panel.human)
        if panel.negative is not None:
            judged[prompt, Source.NEGATIVE] += 1
            if panel.negative > rules.negative_most:
                failed[prompt, Source.NEGATIVE].append(panel.negative)
    results = [
        BadControl(prompt, prompts[prompt], source, len(given), number, tuple(sorted(given)))
        for (prompt, source), number in judged.items()
        if (given := failed[prompt, source])
    ]
    return sorted(results, key=lambda found: (not found.by_most, -found.failed / found.judged, found.prompt_id))


def bad_control_pairs(panels: Iterable[PanelSummary], rules: QualityRules) -> list[BadControlPair]:
    """What `bad_controls` finds, in studies of pairs. A panel that shows a pair twice has judged it once, and failed it
    if it did so either time.
    """
    judged: Counter[tuple[int, int]] = Counter()
    failed: Counter[tuple[int, int]] = Counter()
    for panel in panels:
        judged.update({pair[:2] for pair in panel.controls})
        failed.update({pair[:2] for pair in panel.controls if pair.better_by < rules.human_least})
    results = [BadControlPair(*pair, failed[pair], number) for pair, number in judged.items() if failed[pair]]
    return sorted(results, key=lambda found: (not found.by_most, -found.failed / found.judged, found.damaged))


def what_if(
    panels: Iterable[PanelSummary],
    given: Mapping[int, Sequence[tuple[int, float]]],
    rules: QualityRules,
    scheme: Scheme,
    units: int,
    imported: Mapping[UnitKey, int] | None = None,
) -> WhatIf:
    """Judge the panels collected by other rules. `given`: each panel's ratings (story, overall), controls left out.

    As when they are judged again: what counts now and stays valid goes on counting, then come the oldest, up to the
    ratings wanted; panels that a person has decided on keep that decision. `units`: how many slots' units the study
    has; `imported`: how many ratings of each came with an import. A try of somebody who runs studies may count, and is
    not among those judged.
    """
    filled: Counter[UnitKey] = Counter(imported or {})
    judged = counted = rejected = 0
    ratings: dict[int, list[float]] = {}
    for panel in sorted(panels, key=lambda panel: (not panel.counts, panel.id)):
        valid = panel.valid if panel.overridden else judge_summary(panel, rules).valid
        if not panel.own_try:
            judged += 1
            rejected += not valid
        if not valid or (filled[panel.unit] >= rules.ratings_wanted and not panel.counts):
            continue
        filled[panel.unit] += 1
        counted += 1
        for story, overall in given.get(panel.id, ()):
            ratings.setdefault(story, []).append(overall)
    return WhatIf(
        judged=judged,
        rejected=rejected,
        counted=counted,
        complete=sum(number >= rules.ratings_wanted for number in filled.values()),
        units=units,
        ratings_a_story=filled.total() / units if units else 0.0,
        alpha=krippendorff_alpha(rating_table(list(ratings.values())), scheme.level) if ratings else None,
    )
