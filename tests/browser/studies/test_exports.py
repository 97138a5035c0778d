"""A study downloaded and imported again in a real browser; an annotator gets nothing of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import panel_submission
from db.people import people
from db.studies import studies
from db.transfer import exports
from db.transfer.demonstration import NAME, load_demonstration
from tests.browser.conftest import Server, downloaded, settle, sign_in, visit
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study

PHONE = {"width": 390, "height": 2300}


@pytest.fixture
def study(standing: Server) -> Study:
    """A study with a hostile name and a panel that was handed in."""
    new_study = make_study("=a/b <i>$x$</i>")
    who = make_annotator(new_study)
    panel = begin(who)
    rate(who, panel)
    panel_submission.submit(who, panel.token)
    return new_study


def test_out_by_a_link_and_in_by_a_form(standing: Server, browser: Browser, study: Study, tmp_path: Path) -> None:
    page = browser.new_context(viewport=PHONE, accept_downloads=True).new_page()  # type: ignore[arg-type]
    sign_in(page, standing)
    visit(page, f"{standing.address}/studies?studies-tab=Export")  # an address of before
    got = downloaded(page.get_by_role("link", name="Parquet"))
    assert got.suggested_filename == "_a_b _i_x_i_-parquet.zip"
    path = tmp_path / "study.zip"
    got.save_as(path)
    visit(page, f"{standing.address}/import_data")
    page.get_by_role("radiogroup").get_by_text("Ratings, or an export", exact=True).click()
    expect(page.get_by_text("The zip of an export, all of its files")).to_be_visible()
    settle(page)
    other = {"name": "theirs.csv", "mimeType": "text/csv", "buffer": b"story_id,overall\n0-one,3\n0-two,great\n"}
    page.locator("input[type=file]").set_input_files(other)  # type: ignore[arg-type]
    expect(page.get_by_text("theirs.csv, line 3, column 'overall': 'great' is not a number.")).to_be_visible()
    page.get_by_role("button", name="Remove theirs.csv").click()
    settle(page)  # what is chosen while the page is drawn without the first would go with it
    page.locator("input[type=file]").set_input_files(path)
    expect(
        page.get_by_text("7 ratings in 1 panel by 1 annotator; 10 stories, 2 human references and 2 negative stories")
    ).to_be_visible(timeout=30_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    name = page.get_by_role("combobox", name="Into the study")
    expect(name).to_have_value("=a/b <i>$x$</i> (imported)")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text(re.compile("Imported .*7 ratings into the study"))).to_be_visible(timeout=30_000)
    again = studies.find("=a/b <i>$x$</i> (imported)")
    sent, came = (list(exports.ratings_of(TERMINAL, item.id)) for item in (study, again))
    assert [(row.annotator, row.overall, row.saved_at) for row in came] == [
        (row.annotator, row.overall, row.saved_at) for row in sent
    ]
    assert "Traceback" not in standing.log()


def test_an_annotator_gets_nothing(standing: Server, browser: Browser, study: Study) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    context = browser.new_context()
    nobody = context.request.get(f"{standing.address}/download/{study.id}/csv")
    visit(context.new_page(), f"{standing.address}/enter/{token}")
    for answer in (nobody, context.request.get(f"{standing.address}/download/{study.id}/csv")):
        assert answer.status == 403
        assert len(answer.body()) < 200
        assert b"PK" not in answer.body()
    context.close()


def test_a_quick_press_gets_what_stands_in_the_field(standing: Server, browser: Browser) -> None:
    """Pressed while the least margin is still being typed, the link is followed once it has the number."""
    load_demonstration(TERMINAL)
    study = studies.find(NAME)
    page = browser.new_context(accept_downloads=True).new_page()
    sign_in(page, standing)
    visit(page, f"{standing.address}/export?study={study.id}")
    page.get_by_role("spinbutton", name="Least margin, in points").fill("1")
    got = downloaded(page.get_by_role("link", name="Chosen and rejected (zip)"))
    assert got.suggested_filename.endswith("-chosen-margin-1.zip")
