"""What several tests of quality share."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from tests.core.annotation.whole_panel import WholePanel


def panel(number: int, **change: Any) -> WholePanel:
    """An ordinary panel, with changes."""
    ordinary = WholePanel(
        id=number,
        study_id=1,
        annotator=f"annotator {number}",
        person_id=number,
        unit=(1, None, None),
        prompt="Opening",
        ratings=((1, 3.0), (2, 4.0)),
        human=(5.0,),
        negative=(1.0,),
        contradictions=0,
        words=300,
        seconds=240.0,
        state="submitted",
        valid=True,
        reason="",
        overridden=False,
        payment="due",
        payment_reason="",
        appeal="",
        submitted_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return replace(ordinary, **change)
