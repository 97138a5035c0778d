"""A table of stories on the Import page: looked through, asked about, stored beside the page, told once."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect, Radio

from core.annotation.builtin import with_prompts
from core.annotation.studies import Study
from core.annotation.unit import PromptKind
from core.people import TERMINAL
from core.stories import Corpus, Source
from db import schema
from db.annotation import settings
from db.engine import reading
from db.scores import tables
from db.studies import studies
from db.transfer import exports, imports, story_imports
from pages.ui.import_data.running import RUNNING, Running
from pages.ui.import_data.steps import KIND
from pages.ui.shared.study_choice import CHOSEN
from tests.db.conftest import small_corpus
from tests.pages.conftest import Open
from tests.pages.pages import words

INTO = "Into the study: choose one, or type the name of a new one"
SAME = "Each column is the same person in every row"
MINE = (
    "id,opening,model,continuation,taste\n"
    "1,Mia found a key.,human,She tried it on every door.,0.9\n"
    "2,Mia found a key.,gpt,She ate the key.,0.2\n"
)


def uploaded(open_page: Open, owner: str, text: str) -> AppTest:
    page = open_page("import_data", owner)
    page.file_uploader[0].set_value(("mine.csv", text.encode(), "text/csv")).run()
    assert not page.exception
    return page


def test_a_text_comes_in_line_by_line_and_what_is_no_such_file_is_said(open_page: Open, owner: str) -> None:
    page = open_page("import_data", owner)
    page.file_uploader[0].set_value(("mine.txt", b"He ran. She sat.\n\nThey left.\n", "text/plain")).run()
    assert not page.exception
    assert "What would be imported: 2 stories." in words(page)
    page.file_uploader[0].set_value(("mine.docx", b"PK\x03\x04", "application/msword")).run()
    assert [error.value.replace("\\", "") for error in page.error] == [
        "mine.docx: files ending in .docx are not known; use .csv, .tsv, .json, .jsonl, .parquet, .txt."
    ]


def test_stories_without_a_system_may_be_people_s(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.file_uploader[0].set_value(("mine.txt", b"He ran. She sat.\n\nThey left.\n", "text/plain")).run()
    (who,) = [box for box in page.radio if "names no system" in box.label]
    assert who.label == "Who wrote the 2 stories for which the file names no system?"
    who.set_value(who.options[1]).run()
    assert "What would be imported: 2 human references." in words(page)
    press(page)
    assert "Imported 2 human references into the study 'mine'." in words(page)


@pytest.mark.parametrize(("masked", "told"), [(True, True), (False, False)])
def test_how_human_stories_must_have_names_is_told_before_they_come_in(
    open_page: Open, served: None, owner: str, masked: bool, told: bool
) -> None:
    stories = [replace(s, text=f"[MALE] said: {s.text}") if masked else s for s in small_corpus(3).stories]
    systems = tuple(story for story in stories if story.source is Source.SYSTEM)
    study = imports.import_corpora(TERMINAL, "masked", [Corpus("", systems)])
    said = "The stories to rate have [MALE] or the like where a name would stand: replace the names"
    page = open_page("import_data", owner)
    page.session_state[CHOSEN] = study.id
    before = words(page.run())
    assert (said in before) is told
    if told:  # above the box for the file, where it is seen before one is chosen
        parts = [f"{part.type} {part.value or ''}".replace("\\", "") for part in page.main if hasattr(part, "value")]
        hint, box = (next(i for i, part in enumerate(parts) if sought in part) for sought in (said, "file_uploader"))
        assert hint < box
    page.query_params["into"], page.query_params["by"] = str(study.id), "people"
    assert (said in words(page.run())) is told
    page.file_uploader[0].set_value(("mine.txt", b"He ran. She sat.\n", "text/plain")).run()
    assert (said in words(page)) is told
    (who,) = [box for box in page.radio if "names no system" in box.label]
    assert said not in words(who.set_value(who.options[0]).run())


@pytest.mark.parametrize("mask", ["[MALE]", "[NAME]"])
def test_names_of_human_stories_are_written_as_the_study_has_them_where_that_is_ticked(
    open_page: Open, served: None, owner: str, mask: str
) -> None:
    """Placeholders other than those of the lists of names are for whoever has the file to write."""
    stories = tuple(replace(s, text=f"{mask} said: {s.text}") for s in small_corpus(3).stories)
    study = imports.import_corpora(
        TERMINAL, "masked", [Corpus("", tuple(s for s in stories if s.source is Source.SYSTEM))]
    )
    page = open_page("import_data", owner)
    page.session_state[CHOSEN] = study.id
    page.query_params["into"], page.query_params["by"] = str(study.id), "people"
    page.run()
    page.file_uploader[0].set_value(("mine.txt", b"Then Tom ran. sarah sat.\n", "text/plain")).run()
    ticks = [box for box in page.checkbox if "Write names as" in box.label]
    if mask == "[NAME]":
        assert not ticks
        return
    (tick,) = ticks
    assert list(page.dataframe[-1].value["Story"]) == ["Then Tom ran. sarah sat."]
    assert "replace the names in the file" in words(page)
    tick.check().run()
    assert "replace the names in the file" not in words(page)
    assert list(page.dataframe[-1].value["Story"]) == ["Then [MALE] ran. [FEMALE] sat."]
    press(page)
    with reading() as connection:
        texts = connection.scalars(select(schema.story.c.text).where(schema.story.c.source == Source.HUMAN)).all()
    assert texts == ["Then [MALE] ran. [FEMALE] sat."]


def test_who_is_led_here_for_human_stories_brings_these(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.query_params["by"] = "people"
    page.run()
    page.file_uploader[0].set_value(("mine.txt", b"He ran. She sat.\n\nThey left.\n", "text/plain")).run()
    assert "What would be imported: 2 human references." in words(page)


def press(page: AppTest) -> None:
    next(button for button in page.button if button.label == "Import").click().run()
    assert not page.exception


def test_it_is_looked_through_asked_about_and_told(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, MINE)
    assert "2 rows. The first ones as they are in the file:" in words(page)
    assert "Before you import, answer above: whether people wrote the stories of *human*." in words(page)
    (control,) = [box for box in page.radio if "human" in box.label]
    assert "Correlations of metrics with people leave them out. Those by people are not rated for" in words(page)
    control.set_value(control.options[0]).run()
    assert "What would be imported: 1 story and 1 human reference." in words(page)
    page.multiselect[0].set_value(["taste"]).run()
    press(page)
    assert "Imported 1 story, 1 human reference and scores of 1 metric into the study 'mine'." in words(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.references, summary.metrics) == (1, 1, 1)
    assert page.session_state[RUNNING] == {}
    assert not page.file_uploader  # what came of it stands in place of all that was asked
    assert not page.dataframe
    assert {"Import", "Import another file"}.intersection(button.label for button in page.button) == {
        "Import another file"
    }
    emphasis = {button.label: button.proto.type for button in page.main.button}
    assert emphasis == {"Next: where the study stands": "primary", "Import another file": "tertiary"}
    assert "What would be imported" not in words(page)


@pytest.mark.parametrize(
    ("scheme", "told"),
    [
        ("criteria", "Correlations of metrics with people leave them out. Nobody is asked to rate those by people."),
        ("likeliness", "Correlations of metrics with people leave them out. Those by people are rated too."),
        ("turing", "which metrics compare with. Each system's stories are compared with those by people."),
    ],
)
def test_what_becomes_of_stories_by_people_is_told(
    open_page: Open, served: None, owner: str, scheme: str, told: str
) -> None:
    page = uploaded(open_page, owner, MINE)
    next(box for box in page.selectbox if box.label == "Scheme of the new study").set_value(scheme).run()
    assert told in words(page)
    assert "Stories by people" not in words(uploaded(open_page, owner, MINE.replace("human", "gpt-2")))


def test_scores_that_human_stories_lack_come_in_beside_the_others(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, MINE.replace("0.9", ""))
    (control,) = [box for box in page.radio if "human" in box.label]
    control.set_value(control.options[0]).run()
    page.multiselect[0].set_value(["taste"]).run()
    assert "cells are empty" not in words(page)  # all that can have a score has one
    press(page)
    assert "Imported 1 story, 1 human reference and scores of 1 metric into the study 'mine'." in words(page)
    assert [column.scored for column in tables.table(studies.find("mine").id).columns] == [1]


def asked_kind(page: AppTest) -> Radio[str]:
    return next(box for box in page.radio if box.label == "The prompt is")


@pytest.mark.parametrize(("column", "usual"), [("opening", PromptKind.OPENING), ("WritingPrompt", PromptKind.TASK)])
def test_what_the_prompts_are_is_asked_of_a_new_study_alone(
    open_page: Open, served: None, owner: str, column: str, usual: PromptKind
) -> None:
    page = uploaded(open_page, owner, f"{column},text\nMia found a key.,She ate it.\n")
    assert asked_kind(page).value is usual
    assert f"Chosen because their column is called {column}. The first prompt: “Mia found a key.”" in words(page)
    press(page)
    study = studies.find("mine")
    assert (study.scheme.prompt_kind, study.form is None) == (usual, usual is PromptKind.OPENING)
    page = open_page("import_data", owner)
    page.file_uploader[0].set_value(("more.csv", b"prompt,text\nBen ran.,He fell.\n", "text/csv")).run()
    assert asked_kind(page).value is None
    assert "Before you import, answer above: what the prompt is." in words(page)
    assert page.button(key="import").disabled
    assert "Please choose: the file does not say it. The first prompt: “Ben ran.”" in words(page)
    asked_kind(page).set_value(PromptKind.TASK).run()
    assert "Please choose" not in words(page)
    assert "The first prompt: “Ben ran.”" in words(page)
    next(box for box in page.selectbox if box.label == INTO).set_value("mine").run()
    assert "answer above" not in words(page)
    assert "The prompt is" not in {box.label for box in page.radio}


def test_what_the_prompts_are_is_asked_of_a_study_without_stories_too(
    open_page: Open, served: None, owner: str
) -> None:
    """It is the sidebar's usual one right after it was made."""
    studies.create(TERMINAL, "mine")
    page = uploaded(open_page, owner, "prompt,text\nA key.,She ate it.\n")
    next(box for box in page.selectbox if box.label == INTO).set_value("mine").run()
    assert "The file goes into the study **mine**, which has no stories yet." in words(page)
    asked_kind(page).set_value(PromptKind.TASK).run()
    press(page)
    assert studies.find("mine").scheme.prompt_kind is PromptKind.TASK


