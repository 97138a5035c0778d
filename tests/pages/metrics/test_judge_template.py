"""The score page shows what a judge is told, and a study's templates are made there."""

from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL
from db.jobs import jobs
from db.judges import templates
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.pages.conftest import Open
from tests.pages.metrics.test_score import box, choose
from tests.pages.pages import words


def press(page: AppTest, label: str) -> AppTest:
    return next(button for button in page.button if button.label == label).click().run()


def test_the_whole_prompt_is_shown_before_a_run(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    assert not page.exception
    shown = [block.value for block in page.code]
    assert any("How good is this story as a whole?" in text and "5: Very good" in text for text in shown)
    assert any("<story>\nThe one went out." in text and "Opening 0." in text for text in shown)
    box(page, "Way").set_value("deductions").run()
    assert any("chaotic scenes (2 points)" in block.value for block in page.code)


def test_a_template_is_saved_chosen_and_run(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    areas = {area.label: area for area in page.text_area}
    areas["Of one story"].set_value("{opening} {story} How good?")
    next(item for item in page.text_input if item.label == "Name").set_value("strict")
    page = press(page, "Save as a new version")
    assert not page.exception
    assert [template.title for template in templates.templates(study.id)] == ["strict.1"]
    assert box(page, "Template").value == "strict.1"
    assert any(block.value.endswith("How good?") and "The one went out." in block.value for block in page.code)
    page = press(page, "Run the metrics")
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["options"]["judge"]["template"] == "strict.1"


def test_a_template_without_the_story_is_refused(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    next(item for item in page.text_input if item.label == "Name").set_value("blind")
    {area.label: area for area in page.text_area}["Of one story"].set_value("How good?")
    page = press(page, "Save as a new version")
    assert "A template shows the story once" in words(page)
    assert templates.templates(study.id) == []


def test_one_judge_a_criterion(open_page: Open, owner: str) -> None:
    studies.create(TERMINAL, "many", "hanna")
    imports.import_corpora(TERMINAL, "many", [small_corpus()])
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    page.session_state["judge-criteria"] = ["relevance", "empathy"]
    page = press(page.run(), "Run the metrics")
    assert not page.exception
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["metrics"] == ["judge", "judge:empathy"]
