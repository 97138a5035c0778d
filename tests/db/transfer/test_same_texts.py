"""A file without ids means the stories of a study that say the same, and nobody's study is doubled by it."""

from pathlib import Path

import pytest
from sqlalchemy import select

from core.annotation.studies import Study
from core.errors import InputError
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.reading import read_export
from core.formats.stories import blocks
from core.formats.stories.choice import StoryChoice
from core.people import TERMINAL
from core.stories import name_of
from db.engine import reading
from db.schema import prompt, story
from db.scores import tables
from db.transfer import rating_imports, story_imports

ROWS = (
    "prompt,system,text,human,overall\n"
    "Opening.,a,One.,A person's.,1\n"
    "Opening.,b,One.,A person's.,2\n"
    "Another.,a,Two.,Somebody's.,4\n"
)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "lab.csv"
    path.write_text(ROWS)
    return path


def stories(path: Path, into: str = "s", **columns: str) -> Study:
    """Import the file as a table of stories."""
    brought = blocks.brought(
        blocks.stories_from(path, StoryChoice(columns=tuple(columns.items()))), lambda surveyed: None
    )
    return story_imports.import_tables(TERMINAL, into, [brought])


def ratings(path: Path, into: str = "s", **columns: str) -> Study:
    """Import it as a file of ratings."""
    return rating_imports.import_ratings(
        TERMINAL, into, read_export(path, choice=ColumnChoice(columns=tuple(columns.items())))
    )


def keys(study: Study) -> list[tuple[str, str]]:
    """Its stories and their prompts."""
    query = select(story.c.key, prompt.c.key).join(prompt, prompt.c.id == story.c.prompt_id)
    with reading() as connection:
        return [
            tuple(row) for row in connection.execute(query.where(story.c.study_id == study.id).order_by(story.c.id))
        ]


@pytest.mark.both_databases
def test_ratings_go_to_the_stories_that_came_before_them(database: str, sheet: Path) -> None:
    study = stories(sheet, reference="human")
    before = keys(study)
    assert len(before) == 5  # and two references
    assert keys(ratings(sheet, reference="human")) == before
    assert tables.table(study.id).human.tolist() == [1, 2, 4]
    with pytest.raises(InputError, match="already; nothing was imported"):
        ratings(sheet)


def test_stories_without_ids_are_called_alike_from_both_files(database: str, sheet: Path) -> None:
    of_stories = keys(stories(sheet, "as stories", reference="human"))
    of_ratings = keys(ratings(sheet.rename(sheet.with_name("other.csv")), "as ratings", reference="human"))
    assert sorted(of_stories) == sorted(of_ratings)
    assert (name_of("Opening.", "b", "One."), "Opening.") in of_stories


def test_what_was_called_by_its_place_is_found_all_the_same(database: str, sheet: Path) -> None:
    """As a study has it whose stories came in before they were called by what they say."""
    named = sheet.with_name("named.csv")
    named.write_text("id,prompt,system,text\nlab-1,Opening.,a,One.\nlab-2,Opening.,b,One.\nlab-3,Another.,a,Two.\n")
    before = keys(stories(named))
    with pytest.raises(InputError, match="already, by its prompt, system and text; nothing was imported"):
        stories(sheet)
    study = ratings(sheet)
    assert [key for key, _ in keys(study) if "human" not in key] == [key for key, _ in before]
    assert tables.table(study.id).human.tolist() == [1, 2, 4]


def test_a_story_that_the_study_lacks_joins_its_prompt(database: str, sheet: Path) -> None:
    """Though the study calls prompts otherwise, and the file has no prompts' ids."""
    ours = sheet.with_name("ours.csv")
    ours.write_text("id,prompt_id,prompt,system,text\n7,p,Opening.,a,One.\n8,p,Opening.,b,One.\n")
    stories(ours)
    sheet.write_text("prompt,system,text,human,overall\nOpening.,c,New.,A person's.,3\nOpening.,b,One.,A person's.,5\n")
    study = ratings(sheet, reference="human")
    assert [prompt_key for _, prompt_key in keys(study)] == ["p"] * 4
    table = tables.table(study.id)
    assert dict(zip(table.keys, table.human.tolist(), strict=True))["8"] == 5
    assert len(table.keys) == 3
    assert any(key.startswith("p-human-") for key, _ in keys(study))


def test_what_the_file_does_not_have_is_not_compared(database: str, sheet: Path) -> None:
    study = stories(sheet)
    sheet.write_text("text,overall\nTwo.,5\nOne.,3\n")
    ratings(sheet)
    human = dict(zip(tables.table(study.id).keys, tables.table(study.id).human.tolist(), strict=True))
    one, two = name_of("Opening.", "a", "One."), name_of("Another.", "a", "Two.")
    assert (human[two], human[one]) == (5, 3)  # of two that say the same the first


def test_another_system_or_prompt_makes_another_story(database: str, sheet: Path) -> None:
    study = stories(sheet)
    sheet.write_text("prompt,system,text,overall\nOpening.,z,One.,1\nElsewhere.,a,One.,2\n")
    assert len(keys(study)) == 5
    assert len(keys(ratings(sheet))) == 7


@pytest.mark.both_databases
def test_a_table_does_not_double_what_ratings_brought(database: str, sheet: Path) -> None:
    study = ratings(sheet)
    before = keys(study)
    with pytest.raises(InputError, match="is in the study already; nothing was imported"):
        stories(sheet)
    assert keys(study) == before
    sheet.write_text("prompt,system,text\nOpening.,c,One.\n")
    assert len(keys(stories(sheet))) == len(before) + 1
    other = sheet.with_name("named.csv")
    other.write_text("id,prompt,system,text\nx,Opening.,a,One.\n")
    assert len(keys(stories(other))) == len(before) + 2  # ids say that another is meant
