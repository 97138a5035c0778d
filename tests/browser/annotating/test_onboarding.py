"""Consent, training, first panel: on a phone, by keyboard alone, and read off the wire; and one who fails for good."""

import re

from playwright.sync_api import Browser, Page, expect

from core.annotation.builtin import SCHEMES
from core.annotation.onboarding import Practice, PracticeItem
from core.annotation.onboarding_items import MANS_ITEMS, built_in_items
from core.annotation.panel import End
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import onboarding, settings
from db.people import people
from db.studies import studies
from db.transfer import imports
from tests.browser.annotating.blinding import Wire, marked_corpus
from tests.browser.annotating.onboarding import PATIENCE, answer, button, choice, press
from tests.browser.conftest import Server, go_on, open_tab, settle, sign_in, visit

PHONE = {"width": 390, "height": 844}


KEEP_WHAT_IS_SENT = """
  const send = WebSocket.prototype.send;
  window.sent = [];
  WebSocket.prototype.send = function (data) {
    window.sent.push(() => send.call(this, data));
    return send.call(this, data);
  };
"""


def open_study(scheme: str, practice: Practice, consent: str = "") -> tuple[Study, str]:
    """An open study with a training, and the path of an annotator's link."""
    study = studies.create(TERMINAL, f"zqstudy {scheme}", scheme)
    imports.import_corpora(TERMINAL, study.name, [marked_corpus()])
    onboarding.set_practice(TERMINAL, study.id, practice)
    settings.set_ends(TERMINAL, study.id, consent, study.codes)
    studies.open_study(TERMINAL, study.id)
    return study, f"/enter/{people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)}"


def test_failed_once_then_passed_by_keyboard_on_a_phone(server: Server, browser: Browser) -> None:
    _, link = open_study("mans", Practice(MANS_ITEMS[:3], 2, 2), "Your answers are kept without your name.")
    page = browser.new_context(viewport=PHONE).new_page()
    wire = Wire(page)

    def not_sent(item: PracticeItem) -> None:
        assert item.texts[0][:40].encode() in b"".join(wire.frames)  # we do read what is shown
        assert item.explanation[:30].encode() not in b"".join(wire.frames)

    visit(page, server.address + link)
    expect(page.get_by_text("Your answers are kept without your name.")).to_be_visible(timeout=PATIENCE)
    press(page, button(page, "I agree"))
    expect(page.get_by_text(re.compile("To go on you need 2 of 3 right"))).to_be_visible(timeout=PATIENCE)
    press(page, button(page, "Begin the practice"))
    for place, item in enumerate(MANS_ITEMS[:3], 1):
        expect(page.get_by_text(item.texts[0])).to_be_visible(timeout=PATIENCE)
        not_sent(item)
        answer(page, place, "1")
        expect(page.get_by_text("Not quite.")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text(item.explanation)).to_be_visible()
        if place == 2:  # what was answered is shown again after a reload, and nothing is lost
            page.reload()
            settle(page)
            expect(page.get_by_text("Right: 1, 2 or 3, with repetitive plots")).to_be_visible(timeout=PATIENCE)
        press(page, button(page, "See the result" if place == 3 else "Next"))
    expect(page.get_by_role("heading", name="Not yet")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("You had 0 of 3 right; 2 were needed.")).to_be_visible()
    press(page, button(page, "Try again"))
    for place, keys in enumerate(["5", "2qq", "2ww"], 1):  # the same keys as on the real form
        expect(page.get_by_role("heading", name=f"Practice {place} of")).to_be_visible(timeout=PATIENCE)
        expect(page.get_by_text(MANS_ITEMS[place - 1].texts[0])).to_be_visible(timeout=PATIENCE)
        settle(page)
        page.wait_for_selector(".navigator[data-panel]", state="attached")  # it listens for the keys
        page.keyboard.type(keys)
        row = page.locator("[class*=st-key-practice-][class*=overall]").get_by_role("radio", name=keys[0], exact=True)
        expect(row).to_be_checked(timeout=PATIENCE)
        expect(page.locator("[class*=st-key-story-] [aria-checked=true]")).to_have_count(min(2, len(keys)))
        go_on(page, "n", page.get_by_text("Right.", exact=True))
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        following = "You passed" if place == 3 else f"Practice {place + 1} of"
        go_on(page, "n", page.get_by_role("heading", name=following))
    go_on(page, "b", page.get_by_role("heading", name=re.compile("^Panel 1")))
    assert "Traceback" not in server.log()