@pytest.mark.parametrize("there", [False, True])
@pytest.mark.parametrize("kind", ["fabula", "preferences"])
def test_what_the_prompts_of_judgments_are_is_asked_too(
    open_page: Open, served: None, owner: str, kind: str, *, there: bool
) -> None:
    if there:
        studies.create(TERMINAL, "mine", "mans" if kind == "fabula" else kind)
    text = {
        "fabula": b"task,story,rating,scale\nMia and a key.,She ate it.,4,x\n",
        "preferences": b"prompt,chosen,rejected\nWrite a story about a key.,She ate it.,She lost it.\n",
    }[kind]
    page = open_page("import_data", owner)
    page.session_state[KIND] = kind
    page.run().file_uploader[0].set_value([("mine.csv", text, "text/csv")]).run()
    if kind == "fabula":
        assert "The prompt is" not in {box.label for box in page.radio}  # nothing is taken for the prompt
        next(box for box in page.selectbox if box.label == "Prompt").set_value("task").run()
    assert asked_kind(page).value is PromptKind.TASK
    press(page)
    assert studies.find("mine").scheme.prompt_kind is PromptKind.TASK


def another(page: AppTest) -> None:
    next(button for button in page.button if button.label == "Import another file").click().run()


def other_kind(page: AppTest) -> None:
    page.segmented_control(key=KIND).set_value("preferences").run()


def leave(page: AppTest) -> None:
    page.switch_page("stories.py").run()
    page.switch_page("import_data.py").run()


@pytest.mark.parametrize("go_on", [another, other_kind, leave])
def test_after_an_import_the_page_begins_anew(
    open_page: Open, served: None, owner: str, go_on: Callable[[AppTest], None]
) -> None:
    page = uploaded(open_page, owner, "id,text\n1,One.\n")
    press(page)
    assert "Imported 1 story" in words(page.run())
    go_on(page)
    assert not page.exception
    assert "Imported" not in words(page)
    assert page.file_uploader[0].value in (None, [])


