"""Several processes behind Caddy, as `deploy/Caddyfile` has them: nothing is lost, and one that dies is not missed."""

import asyncio
import shutil
import signal
import time
from pathlib import Path

import pytest

from benchmarks.pages import campaign, load
from benchmarks.pages.crowd import Annotator, crowd
from benchmarks.pages.served import Served
from benchmarks.pages.streamlit_client import Session, SessionError
from benchmarks.pages.visits import BEGIN, Visits, Work, overall_groups
from db.migrate import migrate
from tests.apart import run_apart

pytestmark = pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not installed (apt-get install caddy)")


@pytest.mark.both_databases
def test_two_processes_fill_a_study_and_lose_nothing(database: str, home: Path) -> None:
    study, _, quality = load.open_planted("tiny", prompts=2, wanted=2)
    people = [(load.invited(study, annotator)[0], annotator) for annotator in crowd(6)]
    with Served(home, processes=2) as app:
        report = run_apart(Visits(Work(app.address, people, quality, seconds=90, interval=0.01)).run())

    assert report.errors == []
    assert report.handed_in == 4
    assert load.lost(study.id, report) == 0
    assert load.double(study.id, report) == 0
    assert load.ratings_a_story(study.id) == {2: 2 * 7}


async def _begin(address: str, token: str) -> list[tuple[str, bytes]]:
    """Open the link, begin or take up the panel, and return its overall ratings: their keys, and what they show."""
    async with Session(address, token) as session:
        await session.open("/annotate")
        for button in [e for e in session.elements() if e.kind == "button" and e.text in BEGIN]:
            await session.press(button)
        return [(group.key, group.proto.SerializeToString()) for group in overall_groups(session)]


async def _rate(address: str, token: str, key: str, index: int) -> None:
    async with Session(address, token) as session:
        await session.open("/annotate")
        await session.choose(session.find("button_group", key=key), index)


def test_an_annotator_goes_on_when_a_process_is_killed(home: Path) -> None:
    migrate()
    study, _, _ = load.open_planted("one", prompts=1, wanted=1)
    token, _ = load.invited(study, Annotator(1))
    with Served(home, processes=2) as app:
        first = run_apart(_begin(app.address, token))
        assert len(first) == 7
        for number, (key, before) in enumerate(first[:2]):
            run_apart(_rate(app.address, token, key, 2))
            app.kill(number, signal.SIGKILL)
            ended = time.monotonic()
            after = dict(run_apart(_patiently(app.address, token)))
            assert time.monotonic() - ended < 30
            assert after.keys() == dict(first).keys()
            assert after[key] != before
            app.restart(number)


@pytest.mark.slow
def test_processes_proxy_and_database_are_killed_and_nothing_acknowledged_is_lost() -> None:
    result = campaign.run(annotators=6, minutes=0.6, every=2, interval=0.3)
    assert set(result.kills) == set(campaign.TURNS), "the weather was fine"
    assert len(result.report.saves) > 50
    assert result.report.lost_connections > 0
    assert (result.lost, result.double) == (0, 0)
    assert set(result.ratings) == {load.WANTED}


async def _patiently(address: str, token: str) -> list[tuple[str, bytes]]:
    """As the browser does, which tries again until somebody answers."""
    for _ in range(20):
        try:
            return await _begin(address, token)
        except SessionError:
            await asyncio.sleep(0.5)
    return await _begin(address, token)
