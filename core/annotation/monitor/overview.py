"""A study in progress as figures: all that its Monitor shows of one state of the data."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.annotation.monitor.pace import PaceStep, arrivals
from core.annotation.monitor.roster import AnnotatorRow, StudyData, roster
from core.annotation.panel_summary import PanelSummary
from core.annotation.quality import (
    BadControl,
    BadControlPair,
    bad_control_pairs,
    bad_controls,
    comparable,
    flags,
)
from core.annotation.scheme import QualityRules
from core.payments import Pay, Sums


@dataclass(frozen=True)
class Overview:
    """`panels`: those handed in, the oldest first. `remarks`: their flags, by panel. `controls`: those most failed,
    `control_pairs`: of pairs.

    `steps`: what came in over time; `times`: when each panel did; `begun`: when the first was begun, None before.
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
    begun: datetime | None

    @property
    def rejected(self) -> int:
        """Panels handed in that were rejected."""
        return sum(not panel.valid for panel in self.panels)


def overview(data: StudyData, rules: QualityRules) -> Overview:
    """Make it; panels without controls fail none."""
    remarks = flags(data.panels, comparable(data.agreement))
    people = roster(data, remarks)
    times = tuple(panel.submitted_at for panel in data.panels)
    return Overview(
        data.pay,
        data.panels,
        remarks,
        tuple(bad_controls(data.panels, rules)),
        tuple(bad_control_pairs(data.panels, rules)),
        people,
        sum((row.sums for row in people), Sums()),
        tuple(arrivals(times, [panel.valid for panel in data.panels])),
        times,
        data.begun,
    )
