"""The language in which annotators are spoken to: kept by one run of the page."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from core.annotation.builtin import MANS
from core.annotation.studies import Study
from core.languages.words import Words, languages
from core.people import TERMINAL
from db.annotation import settings
from db.studies import studies
from pages.ui.form import spoken_language
from pages.ui.shared.annotators_words import lowered
from pages.ui.shared.text import escaped
from tests.pages.conftest import Open


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Very good", "very good"),
        ("A machine", "a machine"),
        ("I was there", "I was there"),
        ("I’m sure", "I’m sure"),
        ("AI", "AI"),
        ("", ""),
    ],
)
def test_a_label_inside_of_a_sentence(label: str, said: str) -> None:
    assert lowered(label) == said


def test_a_saved_form_says_so(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("form", owner)
    next(button for button in page.button if button.label == "Save the form").click().run()
    (saved,) = (item.value for item in page.success)
    assert saved == escaped(f"Saved. Annotators are asked now: “{study.scheme.question}”")
    assert "Next: where the study stands" in [link.proto.label for link in page.get("page_link")]
    assert not page.run().success


def test_an_attention_check_has_an_answer_only_where_there_is_one(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("form", owner)
    answer = page.number_input(key=f"check-answer-{study.id}")
    assert (answer.value, answer.placeholder) == (None, "No attention check")
    page.text_input(key=f"check-{study.id}").set_value("Choose 2.")
    next(button for button in page.button if button.label == "Save the form").click().run()
    assert "Say which answer the attention check asks for\\." in [item.value for item in page.error]
    page.number_input(key=f"check-answer-{study.id}").set_value(2)
    next(button for button in page.button if button.label == "Save the form").click().run()
    assert studies.get(study.id).scheme.check_answer == 2


def test_a_choice_is_kept_and_runs_the_page_once(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("form", owner)
    ran: list[int] = []

    def counted() -> Mapping[str, Words]:
        ran.append(1)
        return languages()

    monkeypatch.setattr(spoken_language, "languages", counted)
    page.selectbox(key=f"language-{study.id}").set_value("de").run()
    assert not page.exception
    assert studies.get(study.id).rules.language == "de"
    assert len(ran) == 1


def test_what_others_have_changed_meanwhile_stays(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("form", owner)
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=study.rules.ratings_wanted + 1))
    page.selectbox(key=f"language-{study.id}").set_value("es").run()
    rules = studies.get(study.id).rules
    assert (rules.language, rules.ratings_wanted) == ("es", study.rules.ratings_wanted + 1)


def test_what_a_form_describes_wraps_in_its_tables(open_page: Open, study: Study, owner: str) -> None:
    criteria, errors = (table.proto for table in open_page("form", owner).dataframe[:2])
    longest = max(len(error.why) for error in MANS.error_types)
    assert errors.row_height >= 18 * longest / 28  # its lines, of so many letters each
    assert 70 < criteria.row_height < errors.row_height  # which has shorter cells
