"""The study that the Monitor is measured over is one that annotators could have made."""

import pytest

from benchmarks.pages.monitor import made
from core.annotation.monitor.overview import overview
from db.annotation import slots
from db.engine import engine
from db.monitor import monitor
from tests.db.slow import whole_panels


@pytest.mark.parametrize(("annotators", "number"), [(10, 35), (7, 12)])
def test_a_large_study_in_small(database: str, annotators: int, number: int) -> None:
    try:
        study = made(annotators, number)
        result = overview(monitor.read(study.id), study.rules)
        slow = whole_panels(study.id)
        assert [panel.brief for panel in slow] == list(result.panels)
        assert len(slow) == number
        assert len(result.people) == annotators
        assert all(panel.seconds > 0 for panel in slow)
        progress = slots.progress(study.id)
        assert progress.valid + progress.rejected == number
        assert progress.left == progress.wanted - progress.valid
    finally:
        engine().dispose()
