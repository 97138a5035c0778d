"""A study opened on its Overview."""

from streamlit.testing.v1.element_tree import Button

from core.annotation.studies import StudyState
from core.people import TERMINAL
from core.stories import Corpus, Source
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.pages.conftest import Open
from tests.pages.pages import words


def test_without_references_it_opens_only_when_confirmed(open_page: Open, served: None, owner: str) -> None:
    alone = Corpus("", tuple(story for story in small_corpus().stories if story.source is Source.SYSTEM))
    study = imports.import_corpora(TERMINAL, "bare", [alone])
    page = open_page("overview", owner)

    def button(label: str) -> Button:
        return next(button for button in page.button if button.label == label)

    button("Open for annotation").click().run()
    assert "Controls are missing: no prompt has a human reference." in words(page)
    assert studies.get(study.id).state is StudyState.DRAFT
    assert button("Open without them").disabled
    next(box for box in page.checkbox if box.label.startswith("I want to collect ratings without")).check().run()
    button("Open without them").click().run()
    assert button("Close for annotation")
    assert studies.get(study.id).state is StudyState.OPEN