def test_before_a_file_is_chosen_it_says_where_it_goes(open_page: Open, study: Study, owner: str) -> None:
    new = "**A new study** is made of the file, and named after it. Once it is read, you can choose another study"
    chosen = "The file goes into the study **small**. Choose another in the sidebar."
    page = open_page("import_data", owner)
    assert new in words(page)
    for kind, said in (
        *(("union", new), ("mans", new), ("preferences", new), ("scores", chosen), ("judges", chosen)),
        (
            "fabula",
            "Ratings without their stories go into the chosen study, **small**. Ratings with their stories, and "
            "exports, make **a new study**.",
        ),
    ):
        page.session_state[KIND] = kind
        page.run()
        assert not page.exception
        assert said in words(page), kind
    studies.close_study(TERMINAL, study.id)
    said = "Ratings of stories that are in the chosen study, **small**, go into it. Ratings of other stories, and"
    assert said in words(page.run())
    studies.create(TERMINAL, "waiting", "mans")
    page.session_state[KIND] = "stories"
    assert new in words(page.run())  # it is not the one that is chosen
    page.session_state[CHOSEN] = studies.find("waiting").id
    assert "The file goes into the study **waiting**. Once it is read, you can choose another" in words(page.run())
    page.file_uploader[0].set_value(("mine.csv", b"id,text\n1,One.\n", "text/csv")).run()
    (into,) = [box for box in page.selectbox if box.label == INTO]
    assert into.value == "waiting"
    assert "The file goes into the study **waiting**, which has no stories yet." in words(page)


