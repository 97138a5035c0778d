"""A study opened on its Overview."""

import pytest
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


@pytest.mark.parametrize(
    ("scheme", "told"),
    [
        ("mans", "It is rejected if the human one is rated below **4** or the damaged one above **2**, which"),
        ("turing", "It is rejected if the damaged story is found better or as good."),
        ("union", ""),
    ],
)
@pytest.mark.parametrize("where", ["overview", "annotators"])
def test_what_rejects_a_panel_is_said_before_it_opens(
    open_page: Open, served: None, owner: str, where: str, scheme: str, told: str
) -> None:
    study = imports.import_corpora(TERMINAL, "bare", [small_corpus()], scheme=scheme)
    page = open_page(where, owner)
    assert told in words(page)
    links = [link.proto.label for link in page.get("page_link")]
    assert ("Quality rules" in links) is bool(told)
    studies.open_study(TERMINAL, study.id)
    assert "It is rejected if" not in words(open_page(where, owner))
