"""The last imports at the end of the Import page, and the way to take one back."""

from pathlib import Path

import pytest
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

from core.annotation.past_imports import Origin, RowsLeftOut
from core.people import TERMINAL
from db.annotation import assignments
from db.engine import writing
from db.import_tables import study_import
from db.studies import past_imports, studies
from db.transfer import imports
from db.transfer.take_back import take_back
from pages.ui.import_data import past_imports as part
from pages.ui.import_data.steps import KIND
from pages.ui.shared.study_choice import CHOSEN
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.pages.conftest import Open
from tests.pages.pages import words

MINE = b"text,opening,system,reference\nShe ate the key.,Mia found a key.,gpt,She tried every door.\n"


def asked(page: AppTest, number: int) -> AppTest:
    """Open the question of an import, as a press of its button does."""
    page.session_state[f"take-back-{number}"] = True
    return page.run()


def test_an_import_is_listed_asked_about_and_taken_back(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.file_uploader[0].set_value(("mine.csv", MINE, "text/csv")).run()
    assert not page.subheader
    next(button for button in page.button if button.label == "Import").click().run()
    (past,) = past_imports.listed(TERMINAL, studies.find("mine").id)
    assert "**mine.csv**: 1 story and 1 human reference" in words(page)
    assert "This removes" not in words(page)
    page = asked(page, past.id)
    assert "This removes 1 story and 1 human reference, with their scores." in words(page)
    button = page.button(f"take-back-yes-{past.id}")
    assert button.disabled
    page.checkbox(f"take-back-sure-{past.id}").check().run()
    page.button(f"take-back-yes-{past.id}").click().run()
    assert not page.exception
    assert "mine.csv is taken back: 1 story and 1 human reference left the study. It is empty now" in words(page)
    assert "Imported 1 story" not in words(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.name, summary.stories, summary.references) == ("mine", 0, 0)
    assert page.file_uploader
    assert not page.run().subheader


def test_rows_that_were_left_out_stay_known(open_page: Open, served: None, owner: str) -> None:
    rows = "story,rating,AssignmentStatus\nHe ran.,1,Approved\nHe ran.,5,Rejected\n"
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run().file_uploader[0].set_value([("batch.csv", rows.encode(), "text/csv")]).run()
    assert "1 row holds work that was rejected on MTurk, and would count like the others." in words(page)
    assert "not used" not in words(page)
    next(button for button in page.button if button.label == "Leave the rejected work out").click().run()
    assert next(box for box in page.selectbox if box.label == "Only rows where").value == "AssignmentStatus"
    assert next(box for box in page.multiselect if box.label == "is").value == ["Approved"]
    assert "rejected on MTurk" not in words(page)
    next(button for button in page.button if button.label == "Import").click().run()
    said = "1 row left out: only rows where AssignmentStatus is “Approved” came in."
    study_id = studies.find("batch").id
    (past,) = past_imports.listed(TERMINAL, study_id)
    left = RowsLeftOut(said, 1, "rejected on MTurk")
    named = RowsLeftOut(f"batch.csv: {said}", 1, "rejected on MTurk")
    assert (past.left_out, past_imports.left_out(study_id)) == ((left,), [named])
    page = open_page("import_data", owner)
    page.session_state[CHOSEN] = study_id
    assert said in words(page.run())
    overview = open_page("overview", owner)
    overview.session_state[CHOSEN] = study_id
    assert "1 more row was left out at the import: rejected on MTurk." in words(overview.run())


def test_an_import_of_before_says_nothing_of_what_it_left_out(database: str) -> None:
    study = make_study("rated")
    with writing() as connection:
        connection.execute(update(study_import).values(brought={"stories": {}, "ratings": 3}))
    (past,) = past_imports.listed(TERMINAL, study.id)
    assert (past.left_out, past_imports.left_out(study.id)) == ((), [])
    with writing() as connection:
        brought = {"stories": {}, "ratings": 3, "left_out": ["2 rows left out."]}
        connection.execute(update(study_import).values(brought=brought))
    (past,) = past_imports.listed(TERMINAL, study.id)
    assert past.left_out == (RowsLeftOut("2 rows left out."),)


def test_what_people_were_shown_stays_and_says_why(open_page: Open, served: None, owner: str) -> None:
    study = make_study("rated")
    panel = assignments.turn(make_annotator(study), claim=True).panel
    assert panel is not None
    page = open_page("import_data", owner)
    page.session_state[CHOSEN] = study.id
    (past,) = past_imports.listed(TERMINAL, study.id)
    page = asked(page.run(), past.id)
    assert "The study 'rated' is open for annotation; close it before you take an import back." in words(page)
    studies.close_study(TERMINAL, study.id)
    page.run()
    assert "People have been given panels here that show its stories" in words(page)
    assert f"take-back-yes-{past.id}" not in {button.key for button in page.button}


def test_many_are_shown_when_asked_for_and_one_that_is_gone_says_so(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "SHOWN", 1)
    study = imports.import_corpora(TERMINAL, "s", [small_corpus(1)], origin=Origin("MANS", ("*one*.json",)))
    file = Path("two.json").name
    other = small_corpus(2).stories[6:]
    imports.import_corpora(TERMINAL, "s", [type(small_corpus())("", other)], origin=Origin("MANS", (file,)))
    newest, oldest = past_imports.listed(TERMINAL, study.id)
    page = open_page("import_data", owner)
    assert "**two.json**" in words(page)
    assert "one*" not in words(page)
    page.toggle(f"all-imports-{study.id}").set_value(True).run()
    assert "***one*.json**: 5 stories and 1 human reference" in words(page)
    page = asked(page, oldest.id)
    page.checkbox(f"take-back-sure-{oldest.id}").check().run()
    take_back(TERMINAL, study.id, oldest.id)
    page.button(f"take-back-yes-{oldest.id}").click().run()
    assert "perhaps it was taken back already" in words(page)
    assert [one.id for one in past_imports.listed(TERMINAL, study.id)] == [newest.id]