def test_an_open_study_says_so_before_a_file_is_chosen(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("import_data", owner)
    page.query_params["into"] = str(study.id)
    assert f"The study **{study.name}** is open for annotation: close it before you import" in words(page.run())


def test_an_existing_study_is_only_taken_where_it_is_chosen(open_page: Open, served: None, owner: str) -> None:
    def offered(chosen: str, **query: str) -> AppTest:
        page = open_page("import_data", owner)
        page.session_state[CHOSEN] = studies.find(chosen).id
        for part, value in query.items():
            page.query_params[part] = value
        page.run()
        page.file_uploader[0].set_value(("mine.csv", b"id,text\n9,Nine.\n", "text/csv")).run()
        assert not page.exception
        return page

    def into(page: AppTest) -> str:
        return str(next(box for box in page.selectbox if box.label == INTO).value)

    press(uploaded(open_page, owner, "id,text\n1,One.\n"))
    studies.create(TERMINAL, "empty", "mans")
    page = offered("empty")
    assert into(page) == "empty"
    press(page)
    page = offered("empty")
    assert into(page) == "mine 2"
    assert (
        "The study in the sidebar, **empty**, has stories already. There is one "
        "called **mine** already: choose it to add to it."
    ) in words(page)
    assert "**A new study** called **mine 2** is made of the file." in words(page)
    page.session_state[CHOSEN] = studies.find("mine").id
    page.run()
    assert into(page) == "mine"  # it is the one in the sidebar
    assert into(offered("empty", into=str(studies.find("empty").id))) == "empty"
    assert into(offered("empty", into=str(studies.find("mine").id))) == "mine 2"


def test_what_is_not_read_is_said_and_ratings_go_where_they_are(open_page: Open, served: None, owner: str) -> None:
    rows = "id,prompt,system,text,human_rating,notes\n1,A.,m,One.,4,x\n2,A.,n,Two.,,y\n"
    page = uploaded(open_page, owner, rows)
    assert "Not read: *human\\_rating*. It looks like people's ratings:" in words(page)  # though a cell is empty
    assert "Not read: *notes*." in words(page)
    page = uploaded(open_page, owner, rows.replace(",,y", ",2,y"))
    next(button for button in page.button if button.label == "Import with the ratings").click().run()
    assert "2 ratings" in words(page)
    (box,) = [box for box in page.selectbox if box.label == "Rating"]
    assert box.value == "human_rating"


def test_a_column_that_may_be_the_prompt_or_the_system_is_warned_of(open_page: Open, served: None, owner: str) -> None:
    rows = "id,wp,by,text\n1,A key.,gpt,One.\n2,A key.,gpt,Two.\n"
    page = uploaded(open_page, owner, rows)
    prompt, system = (box.value.replace("\\", "") for box in page.warning)
    assert prompt == (
        "No column is taken for the prompt: every story stands by itself, and nothing can be said within prompts. "
        "Not used: wp. If it holds the prompt, choose it above."
    )
    assert system.startswith("No column is taken for the system: who wrote the stories is unknown")
    assert "Not read" not in words(page)  # as the warnings have named them
    for field, column in (("Prompt", "wp"), ("System", "by")):
        next(box for box in page.selectbox if box.label == field).set_value(column).run()
    assert not page.warning
    rated = ratings_file(open_page, owner, rows.replace("id", "rating"))
    assert [box.value.endswith("choose it above under Columns, rows and scale\\.") for box in rated.warning] == [
        True
    ] * 2
    next(box for box in rated.selectbox if box.label == "Prompt").set_value("wp").run()
    assert len(rated.warning) == 1
    assert "Columns that are not used" not in words(rated)


def test_ratings_that_would_be_left_out_are_named(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "id,text,Overall\n1,One.,4\n2,Two.,2\n")
    assert "Not read: *Overall*. It looks like people's ratings:" in words(page)
    next(button for button in page.button if button.label == "Import with the ratings").click().run()
    assert page.session_state[KIND] == "fabula"
    assert "The file **mine.csv**" in words(page)  # which need not be uploaded again
    assert "2 ratings" in words(page)
    next(button for button in page.button if button.label == "Another file").click().run()
    assert not page.exception
    assert "The file **mine.csv**" not in words(page)


def test_a_table_of_ratings_is_said_to_be_one_once(open_page: Open, served: None, owner: str) -> None:
    rows = "".join(f"{story},{rater},4,Text {story}.\n" for story in "abc" for rater in "xyz")
    page = uploaded(open_page, owner, "id,rater,rating,text\n" + rows)
    assert "This looks like a table of ratings: 9 rows, 3 different stories." in words(page)
    assert "looks like people's ratings" not in words(page)
    next(button for button in page.button if button.label == "Import as ratings").click().run()
    assert "9 ratings by 3 annotators; 3 stories." in " ".join(words(page).split())


def test_stories_may_be_taken_from_ratings_without_these(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "id,rater,rating,text\na,x,4,One.\na,y,2,One.\nb,x,3,Two.\nb,y,5,Two.\n")
    assert [button.label for button in page.button if button.label == "Import"] == []
    (box,) = [box for box in page.checkbox if box.label.startswith("Import each story once, without the ratings")]
    box.check().run()
    assert "What would be imported: 2 stories." in words(page)
    press(page)
    assert [(item.stories, item.ratings) for item in studies.summaries(TERMINAL)] == [(2, 0)]


def test_a_column_of_the_text_is_asked_for_and_a_scheme(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "body,opening\nOnce.,Go.\n")
    assert "Choose the column that holds the story's text." in words(page)
    next(box for box in page.selectbox if box.label == "Text (required)").set_value("body").run()
    assert "What would be imported: 1 story." in words(page)
    next(box for box in page.selectbox if box.label == "Scheme of the new study").set_value("likeliness").run()
    press(page)
    assert studies.find("mine").scheme_key == "likeliness"


def test_a_scale_that_does_not_hold_the_ratings_is_said_before_the_import(
    open_page: Open, served: None, owner: str
) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    page.file_uploader[0].set_value([("seven.csv", b"story,annotator,rating\nOnce.,Ann,7\nTwice.,Ann,1\n", "text/csv")])
    page.run()
    said = "The ratings go from 1 to 7, and the scale from 1 to 5: the first 7 is in line 2, column 'rating'."
    assert said in words(page)
    assert "Import" not in [button.label for button in page.button]
    next(button for button in page.button if button.label == "They are on a scale of 1-7").click().run()
    assert next(box for box in page.text_input if box.label == "Scale").value == "1-7"
    press(page)
    assert studies.find("seven").scheme.highest == 7


def test_votes_of_yes_and_no_make_a_study_that_asks_what_people_were_asked(
    open_page: Open, served: None, owner: str
) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    sheet = "nr;writing task;text;rater;reasonable\n1;Write.;Once.;Ann;yes\n1;Write.;Once.;Bo;no\n2;Go.;Twice.;Ann;no\n"
    page.file_uploader[0].set_value([("votes.csv", sheet.encode(), "text/csv")]).run()
    assert "Choose" not in words(page).split("Which column holds what")[0]
    assert next(box for box in page.selectbox if box.label == "Rating").value == "reasonable"
    assert next(box for box in page.selectbox if box.label == "Prompt").value == "writing task"
    assert "3 ratings in words: yes (or true) was read as 1" in words(page)
    question = next(box for box in page.text_input if box.label == "What people were asked")
    assert question.value == "Is this a good story?"
    question.set_value("Is this story reasonable?").run()
    press(page)
    study = studies.find("votes")
    assert (study.scheme.main.question, study.scheme.main.scale) == (
        "Is this story reasonable?",
        ((0, "No"), (1, "Yes")),
    )


def test_a_criterion_of_any_name_is_asked_about_as_it_is_written(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    page.file_uploader[0].set_value([("two.csv", b"story,**wit**,pace\nOnce.,4,2\nTwice.,3,1\n", "text/csv")]).run()
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(list(criteria.options)).run()
    assert [box.label for box in page.text_input if box.label.startswith("On ")] == [r"On \*\*wit\*\*", "On pace"]


def test_ratings_by_columns_of_any_name(open_page: Open, served: None, owner: str) -> None:
    rows = ["n,Story,Opening,Model,Worker,Value,Question"]
    for number in range(4):
        message = f'{number},"Ida went home, and slept {number} times.",Ida woke.,m{number},Ann'
        rows += [f"{message},{number},coherence", f"{message},5,style"]
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    page.file_uploader[0].set_value([("theirs.csv", "\n".join(rows).encode(), "text/csv")]).run()
    assert "Choose the columns that hold the story (its id or its text) and its rating, or its criteria." in words(page)
    for label, column in (
        *(("Story's id", "n"), ("Rating", "Value"), ("Annotator", "Worker"), ("Story", "Story")),
        *(("Prompt", "Opening"), ("System", "Model"), ("Only rows where", "Question")),
    ):
        next(box for box in page.selectbox if box.label == label).set_value(column)
    page.run()
    next(box for box in page.multiselect if box.label == "is").set_value(["coherence"]).run()
    next(box for box in page.text_input if box.label == "Scale").set_value("1-5").run()
    assert "a rating of 0 is outside the scale 1 to 5." in words(page)
    next(box for box in page.text_input if box.label == "Scale").set_value("0-5").run()
    assert "4 ratings by 1 annotator; 4 stories." in words(page)
    press(page)
    study = studies.find("theirs")
    assert sorted(row.overall for row in exports.ratings_of(TERMINAL, study.id) if row.overall is not None) == [
        0,
        1,
        2,
        3,
    ]
    assert study.scheme.scale[0][0] == 0


def test_ratings_with_stories_of_their_own_begin_a_study(open_page: Open, study: Study, owner: str) -> None:
    """The one that is chosen is open: it would refuse them."""
    page = uploaded(open_page, owner, "id,rater,rating,text\na,x,4,One.\na,y,2,One.\nb,x,3,Two.\nb,y,5,Two.\n")
    next(button for button in page.button if button.label == "Import as ratings").click().run()
    (into,) = [box for box in page.selectbox if box.label == INTO]
    assert into.value == "mine"
    assert study.name in into.options


@pytest.mark.parametrize(
    ("kind", "rows"),
    [
        ("stories", "id,text\n1,One.\n"),
        ("fabula", "id,rater,rating,text\na,x,4,One.\na,y,2,One.\n"),
        ("preferences", "prompt,chosen,rejected\nA.,One.,Two.\n"),
    ],
)
def test_an_open_study_takes_no_file_which_is_said_before(
    open_page: Open, study: Study, owner: str, kind: str, rows: str
) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = kind
    page.run()
    file = ("theirs.csv", rows.encode(), "text/csv")
    page.file_uploader[0].set_value([file] if kind == "fabula" else file).run()
    next(box for box in page.selectbox if box.label == INTO).set_value(study.name).run()
    assert f"The study **{study.name}** is open for annotation: close it before you import into it" in words(page)
    assert next(button for button in page.button if button.label == "Import").disabled
    assert "would be imported" not in words(page)
    studies.close_study(TERMINAL, study.id)
    assert "is open for annotation" not in words(page.run())
    assert not next(button for button in page.button if button.label == "Import").disabled


def test_a_sheet_with_a_column_a_rater_can_be_read_on_the_page(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    sheet = "writing_prompt,generator,story,coh_1,coh_2\nA.,m,One.,4,2\nA.,n,Two.,1,3\n"
    page.file_uploader[0].set_value([("lab.csv", sheet.encode(), "text/csv")]).run()
    assert "Choose the columns that hold the story" in words(page)
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["coh_1 + coh_2"]).run()
    assert "4 ratings; 2 stories. The file does not name the raters: *rater 1*, *rater 2* and" in words(page)
    assert "Rater" in page.dataframe[-1].value.columns
    (same,) = [box for box in page.checkbox if box.label == SAME]
    (closed,) = [part for part in page.expander if part.label == "Columns, rows and scale"]
    assert SAME not in [box.label for box in closed.checkbox]
    assert "*coh* is read from 2 raters' columns: *coh\\_1*, *coh\\_2*." in words(page)
    assert not same.value
    same.check().run()
    assert "4 ratings by 2 annotators" in words(page)
    assert "not people" not in words(page)
    assert "Annotator" in page.dataframe[-1].value.columns
    assert "Each of these raters is one person in every row: rater 1 (coh\\_1); rater 2 (coh\\_2)" in words(page)
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.name, summary.study.scheme.names, summary.ratings) == ("lab", ("coh",), 4)


@pytest.mark.parametrize(("order", "warned"), [((1, 3, 4), True), ((4, 3, 1), True), ((3, 1, 4), False)])
def test_columns_that_are_sorted_in_each_row_are_no_people(
    open_page: Open, served: None, owner: str, order: tuple[int, ...], warned: bool
) -> None:
    """In one file a third of the rows are in another order: so it is where columns are people."""
    rows = [sorted(order, reverse=order[0] == 4) if warned or row % 3 else list(order) for row in range(24)]
    cells = "".join(f"P.,m,Story {row}.,{','.join(map(str, given))}\n" for row, given in enumerate(rows))
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    file = f"prompt,system,story,wit_1,wit_2,wit_3\n{cells}"
    page.file_uploader[0].set_value([("lab.csv", file.encode(), "text/csv")]).run()
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["wit_1 + wit_2 + wit_3"]).run()
    assert ("person in every row, tick that above" in words(page)) != warned
    assert ("somebody has sorted them" in words(page)) == warned
    assert "or every finding about raters is wrong" not in words(page)
    next(box for box in page.checkbox if box.label == SAME).check().run()
    assert ("or every finding about raters is wrong" in words(page)) == warned


