"""A study without human stories opened on a small screen: what is asked then is in sight."""

from playwright.sync_api import Browser, expect

from core.people import TERMINAL
from core.stories import Corpus, Source
from db.transfer import imports
from tests.browser.conftest import Server, visit
from tests.db.conftest import small_corpus


def test_the_question_is_brought_into_sight_at_every_press(standing: Server, browser: Browser) -> None:
    alone = Corpus("", tuple(story for story in small_corpus().stories if story.source is Source.SYSTEM))
    imports.import_corpora(TERMINAL, "bare", [alone])
    owner = browser.new_context(viewport={"width": 1280, "height": 700}).new_page()
    visit(owner, standing.owner_link())
    for _ in range(2):
        owner.get_by_role("button", name="Open for annotation").click()
        expect(owner.get_by_role("button", name="Open without them")).to_be_in_viewport(ratio=1)
        owner.get_by_role("button", name="Not yet").click()
        expect(owner.get_by_role("button", name="Open without them")).to_have_count(0)


def test_on_people_a_press_out_of_a_field_opens_the_study_and_says_so(standing: Server, browser: Browser) -> None:
    alone = Corpus("", tuple(story for story in small_corpus().stories if story.source is Source.SYSTEM))
    study = imports.import_corpora(TERMINAL, "bare people", [alone])
    owner = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    visit(owner, standing.owner_link())
    visit(owner, f"{standing.address}/annotators?study={study.id}")
    owner.get_by_role("button", name="Open for annotation").click()
    owner.get_by_text("I want to collect ratings without").click()
    name = owner.get_by_label("Name or code of the annotator")
    name.press_sequentially("annotator 1")
    owner.get_by_role("button", name="Open without them").click()
    expect(owner.get_by_text("The study is open now")).to_be_in_viewport()
    expect(name).to_have_value("annotator 1")
    name.press("Enter")
    expect(owner.get_by_text("The link of annotator 1")).to_be_visible()
    expect(owner.get_by_text("The study is open now")).to_be_visible()
