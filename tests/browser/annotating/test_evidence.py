"""Passages marked as evidence by selecting text; two tabs; a connection that goes."""

import re

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select, update

from db.engine import writing
from db.schema import assignment
from tests.browser.conftest import Server, settle, until, visit
from tests.browser.form import PHONE, SIGNS, all_saved, begin, begun, desk, link, open_study, ready, shown_order, stored

SELECT = """([first, from, last, to]) => {
  const place = (reader, offset) => {
    const walker = document.createTreeWalker(reader, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (node.length < offset) { offset -= node.length; node = walker.nextNode(); }
    return [node, offset];
  };
  const readers = [...document.querySelectorAll('.reader-text')];
  const selection = document.getSelection();
  const [start, end] = [place(readers[first], from), place(readers[last], to)];
  selection.setBaseAndExtent(start[0], start[1], end[0], end[1]);
}"""


def signs_at(page: Page) -> int:
    """The place of the story with difficult signs."""
    texts = page.locator(".reader-text").all_inner_texts()
    return next(place for place, text in enumerate(texts) if "🦊" in text)


def units(text: str) -> int:
    """Length as the browser counts it."""
    return len(text.encode("utf-16-le")) // 2


def test_what_is_marked_is_what_was_selected(server: Server, browser: Browser) -> None:
    page = begun(desk(browser), link(server, open_study()))
    place = signs_at(page)
    token = shown_order(page)[place]
    tools = page.get_by_role("toolbar")

    # Behind emoji of several units; the selection ends in the middle of a word.
    start = units(SIGNS[: SIGNS.index("slept")])
    page.evaluate(SELECT, [place, start, place, start + units("slept. Ida re")])
    expect(tools.get_by_text("Evidence of")).to_be_visible()
    tools.get_by_role("button", name="unrelated events").click()
    all_saved(page, 1)
    assert stored()[token] == (None, {"unrelated events": 1}, {"unrelated events": ["slept. Ida re"]})

    # Half an accent, and half of a family of three, are taken whole.
    middle = units(SIGNS[: SIGNS.index("\u0301")])
    page.evaluate(SELECT, [place, middle - 1, place, middle])
    tools.get_by_role("button", name="repetitive plots").click()
    all_saved(page, 1)
    family = units(SIGNS[: SIGNS.index("👩")])
    page.evaluate(SELECT, [place, family, place, family + 2])
    tools.get_by_role("button", name="repetitive plots").click()
    expect(page.locator("mark")).to_have_count(3)
    all_saved(page, 1)
    assert stored()[token][2]["repetitive plots"] == ["e\u0301", "👩‍👩‍👧"]
    assert page.locator(".reader-text").nth(place).inner_text() == SIGNS  # the text itself is what it was

    # After a reload the marks stand where they stood; one is taken back, the deduction stays.
    page.reload()
    settle(page)
    expect(page.locator("mark")).to_have_count(3)
    assert [mark.inner_text() for mark in page.locator("mark").all()] == ["e\u0301", "👩‍👩‍👧", "slept. Ida re"]
    page.locator("mark").last.click()
    page.get_by_role("button", name="Remove: unrelated events").click()
    expect(page.locator("mark")).to_have_count(2)
    all_saved(page, 1)
    assert stored()[token][1] == {"unrelated events": 1, "repetitive plots": 1}
    assert "unrelated events" not in stored()[token][2]

    # In another story marks that overlap join, and a deduction that is taken back takes its evidence along.
    place = (place + 1) % 7
    token = shown_order(page)[place]
    for start, end in ((0, 10), (5, 20)):
        page.evaluate(SELECT, [place, start, place, end])
        tools.get_by_role("button", name="conflicting logic").click()
        all_saved(page, 2)
    assert len(stored()[token][2]["conflicting logic"]) == 1
    card = page.locator(f".st-key-story-{token}")
    card.get_by_role("radiogroup", name="Conflicting logic").get_by_role("radio", name="−1").click()
    expect(page.locator("mark")).to_have_count(2)
    all_saved(page, 2)
    assert stored()[token][1:] == ({}, {})


def test_every_control_has_a_name_and_a_selection_across_stories_marks_nothing(
    server: Server, browser: Browser
) -> None:
    page = begun(desk(browser), link(server, open_study()))
    for letter in "ABCDEFG":
        question = page.get_by_role("radiogroup", name=f"Story {letter} overall: 1 very poor to 5 very good")
        expect(question).to_have_count(1)
        expect(page.get_by_role("group", name=f"Story {letter}", exact=True)).to_have_count(1)
    page.evaluate(SELECT, [1, 3, 2, 5])
    expect(page.get_by_text("Mark inside one story at a time.")).to_have_count(1)
    assert page.get_by_role("toolbar").filter(has_text="Evidence of").count() == 0
    page.keyboard.press("q")  # a letter marks nothing either: it deducts, from the first story
    all_saved(page, 1)
    assert [spans for _, _, spans in stored().values()] == [{}]
    page.keyboard.type("4")
    expect(page.get_by_role("button", name="Story A, rated")).to_have_count(1)
    expect(page.get_by_role("button", name="Story B, not rated yet")).to_have_count(1)


