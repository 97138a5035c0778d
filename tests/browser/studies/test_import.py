"""Importing in a real browser: a folder, a JSON file, scores, and files that cannot be used."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.annotation.studies import StudyState
from core.formats.corpora.mans import read_mans
from core.people import TERMINAL
from core.stories import Corpus, Source
from db.scores import tables
from db.studies import studies
from db.transfer import imports
from tests.browser.conftest import Server, settle, sign_in, visit
from tests.browser.studies.importing import name_study, upload
from tests.db.conftest import small_corpus

HOSTILE = '<script>alert(1)</script> $x$ :red[x] =1+1 https://x.org -> "שלום" 🦊'


@pytest.fixture
def page(server: Server, browser: Browser) -> Page:
    """The owner on the Import page."""
    opened = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(opened, server)
    visit(opened, f"{server.address}/import_data")
    return opened


UPLOADER_OF = {
    "UNION's annotation folder": "The folder with ant_data.txt",
    "MANS (OpenMEVA)": "The MANS file",
    "Metric scores": "A text file with one number per line",
}


def choose_kind(page: Page, label: str) -> None:
    """Choose it, and wait until its own file field has taken the place of the table's, which was there before."""
    of_tables = page.get_by_text("A CSV, TSV, JSON, JSONL or Parquet file", exact=True)
    expect(of_tables).to_be_visible()
    page.get_by_text(label, exact=True).click()
    expect(page.get_by_text(UPLOADER_OF[label])).to_be_visible()
    expect(of_tables).to_have_count(0)
    settle(page)


def test_unions_folder_and_its_numbers(page: Page, server: Server, shared: Path) -> None:
    choose_kind(page, "UNION's annotation folder")
    page.locator("input[type=file]").set_input_files(shared / "union-roc")
    expect(page.get_by_text("400 stories, 400 human references, 2,800 ratings, scores of 10 metrics")).to_be_visible(
        timeout=60_000
    )
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 400 stories, 400 human references")).to_be_visible(timeout=60_000)
    visit(page, f"{server.address}/correlation?tab=Scatter")
    expect(page.get_by_text("union against people, r = 0.369")).to_be_visible(timeout=60_000)


