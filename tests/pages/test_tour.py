"""The tour of the demonstration: begun by a button, followed page by page or by an address, ended on any page."""

from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.errors import InputError
from core.people import TERMINAL, Role
from db.people import people
from db.studies import studies
from db.transfer import imports
from pages.ui.shared.tour import STOPS, TOUR
from tests.db.conftest import make_study, small_corpus
from tests.pages.conftest import ROOT, Open
from tests.pages.pages import words

LOADS = "Load the demonstration study"


def small_demonstration() -> Study:
    """A study that counts as the demonstration, without its scores."""
    return imports.import_corpora(TERMINAL, "Small", [small_corpus(2)], demonstration=True)


def pressed(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def test_it_is_offered_on_the_demonstration_and_leads_through_its_pages(open_page: Open, owner: str) -> None:
    study = small_demonstration()
    page = open_page("", owner)
    assert "Tour " not in words(page)
    page = pressed(page, "Take the tour")
    assert "Tour 1 of 6:" in words(page)
    assert page.query_params[TOUR] == "1"
    assert not {"Take the tour", "Back"} & set(labels(page))
    for number in range(2, len(STOPS) + 1):
        page = pressed(page, "Next")
        assert f"Tour {number} of 6:" in words(page)
        assert page.query_params[TOUR] == str(number)
        if STOPS[number - 1].path == "correlation":
            assert page.query_params["tab"] == "Scatter"
    assert page.query_params["study"] == str(study.id)
    assert "Next" not in labels(page)
    page = pressed(pressed(page, "Back"), "Back")
    assert "Tour 4 of 6:" in words(page)
    page = pressed(page, "End the tour")
    assert "Tour " not in words(page)
    assert TOUR not in page.query_params
    page.switch_page("overview.py").run()
    assert "Tour " not in words(page)
    assert "Take the tour" in labels(page)


def test_first_steps_load_the_demonstration_for_it(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages.ui.overview.first_steps.load_demonstration", lambda by: small_demonstration())
    page = pressed(open_page("", owner), "Load it and take the tour")
    assert "Tour 1 of 6:" in words(page)
    assert [summary.study.demonstration for summary in studies.summaries(TERMINAL)] == [True]


def test_the_pressed_button_turns_and_neither_can_be_pressed_while_the_demonstration_loads(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[bool, bool]] = []
    button = st.button

    def noted(label: str, **given: Any) -> bool:
        if label in (LOADS, "Load it and take the tour"):
            drawn.append((given["disabled"], given["icon"] == "spinner"))
        return button(label, **given)

    def fails(_by: object) -> Study:
        assert drawn[-2:] == [(True, True), (True, False)]
        raise InputError("It cannot be loaded.")

    monkeypatch.setattr("streamlit.button", noted)
    monkeypatch.setattr("pages.ui.overview.first_steps.load_demonstration", fails)
    page = pressed(open_page("", owner), LOADS)
    assert "It cannot be loaded." in words(page)
    assert drawn[-2:] == [(False, False), (False, False)]  # it can be tried again


def test_an_address_begins_it_where_it_says(open_page: Open, owner: str) -> None:
    small_demonstration()
    page = open_page("", owner)
    page.query_params[TOUR] = "4"
    page.switch_page("judges.py").run()
    assert "Tour 4 of 6:" in words(page)
    page.switch_page("stories.py").run()
    assert "Tour " not in words(page), "no stop is there"
    page.switch_page("tokens.py").run()
    assert "Tour 3 of 6:" in words(page), "it goes on where somebody went"


@pytest.mark.parametrize("asked", ["0", "7", "x", "²", "-1"])
def test_an_address_that_names_no_stop_begins_none(open_page: Open, owner: str, asked: str) -> None:
    small_demonstration()
    page = open_page("", owner)
    page.query_params[TOUR] = asked
    assert "Tour " not in words(page.run())


def test_other_studies_and_annotators_are_not_asked(open_page: Open, owner: str) -> None:
    study = make_study()
    assert "Take the tour" not in labels(open_page("", owner))
    rater = open_page("", people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    rater.query_params[TOUR] = "5"
    assert "Tour " not in words(rater.run())


def test_every_stop_is_a_page_of_its_own() -> None:
    assert len({stop.path for stop in STOPS}) == len(STOPS) == 6
    assert all((ROOT / "pages" / stop.page).is_file() for stop in STOPS)
    assert all(len(stop.said) < 200 for stop in STOPS), "two lines at most"
