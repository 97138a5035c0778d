"""An owner's whole day in a real browser: make a study, invite, watch, override, pay, export, look it all up."""

import csv
import io
import json
import re
import zipfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.annotation.studies import Study, StudyState
from core.people import Person
from db.annotation import assignments, panel_submission
from db.people import people
from db.ratings import ratings
from db.studies import studies
from tests.browser.conftest import Server, choose, downloaded, open_tab, settle, still, visit
from tests.db.annotation.assignments import begin, rate, sources
from tests.db.slow import whole_panels

SYSTEMS = ("one", "two", "three")
HOSTILE = "<img src=x onerror=alert(1)> **note** $x$"
SOON = 20_000


def stories(folder: Path) -> Path:
    """Three openings, three systems, a human story each."""
    lines = []
    for number in range(3):
        for system in SYSTEMS:
            text = f"The {system} door stayed shut. Rain fell on the {system} hill. Nobody came, number {number}."
            human = f"A person wrote this ending, number {number}. They all went home. It was late."
            record = {"id": f"{number}-{system}", "opening": f"Opening {number}.", "system": system, "text": text}
            lines.append(json.dumps({**record, "reference": human}))
    path = folder / "stories.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def invited(page: Page, server: Server, name: str) -> Person:
    """Invite somebody on the page; who the link then makes of its visitor."""
    visit(page, f"{server.address}/annotators")
    page.get_by_label("Name or code of the annotator").fill(name)
    page.get_by_role("button", name="Make a personal link").click()
    link = page.locator("[data-testid=stCode]").inner_text(timeout=SOON).strip()
    person = people.by_token(link.rpartition("/")[2])
    assert person is not None
    return person


def choose_row(page: Page, number: int) -> None:
    """Press a row of the first table, in any of its cells."""
    frame = page.get_by_test_id("stDataFrame").first
    expect(frame).to_be_visible(timeout=SOON)
    settle(page)
    still(frame)
    rows = frame.locator("tr:has(td)")
    expect(rows.first).to_be_attached(timeout=SOON)
    table = frame.bounding_box()
    assert table is not None
    heading = 36
    height = (table["height"] - heading) / rows.count()  # a row with long remarks is higher
    page.mouse.click(table["x"] + 200, table["y"] + heading + height * (number - 0.5))


def show(page: Page, which: str) -> None:
    """Choose which panels the table shows."""
    page.locator("[class*='st-key-monitor-show']").get_by_text(which, exact=True).click()


def content(page: Page, name: str) -> bytes:
    return downloaded(page.get_by_text(name, exact=True)).path().read_bytes()


def set_up(owner: Page, server: Server, folder: Path) -> Study:
    """Make the study, import the stories into it, ask for two ratings a story, open it."""
    visit(owner, f"{server.address}/studies")
    owner.get_by_label("Name", exact=True).fill("day")
    owner.get_by_role("button", name="Make the study").click()
    expect(owner.get_by_role("heading", name="day")).to_be_visible(
        timeout=SOON
    )  # the Overview, which says what is next
    visit(owner, f"{server.address}/import_data")
    owner.locator("input[type=file]").set_input_files(stories(folder))
    expect(owner.get_by_text("9 stories and 3 human references")).to_be_visible(timeout=SOON)
    expect(owner.get_by_role("combobox", name="Into the study")).to_have_value("day")  # it waits for stories
    owner.get_by_role("button", name="Import", exact=True).click()
    expect(owner.get_by_text("Imported 9 stories and 3 human references")).to_be_visible(timeout=SOON)
    visit(owner, f"{server.address}/form?form-tab=Quality+rules")
    owner.get_by_label("Valid ratings wanted a story").fill("2")
    owner.get_by_role("button", name="Save the rules").click()
    expect(owner.get_by_text("The rules judge what is handed in")).to_be_visible(timeout=SOON)
    visit(owner, server.address)
    owner.get_by_role("button", name="Open for annotation").click()
    expect(owner.get_by_role("button", name="Close for annotation")).to_be_visible(timeout=SOON)
    assert studies.find("day").state is StudyState.OPEN
    return studies.find("day")