def test_columns_named_after_people_are_joined_into_one_criterion(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    sheet = "nr,system,story,anna,ben,carla,notes\n1,m,One.,4,2,3,good\n2,n,Two.,1,,2,\n"
    page.file_uploader[0].set_value([("lab.csv", sheet.encode(), "text/csv")]).run()
    assert "2 rows. The first ones as they are in the file:" in words(page)
    assert page.dataframe[0].value.loc[0, "anna"] == "4"

    def criteria() -> Multiselect:
        return next(box for box in page.multiselect if box.label == "Columns with ratings")

    assert criteria().options == ["anna", "ben", "carla"]  # no texts, and no numbers of stories
    assert next(box for box in page.selectbox if box.label == "Story's id").value == "nr"
    criteria().set_value(list(criteria().options)).run()
    assert "2 ratings" in words(page)
    next(button for button in page.button if button.label == "One criterion, 3 raters").click().run()
    assert criteria().value == ["overall: anna + ben + carla"]
    assert "5 ratings" in words(page)
    criteria().set_value([]).run()  # what is taken out comes apart
    assert criteria().options == ["anna", "ben", "carla"]
    criteria().set_value(["anna", "ben", "carla"]).run()
    next(box for box in page.text_input if box.label == "The criterion's name").set_value("wit").run()
    next(button for button in page.button if button.label == "One criterion, 3 raters").click().run()
    (same,) = [box for box in page.checkbox if box.label == SAME]
    assert same.value
    assert "5 ratings by 3 annotators" in words(page)
    assert "What would be imported: 2 stories and 5 ratings on a scale from 1 to 5; if they are on another" in words(
        page
    )
    next(box for box in page.text_input if box.label == "Scale").set_value("1-7").run()
    assert "What would be imported: 2 stories and 5 ratings on a scale from 1 to 7." in words(page)
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.scheme.names, summary.ratings) == (("wit",), 5)
    assert summary.study.raters_identified
    assert len({row.annotator for row in exports.ratings_of(TERMINAL, summary.study.id)}) == 3


def ratings_file(open_page: Open, owner: str, rows: str) -> AppTest:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    page.file_uploader[0].set_value([("lab.csv", rows.encode(), "text/csv")]).run()
    return page


def test_what_columns_of_numbers_are_is_asked_above_the_rows(open_page: Open, served: None, owner: str) -> None:
    rows = "prompt,model,text,anna,ben\nA.,m,One.,4,2\nA.,n,Two.,1,3\n"
    page = ratings_file(open_page, owner, rows)
    said = words(page)
    question = "*anna*, *ben*: several raters' ratings of one criterion, or a criterion each?"
    assert said.index(question) < said.index("2 rows. The first ones as they are in the file:")
    next(button for button in page.button if button.label == "2 criteria").click().run()
    assert question not in words(page)
    assert "Read as 2 criteria: *anna*, *ben*. If they are several raters' ratings of one criterion" in words(page)
    assert "2 ratings" in words(page)
    assert [button.label for button in page.button if button.label == "2 criteria"] == []
    next(button for button in page.button if button.label == "One criterion, 2 raters").click().run()
    assert "4 ratings by 2 annotators" in words(page)
    assert "several raters' ratings of one criterion" not in words(page)
    columns = list(page.dataframe[1].value.columns)
    assert columns == ["Prompt", "System", "Story", "Id", "Annotator", "Rating"]
    assert page.dataframe[1].value.loc[0, ["Prompt", "System", "Story"]].tolist() == ["A.", "m", "One."]


def test_a_machine_is_not_counted_among_the_people(open_page: Open, served: None, owner: str) -> None:
    cells = "".join(f"P{row}.,m,Story {row}.,{1 + row % 5},{1 + row % 4},5\n" for row in range(6))
    page = ratings_file(open_page, owner, f"Writing prompt,system,story,ann_01,ann_02,gpt4_judge\n{cells}")
    labels = [button.label for button in page.button]
    assert "One criterion, 2 raters" in labels
    assert "One criterion, 3 raters" not in labels
    machine = r"*gpt4\_judge* looks like a machine's scores: it is not counted among the people. A judge's come"
    assert machine in words(page)
    next(button for button in page.button if button.label == "One criterion, 2 raters").click().run()
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    assert criteria.value == ["overall: ann_01 + ann_02"]
    assert "gpt4_judge" in criteria.options  # by hand
    assert "12 ratings" in words(page)
    assert machine in words(page)
    press(page)
    assert r"Columns that are not used: *gpt4\_judge*. A judge's come in afterwards under" in words(page)
    next(button for button in page.button if button.label == "To Judges' ratings").click().run()
    assert page.session_state[KIND] == "judges"
    assert "The file goes into the study **lab**" in words(page)


