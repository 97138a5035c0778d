"""The language that a study's annotators are spoken to in: chosen by its owner, or by their browser."""

from dataclasses import replace
from typing import Any

import pytest

from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL, Role
from core.stories import Corpus
from db.annotation import settings
from db.people import people
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.pages.conftest import Open
from tests.pages.pages import words


def choose(study: Study, language: str) -> None:
    settings.set_rules(TERMINAL, study.id, replace(studies.get(study.id).rules, language=language))


def test_the_owner_chooses_and_the_owner_s_own_pages_stay_english(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("form", owner)
    (box,) = [box for box in page.selectbox if box.label.startswith("Language")]
    assert box.options == ["Their browser's", "English", "العربية", "Deutsch", "Español", "简体中文"]
    assert box.value == ""
    box.set_value("de").run()
    assert studies.get(study.id).rules.language == "de"
    assert "How good is this story as a whole?" in words(page)
    preview = page.switch_page("preview.py").run()
    assert "Wie gut ist diese Geschichte im Ganzen?" in words(preview)
    assert "You see the study as an annotator would" in words(preview)
    assert "How good is this story as a whole?" in words(preview.switch_page("form.py").run())


@pytest.mark.parametrize(
    ("language", "says"), [("", "Rate stories"), ("es", "Valorar historias"), ("xx", "Rate stories")]
)
def test_annotators_read_it(open_page: Open, annotator: str, study: Study, language: str, says: str) -> None:
    choose(study, language)
    assert says in words(open_page("", annotator))


def test_rules_stored_before_open_as_the_browser_s() -> None:
    before: dict[str, Any] = {name: value for name, value in QualityRules().as_dict().items() if name != "language"}
    assert QualityRules(**before).language == ""


@pytest.mark.parametrize("language", ["d", "../de", "de_AT", "de\n", "<b>"])
def test_a_language_is_a_code(language: str) -> None:
    with pytest.raises(InputError, match="A language is named by its code"):
        QualityRules(language=language)


@pytest.mark.parametrize(
    ("masked", "language", "says"),
    [
        (True, "en", "Words in brackets, such as [MALE], stand for names and the like; they are no error."),
        (True, "de", "Wörter in Klammern, etwa [MALE], stehen für Namen und Ähnliches; sie sind kein Fehler."),
        (False, "en", ""),
    ],
)
def test_annotators_read_what_placeholders_stand_for(
    open_page: Open, served: None, masked: bool, language: str, says: str
) -> None:
    stories = [replace(s, text=f"[MALE] said: {s.text}") if masked else s for s in small_corpus(2).stories]
    study = imports.import_corpora(TERMINAL, "masked", [Corpus("", tuple(stories))])
    choose(study, language)
    studies.open_study(TERMINAL, study.id)
    page = open_page("", people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    before = words(page)
    next(button for button in page.button if button.key != "sign-out").click().run()
    if masked:
        assert says in before
        assert says in words(page)
    else:
        assert "in brackets" not in before + words(page)