def test_marking_on_a_phone(server: Server, browser: Browser) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = begun(context, link(server, open_study()))
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator(".navigator-legend")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^Story E, ")).tap()
    page.evaluate(SELECT, [4, 0, 4, 8])
    tools = page.get_by_role("toolbar").filter(has_text="Evidence of")
    expect(tools).to_be_in_viewport()
    tools.get_by_role("button", name="chaotic scenes").tap()
    all_saved(page, 1)
    ((_, points, spans),) = stored().values()
    assert points == {"chaotic scenes": 2}
    assert list(spans) == ["chaotic scenes"]


def test_a_second_tab_is_told_and_another_device_at_its_next_answer(server: Server, browser: Browser) -> None:
    context = desk(browser)
    address = link(server, open_study())
    first = begun(context, address)
    second = context.new_page()
    visit(second, f"{server.address}/")
    for page in (first, second):
        expect(page.get_by_text("open in another tab too")).to_be_visible()
    second.keyboard.press("5")
    expect(first.get_by_text("Answers were saved in another tab.")).to_be_visible()
    first.get_by_role("button", name="Show them").click()
    expect(first.get_by_text("1 of 7 rated")).to_be_visible()
    second.close()
    expect(first.get_by_text("open in another tab")).to_have_count(0)

    phone = browser.new_context(viewport=PHONE).new_page()
    visit(phone, address)
    expect(phone.get_by_text("1 of 7 rated")).to_be_visible()
    first.keyboard.type("j2")
    all_saved(first, 2)
    card = phone.locator(f".st-key-story-{shown_order(phone)[1]}")
    card.get_by_role("radiogroup", name="Repetitive plots").get_by_role("radio", name="−1").click()
    expect(phone.get_by_text("changed in another tab or on another device too")).to_be_visible()
    expect(phone.get_by_text("2 of 7 rated")).to_be_visible()
    assert sorted(answer[:2] for answer in stored().values()) == [(2.0, {"repetitive plots": 1}), (5.0, {})]


def test_a_lost_connection_is_said_and_what_was_typed_is_not_lost(server: Server, browser: Browser) -> None:
    study = open_study()
    page = begun(desk(browser), link(server, study))
    page.keyboard.type("3j3j3j3j3j3j3")
    all_saved(page, 7)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("could not be accepted")).to_be_visible()
    page.get_by_text("You think it should count?").click()
    note = page.get_by_label("A note to the study's owner")
    note.press_sequentially("I read every ")
    server.kill()  # as when the network goes while somebody types
    page.wait_for_selector("[data-test-connection-state=CONNECTED]", state="detached", timeout=30_000)
    server.start()
    settle(page)
    expect(note).to_have_value("I read every ")
    note.press("End")
    note.press_sequentially("word.")
    page.get_by_role("button", name="Send the note").click()
    expect(page.get_by_text("Your note to the study's owner is kept:")).to_be_visible()
    begin(page)
    server.kill()
    expect(page.get_by_text("No connection. What was saved is kept")).to_be_visible(timeout=30_000)
    server.start()
    expect(page.get_by_text("The connection was lost and is back.")).to_be_visible(timeout=60_000)
    # The server that was started anew does not know the page: it loads itself anew.
    until(page, "() => performance.getEntriesByType('navigation')[0].type === 'reload'")
    ready(page, 7)
    all_saved(page, 0)
    page.keyboard.press("4")
    all_saved(page, 1)
    assert stored()[shown_order(page)[0]] == (4.0, {}, {})


def test_a_token_may_hold_any_sign(server: Server, browser: Browser) -> None:
    study = open_study()
    context = desk(browser)
    address = link(server, study)
    begun(context, address).close()
    with writing() as connection:
        row = connection.execute(select(assignment.c.id, assignment.c.stories)).one()
        odd = [[story_id, f"__{place}-_--__-__"] for place, (story_id, _) in enumerate(row.stories)]
        connection.execute(update(assignment).where(assignment.c.id == row.id).values(stories=odd))
    page = context.new_page()
    visit(page, address)
    ready(page, 7)
    page.keyboard.type("4jm")
    page.keyboard.press("q")
    expect(page.locator("mark")).to_have_count(1)
    all_saved(page, 2)
    assert list(stored()) == ["__0-_--__-__", "__1-_--__-__"]
