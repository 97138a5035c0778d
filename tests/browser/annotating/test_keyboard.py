"""The form by keyboard alone."""

import re

from playwright.sync_api import Browser, Page, Route, expect

from db.ratings import ratings
from tests.browser.conftest import Server, go_on, visit
from tests.browser.form import all_saved, begun, desk, link, open_study, ready, shown_order, stored, tokens

MOST = 90


class Keys:
    """A keyboard that counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1


def test_a_press_before_the_controls_are_drawn_is_not_lost(server: Server, browser: Browser) -> None:
    context = desk(browser)
    address = link(server, open_study())
    begun(context, address).close()
    page = context.new_page()
    held: list[Route] = []
    page.route(re.compile(r"/static/js/ButtonGroup\."), lambda route: held.append(route))
    visit(page, address)
    expect(page.locator(".reader-text").first).to_be_visible()
    page.keyboard.press("5")
    page.wait_for_timeout(2000)  # longer than for a control beside others that are there
    assert len(held) == 1
    assert page.get_by_role("radio").count() == 0
    held[0].continue_()
    all_saved(page, 1)
    assert list(stored().values()) == [(5.0, {}, {})]


def test_a_panel_of_seven_by_keyboard_alone_and_one_by_quick_presses(server: Server, browser: Browser) -> None:
    study = open_study()
    page = begun(desk(browser), link(server, study))
    keys = Keys(page)
    order, sources = shown_order(page), tokens()
    assert len(order) == 7
    expected = {}
    for place, token in enumerate(order):
        if place:
            keys.press("j")
        human = sources[token] == "human"
        keys.press("5" if human else "2" if sources[token] == "negative" else "3")
        deducted = {}
        if not human:
            keys.press("q", "t", "t")
            deducted = {"repetitive plots": 1, "conflicting logic": 2}
        if sources[token] == "negative":  # the second sentence, as evidence of chaos
            keys.press("m", "ArrowRight", "y", "Escape")
            deducted["chaotic scenes"] = 2
        expected[token] = (5.0 if human else 2.0 if sources[token] == "negative" else 3.0, deducted)
    expect(page.get_by_text("7 of 7 rated")).to_be_visible()
    all_saved(page, 7)
    result = stored()
    assert {token: (overall, points) for token, (overall, points, _) in result.items()} == expected
    marked = [words for _, _, words in result.values() if words]
    assert [list(words) for words in marked] == [["chaotic scenes"]]
    assert marked[0]["chaotic scenes"][0].startswith("It was house")
    keys.press("Control+Enter")
    expect(page.get_by_text("Panel 1 is handed in")).to_be_visible()
    assert keys.pressed < MOST
    assert sum(bool(judged_story.ratings) for judged_story in ratings.judged_stories(study.id)) == 7
    go_on(page, "b", page.get_by_role("heading", name="Panel 2 of 3"))
    ready(page, 7)
    for _ in range(6):
        page.keyboard.type("4qwt")  # without waiting for anything
        page.keyboard.press("j")
    page.keyboard.type("2y")
    expect(page.get_by_text("7 of 7 rated")).to_be_visible()
    all_saved(page, 7)
    result = stored()
    six = {"repetitive plots": 1, "unrelated events": 1, "conflicting logic": 1}
    assert [result[token][:2] for token in shown_order(page)] == [(4.0, six)] * 6 + [(2.0, {"chaotic scenes": 2})]


def test_what_the_keys_do_is_on_the_page_and_what_is_missing_is_said(server: Server, browser: Browser) -> None:
    page = begun(desk(browser), link(server, open_study()))
    legend = page.locator(".navigator-legend")
    for word in ("1 – 5 rate", "Q repetitive plots", "mark a passage", "go to a story", "hand in"):
        expect(legend).to_contain_text(word)
    page.keyboard.press("?")
    expect(page.get_by_text("Nobody could retell this")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("v")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Two stories side by side")).to_be_visible()
    page.keyboard.press("5")  # speaks to nothing behind the dialog
    expect(dialog.get_by_text("Story A: not rated yet")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # B, on the left: the dialog's buttons are in the keyboard's reach
    expect(dialog.get_by_text("Story B: not rated yet").first).to_be_visible()
    dialog.get_by_role("button", name="G", exact=True).first.click()
    expect(dialog.get_by_text("Story G: not rated yet")).to_be_visible()
    assert stored() == {}
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    # A panel that is not finished says what is missing.
    page.keyboard.type("3j3")
    page.keyboard.press("Control+Enter")
    message = page.get_by_text("Please give an overall rating to stories C, D, E, F and G first.")
    expect(message).to_be_in_viewport()
    page.keyboard.type("c4")  # to a story by its letter; the message is out of date from then on
    expect(message).to_be_hidden()
    all_saved(page, 3)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Please give an overall rating to stories D, E, F and G first.")).to_be_in_viewport(
        timeout=30_000
    )