def watch(owner: Page, server: Server, ada: Person, ben: Person, study: Study) -> None:
    """Panels come in while the page is open; it is never loaded again."""
    visit(owner, f"{server.address}/monitor?study={study.id}")
    expect(owner.get_by_text("0 of 6")).to_be_visible(timeout=SOON)
    expect(owner.get_by_text("Nobody is at work now.")).to_be_visible(timeout=SOON)
    owner.evaluate("window.loadedOnce = true")
    panel = begin(ada)
    expect(owner.get_by_text("Nobody is at work now.")).to_have_count(0, timeout=SOON)
    rate(ada, panel)
    where = sources(panel)
    token = next(story.token for story in panel.stories if where[story.token] == "system")
    ratings.mark(ada, token, "unrelated events", (4, 12))
    panel_submission.submit(ada, panel.token)
    expect(owner.get_by_text("1 of 6")).to_be_visible(timeout=SOON)
    expect(owner.get_by_text("Panels handed in, by hour")).to_be_visible(timeout=SOON)
    open_tab(owner, "Panels")
    panel = begin(ben)
    rate(ben, panel, human=2, negative=2, system=2)  # rejected, and flagged: all ratings equal, in no time
    panel_submission.submit(ben, panel.token)
    panel_submission.appeal(ben, HOSTILE)
    expect(owner.get_by_text("1 of 2 handed in")).to_be_visible(timeout=SOON)
    show(owner, "Rejected")
    expect(owner.locator("td").filter(has_text=re.compile("^valid$"))).to_have_count(0, timeout=SOON)
    choose_row(owner, 1)
    expect(owner.get_by_text("Flag: ratings alike: all 5 are 2")).to_be_visible(timeout=SOON)
    expect(owner.get_by_text("Reason: the human story was rated 2, below 4")).to_be_visible()
    expect(owner.get_by_text(HOSTILE, exact=True)).to_be_visible(timeout=SOON)  # as it was written
    assert owner.evaluate("window.loadedOnce") is True


def override(owner: Page, study: Study) -> None:
    """Read the rejected panel, then let it count; it stays open while another comes in."""
    owner.get_by_text("Read the stories and answers").click()
    expect(owner.get_by_text("human. Rated 2.")).to_be_visible(timeout=SOON)
    owner.get_by_role("button", name="Let this count").click()
    expect(owner.get_by_text("Give a reason of 1 to")).to_be_visible(timeout=SOON)
    owner.get_by_label("Why (kept with it)").fill("the human story is poor indeed")
    owner.get_by_role("button", name="Let this count").click()
    expect(owner.get_by_text("Saved, and kept in the log.")).to_be_visible(timeout=SOON)
    expect(owner.get_by_text("2 of 6")).to_be_visible(timeout=SOON)
    refused = whole_panels(study.id)[1]
    assert (refused.valid, refused.overridden, refused.reason) == (True, True, "the human story is poor indeed")


def reread(owner: Page) -> None:
    """The other panel, with the passage that was marked in it."""
    owner.get_by_role("button", name="Close", exact=True).click()
    expect(owner.get_by_role("button", name="Reject this")).to_have_count(0, timeout=SOON)
    show(owner, "All")
    expect(owner.locator("td").filter(has_text=re.compile("^valid$"))).to_have_count(2, timeout=SOON)
    owner.set_viewport_size({"width": 1280, "height": 900})  # the table is in it whole, what it opens is not
    owner.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    choose_row(owner, 2)
    expect(owner.get_by_text(re.compile("^Number .*, by ada"))).to_be_visible(timeout=SOON)
    expect(owner.get_by_role("button", name="Save the payment")).to_be_in_viewport(timeout=SOON)  # the foot of it
    owner.get_by_text("Read the stories and answers").click()
    expect(owner.get_by_text(re.compile("^Unrelated events: “.{8}”$"))).to_be_visible(timeout=SOON)


