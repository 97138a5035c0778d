"""Scores from a file on the Import page: those of people's stories where somebody says so."""

from core.annotation.pair_design import PairRules
from core.people import TERMINAL
from core.stories import Source
from db.scores import scores, tables
from db.transfer import imports
from tests.db.conftest import small_corpus
from tests.db.pairs import PLANTED, corpus, opened
from tests.pages.conftest import Open
from tests.pages.pages import words

BOX = "Keep scores of people's stories too"


def upload(open_page: Open, owner: str, *, people: bool) -> str:
    """Import a file with a score of every story; what the page says."""
    rows = [f"{p}-{name},{len(name)}\n" for p in range(3) for name in (*PLANTED, "human")]
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("scores").run()
    page.file_uploader[0].set_value(("s.csv", ("id,mine\n" + "".join(rows)).encode(), "text/csv")).run()
    boxes = [box for box in page.checkbox if box.label == BOX]
    if people:
        boxes[0].check().run()
    said = words(page)
    next(button for button in page.button if button.label == "Import the scores").click().run()
    assert not page.exception
    return said


def test_people_are_kept_where_somebody_says_so(open_page: Open, served: None, owner: str) -> None:
    study = opened(PairRules(a_panel=3, against_human=True), given=corpus(3))
    both = (Source.SYSTEM, Source.HUMAN)
    said = upload(open_page, owner, people=False)
    assert "Left out as rows of people's stories: 3." in said
    assert tables.table(study.id, sources=both).columns[0].scored == 12
    assert "15 of 15 stories have a score" in upload(open_page, owner, people=True)
    assert tables.table(study.id, sources=both).columns[0].scored == 15


def test_a_usual_study_does_not_ask(open_page: Open, served: None, owner: str) -> None:
    opened(given=corpus(3))
    said = upload(open_page, owner, people=False)
    assert "3 rows are of human stories, which metrics do not score." in said
    assert "no story of this study" not in said


def test_a_column_that_is_empty_in_some_rows(open_page: Open, served: None, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    keys = scores.story_keys(study.id)
    rows = [f"{key},4,3,{'' if number == 2 else number}\n" for number, key in enumerate(keys)]
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("scores").run()
    table = "id,ann_01,ann_02,gpt4_judge\n" + "".join(rows)
    page.file_uploader[0].set_value(("s.csv", table.encode(), "text/csv")).run()
    said = words(page)
    assert "look like people's ratings: *ann\\_01*, *ann\\_02*." in said
    assert "9 of 10 rows have a score of gpt4\\_judge; the others are empty." in said
    assert "9 of 10 stories have a score" in said
    next(button for button in page.button if button.label == "Import the scores").click().run()
    assert not page.exception
    (column,) = tables.table(study.id).columns
    assert (column.metric, column.scored) == ("gpt4_judge", 9)


def test_a_cell_that_is_no_number_is_named(open_page: Open, served: None, owner: str) -> None:
    imports.import_corpora(TERMINAL, "s", [small_corpus()])
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("scores").run()
    page.file_uploader[0].set_value(("s.csv", b"id,mine\na,1\nb,n/a\nc,2\n", "text/csv")).run()
    said = words(page)
    assert "Not offered: s.csv, line 3, column 'mine': 'n/a' is not a number." in said
    assert "Choose at least one column of scores." in said


def test_a_text_file_of_numbers_where_lower_is_better(open_page: Open, served: None, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("scores").run()
    numbers = "\n".join(str(number) for number in range(10)).encode()
    page.file_uploader[0].set_value(("length_score.txt", numbers, "text/plain")).run()
    page.toggle[0].set_value(True).run()
    assert "10 of 10 stories have a score" in words(page)
    next(button for button in page.button if button.label == "Import the scores").click().run()
    assert "Imported 10 scores of length." in words(page)
    (column,) = tables.table(study.id).columns
    assert column.metric == "length"
    assert column.values.tolist() == [-float(number) for number in range(10)]
