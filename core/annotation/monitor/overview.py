"""A study in progress as figures: all that its Monitor shows of one state of the data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from core.annotation.monitor.bad_controls import BadControl, BadControlPair, bad_control_pairs, bad_controls
from core.annotation.monitor.flags import comparable, flags
from core.annotation.monitor.pace import PaceStep, arrivals
from core.annotation.monitor.roster import AnnotatorRow, StudyData, roster
from core.annotation.monitor.weak_systems import WeakSystem, weak_systems
from core.annotation.panel_summary import PanelSummary
from core.annotation.scheme import QualityRules
from core.payments import Pay, Sums


@dataclass(frozen=True)
class Overview:
    """`panels`: those handed in, the oldest first. `remarks`: their flags, by panel; tries of people who run studies
    have none, as nobody need look for careless work there.

    Of those `judged`: `controls`: those most failed, `control_pairs`: of pairs; `steps`: what came in over time;
    `times`: when each did; `weak`: systems whose stories are rated as low as damaged ones. `begun`: when the first
    panel was begun, None before.
    """

    pay: Pay
    panels: tuple[PanelSummary, ...]
    remarks: Mapping[int, tuple[str, ...]]
    controls: tuple[BadControl, ...]
    control_pairs: tuple[BadControlPair, ...]
    people: tuple[AnnotatorRow, ...]
    sums: Sums
    steps: tuple[PaceStep, ...]
    times: tuple[datetime, ...]
    weak: tuple[WeakSystem, ...]
    begun: datetime | None

    @property
    def judged(self) -> tuple[PanelSummary, ...]:
        """The panels that tell how annotators work: tries of people who run studies do not."""
        return _judged(self.panels)

    @property
    def rejected(self) -> int:
        """How many of those judged were rejected."""
        return sum(not panel.valid for panel in self.judged)

    def own_tries(self, person_id: int | None = None) -> int:
        """Panels of people who run studies, or of this one of them."""
        return sum(panel.own_try and person_id in (None, panel.person_id) for panel in self.panels)


def _judged(panels: Iterable[PanelSummary]) -> tuple[PanelSummary, ...]:
    return tuple(panel for panel in panels if not panel.own_try)


def overview(data: StudyData, rules: QualityRules) -> Overview:
    """Make it; panels without controls fail none."""
    judged = _judged(data.panels)
    remarks = flags(judged, comparable(data.agreement))
    people = roster(data, remarks)
    times = tuple(panel.submitted_at for panel in judged)
    return Overview(
        data.pay,
        data.panels,
        remarks,
        tuple(bad_controls(judged, rules)),
        tuple(bad_control_pairs(judged, rules)),
        people,
        sum((row.sums for row in people), Sums()),
        tuple(arrivals(times, [panel.valid for panel in judged])),
        times,
        weak_systems(data.means, judged, rules),
        data.begun,
    )
