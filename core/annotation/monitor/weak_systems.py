"""Systems whose stories annotators find no better than damaged ones: there the rule may reject careful people."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.annotation.panel_summary import PanelSummary
from core.annotation.scheme import QualityRules
from core.stories import Source

ENOUGH_RATINGS = 10
"""Of a system's stories, and as many of damaged ones: a mean of fewer says little."""
AS_LOW = 0.1
"""Of the way from the damaged stories' mean to the human ones': up to there a mean is as low as the damaged ones'."""


@dataclass(frozen=True)
class MeanRating:
    """The mean of so many ratings of stories from one source, on the criteria by which controls are judged, over all
    panels handed in; `system`: of systems' stories the one that wrote them.
    """

    source: Source
    system: str
    ratings: int
    mean: float


@dataclass(frozen=True)
class WeakSystem:
    """A system whose stories are rated as low as damaged ones, and both means."""

    system: str
    mean: float
    damaged: float


def weak_systems(
    means: Sequence[MeanRating], panels: Iterable[PanelSummary], rules: QualityRules
) -> tuple[WeakSystem, ...]:
    """Those systems, the lowest first; none before a panel was rejected for its damaged story.

    The rule takes it that a damaged story is plainly worse than those beside it. Where people rate a system's stories
    as low, it is not: then a rating above the limit tells how lenient somebody is rather than how carelessly they read.
    Means are over all panels, also rejected ones: among valid panels damaged stories are rated low because the rule
    left out the others. Careless ratings draw all means together; so "as low" is a small part of the distance between
    damaged and human stories, and where human ones are rated no higher nothing is said: such ratings tell nothing
    apart. Without human controls it is the damaged stories' mean or less.
    """
    if not any(panel.negative is not None and panel.negative > rules.negative_most for panel in panels):
        return ()
    enough = [mean for mean in means if mean.ratings >= ENOUGH_RATINGS]
    damaged, human = (
        next((mean.mean for mean in enough if mean.source is source), None)
        for source in (Source.NEGATIVE, Source.HUMAN)
    )
    if damaged is None or (human is not None and human <= damaged):
        return ()
    limit = damaged if human is None else damaged + AS_LOW * (human - damaged)
    low = [mean for mean in enough if mean.source is Source.SYSTEM and mean.mean <= limit]
    return tuple(WeakSystem(mean.system, mean.mean, damaged) for mean in sorted(low, key=lambda mean: mean.mean))