def test_a_click_that_comes_late_does_not_bring_back_the_form(server: Server, browser: Browser) -> None:
    """Under load a browser may send a click of the screen before when the next one is there already."""
    _, link = open_study("mans", Practice(MANS_ITEMS[:1], 0, 1))
    page = browser.new_context(viewport=PHONE).new_page()
    page.add_init_script(KEEP_WHAT_IS_SENT)
    visit(page, server.address + link)
    button(page, "Begin the practice").click()
    choice(page, "overall", "5").click()
    settle(page)
    button(page, "Check my answer").click()
    expect(page.get_by_text("Right.", exact=True)).to_be_visible(timeout=PATIENCE)
    settle(page)
    page.evaluate("window.sent.at(-2)()")  # the choice; the check of it was the last
    page.wait_for_timeout(1000)
    settle(page)
    expect(page.get_by_text("Right.", exact=True)).to_be_visible()
    expect(button(page, "Check my answer")).to_have_count(0)


WRONG = {
    "union": ("Unreasonable", "Reasonable"),
    "turing": ("Equally good", "Equally good"),
}


def test_failed_for_good_ends_with_its_code(server: Server, browser: Browser) -> None:
    for scheme in WRONG:
        fails_for_good(server, browser.new_context(viewport=PHONE).new_page(), scheme)
    assert "Traceback" not in server.log()


def fails_for_good(server: Server, page: Page, scheme: str) -> None:
    """Both practice stories wrong, twice looked at; the end, its code, and nothing sent that tells of a story."""
    practice = Practice(built_in_items(SCHEMES[scheme])[:2], 2)
    study, link = open_study(scheme, practice)
    wire = Wire(page)
    visit(page, server.address + link)
    button(page, "Begin the practice").click()
    for place, item in enumerate(practice.items, 1):
        expect(page.get_by_text(item.texts[0])).to_be_visible(timeout=PATIENCE)
        assert item.explanation[:30].encode() not in b"".join(wire.frames)
        choice(page, "overall", WRONG[scheme][place - 1]).click()
        if scheme == "union" and place == 1:
            button(page, "Check my answer").click()
            expect(page.get_by_text("choose a reason")).to_be_visible(timeout=PATIENCE)
            page.get_by_text("Chaotic scene", exact=True).click()
            settle(page)
        button(page, "Check my answer").click()
        expect(page.get_by_text("Not quite.")).to_be_visible(timeout=PATIENCE)
        button(page, "See the result" if place == 2 else "Next").click()
    expect(page.get_by_role("heading", name="You cannot take part")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("You had 0 of 2 right; 2 were needed.")).to_be_visible()
    expect(page.locator("[data-testid=stCode]")).to_have_text(study.codes[End.NOT_QUALIFIED])
    visit(page, server.address + link)  # another visit: the answer again, then the same end
    button(page, "See the result").click()
    expect(page.locator("[data-testid=stCode]")).to_have_text(study.codes[End.NOT_QUALIFIED], timeout=PATIENCE)
    sent = b"".join(wire.frames)
    for secret in (b"zqstudy", b"zqkey", b"zqsystem", b"zqprompt"):
        assert secret not in sent, (scheme, secret)


def test_an_owner_writes_a_training_of_their_own(server: Server, browser: Browser) -> None:
    study = studies.create(TERMINAL, "mine")
    page = browser.new_context(viewport={"width": 1280, "height": 1400}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/form")
    open_tab(page, "Practice")
    page.get_by_text("Fabula's own examples", exact=True).click()
    needed = page.get_by_role("spinbutton", name="Right answers needed to pass")
    expect(needed).to_have_attribute("max", "6")  # as many as there are examples
    needed.fill("4")
    button(page, "Save the practice").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible(timeout=PATIENCE)
    assert studies.get(study.id).practice == Practice(MANS_ITEMS, 4, 2)
    page.get_by_text("Read the 6 examples").click()
    expect(page.get_by_text(MANS_ITEMS[3].texts[0])).to_be_visible(timeout=PATIENCE)
    page.get_by_text("My own examples", exact=True).click()
    table = page.locator("[class*=st-key-practice-items-] [data-testid=stDataFrame]")
    expect(table).to_be_visible(timeout=PATIENCE)
    settle(page)
    box = table.bounding_box()
    assert box is not None
    # The table is drawn on a canvas: the first opening is under its header, right of the column that selects a row.
    page.mouse.dblclick(box["x"] + 120, box["y"] + 52)
    cell = page.locator("#portal textarea")
    expect(cell).to_be_focused(timeout=PATIENCE)
    cell.fill("An opening of $my$ own.")
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)  # the table itself waits a little before it passes an edit on
    button(page, "Save the practice").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible(timeout=PATIENCE)
    saved = studies.get(study.id).practice
    assert saved is not None
    assert saved.items[0].prompt == "An opening of $my$ own."
    assert saved.items[0].texts == MANS_ITEMS[0].texts
    assert saved.items[1:] == MANS_ITEMS[1:]
    assert "Traceback" not in server.log()
