"""Quality control: a panel counts as a whole, with all its ratings, or not at all (OpenMEVA section 3.1).

What rejects is the rule alone.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from core.annotation.panel import Answer
from core.annotation.panel_summary import PanelSummary, UnitKey
from core.annotation.scheme import QualityRules, Scheme
from core.annotation.spans import Span
from core.statistics.agreement import krippendorff_alpha, rating_table
from core.stories import Source

CONTRADICTION = 2
"""Points between a rating and what its deductions imply that are far."""
VERY_LOW = 0.25
"""Of the scale, from its lowest end: a rating in there without a deduction wants one."""


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


def contradiction_note(scheme: Scheme, rules: QualityRules, source: Source, answer: Answer, *, meant: bool) -> str:
    """What of a story's answers does not go together, as its study's owner reads it; "" where `contradicts` is false.
    `meant`: the form asked about it, and it stayed, which is flagged no more. Of a negative story a low rating is what
    the rules ask for.
    """
    values, deductions = answer.values, answer.deductions
    rated = values.get(scheme.main.name)
    if rated is None or not contradicts(scheme, rated, deductions):
        return ""
    if any(deductions.values()):
        what = f"rated {rated:g}, while the deductions leave {scheme.implied_rating(deductions)}"
    else:
        what = f"rated {rated:g} with nothing deducted"
    wanted = source is Source.NEGATIVE and scheme.controls and rated <= rules.negative_most
    right = " A low rating is right for a negative story." if wanted else ""
    if meant:
        return f"Asked about, and kept: {what}. So it is not flagged.{right}"
    return f"Flagged: {what}. Nobody asked the annotator whether that is meant.{right}"


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
    """A panel that was handed in, as its study's owner reads it to decide about it; `appeal`: the annotator's note.

    `note_waits`: nobody has decided since it was left.
    """

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
    note_waits: bool


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


def rules_in_words(scheme: Scheme, rules: QualityRules) -> str:
    """By which controls a panel counts, and what an attention check does; "" of a scheme that has neither."""
    sentences = []
    if scheme.controls and scheme.unit.of_pairs:
        least = f"better by at least {rules.human_least}" if rules.human_least else "no worse"
        sentences.append(f"A panel counts where the undamaged story of every control pair is found {least}.")
    elif scheme.controls:
        on = f", on {' and '.join(rules.judging(scheme))}" if len(scheme.criteria) > 1 else ""
        sentences.append(
            f"A panel counts where its human story is rated at least {rules.human_least} and its damaged story at most "
            f"{rules.negative_most}{on}."
        )
    if scheme.check is not None:
        sentences.append("Who fails the attention check is flagged and not rejected.")
    return " ".join(sentences)


def is_paused(verdicts: Sequence[bool], rules: QualityRules) -> bool:
    """Whether somebody with these verdicts, the oldest first, gets no other panel: the last few were all rejected.

    A run rather than a share: it catches who fails from the start and who stops reading later, and a careful person who
    fails a panel now and then does not come to it, however many they have rated.
    """
    last = verdicts[-rules.pause_after :] if rules.pause_after else ()
    return bool(last) and len(last) == rules.pause_after and not any(last)


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
