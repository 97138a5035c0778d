"""Example files: each stands beside its uploader, and is imported as it is, without a word of warning."""

from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.formats.corpora.mans import read_mans
from core.formats.exports.reading import read_export
from core.formats.uploads.examples import FILES, FOLDER, Example, judges_example, kept_example, scores_example
from core.people import TERMINAL
from db.scores import scores
from db.studies import studies
from db.transfer import imports, rating_imports
from tests.pages.conftest import Open
from tests.pages.pages import words

PAGES = Path(__file__).resolve().parents[3] / "pages"


def taken(page: AppTest, example: Example) -> str:
    """Upload the example, import it; what the page says then, of which nothing is a warning."""
    assert [button.label for button in page.get("download_button")] == ["Example file"]
    page.file_uploader[0].set_value((example.name, example.content, "text/plain")).run()
    assert not page.exception
    assert not [*page.warning, *page.error, *page.info]
    next(button for button in page.button if button.key == "import").click().run()
    said = words(page)
    assert not [*page.warning, *page.error, *page.info]
    return said


@pytest.mark.parametrize(
    ("kind", "of", "said"),
    [
        ("stories", "stories", "Imported 9 stories and 3 human references into the study"),
        ("mans", "mans", "Imported 9 stories, 3 human references and 27 ratings "),
        ("fabula", "ratings", "27 ratings into the study"),
        ("preferences", "preferences", "Imported 18 judgments into the study"),
    ],
)
def test_it_makes_a_study(open_page: Open, owner: str, kind: str, of: str, said: str) -> None:
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value(kind).run()
    assert said in taken(page, kept_example(of))
    assert len(studies.summaries(TERMINAL)) == 1


def test_it_brings_scores_and_judges_to_the_chosen_study(open_page: Open, owner: str) -> None:
    study = imports.import_corpora(TERMINAL, "mine", [read_mans(FOLDER / FILES["mans"])])
    keys = scores.story_keys(study.id)
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("scores").run()
    assert "Imported 9 scores of each of example-metric, another-example." in taken(page, scores_example(keys))
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("judges").run()
    assert "Imported 18 ratings by 2 judges." in taken(page, judges_example(keys, study.scheme))


def test_every_uploader_has_one() -> None:
    beside = set()
    for file in PAGES.rglob("*.py"):
        code = file.read_text(encoding="utf-8")
        if "st.file_uploader(" in code:
            assert code.count("st.file_uploader(") == code.count("  example_file("), file
            beside.add(file.name)
    assert {
        "stories.py",
        "ratings.py",
        "scores.py",
        "judges.py",
        "text_source.py",
        "import_form.py",
        "recruitment.py",
    } <= beside


def test_ratings_for_a_study_that_has_stories_say_what_becomes_of_them(
    open_page: Open, owner: str, tmp_path: Path
) -> None:
    corpus = read_mans(FOLDER / FILES["mans"])
    studies.create(TERMINAL, "none yet", "mans")
    imports.import_corpora(TERMINAL, "rated", [corpus])
    study = imports.import_corpora(TERMINAL, "mine", [replace(corpus, ratings=())])
    first, second, *_ = scores.story_keys(study.id)
    page = open_page("import_data", owner)
    page.segmented_control[0].set_value("fabula").run()
    file = f"story_id,overall\n{first},4\n{second},2\n".encode()
    page.file_uploader[0].set_value(("mine.csv", file, "text/csv")).run()
    said = words(page)
    assert "2 ratings by raters whom the file does not name." in said
    assert "This study has 9 stories already; the ratings are of these." in said
    without = "These ratings come without their stories: choose the study that has them."
    assert without not in said
    refusal = "This study has ratings of these prompts by *rater 1* already"
    next(box for box in page.selectbox if box.label.startswith("Into the study")).set_value("rated").run()
    assert refusal in words(page)
    next(box for box in page.selectbox if box.label.startswith("Into the study")).set_value("none yet").run()
    assert without in words(page)
    path = tmp_path / "mine.csv"
    path.write_bytes(file)
    with pytest.raises(InputError, match="by 'rater 1' already; nothing was imported"):
        rating_imports.import_ratings(TERMINAL, "rated", read_export(path))
