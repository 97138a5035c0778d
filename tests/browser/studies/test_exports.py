"""A study downloaded and imported again in a real browser; an annotator gets nothing of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import panel_submission
from db.people import people
from db.studies import studies
from db.transfer import exports
from tests.browser.conftest import Server, downloaded, settle, sign_in, visit
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study

PHONE = {"width": 390, "height": 2300}
WIDE = {"width": 1280, "height": 1600}


@pytest.fixture
def study(server: Server) -> Study:
    """A study with a hostile name and a panel that was handed in."""
    new_study = make_study("=a/b <i>$x$</i>")
    who = make_annotator(new_study)
    panel = begin(who)
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    return new_study


def opened(server: Server, browser: Browser, viewport: dict[str, int]) -> Page:
    page = browser.new_context(viewport=viewport, accept_downloads=True).new_page()  # type: ignore[arg-type]
    sign_in(page, server)
    return page


def test_out_by_a_link_and_in_by_a_form(server: Server, browser: Browser, study: Study, tmp_path: Path) -> None:
    page = opened(server, browser, PHONE)
    visit(page, f"{server.address}/studies?studies-tab=Export")  # an address of before
    got = downloaded(page.get_by_role("link", name="Parquet"))
    assert got.suggested_filename == "_a_b _i_x_i_-parquet.zip"
    path = tmp_path / "study.zip"
    got.save_as(path)
    visit(page, f"{server.address}/import_data")
    page.get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("The zip of an export, all of its files")).to_be_visible()
    settle(page)
    page.locator("input[type=file]").set_input_files(path)
    expect(page.get_by_text("7 ratings in 1 panel by 1 annotator, 14 stories")).to_be_visible(timeout=30_000)
    name = page.get_by_role("combobox", name="Into the study")
    expect(name).to_have_value("=a/b <i>$x$</i> (imported)")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile("Imported .*7 ratings into the study"))).to_be_visible(timeout=30_000)
    again = studies.find("=a/b <i>$x$</i> (imported)")
    sent, came = (list(exports.ratings_of(TERMINAL, item.id)) for item in (study, again))
    assert [(row.annotator, row.overall, row.saved_at) for row in came] == [
        (row.annotator, row.overall, row.saved_at) for row in sent
    ]
    page.context.close()


def test_a_file_that_does_not_fit_is_refused_in_one_sentence(
    server: Server, browser: Browser, study: Study, tmp_path: Path
) -> None:
    page = opened(server, browser, WIDE)
    visit(page, f"{server.address}/import_data")
    page.get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("The zip of an export, all of its files")).to_be_visible()
    settle(page)
    (tmp_path / "theirs.csv").write_text("story_id,overall\n0-one,3\n0-two,great\n")
    page.locator("input[type=file]").set_input_files(tmp_path / "theirs.csv")
    expect(page.get_by_text("theirs.csv, line 3, column 'overall': 'great' is not a number.")).to_be_visible(
        timeout=30_000
    )
    assert len(studies.summaries(TERMINAL)) == 1
    assert "Traceback" not in server.log()
    page.context.close()


def test_ratings_from_elsewhere_by_columns_of_any_name(server: Server, browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    rows = ["n,Story,Opening,Model,Worker,Value,Question"]
    for number in range(4):
        message = f'{number},"Ida went home, and slept {number} times.",Ida woke.,m{number},Ann'
        rows += [f"{message},{number},coherence", f"{message},5,style"]
    file.write_text("\n".join(rows) + "\n")
    page = opened(server, browser, PHONE)
    visit(page, f"{server.address}/import_data")
    page.get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("The zip of an export, all of its files")).to_be_visible()
    settle(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(
        page.get_by_text("Choose the columns that hold the story (its id or its text) and its rating, or its criteria.")
    ).to_be_visible()

    def pick(box: str, column: str) -> None:
        page.get_by_role("combobox", name=box, exact=True).click()
        page.get_by_role("option", name=column, exact=True).click()
        settle(page)

    for box, column in (
        *(("Story's id", "n"), ("Rating", "Value"), ("Annotator", "Worker"), ("Story", "Story")),
        *(("Prompt", "Opening"), ("System", "Model"), ("Only rows where", "Question")),
    ):
        pick(box, column)
    for name, value in (("is", "coherence"), ("Scale", "1-5")):
        page.get_by_role("textbox", name=name, exact=True).fill(value)
        page.get_by_role("textbox", name=name, exact=True).press("Enter")
        settle(page)
    expect(page.get_by_text("a rating of 0 is outside the scale 1 to 5.")).to_be_visible()
    page.get_by_role("textbox", name="Scale", exact=True).fill("0-5")
    page.get_by_role("textbox", name="Scale", exact=True).press("Enter")
    expect(page.get_by_text("4 ratings in 1 panel by 1 annotator, 4 stories.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile("Imported .*4 ratings into the study"))).to_be_visible(timeout=30_000)
    came = list(exports.ratings_of(TERMINAL, studies.find("theirs").id))
    assert sorted(row.overall for row in came if row.overall is not None) == [0, 1, 2, 3]
    assert studies.find("theirs").scheme.scale[0][0] == 0
    page.context.close()


def test_an_annotator_gets_nothing(server: Server, browser: Browser, study: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    context = browser.new_context()
    nobody = context.request.get(f"{server.address}/download/{study.id}/csv")
    visit(context.new_page(), f"{server.address}/enter/{token}")
    for answer in (nobody, context.request.get(f"{server.address}/download/{study.id}/csv")):
        assert answer.status == 403
        assert len(answer.body()) < 200
        assert b"PK" not in answer.body()
    context.close()
