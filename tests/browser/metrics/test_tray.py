"""The tray of jobs in a real browser: it follows a run on another page, which stays as it is, and names its end."""

from playwright.sync_api import Browser, expect

from core.jobs import JobState
from db.jobs import jobs
from db.people import people
from tests.browser.conftest import Server, sign_in, visit
from tests.db.conftest import make_study


def test_a_run_is_followed_from_any_page(server: Server, browser: Browser) -> None:
    study = make_study()
    owner = people.by_token((server.home / "owner-token").read_text())
    assert owner is not None
    job = jobs.add(owner, "score", study.id, {"metrics": ["rouge-l"]}, runner="terminal test")
    jobs.beat(job.id, done=20, total=100)
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/stories?study={study.id}")
    tray = page.locator("[class*=st-key-tray-stories]")
    tray.get_by_role("button", name="rouge-l, 20%").click()
    page.get_by_label("Prompt holds").evaluate("box => (box.dataset.before = 'the run')")
    inside = page.get_by_test_id("stPopoverBody")
    expect(inside.get_by_text("rouge-l: 20%")).to_be_visible()
    jobs.beat(job.id, done=43, total=100, message="rouge-l: 9.0 stories a second, about 3 min left")
    expect(inside.get_by_text("rouge-l: 43%, 3 min left")).to_be_visible()  # and it is open still
    jobs.finish(job.id, JobState.DONE, "finished", {"rows": []})
    expect(inside.get_by_text("rouge-l: done")).to_be_visible()
    expect(page.locator("[data-before='the run']")).to_have_count(1)
    inside.get_by_role("button", name="See it").click()
    expect(page.get_by_role("heading", name="Run metrics", exact=True)).to_be_visible()
    expect(page.locator("[class*=st-key-tray]")).to_have_count(0)


def test_a_training_that_ended_is_brought_into_sight(server: Server, browser: Browser) -> None:
    """From a page whose tab stands in its address, and though it is not the newest run."""
    study = make_study()
    owner = people.by_token((server.home / "owner-token").read_text())
    assert owner is not None
    settings = {"kind": "union", "name": "tales", "stories": []}
    older, newer = (jobs.add(owner, "train", None, {**settings, "name": name}) for name in ("tales", "more"))
    for job in (older, newer):
        jobs.finish(job.id, JobState.FAILED, "It did not fit into memory.")
    running = jobs.add(owner, "score", study.id, {"metrics": ["rouge-l"]}, runner="terminal test")
    jobs.beat(running.id, done=20, total=100)
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/form?study={study.id}&form-tab=Plan")
    tray = page.get_by_role("button", name="rouge-l, 20%; 2 ended, 2 failed")
    tray.click()
    inside = page.get_by_test_id("stPopoverBody")
    inside.locator(f".st-key-tray-see-{older.id}").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Train", exact=True)).to_have_count(1)
    expect(page.locator(f".st-key-job-{older.id}")).to_be_in_viewport()
    expect(page.get_by_role("button", name="rouge-l, 20%", exact=True)).to_be_visible()
    expect(inside).to_have_count(0)  # it would lie over what was asked for
