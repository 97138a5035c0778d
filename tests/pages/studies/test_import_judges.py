"""Judges' ratings on the Import page: what the file's names say, what the viewer says, and what was kept."""

from db.scores import tables
from tests.pages.conftest import Open
from tests.pages.pages import words
from tests.rated import rated_study

TABLE = "story_id,judge,prompt_variant,overall,style\n0-0,<b>m</b>,1,4,2\n0-1,<b>m</b>,1,2,2\n0-0,<b>m</b>,2,0,2\n"


def test_what_the_names_say_is_shown_and_imported(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(2, ("low", "high"), (), "mans")
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("judges").run()
    assert "A row for each judge and story" in words(page)
    page.file_uploader[0].set_value(("judges.csv", TABLE.encode(), "text/csv")).run()
    said = words(page)
    assert "2 judges" in said
    assert "no criterion of this study and were left out: style" in said
    as_in_the_file, preview = page.dataframe
    assert list(as_in_the_file.value["overall"]) == ["4", "2", "0"]
    assert list(preview.value.columns) == ["Id", "<b>m</b>/1:overall", "<b>m</b>/2:overall"]
    next(button for button in page.button if button.label == "Import").click().run()
    assert not page.exception
    assert "Imported 3 ratings by 2 judges." in words(page)
    assert [button.label for button in page.button if button.label.startswith("Next")] == [
        "Next: put the judges on trial",
        "Next: run metrics",
    ]
    columns = tables.table(study.id).columns
    assert [(column.metric, column.scored) for column in columns] == [
        ("<b>m</b>/1:overall", 2),
        ("<b>m</b>/2:overall", 1),
    ]


def test_a_judge_that_no_column_names(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(2, ("low", "high"), (), "mans")
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("judges").run()
    page.file_uploader[0].set_value(("judges.csv", b"story_id,rating\n0-0,4\n0-1,2\n", "text/csv")).run()
    said = words(page)
    assert "names no judge" in said
    assert "--" not in said
    next(box for box in page.text_input if box.label == "Or the only judge's name").set_value("gpt-4o").run()
    next(button for button in page.button if button.label == "Import").click().run()
    assert [column.metric for column in tables.table(study.id).columns] == ["gpt-4o:overall"]


def test_a_column_of_ratings_is_chosen_and_names_its_judge(served: None, open_page: Open, owner: str) -> None:
    study = rated_study(2, ("low", "high"), (), "mans")
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("judges").run()
    table = b"id,ann_01,mine,gpt4_judge\n0-0,4,1,5\n0-1,2,2,\n1-0,2,5,3\n"
    page.file_uploader[0].set_value(("evaluation.csv", table, "text/csv")).run()
    assert "1 judge (gpt4\\_judge) on overall: ratings of up to 2 of 4 stories." in words(page)
    column = next(box for box in page.selectbox if box.label == "The judge's ratings")
    assert (column.options[1:], column.value) == (["gpt4_judge", "ann_01", "mine"], "gpt4_judge")
    column.set_value("mine").run()
    assert "1 judge (mine) on overall: ratings of up to 3 of 4 stories." in words(page)
    next(box for box in page.text_input if box.label == "Or the only judge's name").set_value("gpt-4").run()
    next(button for button in page.button if button.label == "Import").click().run()
    assert not page.exception
    assert [(column.metric, column.scored) for column in tables.table(study.id).columns] == [("gpt-4:overall", 3)]


def test_metrics_are_no_next_step_where_they_were_run(served: None, open_page: Open, owner: str) -> None:
    rated_study(2, ("low", "high"), ("bleu",), "mans")
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("judges").run()
    page.file_uploader[0].set_value(("judges.csv", TABLE.encode(), "text/csv")).run()
    next(button for button in page.button if button.label == "Import").click().run()
    labels = [button.label for button in page.button if button.label.startswith("Next")]
    assert labels == ["Next: put the judges on trial"]