def test_mans(page: Page, shared: Path) -> None:
    choose_kind(page, "MANS (OpenMEVA)")
    upload(page, shared / "mans-roc" / "mans_roc.json")
    expect(page.get_by_text("1,000 stories, 200 human references, 5,000 ratings")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 1,000 stories, 200 human references")).to_be_visible(timeout=60_000)
    assert studies.find("mans_roc").scheme_key == "mans"


def test_scores_from_a_text_file(page: Page, tmp_path: Path) -> None:
    study = imports.import_corpora(TERMINAL, "s", [small_corpus()])
    file = tmp_path / "length_score.txt"
    file.write_text("\n".join(str(i) for i in range(10)))
    choose_kind(page, "Metric scores")
    upload(page, file)
    page.get_by_text("Lower is better").click()
    expect(page.get_by_text("10 of 10 stories have a score")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Import the scores").click()
    expect(page.get_by_text("Imported 10 scores of each of length.")).to_be_visible()
    (column,) = tables.table(study.id).columns
    assert column.metric == "length"
    assert column.values.tolist() == [-float(i) for i in range(10)]


def test_hostile_text_stays_text(page: Page, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "hostile.csv"
    quoted = '"' + HOSTILE.replace('"', '""') + '"'
    file.write_text(f"text,prompt,system\n{quoted},{quoted},{quoted}\n", encoding="utf-8")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    upload(page, file)
    expect(page.get_by_text("What would be imported: 1 story. The first ones:")).to_be_visible()
    name_study(page, HOSTILE)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 1 story")).to_be_visible()
    for name in ("", "studies", "score", "correlation"):
        visit(page, f"{server.address}/{name}")
        assert page.locator(".katex, [data-testid=stMain] a[href*='x.org']").count() == 0
    visit(page, server.address)
    expect(page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    assert dialogs == []


UNUSABLE = {
    "empty.csv": (b"", "The file empty.csv is empty."),
    "picture.csv": (b"\x89PNG\r\n\x1a\n\xff\xfe", "is not UTF-8 text"),
    "double.csv": (b"id,text\n1,a\n1,b\n", "double.csv, row 2: the id '1' stands on an earlier row too"),
    "nul.jsonl": (b'{"text": "a\\u0000b"}\n', "nul.jsonl, line 1: the text holds a NUL byte"),
    "broken.json": (b"[{", "broken.json, line 1: this is not JSON"),
    "not.parquet": (b"text\n", "not.parquet is not a Parquet file"),
    "long.csv": (b"text\n" + b"word " * 30_000, "the most is 100,000"),
}


def test_what_cannot_be_used_is_said_in_one_sentence(page: Page, server: Server, tmp_path: Path) -> None:
    for name, (content, words) in UNUSABLE.items():
        file = tmp_path / name
        file.write_bytes(content)
        upload(page, file)  # in the place of the one before
        expect(page.get_by_text(words)).to_be_visible()
        assert studies.summaries(TERMINAL) == []
    assert "Traceback" not in server.log()


def test_a_table_without_a_text_column_asks_for_it(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("body,opening\nOnce.,Go.\n")
    upload(page, file)
    expect(page.get_by_text("Choose the column that holds the story's text.")).to_be_visible()
    page.get_by_label("Text (required)").click()
    page.get_by_role("option", name="body").click()
    expect(page.get_by_text("What would be imported: 1 story. The first ones:")).to_be_visible()


def test_a_new_study_says_its_scheme_and_a_reload_keeps_the_study(page: Page, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "first.csv"
    file.write_text("id;text\na;One.\nb;Two.\n")
    upload(page, file)
    name = page.get_by_role("combobox", name="Into the study")
    expect(name).to_have_value("first")
    name_study(page, "mine")
    page.get_by_role("combobox", name="Scheme of the new study").click()
    page.get_by_role("option", name="Human likeliness").click()
    settle(page)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 2 stories into")).to_be_visible()
    assert studies.find("mine").scheme_key == "likeliness"
    page.reload()
    settle(page)
    file.write_text("id;text\nc;Three.\n")
    upload(page, file)
    expect(name).to_have_value("first")  # the chosen study has stories already
    name_study(page, "mine")
    expect(page.get_by_text("This study has 2 stories already")).to_be_visible()
    expect(page.get_by_text("Scheme of the new study")).to_have_count(0)
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("Imported 1 story")).to_be_visible()
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.study.name, summary.stories) == ("mine", 3)


MINE = """id,opening,model,continuation,taste
1,Mia found a key.,human,She tried it on every door. One of them opened.,0.9
2,Mia found a key.,gpt,She ate the key. The key was a cloud.,0.2
3,Omar missed the bus.,human,He walked. On the way he met an old friend.,0.8
4,Omar missed the bus.,gpt,The bus missed Omar. The bus was sad.,0.1
"""


def test_a_human_system_is_asked_about_and_scores_come_along(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(MINE)
    upload(page, file)
    expect(page.get_by_text("4 rows. The first ones as they are in the file:")).to_be_visible()
    expect(page.get_by_label("Text (required)")).to_have_value("continuation")
    expect(page.get_by_label("Prompt", exact=True)).to_have_value("opening")
    expect(page.get_by_text("human (2): your human reference?")).to_be_visible()
    button = page.get_by_role("button", name="Import", exact=True)
    expect(button).to_be_disabled()
    expect(page.get_by_text("Before you import, answer above: human.")).to_be_visible()
    page.get_by_text("Yes, people wrote these").click()
    expect(page.get_by_text("What would be imported: 2 stories, 2 human references. The first")).to_be_visible()
    page.get_by_label("Columns of metrics' scores").click()
    page.get_by_role("option", name="taste").click()
    page.keyboard.press("Escape")
    expect(page.get_by_text("2 stories, 2 human references, scores of 1 metric.")).to_be_visible()
    settle(page)
    button.click()
    expect(page.get_by_text("Imported 2 stories, 2 human references")).to_be_visible()
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.stories, summary.references, summary.metrics) == (2, 2, 1)


def test_many_presses_import_once(page: Page, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "many.csv"
    file.write_text("text\n" + "".join(f"Story {number}. It goes on.\n" for number in range(3_000)))
    upload(page, file)
    button = page.get_by_role("button", name="Import", exact=True)
    expect(button).to_be_enabled()
    settle(page)
    button.evaluate("one => { for (let n = 0; n < 4; n++) setTimeout(() => one.click(), n * 120) }")
    page.get_by_text("Scheme of the new study").click(force=True)  # and whatever else a hasty hand does
    expect(page.get_by_text("Imported 3,000 stories into")).to_be_visible(timeout=60_000)
    settle(page)
    expect(page.get_by_text("are added to them")).to_have_count(0)
    expect(button).to_have_count(0)
    expect(page.locator("[data-testid=stAlertContentError]")).to_have_count(0)
    assert [summary.stories for summary in studies.summaries(TERMINAL)] == [3_000]
    other = page.context.new_page()  # a second tab knows nothing of the first
    visit(other, f"{server.address}/import_data")
    upload(other, file)
    other.get_by_role("button", name="Import", exact=True).click()
    expect(other.get_by_text("is in the study already; nothing was imported")).to_be_visible(timeout=60_000)
    assert [summary.stories for summary in studies.summaries(TERMINAL)] == [3_000]


def test_a_table_of_ratings_is_asked_about(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "rated.csv"
    rows = "".join(f"{story},{rater},4,Text {story}.\n" for story in "abc" for rater in "xyz")
    file.write_text("story_id,rater,overall,story\n" + rows)
    upload(page, file)
    expect(page.get_by_text("This looks like a table of ratings: 9 rows, 3 different stories.")).to_be_visible()
    button = page.get_by_role("button", name="Import", exact=True)
    expect(button).to_have_count(0)
    page.get_by_text("Import each story once, without the ratings").click()
    expect(page.get_by_text("What would be imported: 3 stories")).to_be_visible()
    expect(button).to_be_enabled()
    page.get_by_text("Import each story once, without the ratings").click()
    page.get_by_role("button", name="Import as ratings").click()
    expect(page.get_by_text("The file rated.csv")).to_be_visible()  # which need not be uploaded again
    expect(page.get_by_text("9 ratings in 9 panels by 3 annotators, 3 stories.")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Import", exact=True).dblclick()
    expect(page.get_by_text(re.compile("Imported .*9 ratings into the study"))).to_be_visible()
    assert [summary.ratings for summary in studies.summaries(TERMINAL)] == [9]


def test_openmevas_nested_scores_come_in_at_once(page: Page, shared: Path) -> None:
    study = imports.import_corpora(TERMINAL, "mans", [read_mans(shared / "mans-roc" / "mans_roc.json")])
    choose_kind(page, "Metric scores")
    upload(page, shared / "mans-roc" / "openmeva_roc_metric_scores.json")
    expect(page.get_by_text("1,000 of 1,000 stories have a score")).to_be_visible(timeout=60_000)
    settle(page)
    page.get_by_role("button", name="Import the scores").click()
    expect(page.get_by_text("Imported 1,000 scores of each of rouge1-p,")).to_be_visible(timeout=60_000)
    entries = json.loads((shared / "mans-roc" / "openmeva_roc_metric_scores.json").read_text())
    known = {metric for entry in entries for story in entry["gen"].values() for metric in story["score"]}
    columns = tables.table(study.id).columns
    assert {column.metric for column in columns} == known - {"human"}
    assert {column.scored for column in columns} == {1_000}


def test_a_study_without_references_opens_only_when_confirmed(page: Page, server: Server) -> None:
    alone = Corpus("", tuple(story for story in small_corpus().stories if story.source is Source.SYSTEM))
    study = imports.import_corpora(TERMINAL, "bare", [alone])
    visit(page, f"{server.address}/overview?study={study.id}")
    page.get_by_role("button", name="Open for annotation").click()
    expect(page.get_by_text("Controls are missing: no prompt has a human reference.")).to_be_visible()
    assert studies.get(study.id).state is StudyState.DRAFT
    anyway = page.get_by_role("button", name="Open without them")
    expect(anyway).to_be_disabled()
    page.get_by_text("I want to collect ratings without these controls").click()
    expect(anyway).to_be_enabled()
    anyway.click()
    expect(page.get_by_role("button", name="Close for annotation")).to_be_visible()
    assert studies.get(study.id).state is StudyState.OPEN
