"""Several processes behind Caddy, as `deploy/Caddyfile` has them: nothing is lost, and one that dies is not missed."""

import shutil
from pathlib import Path

import pytest

from benchmarks.pages import campaign, load
from benchmarks.pages.crowd import crowd
from benchmarks.pages.served import Served
from benchmarks.pages.visits import Visits, Work
from tests.apart import run_apart

pytestmark = pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed (apt-get install caddy)")


def test_two_processes_fill_a_study_and_lose_nothing(database: str, home: Path) -> None:
    study, _, quality = load.open_planted("tiny", prompts=2, wanted=2)
    people = [(load.invited(study, annotator)[0], annotator) for annotator in crowd(6)]
    with Served(home, processes=2) as app:
        report = run_apart(Visits(Work(app.address, people, quality, seconds=90, interval=0.01)).run())

    assert report.errors == []
    assert report.handed_in == 4
    assert load.lost(study.id, report) == 0
    assert load.double(study.id, report) == 0
    assert load.ratings_an_item(study.id) == {2: 2 * 7}


@pytest.mark.slow
def test_processes_proxy_and_database_are_killed_and_nothing_acknowledged_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On PostgreSQL."""
    monkeypatch.setattr(campaign, "DOWN", (0.5, 2.0))
    result = campaign.run(annotators=6, minutes=0.4, every=1, interval=0.3)
    assert set(result.kills) == set(campaign.TURNS), "the weather was fine"
    assert len(result.report.saves) > 50
    assert result.report.lost_connections > 0
    assert (result.lost, result.double) == (0, 0)
    assert set(result.ratings) == {load.WANTED}
