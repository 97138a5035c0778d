"""Links in a browser that knows somebody already: wrong ones say so, another's asks or tells."""

import pytest
from playwright.sync_api import Browser, expect

from core.people import TERMINAL, Role
from db.people import people
from tests.browser.conftest import Server, sign_in, visit
from tests.browser.form import PHONE, link, open_study


@pytest.fixture
def server(standing: Server) -> Server:
    """The one that stands, with an empty database."""
    return standing


def test_links_in_the_owners_browser(server: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context(viewport=PHONE).new_page()
    sign_in(page, server)
    page.goto(f"{server.address}/enter/mistyped/link")
    expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(page.get_by_text("who runs studies")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("link", name="Go on as").click()
    expect(page.get_by_role("heading", level=1, name=study.name)).to_be_visible()
    page.goto(link(server, study, "Ann"))
    expect(page.get_by_text("The link that you opened is for Ann, who rates stories.")).to_be_visible()
    page.get_by_role("link", name="Go on as an owner").click()
    expect(page.get_by_role("heading", level=1, name=study.name)).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Go on as Ann").click()
    expect(page.get_by_text("From now on you are here as Ann")).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()


def test_a_revoked_link_in_another_annotators_browser(server: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context().new_page()
    visit(page, link(server, study, "Ann"))
    gone = people.invite(TERMINAL, Role.ANNOTATOR, name="Bob", study_id=study.id)
    bob = people.by_token(gone)
    assert bob is not None
    people.revoke(TERMINAL, bob.id or 0)
    page.goto(f"{server.address}/enter/{gone}")
    expect(page.get_by_role("heading", name="This link does not work")).to_be_visible()
    expect(page.get_by_text("in this browser you are still Ann, who rates stories.")).to_be_visible()
    page.get_by_role("link", name="Go on as Ann").click()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()


def test_addresses_of_before_lead_on_to_the_same_study(server: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context().new_page()
    sign_in(page, server)
    for old, title, now in (("study", "Overview", ""), ("start", "Overview", ""), ("quality", "Monitor", "monitor")):
        visit(page, f"{server.address}/{old}?study={study.id}")
        expect(page).to_have_title(f"{title} · {study.name} · Fabula")
        expect(page).to_have_url(f"{server.address}/{now}?study={study.id}")
        expect(page.get_by_role("dialog")).to_have_count(0)