def test_a_machine_chosen_by_hand_counts(open_page: Open, served: None, owner: str) -> None:
    page = ratings_file(open_page, owner, "prompt,model,text,anna,ben,claude\nA.,m,One.,4,2,3\nA.,n,Two.,1,3,2\n")
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["anna", "ben", "claude"]).run()
    assert "One criterion, 3 raters" in [button.label for button in page.button]
    assert "looks like a machine" not in words(page)


def test_several_raters_criterion_is_called_as_somebody_says(open_page: Open, served: None, owner: str) -> None:
    cells = "".join(f"P{row}.,m,Story {row}.,{1 + row % 5},{1 + row % 4}\n" for row in range(6))
    page = ratings_file(open_page, owner, f"Writing prompt,system,story,ann_01,ann_02\n{cells}")
    assert next(box for box in page.text_input if box.label == "The criterion's name").value == "overall"
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["ann_01 + ann_02"]).run()
    name = next(box for box in page.text_input if box.label.startswith("Criterion of ann"))
    assert name.value == "overall"
    assert "its ann" not in words(page)
    name.set_value("wit").run()
    lost = "ithout it no judge can be tried against a person later (*May it replace a person?*), and it cannot be set"
    assert f"W{lost}" in words(page)
    assert f": w{lost}" in words(page)
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.scheme.names, summary.ratings) == (("wit",), 12)


def test_two_criteria_of_one_name_are_called_as_before(open_page: Open, served: None, owner: str) -> None:
    page = ratings_file(open_page, owner, "prompt,system,story,wit_1,wit_2,pace_1,pace_2\nA.,m,One.,4,2,3,3\n")
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["wit_1 + wit_2", "pace_1 + pace_2"]).run()
    next(box for box in page.text_input if box.label.startswith("Criterion of pace")).set_value("Wit").run()
    assert "Two criteria have one name" in words(page)
    assert not page.exception
    assert {"wit", "pace"} <= set(page.dataframe[1].value.columns)


def test_a_table_of_means_is_read_without_a_question(open_page: Open, served: None, owner: str) -> None:
    rows = "Writing prompt,model,text,Coherence (mean),n raters\nA.,m,One.,4.67,3\nA.,n,Two.,1.33,3\n"
    page = ratings_file(open_page, owner, rows)
    assert "several raters' ratings of one criterion" not in words(page)
    box = next(box for box in page.selectbox if box.label == "Column with the number of raters")
    assert box.value == "n raters"
    assert "2 ratings, each a mean of several raters; 2 stories. The first ratings:" in words(page)
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.scheme.names, summary.ratings) == (("coherence",), 6)


def test_a_criterion_of_means_is_asked_about_by_its_name_alone(open_page: Open, served: None, owner: str) -> None:
    """Two columns that would get one name keep theirs."""
    header = "Writing prompt,model,text,Pace (mean),Wit (mean),wit_avg,n raters"
    page = ratings_file(open_page, owner, f"{header}\nA.,m,One.,4.67,2.33,2,3\nA.,n,Two.,1.33,3,2,3\n")
    next(button for button in page.button if button.label == "3 criteria").click().run()
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert summary.study.scheme.names == ("Pace", "Wit (mean)", "wit_avg")
    assert summary.study.scheme.criteria[0].question == "How would you rate its Pace?"


def test_raters_of_one_criterion_are_joined_under_the_words_that_their_columns_share(
    open_page: Open, served: None, owner: str
) -> None:
    page = ratings_file(open_page, owner, "prompt,model,text,wit_anna,wit_ben\nA.,m,One.,4,2\nA.,n,Two.,1,3\n")
    assert next(box for box in page.text_input if box.label == "The criterion's name").value == "wit"
    next(button for button in page.button if button.label == "One criterion, 2 raters").click().run()
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    assert criteria.value == ["wit: wit_anna + wit_ben"]


def test_raters_that_are_joined_gave_single_ratings_beside_a_number_of_raters(
    open_page: Open, served: None, owner: str
) -> None:
    header = "prompt,model,text,wit_anna,wit_ben,n raters"
    page = ratings_file(open_page, owner, f"{header}\nA.,m,One.,4,2,2\nA.,n,Two.,1,3,2\n")
    next(button for button in page.button if button.label == "One criterion, 2 raters").click().run()
    assert "4 ratings by 2 annotators" in words(page)
    box = next(box for box in page.selectbox if box.label == "Column with the number of raters")
    assert box.value == ""
    box.set_value("n raters").run()  # whoever says so has means
    assert "each a mean of several raters" in words(page)


def test_a_file_of_a_european_spreadsheet_comes_in_as_it_is(open_page: Open, served: None, owner: str) -> None:
    """Semicolons, decimal commas, scales in the columns' names, items and participants."""
    rows = (
        "Item;Generator;Writing prompt;Generated text;Participant;Coherence (1-7);Pace (1-7)\n"
        "i1;m;A.;One, two.;P1;4;6,5\ni1;m;A.;One, two.;P2;5;3\ni2;n;A.;Three.;P1;1,5;7\n"
    )
    page = ratings_file(open_page, owner, rows)
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    criteria.set_value(["Coherence (1-7)", "Pace (1-7)"]).run()
    said = words(page)
    assert "Decimal commas were read in 2 numbers: 6,5 as 6.5." in said
    assert "3 ratings by 2 annotators" in said
    assert "2 stories and 3 ratings on a scale from 1 to 7." in said
    press(page)
    (summary,) = studies.summaries(TERMINAL)
    assert summary.study.scheme.names == ("coherence", "Pace")
    assert summary.study.scheme.criteria[1].question == "How would you rate its Pace?"
    again = ratings_file(open_page, owner, rows)
    (criteria,) = [box for box in again.multiselect if box.label == "Columns with ratings"]
    assert criteria.value == ["Coherence (1-7)", "Pace (1-7)"]


def test_a_rating_among_other_numbers_raises_no_question(open_page: Open, served: None, owner: str) -> None:
    page = ratings_file(open_page, owner, "prompt,model,text,rating,seconds,clicks\nA.,m,One.,4,20,2\n")
    assert "several raters' ratings of one criterion" not in words(page)
    deductions = ratings_file(open_page, owner, 'text,rating,deductions\nOne.,4,"{""logic"": 2}"\n')
    assert "Deductions" in deductions.dataframe[1].value.columns


