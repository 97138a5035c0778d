"""What must survive: the server killed in the middle, a closed tab, a taken port."""

import asyncio
import os
import re
import signal
import socket
import time
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import func, select
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.pages.streamlit_client import Session
from core.annotation.scheme import QualityRules
from core.people import TERMINAL, Role
from db.annotation import assignments, panel_submission, settings, slots
from db.engine import reading
from db.jobs import jobs
from db.people import people
from db.schema import assignment, event, rating_value
from db.studies import studies
from db.transfer import imports
from tests.apart import run_apart
from tests.browser.conftest import Server, serve, settle, visit
from tests.browser.studies.loop import begin, choose
from tests.db.annotation.assignments import rate
from tests.db.conftest import make_study, small_corpus
from tests.processes.forks import forked


def annotator_link(server: Server) -> str:
    study = imports.import_corpora(TERMINAL, "faults", [small_corpus(1)])
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=1))
    studies.open_study(TERMINAL, study.id)
    return f"{server.address}/enter/{people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)}"


def worker_of(server: Server) -> int | None:
    """Process id of a server's worker."""
    assert server.process is not None
    children = psutil.Process(server.process.pid).children()
    return next((child.pid for child in children if child.status() != psutil.STATUS_ZOMBIE), None)


def another_worker(server: Server, than: int | None = None) -> int:
    """Process id of its worker as soon as there is one, and it is not this."""
    deadline = time.monotonic() + 20
    while (result := worker_of(server)) in (None, than):
        assert time.monotonic() < deadline, "no worker was started"
        time.sleep(0.1)
    assert result is not None
    return result


def pressed(page: Page, letter: str) -> str:
    """The overall rating that is chosen for a story."""
    box = page.locator("[class*='st-key-story-']").filter(has_text=f"Story {letter}")
    chosen = box.locator("[class*='st-key-overall-']").locator("[aria-checked=true], [kind=segmented_controlActive]")
    return chosen.first.inner_text().strip()


def test_a_killed_worker_comes_back_and_a_killed_server_loses_no_saved_answer(server: Server, browser: Browser) -> None:
    link = annotator_link(server)
    page = browser.new_context().new_page()
    visit(page, link)
    begin(page)
    for letter, value in (("A", 2), ("B", 5), ("C", 3)):
        choose(page, letter, value)
    assert worker_of(server) is None  # of whom there is nothing to do yet
    jobs.add(TERMINAL, "score", 1, {"metrics": ["bleu"]})
    first = another_worker(server)
    os.kill(first, signal.SIGKILL)
    worker = another_worker(server, than=first)
    server.kill()
    deadline = time.monotonic() + 15
    while Path(f"/proc/{worker}").exists() and "Z" not in Path(f"/proc/{worker}/stat").read_text():
        assert time.monotonic() < deadline, "the worker outlived its server"
        time.sleep(0.1)
    server.start()
    visit(page, server.address)
    expect(page.get_by_text("Story G", exact=True)).to_be_visible()
    assert [pressed(page, letter) for letter in "ABC"] == ["2", "5", "3"]
    # On another device, too.
    elsewhere = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    visit(elsewhere, link)
    expect(elsewhere.get_by_text("Story G", exact=True)).to_be_visible()
    assert pressed(elsewhere, "B") == "5"


def test_a_server_killed_while_a_panel_is_handed_in(database: str, server: Server) -> None:
    """The hand-in goes over the wire and the server dies at once, a little later, later still: all of it or nothing."""
    study = make_study(prompts=6, wanted=1)
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    person = people.by_token(token)
    assert person is not None
    for pause in (0.0, 0.005, 0.02):
        panel = assignments.turn(person, claim=True).panel
        assert panel is not None
        rate(person, panel)
        run_apart(hand_in_and_die(server, token, pause))
        with reading() as connection:
            rows = connection.execute(select(assignment).order_by(assignment.c.id)).all()
            events = connection.scalars(select(event.c.detail).where(event.c.kind == "panel submitted")).all()
            rated = connection.scalar(select(func.count()).select_from(rating_value))
        assert {row.id for row in rows if row.state == "submitted"} == {detail["assignment"] for detail in events}
        assert all((row.valid is True) == (row.state == "submitted") for row in rows)
        assert rated == 7 * len(rows)
        server.start()
        panel_submission.submit(person, panel.token)  # once more, as from the page that is still open
    assert slots.progress(study.id).valid == 3


async def hand_in_and_die(server: Server, token: str, pause: float) -> None:
    async with Session(server.address, token) as session:
        await session.open("/annotate")
        button = session.find_button("Hand in this panel")
        await session.send_raw(WidgetState(id=button.id, trigger_value=True), wait=False)
        await asyncio.sleep(pause)
        server.kill()


def test_deductions_and_a_change_of_mind(standing: Server, browser: Browser) -> None:
    page = browser.new_context().new_page()
    visit(page, annotator_link(standing))
    begin(page)
    box = page.locator("[class*='st-key-story-']").filter(has_text="Story A")
    box.get_by_text("−2", exact=True).nth(1).click()
    expect(box).to_contain_text("Points deducted: 2")
    box.get_by_text("−1", exact=True).nth(2).click()
    expect(box).to_contain_text("Points deducted: 3")
    box.get_by_text("−2", exact=True).nth(1).click()  # taken back
    expect(box).to_contain_text("Points deducted: 1")
    page.get_by_role("button", name="Hand in this panel").click()
    expect(
        page.get_by_text(re.compile("Please give an overall rating to stories A, B, C, D, E, F and G first"))
    ).to_be_visible()
    page.reload()
    settle(page)
    expect(page.locator("[class*='st-key-story-']").filter(has_text="Story A")).to_contain_text(
        "Points deducted: 1", timeout=30_000
    )


def test_a_taken_port_is_said_and_another_used(home: Path) -> None:
    log = home / "server.log"
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            taken.bind(("localhost", 8501))
            taken.listen()
        except OSError:
            pass  # somebody else has it: just as good
        process = forked(serve, dict(os.environ), log)
        deadline = time.monotonic() + 60
        while "/enter/" not in (said := log.read_text() if log.exists() else ""):
            assert time.monotonic() < deadline, said
            assert process.is_alive(), said
            time.sleep(0.1)
        process.terminate()
        process.join(20)
    port = re.search(r"Port 8501 is taken, so Fabula uses (\d+)\.", said)
    assert port is not None, said
    assert f"http://localhost:{port.group(1)}/enter/" in said
