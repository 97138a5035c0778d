"""Flags on panels that look odd: they ask a person to look, and never reject."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.annotation.panel_summary import PanelSummary

if TYPE_CHECKING:
    from core.annotation.raters import AgreementSummary  # with SciPy's statistics, which a worker starts without

WORDS_A_MINUTE = 600
"""Faster than that nobody reads a text to its end: skimming loses the sense above 400 to 500 (Rayner et al. 2016)."""
STRAIGHT = 3
"""Answers that must be equal before that says anything."""
ENOUGH_ANNOTATORS = 5
ENOUGH_STORIES = 10
FAR_BELOW = 3.0
"""Standard errors, or standard deviations among the annotators, whichever is more."""


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
            remarks.append(f"rating far from its deductions: {apart}, and nobody asked whether that is meant")
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
