"""Control stories that annotators fail so often that the story may be to blame."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.annotation.panel_summary import PanelSummary
from core.annotation.scheme import QualityRules
from core.stories import Source

ENOUGH_PANELS = 3
"""Panels that must have judged a control before it can be called bad."""


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
