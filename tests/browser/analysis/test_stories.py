"""A story behind a point in a browser: pressed, read, gone on from, noted, and opened again by its address."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from core.jobs import JobState
from core.people import TERMINAL
from db.jobs import jobs
from db.stories import selections
from db.stories.view import story_view
from pages.ui.shared.stories.story_drawer import LATE
from tests.browser.analysis.judgments import VIEWS
from tests.browser.conftest import Server, go_on, settle, sign_in, still, visit
from tests.rated import rated_study

CARRIED = "point => point.closest('.trace').__data__[0].trace.customdata[point.__data__.i][0]"
"""What a point of a chart carries."""


def story_of(page: Page) -> str:
    """The key of the story in the address."""
    found = re.search(r"[?&]story=([^&]+)", page.url)
    assert found, page.url
    return found[1]


def press_point(page: Page, number: int) -> None:
    point = page.locator(".scatterlayer .point").nth(number)
    still(point)
    box = point.bounding_box()
    assert box is not None
    across, up = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(across, up)
    expect(page.locator(".hoverlayer .hovertext")).to_have_count(1)
    page.mouse.click(across, up)


def drawer(page: Page) -> Locator:
    return page.get_by_role("dialog")


def press_row(page: Page, alt: str, row: int) -> None:
    table = page.get_by_test_id("stDataFrame").filter(has=page.get_by_label(alt)).first
    still(table)
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 60, box["y"] + 35 * (row + 1.5))  # the first row is the heading


def test_from_a_point_a_box_a_row_and_a_dot_to_stories_and_on(server: Server, browser: Browser) -> None:
    study = rated_study(prompts=6)
    page = browser.new_page(**VIEWS["wide"])  # type: ignore[arg-type]
    sign_in(page, server)
    visit(page, f"{server.address}/correlation?study={study.id}&tab=Scatter")
    press_point(page, 3)
    expect(drawer(page)).to_be_visible()
    expect(page).to_have_url(re.compile("story="))
    first = story_of(page)
    expect(drawer(page).get_by_text(f"Story {first} is told.")).to_be_visible()
    go_on(page, "ArrowRight", drawer(page).get_by_text(re.compile(rf"^Story (?!{first} )\S+ is told\.")))
    expect(page).not_to_have_url(re.compile(f"story={first}(&|$)"))
    second = story_of(page)
    expect(drawer(page).get_by_text(f"Story {second} is told.")).to_be_visible()
    expect(page.locator(".fabula-here")).to_have_count(1)  # the point of the next story, beside the drawer
    assert page.locator(".fabula-here").evaluate(CARRIED) == second
    plot = page.locator(".js-plotly-plot .nsewdrag")
    narrow, beside = plot.bounding_box(), drawer(page).bounding_box()
    assert narrow is not None
    assert beside is not None
    assert narrow["x"] + narrow["width"] <= beside["x"]
    note = drawer(page).get_by_label("Your note")
    expect(note).to_have_count(1)  # that of the story before is gone
    note.fill("It ends oddly.")
    note.press("ArrowLeft")  # within a text the keys move its cursor
    drawer(page).get_by_role("button", name="Save the note").click()
    expect(drawer(page).get_by_text("Saved.")).to_be_visible()
    assert story_of(page) == second
    assert [one.text for one in story_view(TERMINAL, study.id, second).notes] == ["It ends oddly."]
    visit(page, page.url)
    expect(drawer(page).get_by_text(f"Story {second} is told.")).to_be_visible()
    expect(drawer(page).get_by_label("Your note")).to_have_value("It ends oddly.")
    expect(page.locator("body")).to_have_attribute("data-fabula-drawer", "")
    page.keyboard.press("Escape")
    expect(drawer(page)).to_have_count(0)
    expect(page.locator("body")).not_to_have_attribute("data-fabula-drawer", "")  # the page has its width again
    expect(page).not_to_have_url(re.compile("story="))

    settle(page)
    still(plot)
    plot.hover()
    page.locator(".modebar-btn[data-title='Box Select']").click()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5, steps=5)
    page.mouse.up()
    page.get_by_role("button", name=re.compile("^Keep 18 stories")).click()
    page.get_by_label("Its name").fill("all of them")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_text("Kept as all of them")).to_be_visible()
    assert [(one.name, one.stories) for one in selections.selections(TERMINAL, study.id)] == [("all of them", 18)]
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Read the 18 stories").click()
    expect(drawer(page).get_by_text("1 of 18 of the list")).to_be_visible()
    visit(page, f"{server.address}/stories?study={study.id}")
    for _ in range(2):  # the same row again, too
        press_row(page, "Stories", 2)
        expect(drawer(page).get_by_text("Story 0-2 is told.")).to_be_visible()
        settle(page)
        page.keyboard.press("Escape")
        expect(drawer(page)).to_have_count(0)
        expect(page).not_to_have_url(re.compile("story="))
        page.wait_for_timeout(1000 * LATE)  # sooner the same row is not taken for a press
    visit(page, f"{server.address}/systems?study={study.id}")
    press_point(page, 0)
    expect(page).to_have_url(re.compile(r"/stories\?.*system=(low|middle|high)"))
    expect(page.get_by_role("heading", name="Stories")).to_be_visible()
    page.close()


def test_a_closed_story_stays_closed_while_the_page_follows_a_job(scored: Server, browser: Browser) -> None:
    """The page asks several times a second, also while it does not know yet that its row is marked no longer."""
    job = jobs.add(TERMINAL, "score", 1, {"metrics": ["bleu"]}, runner="terminal test")
    page = browser.new_page(**VIEWS["wide"])  # type: ignore[arg-type]
    sign_in(page, scored)
    visit(page, f"{scored.address}/score?study=1&score-tab=One+or+two+metrics")
    for wait in (0, 300, 900):
        press_row(page, "Stories on which two metrics disagree", 0)
        expect(drawer(page)).to_be_visible()
        page.wait_for_timeout(wait)
        page.keyboard.press("Escape")
        for _ in range(2):  # and so it stays
            expect(drawer(page)).to_have_count(0)
            expect(page).not_to_have_url(re.compile("story="))
            page.wait_for_timeout(1000)
    page.get_by_role("button", name="Cancel").first.click()
    jobs.finish(job.id, JobState.CANCELLED, "cancelled")
    expect(page.get_by_text("Cancelled").first).to_be_visible()
    settle(page)
    expect(drawer(page)).to_have_count(0)