def pay(owner: Page, study: Study) -> None:
    """Say what a panel is paid, give a bonus, pay all."""
    open_tab(owner, "Payments")
    owner.get_by_label("Amount").fill("1.50")
    owner.get_by_label("Currency").fill("eur")
    owner.get_by_role("button", name="Save the amount").click()
    expect(owner.get_by_text("3.00 EUR").first).to_be_visible(timeout=SOON)
    open_tab(owner, "People")
    owner.get_by_label("Find somebody").fill("ada")
    owner.get_by_label("Find somebody").press("Enter")
    expect(owner.locator("td").filter(has_text="ben (annotator")).to_have_count(0, timeout=SOON)
    choose_row(owner, 1)
    owner.get_by_label("Bonus in all (EUR)").fill("0.75")
    owner.get_by_label("What it is for").fill("=careful()")
    owner.get_by_role("button", name="Save the bonus").click()
    expect(owner.get_by_text("Saved, and kept in the log.")).to_be_visible(timeout=SOON)
    open_tab(owner, "Payments")
    owner.get_by_role("button", name="Mark 2 panels and bonuses as paid: 3.75 EUR").click()
    expect(owner.get_by_text("Marked as paid: 3.75 EUR, of which 0.75 EUR bonuses")).to_be_visible(timeout=SOON)
    expect(owner.get_by_text("Nothing is due.")).to_be_visible(timeout=SOON)
    assert {panel.payment for panel in whole_panels(study.id)} == {"paid"}


def export(owner: Page, server: Server, study: Study) -> None:
    """Payments, ratings and the log, as files."""
    rows = list(csv.DictReader(io.StringIO(content(owner, "Payments as CSV").decode(), newline="")))
    assert [(row["annotator"], row["paid"], row["bonus_paid"], row["to_pay"]) for row in rows] == [
        ("ada", "1.50", "0.75", "0.00"),
        ("ben", "1.50", "0.00", "0.00"),
    ]
    assert rows[0]["bonus_reason"] == "'=careful()"
    open_tab(owner, "Log")
    log = [json.loads(line) for line in content(owner, "All of it as JSONL").decode().splitlines()]
    kinds = [entry["kind"] for entry in log]
    for kind in ("study created", "imported", "study opened", "invited", "panel submitted", "appeal"):
        assert kind in kinds
    assert kinds[-3:] == ["pay set", "bonus set", "payments made"]
    visit(owner, f"{server.address}/export?study={study.id}")
    package = zipfile.ZipFile(io.BytesIO(content(owner, "CSV (zip)")))
    table = next(name for name in package.namelist() if "rating" in name)
    exported = list(csv.DictReader(io.TextIOWrapper(package.open(table), "utf-8", newline="")))
    assert len(exported) == 2 * 5
    assert {row["payment"] for row in exported} == {"paid"}


def look_up(owner: Page, server: Server, study: Study) -> None:
    """The log on the page: everything, and one kind of it."""
    visit(owner, f"{server.address}/monitor?study={study.id}")
    open_tab(owner, "Log")
    choose(owner.get_by_role("combobox", name="What"), "Verdict changed by hand", exact=False)
    settle(owner)
    expect(owner.get_by_test_id("stDataFrame").first).to_contain_text('"characters": 30', timeout=SOON)


def test_an_owners_whole_day(server: Server, browser: Browser, tmp_path: Path) -> None:
    owner = browser.new_context(viewport={"width": 1280, "height": 1800}, accept_downloads=True).new_page()
    alerts: list[str] = []
    owner.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    visit(owner, server.owner_link())
    study = set_up(owner, server, tmp_path)
    ada, ben = invited(owner, server, "ada"), invited(owner, server, "ben")
    assert assignments.turn(ada).end is None
    watch(owner, server, ada, ben, study)
    override(owner, study)
    reread(owner)
    pay(owner, study)
    export(owner, server, study)
    look_up(owner, server, study)
    assert alerts == []
    assert owner.locator("img[src=x]").count() == 0
    assert "Traceback" not in server.log()