def test_numbers_that_are_not_read_lead_to_the_ratings(open_page: Open, served: None, owner: str) -> None:
    rows = "prompt,text,model,anna,ben,mixed\nA.,One.,m,4,2,3\nA.,Two.,n,,3,few\n"
    page = uploaded(open_page, owner, rows)
    assert (
        "Not read: *anna*, *ben*, which hold only numbers. People's ratings come in with *Ratings, or an export*"
        in words(page)
    )
    assert "Not read: *mixed*." in words(page)
    next(button for button in page.button if button.label == "Import with the ratings").click().run()
    (ratings,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    assert ratings.options[:2] == ["anna", "ben"]


def test_columns_that_few_files_have_stand_apart_unless_found(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    rows = b"prompt,text,rating,batch,scheme\nA.,One.,4,b,criteria\nA.,Two.,2,b,criteria\n"
    page.file_uploader[0].set_value([("theirs.csv", rows, "text/csv")]).run()
    apart = {box.label for box in page.get("popover")[0].selectbox}
    assert apart == {"Panel", "Column with the number of raters", "Prompt's id", "Source", "Deductions"}
    next(box for box in page.selectbox if box.label == "Panel").set_value("batch").run()
    assert "2 ratings by raters" in words(page)


def test_a_table_with_a_column_a_rater_leads_to_the_ratings(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "prompt,system,text,fluency_R1,fluency_R2\nA.,m,One.,4,2\nA.,n,Two.,1,3\n")
    assert "It looks like people's ratings" in words(page)
    next(button for button in page.button if button.label == "Import with the ratings").click().run()
    assert "4 ratings" in words(page)
    (criteria,) = [box for box in page.multiselect if box.label == "Columns with ratings"]
    assert criteria.value == ["fluency_R1 + fluency_R2"]


def test_ratings_of_other_stories_begin_a_study(open_page: Open, served: None, owner: str) -> None:
    def ratings(name: str, story: str) -> AppTest:
        page = open_page("import_data", owner)
        page.session_state[KIND] = "fabula"
        page.run()
        rows = f"id,rater,rating,text\na,x,4,{story}\na,y,2,{story}\n"
        page.file_uploader[0].set_value([(name, rows.encode(), "text/csv")]).run()
        return page

    press(ratings("first.csv", "One."))
    for name, story, into in (("second.csv", "Two.", "second"), ("again.csv", "One.", "first")):
        page = ratings(name, story)
        (box,) = [box for box in page.selectbox if box.label == INTO]
        assert box.value == into
        assert {"first", name.removesuffix(".csv")} <= set(box.options)
    page = open_page("import_data", owner)
    page.session_state[KIND] = "fabula"
    page.run()
    rows = "id,rater,rating,text\na,x,4,One.\nb,x,2,Another.\n"  # one text stands in both
    page.file_uploader[0].set_value([("third.csv", rows.encode(), "text/csv")]).run()
    assert next(box for box in page.selectbox if box.label == INTO).value == "third"


def test_a_file_called_like_the_chosen_study_may_be_of_other_stories(open_page: Open, served: None, owner: str) -> None:
    def read(story: str, **query: str) -> AppTest:
        page = open_page("import_data", owner)
        page.session_state[KIND] = "fabula"
        for part, value in query.items():
            page.query_params[part] = value
        page.run()
        said.append(words(page))
        rows = f"id,rater,rating,text\n{story},x,4,It was {story}.\n{story},y,2,It was {story}.\n"
        page.file_uploader[0].set_value([("lab.csv", rows.encode(), "text/csv")]).run()
        (box,) = [box for box in page.selectbox if box.label == INTO]
        boxes.append(str(box.value))
        options.append(box.options)
        return page

    said: list[str] = []
    boxes: list[str] = []
    options: list[list[str]] = []
    press(read("first"))
    assert "make **a new study**" not in said[-1]
    read("other")
    assert "Ratings of other stories, and exports, make **a new study**." in said[-1]
    read("other", into=str(studies.find("lab").id))  # a button of the study's own
    assert "The file goes into the study **lab**." in said[-1]
    assert "make **a new study**" not in said[-1]
    assert boxes == ["lab", "lab 2", "lab"]
    assert options == [["lab"], ["lab", "lab 2"], ["lab", "lab 2"]]  # there is always a new one


def test_a_link_says_what_is_to_be_imported(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.query_params["kind"] = "judges"
    assert page.run().session_state[KIND] == "judges"


def test_what_is_wrong_is_said_before_anything_is_stored(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "id,text\n1,One.\n1,Two.\n")
    assert "mine.csv, line 3: the id '1' stands on an earlier row too" in words(page)
    assert [button.label for button in page.button if button.label == "Import"] == []


def test_the_database_s_refusal_is_said_and_the_button_stays(open_page: Open, served: None, owner: str) -> None:
    press(uploaded(open_page, owner, "id,prompt_id,opening,text\n1,p,A.,One.\n"))
    page = uploaded(open_page, owner, "id,prompt_id,opening,text\n2,p,Other.,Two.\n")
    assert "This study has 1 story already; those of the file are added to them." in words(page)
    press(page)
    assert "The prompt 'p' is in the study with another text" in words(page)
    assert not next(button for button in page.button if button.label == "Import").disabled


def test_what_the_study_has_already_is_said_before_an_import(open_page: Open, served: None, owner: str) -> None:
    rows = "id,opening,text,reference\n1,A.,One.,By Ada.\n2,A.,Two.,By Ada.\n"
    page = uploaded(open_page, owner, rows)
    assert "What would be imported: 2 stories and 1 human reference. The first ones:" in words(page)
    press(page)
    page = uploaded(open_page, owner, rows)
    assert "This study has all of the file's stories already, by their ids: there is nothing to import." in words(page)
    assert "In the file: 2 stories and 1 human reference. The first ones:" in words(page)
    assert "would be imported" not in words(page)
    assert "are added to them" not in words(page)
    assert next(button for button in page.button if button.label == "Import").disabled
    page = uploaded(open_page, owner, rows + "3,A.,Three.,\n")
    assert "This study has 2 of the file's 3 stories already, by their ids (*1*, *2*). A file comes in" in words(page)
    page = uploaded(open_page, owner, "id,opening,text\n3,A.,Three.\n")
    assert "This study has 2 stories already; those of the file are added to them." in words(page)
    assert not next(button for button in page.button if button.label == "Import").disabled


def test_rows_without_ids_are_known_by_what_they_say(open_page: Open, served: None, owner: str) -> None:
    press(uploaded(open_page, owner, "text\nOne.\n"))
    page = uploaded(open_page, owner, "text,note\nOne.,\n")
    assert "already, by their prompts, systems and texts: there is nothing to import." in words(page)


@pytest.mark.parametrize("ids", [True, False])
def test_ratings_that_are_there_are_said_before_an_import(open_page: Open, served: None, owner: str, ids: bool) -> None:
    rows = "id,opening,text,annotator,rating\na,A.,One.,x,4\nb,A.,Two.,x,2\na,A.,One.,y,3\n"
    if not ids:
        rows = "opening,text,annotator,rating\nA.,One.,x,4\nA.,Two.,x,2\nA.,One.,y,3\n"
        press(uploaded(open_page, owner, "opening,text\nA.,One.\nA.,Two.\n"))

    def offered() -> AppTest:
        page = open_page("import_data", owner)
        page.session_state[KIND] = "fabula"
        page.run()
        page.file_uploader[0].set_value(("mine.csv", rows.encode(), "text/csv")).run()
        assert not page.exception
        return page

    press(offered())
    page = offered()
    assert "3 ratings by 2 annotators; 2 stories." in words(page)
    assert "This study has ratings of these prompts by *x* already: nobody" in words(page)
    assert "In the file: 2 stories and 3 ratings." in words(page)
    assert "would be imported" not in words(page)
    assert next(button for button in page.button if button.label == "Import").disabled


def ratings_into(open_page: Open, owner: str, study: Study, rows: str) -> AppTest:
    page = open_page("import_data", owner)
    page.session_state[KIND], page.session_state[CHOSEN] = "fabula", study.id
    page.run()
    page.file_uploader[0].set_value(("ratings.csv", rows.encode(), "text/csv")).run()
    assert not page.exception
    return page


RATED = "story_id,worker,coherence,relevance\n0-one,w1,4,5\n0-two,w1,2,3\n0-one,w2,3,3\n"


def test_the_form_that_ratings_bring_is_said_before_and_after(open_page: Open, served: None, owner: str) -> None:
    """Nobody has been asked anything; that the prompts are tasks was said as the stories came in."""
    study = imports.import_corpora(TERMINAL, "mine", [small_corpus()])
    settings.set_form(TERMINAL, study.id, with_prompts(study.scheme, PromptKind.TASK))
    page = ratings_into(open_page, owner, study, RATED)
    becomes = (
        "it will ask for *coherence*, *relevance* (1 to 5), in place of *overall* (1 to 5). Taking the import back"
    )
    assert becomes in words(page)
    assert "What would be imported: 3 ratings on a scale from 1 to 5" in words(page)
    next(box for box in page.text_input if box.label == "On coherence").set_value("Is it whole?").run()
    assert "They stay as they are once the ratings are in." in words(page)
    press(page)
    assert "Its form asks for coherence, relevance now, in place of overall." in words(page)
    assert studies.get(study.id).scheme.question == "Is it whole?"


def test_where_raters_are_not_named_it_is_asked_which_column_does(open_page: Open, served: None, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "mine", [small_corpus()])
    rows = [f"0-{story},{who},{code},4" for story, code in (("one", 7), ("two", 8), ("three", 9)) for who in ("x", "y")]
    page = ratings_into(open_page, owner, study, "\n".join(["story_id,Who,code,rating", *rows]))
    assert "Does *Who* say who rated? Then choose it as *Annotator* above" in words(page)  # codes stand in too few rows
    next(box for box in page.selectbox if box.label == "Annotator").set_value("Who").run()
    assert "6 ratings by 2 annotators" in words(page)
    assert "say who rated?" not in words(page)


def test_criteria_that_a_form_can_no_longer_take_are_said_before(open_page: Open, served: None, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "mine", [small_corpus()])
    press(ratings_into(open_page, owner, study, "story_id,rating\n0-one,4\n"))
    page = ratings_into(open_page, owner, study, RATED)
    assert "so its form can no longer change, and it does not ask for coherence, relevance" in words(page)
    assert "Import the stories once more as a study of their own, and these ratings into that." in words(page)
    assert "In the file: 3 ratings." in words(page)
    assert "would be imported" not in words(page)
    assert "To Form and rules" in [link.proto.label for link in page.get("page_link")]
    assert next(button for button in page.button if button.label == "Import").disabled


def test_an_import_goes_on_when_its_page_is_left(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run of the page ends in the middle; the next one finds the import at its end."""
    begun, go_on = threading.Event(), threading.Event()
    real = story_imports.import_tables

    def slow(*words: object, **named: object) -> object:
        begun.set()
        assert go_on.wait(30)
        return real(*words, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(story_imports, "import_tables", slow)
    page = uploaded(open_page, owner, "id,text\n1,One.\n")
    with monkeypatch.context() as left:
        left.setattr(Running, "ended", lambda self: begun.wait(30) and _left())
        next(button for button in page.button if button.label == "Import").click().run()
    assert studies.summaries(TERMINAL) == []
    go_on.set()
    deadline = time.monotonic() + 30
    while not studies.summaries(TERMINAL) and time.monotonic() < deadline:
        time.sleep(0.05)
    page.file_uploader[0].set_value([]).run()
    assert "Imported 1 story into the study 'mine'." in words(page)
    assert [summary.stories for summary in studies.summaries(TERMINAL)] == [1]


def _left() -> bool:
    """What a run of a page meets whose viewer has gone elsewhere."""
    import streamlit as st

    st.stop()


def test_empty_stories_are_left_out_where_that_is_asked_for(open_page: Open, served: None, owner: str) -> None:
    page = uploaded(open_page, owner, "system,text\ngpt,He ran.\ngpt,\ngpt,She sat.\n")
    assert "What would be imported: 3 stories." in words(page)
    box = next(box for box in page.checkbox if box.label == "Leave out the row whose story is empty: line 3")
    assert not box.value
    box.check().run()
    assert "What would be imported: 2 stories." in words(page)
    assert "1 row left out, as the story is empty: line 3." in words(page)
    press(page)
    assert "Imported 2 stories into the study 'mine'. 1 row left out, as the story is empty: line 3." in words(page)


def test_ratings_of_empty_stories_wait_until_they_are_left_out(open_page: Open, served: None, owner: str) -> None:
    page = open_page("import_data", owner)
    page.segmented_control(key=KIND).set_value("fabula").run()
    table = "system,story,rating\ngpt,He ran.,3\ngpt,,2\n"
    page.file_uploader[0].set_value([("mine.csv", table.encode(), "text/csv")]).run()
    assert "1 row with 1 rating has neither a story nor its id (line 3): leave out above what is empty" in words(page)
    assert next(button for button in page.button if button.label == "Import").disabled
    next(
        box for box in page.checkbox if box.label.endswith("whose story is empty, with 1 rating: line 3")
    ).check().run()
    assert "What would be imported: 1 story and 1 rating" in words(page)
    press(page)
    assert "Imported 1 story and 1 rating into the study 'mine'. 1 row with 1 rating left out" in words(page)
